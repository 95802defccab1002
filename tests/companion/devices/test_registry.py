"""Devices in the real data file: met again after a restart, the virtual ones apart from the real ones."""

import asyncio
import stat

from paper_companion import Companion, in_virtual_time
from paper_devices import DIE, PaperDevice
from paper_radio import PaperRadio

from companion.devices.registry import DeviceFile
from companion.event_log.database import FILE_NAME, Database


class FileDesk:
    """A desk whose devices and marks lie in the data file."""

    def __init__(self, database, world):
        self.file = DeviceFile(database, world)
        self.load, self.save, self.last_mark = self.file.load, self.file.save, self.file.last_mark
        self.taken = []
        self.hub = None

    async def take(self, fact):
        self.taken.append(fact)

    async def see(self, snapshot):
        """It is not asked for here."""


def test_numbers_names_keys_and_batteries_outlive_a_restart(tmp_path):
    async def work():
        one, two = PaperDevice("000000000001"), PaperDevice("000000000002")
        die = PaperDevice("d1ce00000001", DIE)
        radio = PaperRadio(one, two, die)
        database = await Database.open(tmp_path, on_loop=True)
        async with Companion(radio, FileDesk(database, "real")) as companion:
            await companion.until_connected(one, two, die)
            first = {state.id: state.number for state in companion.hub.devices()}
            await companion.hub.set_number(one.id, 1 - first[one.id])
            await companion.hub.rename(die.id, "Grandma’s die")
            await companion.hub.pair(die.id)
            die.report("BATTERY", {"level": 2, "percent": 3, "millivolts": 3300})
            await asyncio.sleep(1)
        await database.close()
        database = await Database.open(tmp_path, on_loop=True)
        async with Companion(radio, FileDesk(database, "real")) as later:
            known = {state.id: state for state in later.hub.devices()}
            before = [state.state for state in known.values()]
            await later.until_connected(one, two, die)
        await database.close()
        return first, known, before, die

    first, known, before, die = in_virtual_time(work)
    assert sorted(number for number in first.values() if number is not None) == [0, 1]
    for table in ("000000000001", "000000000002"):
        assert known[table].number == 1 - first[table]
    mine = known["d1ce00000001"]
    assert (mine.name, mine.kind, mine.paired, mine.battery) == ("Grandma’s die", "handheld_die", True, 3)
    assert mine.battery_level == "critical"
    assert before == ["searching"] * 3
    assert die.proofs == 1


def test_a_virtual_table_does_not_take_a_real_ones_number(tmp_path):
    async def work():
        database = await Database.open(tmp_path, on_loop=True)
        numbers = []
        for world, name in (("virtual", "00000000f001"), ("real", "00000000a001"), ("virtual", "00000000f001")):
            device = PaperDevice(name)
            async with Companion(PaperRadio(device), FileDesk(database, world)) as companion:
                await companion.until_connected(device)
                numbers.append([(state.id, state.number) for state in companion.hub.devices()])
        await database.close()
        return numbers

    assert in_virtual_time(work) == [
        [("00000000f001", 0)],
        [("00000000a001", 0)],
        [("00000000f001", 0)],
    ]


def test_keys_can_be_read_by_their_owner_alone(tmp_path):
    async def work():
        device = PaperDevice("000000000001")
        database = await Database.open(tmp_path / "data", on_loop=True)
        async with Companion(PaperRadio(device), FileDesk(database, "real")) as companion:
            await companion.until_connected(device)
            await companion.hub.pair(device.id)
        await database.close()
        return device.key

    key = in_virtual_time(work)
    path = tmp_path / "data" / FILE_NAME
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert key.hex().encode() in path.read_bytes()
