"""Controllers and dice in one room: each has its own flash, radio and name; hands find them by the layout's numbers."""

import asyncio
from dataclasses import replace

import psutil
import pytest
from bleak import BleakClient, BleakScanner
from small_board import ASK, BOARDS, SAY, in_virtual_time

from companion.virtual_table.board import BoardSetup
from companion.virtual_table.client import VirtualTableClient
from companion.virtual_table.device import check_names, setup_of
from companion.virtual_table.launch import VirtualTableNotStartedError, start_virtual_table
from companion.virtual_table.table import VirtualTable

NAMES = ("table", "table2", "die", "die2", "ring")


def small_room(flash, names=NAMES, **options):
    """All of them run the same small firmware."""
    like = BoardSetup(flash / "table", code=BOARDS, seed=7)
    setups = {
        name: replace(
            setup_of(name, flash / name, place=place, like=like), entry="small.echo", heap="110wK", chip="esp32"
        )
        for place, name in enumerate(names)
    }
    return VirtualTable(setup=setups[names[0]], devices=names, setups=setups, **options)


async def found_in(table):
    """Address → the device that advertises, of all in the room."""
    scanner, _ = table.backend()
    seen = await BleakScanner.discover(timeout=1, backend=scanner)
    return {device.address: device for device in seen}


class Ear:
    """A connection to one device's small firmware."""

    def __init__(self, table, device) -> None:
        self.heard: list[bytes] = []
        self.lost = False
        _, client = table.backend()
        self.client = BleakClient(device, backend=client, disconnected_callback=self._gone)

    def _gone(self, client) -> None:
        self.lost = True

    async def open(self) -> "Ear":
        await self.client.connect()
        await self.client.start_notify(SAY, lambda _, data: self.heard.append(bytes(data)))
        return self

    async def ask(self, word: bytes) -> bytes:
        count = len(self.heard)
        await self.client.write_gatt_char(ASK, word, response=True)
        async with asyncio.timeout(60):
            while len(self.heard) == count:
                await asyncio.sleep(0.01)
        return self.heard[-1]


def test_names_are_checked():
    assert check_names(("table", "die", "ring9")) == ("table", "die", "ring9")
    for names, why in ((("table1",), "table1"), (("die", "die"), "once"), ((), "at least one"), (("tabel",), "tabel")):
        with pytest.raises(ValueError, match=why):
            check_names(names)


def test_two_controllers_and_three_dice_are_found_and_answer_each_for_itself(tmp_path):
    async def work():
        async with small_room(tmp_path) as table:
            await asyncio.sleep(1)
            found = await found_in(table)
            addresses = [table.device(name).address for name in NAMES]
            assert sorted(found) == sorted(addresses)
            ears = [await Ear(table, found[address]).open() for address in addresses]
            ids = [await ear.ask(b"id") for ear in ears]
            boots = [await ear.ask(b"boots") for ear in ears]
            chance = [await ear.ask(b"random") for ear in ears]
            assert set(table.links().values()) == {"connected"}
            return addresses, ids, boots, chance

    addresses, ids, boots, chance = in_virtual_time(work())
    assert [address.replace(":", "").lower() for address in addresses] == [one.hex() for one in ids]
    assert boots == [b"1"] * 5
    assert len(set(chance)) == 5
    assert len(list(tmp_path.glob("*/boots.txt"))) == 5


def test_the_same_seed_is_the_same_trace(tmp_path):
    async def work(folder):
        trace = []
        loop = asyncio.get_running_loop()

        def note(change):
            trace.append((loop.time(), str(change)))

        async with small_room(folder, on_change=note) as table:
            await asyncio.sleep(1)
            found = await found_in(table)
            ears = [await Ear(table, device).open() for _, device in sorted(found.items())]
            for number, ear in enumerate(ears):
                await ear.ask(b"burst 20")
                table.place_tag(f"04a1b2c{number}", 13 * number)
                table.place_die(number + 1, "die2")
            table.drop_link(device="table2")
            await asyncio.sleep(5)
            heard = [ear.heard for ear in ears]
            table.crash("die")
            await asyncio.sleep(2)
            return trace, heard, [(await table.stats(name))["uptime_s"] for name in NAMES]

    first = in_virtual_time(work(tmp_path / "a"))
    assert in_virtual_time(work(tmp_path / "b")) == first
    assert len(first[0]) > 30


def test_a_lost_link_is_that_devices_only(tmp_path):
    async def work():
        async with small_room(tmp_path, ("table", "die")) as table:
            await asyncio.sleep(1)
            found = await found_in(table)
            ears = {name: await Ear(table, found[table.device(name).address]).open() for name in table.devices}
            table.drop_link(out_of_range_s=5, device="die")
            await asyncio.sleep(0.5)
            assert (ears["table"].lost, ears["die"].lost) == (False, True)
            still = await ears["table"].ask(b"still here")
            away = table.device("die").address in await found_in(table)
            await asyncio.sleep(5)
            return still, away, table.device("die").address in await found_in(table)

    assert in_virtual_time(work()) == (b"still here", False, True)


