"""A table of one reader: the firmware finds it alone, the self-test calls nothing else a fault, the page shows it."""

import asyncio
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from die_companion import run

from companion.devices import facts
from companion.devices.device_state import DeviceState
from companion.virtual_table.board import BoardSetup
from companion.virtual_table.device import setup_of
from companion.virtual_table.table import VirtualTable
from companion.web.screens.device_words import card_of
from companion.web.texts import Texts

sys.path.insert(0, str(Path(__file__).parents[1] / "companion" / "devices"))
from paper_companion import Companion, in_virtual_time
from test_real_devices import Air

SOCKET = 16
TAXI = "04a1b2c3"
ENTRY = """\
from firmware.checks import common, table
def say(verdict, item, found):
    with open('/report.txt', 'a') as file:
        file.write('%s %s: %s\\n' % (verdict, item, found))
common.say = say
def main():
    table.main()
    say('ok', 'end', 'reached')
"""


def only(table, *sockets, loose=False):
    """Readers in these sockets alone; with `loose` their data line is never let go, as no 74HC251 is there."""
    table.readers.set_readers("none")
    for socket in sockets:
        table.readers.set_reader(socket, "mfrc522")
        if loose:
            table.readers.hold_miso(socket)
    if loose:
        table.readers.share_miso()


@pytest.mark.parametrize("loose", [False, True])
def test_one_reader_alone_is_a_table(loose):
    async def work():
        async with VirtualTable() as table, Companion(Air(table)) as companion:
            only(table, SOCKET, loose=loose)
            await companion.until(lambda: any(one.state == "connected" for one in companion.hub.devices()))
            await asyncio.sleep(90)  # each reader tells in turn how it is
            table.place_tag(TAXI, SOCKET)
            await companion.until(lambda: companion.desk.of(facts.TagAppeared))
            table.lift_tag(TAXI)
            await companion.until(lambda: companion.desk.of(facts.TagGone))
            return companion.hub.devices()[0], companion.desk.of(facts.TagAppeared), table.model_errors()

    state, came, errors = in_virtual_time(work)
    assert [(fact.socket, fact.uid) for fact in came] == [(SOCKET, TAXI)]
    assert [error for error in errors if not (loose and "hold MISO" in error)] == []
    shown = on_the_page(state)
    assert shown.readers_words == "Readers 0–31: 1 of 1 well"
    assert [cell.number for cell in shown.sockets if cell.state == "ok"] == [SOCKET]
    assert {cell.state for cell in shown.sockets} == {"ok", "none"}
    assert shown.legend == [("none", "–")]
    assert shown.unheard_words == ""


def on_the_page(state: DeviceState):
    return card_of(state, [], Texts("en"))


@pytest.mark.parametrize(("sockets", "verdict"), [((SOCKET,), "see"), ((), "no")])
def test_the_self_test_calls_empty_sockets_no_fault_unless_all_are(tmp_path, compiled, sockets, verdict):
    code, flash = compiled("table"), tmp_path / "flash"
    flash.mkdir()
    (tmp_path / "code").mkdir()
    for part in code.iterdir():
        (tmp_path / "code" / part.name).symlink_to(part)
    (tmp_path / "code" / "entries").mkdir()
    (tmp_path / "code" / "entries" / "check.py").write_text(ENTRY)

    async def whole():
        setup = setup_of("table", flash, like=BoardSetup(flash, code=tmp_path / "code", seed=3))
        async with VirtualTable(flash, setup=replace(setup, entry="entries.check", heap="200wK")) as table:
            only(table, *sockets)
            if sockets:
                table.place_tag(TAXI, SOCKET)
            for _ in range(90):
                await asyncio.sleep(1)
                text = (flash / "report.txt").read_text() if (flash / "report.txt").exists() else ""
                if "ok end" in text:
                    return text
            raise AssertionError(f"the check did not end: {text}, {list(table.log)}")

    said = run(whole())
    if verdict == "see":
        assert "see empty sockets: no reader in 0-15, 17-31; is that how it is wired?" in said
        assert f"ok socket {SOCKET}: RC522, version 0x92, 50 of 50 polls clean" in said
        assert f"tags on it: {TAXI}" in said
        assert "no readers" not in said
    else:
        assert "no readers: not one answers" in said
        assert "see empty sockets" not in said
