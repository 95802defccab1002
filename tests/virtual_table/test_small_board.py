"""The shims and the radio, shown with a small firmware of our own: what an ESP32 would do, the board does."""

import asyncio
from pathlib import Path

import pytest
from bleak import BleakClient
from bleak.exc import BleakCharacteristicNotFoundError, BleakError
from small_board import ASK, SAY, SERVICE, Caller, in_virtual_time, small_table


def test_found_by_name_and_service_and_echoes(tmp_path):
    async def work():
        async with small_table(tmp_path) as table:
            caller = await Caller(table.backend()).connect()
            assert SERVICE in [service.uuid for service in caller.client.services]
            assert caller.client.mtu_size == 247
            assert table.link == "connected"
            return await caller.ask(b"x" * 200)

    assert in_virtual_time(work()) == b"x" * 200


def test_the_same_in_real_time(tmp_path):
    async def work():
        async with small_table(tmp_path) as table:
            caller = await Caller(table.backend()).connect()
            return await caller.ask(b"hello"), await caller.ask(b"timer")

    assert asyncio.run(work()) == (b"hello", b"10")


def test_sleeping_takes_the_time_it_says(tmp_path):
    async def work():
        async with small_table(tmp_path) as table:
            caller = await Caller(table.backend()).connect()
            return int(await caller.ask(b"nap")), await caller.ask(b"timer")

    slept, ticks = in_virtual_time(work())
    assert 1500 <= slept <= 1502
    assert ticks == b"10"


def test_a_button_press_is_one_interrupt(tmp_path):
    async def work():
        async with small_table(tmp_path) as table:
            caller = await Caller(table.backend()).connect()
            table.press_button()
            await asyncio.sleep(1)
            table.press_button()
            await asyncio.sleep(1)
            return await caller.ask(b"presses")

    assert in_virtual_time(work()) == b"2"


def test_lights_arrive_as_frames(tmp_path):
    async def work():
        changes = []
        async with small_table(tmp_path, on_change=changes.append) as table:
            caller = await Caller(table.backend()).connect()
            await caller.tell(b"light")
            await asyncio.sleep(0.1)
            assert table.lights("board")[:3] == [(0, 0, 0), (255, 0, 7), (0, 0, 0)]
            assert table.led_frames("board")[-1].milliamps == pytest.approx(64 + 20 * 262 / 255)
            return [change for change in changes if change["kind"] == "lights"]

    assert [change["strip"] for change in in_virtual_time(work())] == ["board"]


def test_a_reset_keeps_the_flash_and_tells_its_cause(tmp_path):
    async def work():
        async with small_table(tmp_path) as table:
            caller = await Caller(table.backend()).connect()
            before = (await caller.ask(b"cause"), await caller.ask(b"boots"))
            await caller.tell(b"reset")
            await asyncio.wait_for(caller.lost.wait(), 5)
            await caller.connect()
            after = (await caller.ask(b"cause"), await caller.ask(b"boots"))
            table.crash()
            await asyncio.wait_for(caller.lost.wait(), 5)
            await caller.connect()
            crashed = (await caller.ask(b"cause"), await caller.ask(b"boots"))
            return before, after, crashed

    assert in_virtual_time(work()) == ((b"1", b"1"), (b"2", b"2"), (b"3", b"3"))
    assert (tmp_path / "boots.txt").read_text() == "xxx", "a relative path lies in the flash"


def test_a_failing_program_stands_still_until_the_plug_is_pulled(tmp_path):
    async def work():
        async with small_table(tmp_path) as table:
            caller = await Caller(table.backend()).connect()
            await caller.tell(b"fail")
            await asyncio.sleep(30)
            assert any("RuntimeError: as asked" in line for line in table.log)
            assert table.board.boots == 1
            table.power_cycle()
            await asyncio.wait_for(caller.lost.wait(), 5)
            await caller.connect()
            return await caller.ask(b"cause")

    assert in_virtual_time(work()) == b"1"


def test_a_watchdog_bites_a_failed_program(tmp_path):
    async def work():
        async with small_table(tmp_path) as table:
            caller = await Caller(table.backend()).connect()
            await caller.tell(b"guard")
            await caller.tell(b"hang")
            await asyncio.wait_for(caller.lost.wait(), 10)
            await caller.connect()
            return await caller.ask(b"cause")

    assert in_virtual_time(work()) == b"3"


def test_a_lost_link_is_heard_at_both_ends(tmp_path):
    async def work():
        async with small_table(tmp_path) as table:
            caller = await Caller(table.backend()).connect()
            table.drop_link(out_of_range_s=5)
            await asyncio.wait_for(caller.lost.wait(), 1)
            assert not caller.client.is_connected
            with pytest.raises(BleakError):
                await caller.tell(b"anybody there?")
            await asyncio.sleep(1)
            assert table.link == "advertising"
            began = asyncio.get_running_loop().time()
            await caller.connect()
            took = asyncio.get_running_loop().time() - began
            return await caller.ask(b"again"), took

    answer, took = in_virtual_time(work())
    assert answer == b"again"
    assert took > 3, "out of range nobody is found"


def test_fifty_lost_links_leave_nothing_behind(tmp_path):
    async def work():
        async with small_table(tmp_path) as table:
            caller = Caller(table.backend())
            for i in range(50):
                await caller.connect()
                if i % 2:
                    table.drop_link()
                else:
                    await caller.client.disconnect()
                await asyncio.sleep(0.05)
            await caller.connect()
            assert len(table.air.controllers) == 2
            assert all(len(c.le_connections) == 1 for c in table.air.controllers)
            return await caller.ask(b"still here")

    assert in_virtual_time(work()) == b"still here"


