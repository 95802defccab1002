"""The compiled firmware on the virtual table: the heap in play, the board check, a fault and what comes after it."""

import asyncio
import shutil
import struct
from pathlib import Path

import pytest

from companion.virtual_table import missing
from firmware import pins
from shared_rules.wire.message_table import TO_COMPANION
from shared_rules.wire.messages import COMMANDS_UUID, EVENTS_UUID, INFO_UUID, RESET_CAUSES, SERVICE_UUID, decode, encode
from shared_rules.wire.sequence import NEXT, EventReceiver

if missing() is not None:
    pytest.skip(str(missing()), allow_module_level=True)

from bleak import BleakClient, BleakScanner

from companion.virtual_table.board import BoardSetup
from companion.virtual_table.clock import VirtualTimeLoop
from companion.virtual_table.table import VirtualTable

UIDS = ["04a1b2c3", "04a1b2c4", "04112233445566", "04112233445567", "0811223344556677889a", "5b0c77e1"]


def run(coroutine):
    with asyncio.Runner(loop_factory=VirtualTimeLoop) as runner:
        return runner.run(asyncio.wait_for(coroutine, 100_000))


class Companion:
    """A small companion: takes events in order, acknowledges, numbers its commands."""

    def __init__(self, client):
        self.client = client
        self.receiver = None
        self.taken = []
        self.others = []
        self.number = 0

    def hear(self, _characteristic, data):
        message = decode(bytes(data), TO_COMPANION)
        boot_id = message.fields.get("boot_id")
        if boot_id is not None and (self.receiver is None or self.receiver.boot_id != boot_id):
            self.receiver = EventReceiver(boot_id, message.fields["oldest"] - 1)
        if message.is_event and self.receiver.judge(message.seq) == NEXT:
            self.taken.append((self.receiver.advance(), message.name, message.fields))
        elif not message.is_event:
            self.others.append(message)

    async def say(self, name, seq=0, ref=0, **fields):
        await self.client.write_gatt_char(COMMANDS_UUID, encode(name, seq, ref, fields), response=True)

    async def command(self, name, **fields):
        self.number += 1
        await self.say(name, self.number, **fields)

    async def begin(self):
        known = self.receiver
        await self.client.start_notify(EVENTS_UUID, self.hear)
        boot, last = (known.boot_id, known.last & 0xFFFF) if known else (0, 0)
        await self.say("RESUME", self.number, boot_id=boot, last_seq=last, companion_id=99)

    async def acknowledge(self):
        await self.say("ACK", ref=self.receiver.last & 0xFFFF)

    def names(self):
        return [name for _seq, name, _fields in self.taken]


async def connect(table, companion=None):
    scanner, backend = table.backend()
    device = await BleakScanner.find_device_by_filter(
        lambda _device, seen: SERVICE_UUID in seen.service_uuids, backend=scanner, timeout=10
    )
    client = BleakClient(device, backend=backend)
    await client.connect()
    if companion is None:
        companion = Companion(client)
    companion.client = client
    hello = decode(bytes(await client.read_gatt_char(INFO_UUID)), TO_COMPANION)
    await companion.begin()
    return companion, hello


async def play(code, flash, minutes):
    """Taxis that move every ten seconds, two of them together at times, a roll and lights each time."""
    async with VirtualTable(flash, setup=BoardSetup(flash, code=code, seed=3)) as table:
        companion, hello = await connect(table)
        await companion.command("SET_FACE_MAP", map_id=1, style=0, faces=[1, 2, 3, 4, 5, 6] * 2)
        await companion.command("SET_LIGHTS", look=1, seconds=0, leds=list(range(50)))
        for uid in UIDS:
            table.place_tag(uid, 28)
        await asyncio.sleep(4)
        first = await table.stats()
        for turn in range(minutes * 6):
            await companion.command("ARM_DIE", map_id=1)
            await asyncio.sleep(1)
            table.press_button()
            await asyncio.sleep(4)
            await companion.command("SET_LIGHTS", look=2, seconds=3, leds=[turn % 50, (turn + 7) % 50])
            table.place_tag(UIDS[turn % 6], turn % 28)
            await asyncio.sleep(5)
            await companion.acknowledge()
        last = await table.stats()
        return companion, hello, first, last, table.model_errors()


