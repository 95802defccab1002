"""Cable, buses, converter, sleep and RTC memory of a die's chip, shown with a small firmware of our own."""

import asyncio

import pytest
from cable_board import Talker, talking_die, talking_setup
from small_board import in_virtual_time

from companion.virtual_table.table import VirtualTable


def with_die(flash, work, **options):
    async def run():
        async with talking_die(flash, **options) as (table, talker):
            return await work(table, talker)

    return in_virtual_time(run())


def test_the_cable_carries_lines_both_ways_at_its_baud(tmp_path):
    async def work(table, talker):
        loop = asyncio.get_running_loop()
        began = loop.time()
        answer = await talker.ask("echo " + "x" * 200)
        return answer, loop.time() - began

    answer, took = with_die(tmp_path, work)
    assert answer == "x" * 200
    bytes_both_ways = 206 + 201
    assert bytes_both_ways * 10 / 115_200 <= took < bytes_both_ways * 10 / 115_200 + 0.02


def test_more_than_the_buffers_hold_is_lost_as_on_the_chip(tmp_path):
    async def work(table, talker):
        talker.end.write(b"nap 200\n" + b"echo " + b"y" * 2_000 + b"\n")
        await talker.line()
        talker.end.write(b"\n")
        return len(await talker.line())

    assert with_die(tmp_path, work) < 700


def test_a_pulled_plug_loses_bytes_and_noise_turns_bits(tmp_path):
    async def work(table, talker):
        table.plug_cable(False)
        talker.end.write(b"echo lost\n")
        await asyncio.sleep(0.1)
        table.plug_cable(True)
        after = await talker.ask("echo found")
        talker.end.write(b"echo " + b"z" * 200 + b"\n")
        await asyncio.sleep(0.02)
        table.serial_noise(3)
        heard = await talker.line()
        table.serial_noise(0)
        return after, heard, await talker.ask("echo quiet")

    after, heard, quiet = with_die(tmp_path, work)
    assert after == "found"
    assert sum(a != b for a, b in zip(heard, "z" * 200, strict=False)) in (1, 2, 3)
    assert quiet == "quiet"


def test_pins_are_those_of_the_chip(tmp_path):
    async def work(table, talker):
        pins = [await talker.ask(f"pin {n}") for n in (21, 22, 34)]
        return [*pins, await talker.ask("hasattr(esp32,'wake_on_ext0')")]

    assert with_die(tmp_path, work) == ["Pin(21)", "ValueError invalid pin", "ValueError invalid pin", "False"]


@pytest.mark.parametrize(("chip", "address", "identity"), [("lis2dw12", 0x19, "44"), ("lis3dh", 0x18, "33")])
def test_the_accelerometer_answers_at_its_address_only(tmp_path, chip, address, identity):
    async def work(table, talker):
        found = [await talker.ask("scan"), await talker.ask(f"read {address} 15 1"), await talker.ask("read 64 15 1")]
        table.mute_accelerometer()
        return [*found, await talker.ask("scan"), table.model_errors()]

    found = with_die(tmp_path, work, accelerometer=chip)
    assert found == [f"[{address}]", identity, "OSError [Errno 19] ENODEV", "[]", []]


def test_the_converter_sees_half_the_cell(tmp_path):
    async def work(table, talker):
        seen = []
        for millivolts in (3400, 3700, 4000):
            table.set_battery(millivolts)
            microvolts, raw = (await talker.ask("adc")).split()
            seen.append((millivolts, int(microvolts) / 1000, int(raw)))
        return seen

    seen = with_die(tmp_path, work)
    for millivolts, told, _ in seen:
        assert abs(told * 2 - millivolts) < 60
        assert told * 2 < millivolts + 40, "the load pulls it down"
    assert seen[0][2] < seen[1][2] < seen[2][2]