def test_a_hundred_failed_connections_leave_the_adapter_free(tmp_path):
    async def work():
        async with small_table(tmp_path) as table:
            caller = await Caller(table.backend()).connect()
            address = caller.client.address
            await caller.client.disconnect()
            table.drop_link(out_of_range_s=100)
            for _ in range(100):
                with pytest.raises(TimeoutError):
                    await BleakClient(address, backend=caller.client_class, timeout=0.5).connect()
            await asyncio.sleep(60)
            await caller.connect()
            return await caller.ask(b"at last")

    assert in_virtual_time(work()) == b"at last"


def test_the_firmware_may_hang_up(tmp_path):
    async def work():
        async with small_table(tmp_path) as table:
            caller = await Caller(table.backend()).connect()
            await caller.tell(b"bye")
            await asyncio.wait_for(caller.lost.wait(), 5)

    in_virtual_time(work())


def test_a_burst_keeps_its_order(tmp_path):
    async def work():
        async with small_table(tmp_path) as table:
            caller = await Caller(table.backend()).connect()
            await caller.tell(b"burst 500")
            await caller.next_after(499)
            return caller.heard

    assert in_virtual_time(work()) == [b"%d" % i for i in range(500)]


def test_no_buffer_is_an_error_that_the_firmware_sees(tmp_path):
    async def work():
        async with small_table(tmp_path) as table:
            caller = await Caller(table.backend()).connect()
            table.notify_enomem(3)
            await caller.tell(b"burst 5")
            await caller.next_after(1)
            return caller.heard, bytes(await caller.client.read_gatt_char(SAY))

    assert in_virtual_time(work()) == ([b"3", b"4"], b"errno 12")


def test_air_takes_its_time_and_nothing_overtakes(tmp_path):
    async def work():
        async with small_table(tmp_path) as table:
            caller = await Caller(table.backend()).connect()
            table.set_air_time(15)
            loop = asyncio.get_running_loop()
            began = loop.time()
            await caller.ask(b"there and back")
            took = loop.time() - began
            await caller.tell(b"burst 20")
            table.set_air_time(0)
            await caller.next_after(20)
            return took, caller.heard[1:]

    took, heard = in_virtual_time(work())
    assert 0.030 <= took < 0.034
    assert heard == [b"%d" % i for i in range(20)]


def test_long_notifications_are_cut_and_noticed(tmp_path):
    async def work():
        async with small_table(tmp_path) as table:
            caller = await Caller(table.backend()).connect()
            table.board.radio.mtu = 23
            for connection in table.board.radio._connections.values():
                connection.att_mtu = 23
            heard = await caller.ask(b"y" * 40)
            return heard, table.model_errors()

    heard, errors = in_virtual_time(work())
    assert heard == b"y" * 20
    assert "cut to the 20" in errors[0]


def test_writes_longer_than_the_buffer_are_cut_as_on_the_chip(tmp_path):
    async def work():
        async with small_table(tmp_path) as table:
            caller = await Caller(table.backend()).connect()
            return await caller.ask(b"z" * 240)

    assert in_virtual_time(work()) == b"z" * 200


def test_a_write_without_response_must_fit(tmp_path):
    async def work():
        async with small_table(tmp_path) as table:
            caller = await Caller(table.backend()).connect()
            with pytest.raises(BleakError, match="do not fit"):
                await caller.client.write_gatt_char(ASK, b"w" * 245, response=False)
            with pytest.raises(BleakCharacteristicNotFoundError):
                await caller.client.read_gatt_char("6e400009-b5a3-f393-e0a9-e50e24dcca9e")

    in_virtual_time(work())


def test_loaded_entropy_then_seeded_entropy(tmp_path):
    async def work():
        async with small_table(tmp_path) as table:
            caller = await Caller(table.backend()).connect()
            table.board.desk.forced_entropy += bytes.fromhex("0102030405060708")
            return await caller.ask(b"random"), await caller.ask(b"random")

    first = in_virtual_time(work())
    assert first[0] == bytes(range(1, 9))
    assert in_virtual_time(work()) == first


def test_a_packet_that_was_never_sent_can_arrive(tmp_path):
    async def work():
        async with small_table(tmp_path) as table:
            with pytest.raises(ValueError, match="nobody"):
                table.inject_notification(b"\xff")
            caller = await Caller(table.backend()).connect()
            table.inject_notification(b"\xff\x00garbage")
            return await caller.next_after(0)

    assert in_virtual_time(work()) == b"\xff\x00garbage"


def test_nothing_of_the_interpreter_is_left(tmp_path):
    async def work():
        async with small_table(tmp_path) as table:
            await Caller(table.backend()).connect()
            return table.board.pid

    pid = in_virtual_time(work())
    assert not Path(f"/proc/{pid}").exists()


def test_a_missing_firmware_is_a_clear_error(tmp_path):
    from companion.virtual_table.board import BoardSetup, VirtualTableError
    from companion.virtual_table.table import VirtualTable

    async def work():
        async with VirtualTable(setup=BoardSetup(tmp_path, code=tmp_path, entry="small.echo")):
            pass

    with pytest.raises(VirtualTableError, match="there is no 'small' in"):
        asyncio.run(work())