def check_play(tmp_path, code, minutes):
    companion, hello, first, last, errors = run(play(code, tmp_path, minutes))
    turns = minutes * 6
    assert errors == []
    assert (hello.fields["sockets"], hello.fields["leds"]) == (pins.SOCKETS, pins.BOARD_LEDS)
    names = companion.names()
    assert names.count("ROLL_SETTLED") == names.count("ROLL_STARTED") == turns
    assert names.count("TAG_APPEARED") - names.count("TAG_GONE") == len(UIDS)
    assert names.count("TAG_APPEARED") >= turns - turns // 6
    assert "READER_MUTE" not in names
    assert last["most_fields_on"] == 1
    assert last["heap"]["free_percent"] >= 25
    assert last["boots"] == 1
    return first, last


def test_the_compiled_firmware_plays_and_its_heap_stays(tmp_path, code):
    first, last = check_play(tmp_path, code, 2)
    assert last["heap"]["used"] - first["heap"]["used"] < 4000
    assert last["transfers_of_last_sweep"] <= 7 * pins.SOCKETS + 60 * len(UIDS)


@pytest.mark.long
@pytest.mark.timeout(1200)
def test_an_hour_of_play(tmp_path, code):
    check_play(tmp_path, code, 60)


async def boards_own_words(code, flash, button):
    (code / "entries").mkdir()
    (code / "entries" / "check.py").write_text(
        "from firmware.checks import common, table\n"
        "def say(verdict, item, found):\n"
        "    with open('/report.txt', 'a') as file:\n"
        "        file.write('%s %s: %s\\n' % (verdict, item, found))\n"
        "common.say = say\n"
        "def main():\n"
        "    table.main()\n"
        "    say('ok', 'end', 'reached')\n"
    )
    async with VirtualTable(flash, setup=BoardSetup(flash, code=code, entry="entries.check", seed=3)) as table:
        table.mute_reader(9, "dead")
        table.place_tag("04a1b2c3", 2)
        for _ in range(120):
            await asyncio.sleep(1)
            report = flash / "report.txt"
            text = report.read_text() if report.exists() else ""
            if button and "die:" in text and "button" not in text:
                table.press_button(300)
            if "ok end" in text:
                break
    return text.splitlines()


def test_the_board_check_says_what_it_finds(tmp_path, code):
    copy = tmp_path / "code"
    shutil.copytree(code, copy)
    flash = tmp_path / "flash"
    flash.mkdir()
    lines = run(boards_own_words(copy, flash, button=True))
    assert lines[-1] == "ok end: reached"
    verdicts = {line.split(":")[0].split(" ", 1)[1]: line.split(" ")[0] for line in lines}
    assert [line for line in lines if "empty sockets" in line] == [
        "see empty sockets: no reader in 9; is that how it is wired?"
    ]
    assert sum(verdict == "ok" for item, verdict in verdicts.items() if item.startswith("socket")) == 31
    assert verdicts["noise"] == verdicts["radio"] == verdicts["memory"] == verdicts["button"] == "ok"
    assert verdicts["lights"] == verdicts["die"] == "see"
    assert any("04a1b2c3" in line for line in lines if "socket 2:" in line)