def test_deep_sleep_ends_after_its_time_and_keeps_rtc_memory(tmp_path):
    async def work(table, talker):
        loop = asyncio.get_running_loop()
        await talker.ask("remember outbox")
        began = loop.time()
        talker.end.write(b"sleep 5000\n")
        woken = await talker.line()
        took = loop.time() - began
        kept = await talker.ask("memory")
        talker.end.write(b"reset\n")
        reset = await talker.line()
        still = await talker.ask("memory")
        table.power_cycle()
        return woken, took, kept, reset, still, await talker.line(), await talker.ask("memory")

    woken, took, kept, reset, still, power, gone = with_die(tmp_path, work)
    assert woken == "up 4 4"
    assert 5.3 <= took < 5.5
    assert kept == still == "b'outbox'"
    assert (reset, power, gone) == ("up 2 0", "up 1 0", "b''")


def test_a_moved_die_wakes_by_its_interrupt_line(tmp_path):
    async def work(table, talker):
        # 25 Hz in low-power mode 1, wake-up above 62.5 mg at 2 g, routed to INT1, interrupts on
        for register, value in ((0x25, "00"), (0x34, "02"), (0x35, "00"), (0x23, "20"), (0x3F, "20"), (0x20, "30")):
            await talker.ask(f"write 25 {register} {value}")
        await asyncio.sleep(2)
        quiet = await talker.ask("rises")
        talker.end.write(b"sleep 0\n")
        await asyncio.sleep(600)
        asleep = table.device("die").board.asleep
        table.place_die(5)
        woken = await talker.line()
        return quiet, asleep, woken, table.model_errors()

    assert with_die(tmp_path, work) == ("0 0", True, "up 4 7", [])


def test_a_rising_line_interrupts_a_firmware_that_is_awake(tmp_path):
    async def work(table, talker):
        for register, value in ((0x34, "02"), (0x23, "20"), (0x3F, "20"), (0x20, "50")):
            await talker.ask(f"write 25 {register} {value}")
        await asyncio.sleep(1)
        for face in (5, 9):
            table.place_die(face)
            await asyncio.sleep(0.5)
        return await talker.ask("rises")

    assert with_die(tmp_path, work) == "2 0"


def test_light_sleep_takes_its_time(tmp_path):
    async def work(table, talker):
        return int(await talker.ask("nap 300"))

    assert 300 <= with_die(tmp_path, work) <= 302


def test_a_sleeping_die_draws_next_to_nothing(tmp_path):
    async def work(table, talker):
        cell = table.device("die").die.cell
        awake = cell.load_ma
        before = cell.part
        await asyncio.sleep(3600)
        await talker.ask("adc")
        used_awake = before - cell.part
        talker.end.write(b"sleep 3600000\n")
        before = cell.part
        await talker.line(4000)
        await talker.ask("adc")
        return awake, used_awake, before - cell.part

    awake, used_awake, used_asleep = with_die(tmp_path, work)
    assert awake > 10
    assert used_awake > 0.1
    assert used_asleep < 0.002


def test_in_virtual_time_there_is_no_serial_port(tmp_path):
    async def work(table, talker):
        with pytest.raises(ValueError, match="serial pair"):
            table.serial_port("die")

    with_die(tmp_path, work)


def test_in_real_time_any_program_opens_the_port(tmp_path):
    import serial

    async def work():
        async with VirtualTable(devices=("die",), setup=talking_setup("die", tmp_path)) as table:
            path = table.serial_port("die")

            def talk():
                with serial.Serial(path, 115_200, timeout=5) as port:
                    said = []
                    while not said or said[-1] != b"again\n":
                        port.write(b"echo again\n")
                        said.append(port.readline())
                    port.reset_input_buffer()
                    port.baudrate = 9600
                    port.write(b"echo wrong\n")
                    port.timeout = 0.5
                    return said[-1], port.readline()

            return await asyncio.to_thread(talk)

    right, wrong = asyncio.run(work())
    assert right == b"again\n"
    assert b"wrong" not in wrong


def test_a_talker_hears_nothing_of_another_device(tmp_path):
    async def work():
        setups = {"die2": talking_setup("die2", tmp_path / "two")}
        setup = talking_setup("die", tmp_path / "one")
        table = VirtualTable(devices=("die", "die2"), setup=setup, setups=setups)
        first, second = Talker(table.serial_pair("die")), Talker(table.serial_pair("die2"))
        async with table:
            assert await first.line() == await second.line() == "up 1 0"
            answers = await first.ask("echo one"), await second.ask("echo two")
            return answers, first.came, second.came

    assert in_virtual_time(work()) == (("one", "two"), b"", b"")