def test_crash_power_and_switch_are_that_devices_only(tmp_path):
    async def work():
        async with small_room(tmp_path, ("table", "die", "ring")) as table:
            await asyncio.sleep(1)
            table.crash("die")
            table.power_cycle(0.5, "ring")
            await asyncio.sleep(2)
            boots = {name: device.board.boots for name, device in table.devices.items()}
            table.switch_off("die")
            table.brown_out("ring")
            await asyncio.sleep(2)
            off = table.links()
            table.switch_on("die")
            await asyncio.sleep(1)
            return boots, off, table.links(), list(table.log)

    boots, off, on, log = in_virtual_time(work())
    assert boots == {"table": 1, "die": 2, "ring": 2}
    assert off == {"table": "advertising", "die": "off", "ring": "advertising"}
    assert set(on.values()) == {"advertising"}
    assert "ring: the board was reset: brown-out" in log


def test_sockets_and_lights_have_the_layouts_numbers(tmp_path):
    async def work():
        async with small_room(tmp_path, ("table", "table2", "table3")) as table:
            table.place_tag("04a1b2c3", 40)
            table.place_tag("04a1b2c4", 95)
            first = table.tags()
            table.place_tag("04a1b2c3", 3)
            with pytest.raises(ValueError, match="from 0 to 95, not 96"):
                table.place_tag("04a1b2c3", 96)
            table.readers.set_reader(70, "none")
            moved = table.tags()
            table.lift_tag("04a1b2c4")
            await asyncio.sleep(1)
            found = await found_in(table)
            ear = await Ear(table, found[table.device("table2").address]).open()
            await ear.client.write_gatt_char(ASK, b"light", response=True)
            await asyncio.sleep(0.2)
            lit = [number for number, light in enumerate(table.lights()) if any(light)]
            return first, moved, table.tags(), lit, table.readers.kinds()[70]

    first, moved, after, lit, kind = in_virtual_time(work())
    assert first == {"04a1b2c3": 40, "04a1b2c4": 95}
    assert moved == {"04a1b2c3": 3, "04a1b2c4": 95}
    assert after == {"04a1b2c3": 3}
    assert lit == [65]
    assert kind == "none"


def test_what_a_device_has_not_is_said(tmp_path):
    async def work():
        async with small_room(tmp_path, ("die", "ring")) as table:
            for hand, why in (
                (lambda: table.press_button(device="die"), "throw it"),
                (lambda: table.place_die(3, "ring"), "no handheld die"),
                (lambda: table.place_die(13), "from 1 to 12"),
                (lambda: table.place_tag("04a1b2c3", 1), "no table controller"),
                (lambda: table.lights("board", "ring"), "strip die"),
                (lambda: table.crash("die3"), "die, ring"),
                (lambda: table.set_battery(5000), "from 3000 to 4200"),
                (lambda: table.power_cut(3), "littlefs"),
                (lambda: table.handle_die("juggled"), "wobble"),
                (lambda: table.throw_die("at the wall"), "table, tray"),
                (lambda: table.serial_noise(-1), "0 flips"),
                (lambda: table.set_notify_spacing(-1), "from 0 to"),
            ):
                with pytest.raises(ValueError, match=why):
                    hand()

    in_virtual_time(work())


def test_a_slow_radio_refuses_what_comes_too_soon(tmp_path):
    async def work():
        async with small_room(tmp_path, ("table",)) as table:
            await asyncio.sleep(1)
            (device,) = (await found_in(table)).values()
            ear = await Ear(table, device).open()
            table.set_notify_spacing(50)
            for _ in range(3):
                await ear.client.write_gatt_char(ASK, b"burst 10", response=True)
                await asyncio.sleep(0.06)
            return ear.heard, (await table.stats())["notifications_refused"]

    heard, refused = in_virtual_time(work())
    assert heard == [b"0"] * 3
    assert refused == 27


def test_a_room_in_its_own_process_and_nothing_is_left_of_it(tmp_path):
    async def until(condition):
        async with asyncio.timeout(60):
            while not condition():
                await asyncio.sleep(0.02)

    async def work():
        running = await start_virtual_table(tmp_path / "room", devices=("table", "die", "ring"))
        hands = await VirtualTableClient.connect(running.control)
        try:
            assert await hands.devices() == {"table": "table", "die": "handheld_die", "ring": "table_die"}
            await until(lambda: list(hands.links.values()) == ["advertising"] * 3)
            assert await hands.place_die(7, "die") == {"doing": "rests", "face": 7}
            await until(lambda: hands.dice["die"]["face"] == 7)
            thrown = await hands.throw_die("table", 3, "die")
            await until(lambda: hands.dice["die"]["face"] == thrown["face"])
            await hands.place_tag("04a1b2c3", 7)
            await hands.set_battery(3500, "die")
            assert 3450 < (await hands.stats("die"))["battery_mv"] <= 3500
            assert (await hands.serial_port("ring")).startswith("/dev/")
            children = psutil.Process(running.process.pid).children()
            assert len(children) == 3
        finally:
            await hands.close()
            running.kill()
            await running.process.wait()
        assert psutil.wait_procs(children, timeout=30)[1] == []

    asyncio.run(work())


def test_an_unknown_device_is_a_clear_error(tmp_path):
    with pytest.raises(VirtualTableNotStartedError, match="not 'lamp'"):
        asyncio.run(start_virtual_table(tmp_path / "x", devices=("table", "lamp")))