async def fault_in_play(code, flash):
    (code / "entries").mkdir()
    (code / "entries" / "faulty.py").write_text(
        "from firmware.table import light_scenes\n"
        "from firmware.table.main import main\n"
        "rhythms = list(light_scenes._RHYTHMS)\n"
        "rhythms[6] = None\n"
        "light_scenes._RHYTHMS = tuple(rhythms)\n"
    )
    async with VirtualTable(flash, setup=BoardSetup(flash, code=code, entry="entries.faulty", seed=3)) as table:
        companion, hello = await connect(table)
        table.place_tag("04a1b2c3", 5)
        await asyncio.sleep(5)
        await companion.command("SET_LIGHTS", look=6, seconds=0, leds=[1])
        await asyncio.sleep(5)
        companion, again = await connect(table, companion)
        await asyncio.sleep(6)
        await companion.command("READ_LOG", offset=0)
        await asyncio.sleep(3)
        pieces = [message.fields for message in companion.others if message.name == "LOG_TEXT"]
        assert [piece["offset"] for piece in pieces[:-1]] == list(range(0, 9 * len(pieces) - 9, 9))
        assert pieces[-1] == {"offset": sum(len(piece["text"]) for piece in pieces), "text": ""}
        return companion, hello, again, "".join(piece["text"] for piece in pieces)


def test_a_fault_costs_a_restart_and_no_event(tmp_path, code):
    copy = tmp_path / "code"
    shutil.copytree(code, copy)
    flash = tmp_path / "flash"
    flash.mkdir()
    companion, hello, again, fault = run(fault_in_play(copy, flash))
    assert hello.fields["boot_id"] == again.fields["boot_id"]
    assert RESET_CAUSES[again.fields["reset_cause"]] == "fault"
    assert companion.names() == ["TAG_APPEARED", "FAULT", "TAG_APPEARED"]
    assert [seq for seq, _name, _fields in companion.taken] == [1, 2, 3]
    assert companion.others[0].name == "NEW_BOOT"
    assert "RESUMED" in [message.name for message in companion.others]
    snapshots = [message for message in companion.others if message.name == "SNAPSHOT_TAG"]
    assert snapshots[-1].fields["socket"] == 5
    assert "light_scenes" in fault


def test_the_build_holds_what_the_device_needs(code):
    files = {str(path.relative_to(code)) for path in code.rglob("*") if path.is_file()}
    assert {"main.py", "firmware/pins.mpy", "firmware/table/main.mpy", "shared_rules/wire/messages.mpy"} <= files
    assert not [name for name in files if "tools" in name or "overlay" in name or "games" in name]
    compiled = [(code / name).read_bytes() for name in files if name.endswith(".mpy")]
    assert {struct.unpack("<BB", data[:2]) for data in compiled} == {(ord("M"), 6)}
    assert Path(code / "main.py").read_text().count("main()") == 1


async def readers_in_trouble(code, flash):
    async with VirtualTable(flash, setup=BoardSetup(flash, code=code, seed=3)) as table:
        companion, _hello = await connect(table)
        for uid, socket in (("04a1b2c3", 1), ("04a1b2c4", 2), ("04112233445566", 3)):
            table.place_tag(uid, socket)
        await asyncio.sleep(4)
        for socket, trouble in ((1, "hung"), (2, "deaf"), (3, "dead")):
            table.mute_reader(socket, trouble)
        await asyncio.sleep(330)  # a refresh of every reader comes round
        dead = companion.names()
        table.repair_reader(3)
        await asyncio.sleep(20)
        return companion, dead, table.model_errors()


def test_hung_deaf_and_dead_readers_come_back(tmp_path, code):
    companion, dead, errors = run(readers_in_trouble(code, tmp_path))
    assert errors == []
    told = [(name, fields["socket"]) for _seq, name, fields in companion.taken[3:]]
    assert ("READER_MUTE", 3) in told
    assert ("TAG_GONE", 3) not in told
    assert "READER_BACK" not in dead
    assert told[-1] == ("READER_BACK", 3)
    assert [entry for entry in told if entry[1] == 1] == []  # set up again before anybody noticed
    assert [entry for entry in told if entry[1] == 2] == []  # deaf ears are suspected before a tag counts as gone
