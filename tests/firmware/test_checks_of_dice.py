"""What the boards of dice say of themselves when their checks run, on virtual ones; and the table on an ESP32-S3."""

import asyncio
import shutil
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from die_companion import run

from companion.virtual_table import motion
from companion.virtual_table.board import BoardSetup
from companion.virtual_table.device import setup_of
from companion.virtual_table.table import VirtualTable
from firmware.tools import build as tool
from firmware.tools.builds import BUILDS

sys.path.insert(0, str(Path(__file__).parents[1] / "virtual_table"))
from table_partner import Partner

ENTRY = """\
from firmware.checks import common, {check}
def say(verdict, item, found):
    with open('/report.txt', 'a') as file:
        file.write('%s %s: %s\\n' % (verdict, item, found))
common.say = say
def main():
    {check}.main()
    say('ok', 'end', 'reached')
"""


@pytest.fixture(scope="module")
def as_files(tmp_path_factory):
    """A function of a device's kind: its code as files, compiled once."""
    made = {}

    def folder_of(device):
        if device not in made:
            made[device] = tmp_path_factory.mktemp(device)
            with pytest.MonkeyPatch.context() as patched:
                patched.setitem(BUILDS, device, replace(BUILDS[device], rom=False))
                tool.build(made[device], device)
        return made[device]

    return folder_of


@pytest.fixture
def board(tmp_path, as_files):
    """A function that makes a device's code as files, with an entry that runs its check; (code, flash)."""

    def make(device, check):
        shutil.copytree(as_files(device), tmp_path / "code")
        (tmp_path / "code" / "entries").mkdir()
        (tmp_path / "code" / "entries" / "check.py").write_text(ENTRY.format(check=check))
        (tmp_path / "flash").mkdir()
        return tmp_path / "code", tmp_path / "flash"

    return make


def report(code, flash, name, spoil, hand, **options):
    """Item → verdict, after `spoil(table)` at the start and `hand(table, second)` at every second that goes by."""

    async def whole():
        setup = replace(setup_of(name, flash, like=BoardSetup(flash, code=code, seed=3)), entry="entries.check")
        async with VirtualTable(flash, devices=(name,), setup=replace(setup, heap="200wK"), **options) as table:
            spoil(table)
            for second in range(90):
                await asyncio.sleep(1)
                hand(table, second)
                text = (flash / "report.txt").read_text() if (flash / "report.txt").exists() else ""
                if "ok end" in text:
                    return {line.split(":")[0].split(" ", 1)[1].strip(): line[:3].strip() for line in text.splitlines()}
            raise AssertionError(f"the check did not end: {text}, {list(table.log)}")

    return run(whole())


def nothing(*_):
    pass


@pytest.mark.parametrize("chip", ["lis2dw12", "lis3dh"])
def test_a_handheld_die_that_is_well(board, chip):
    def shake(table, second):
        if second in (8, 12):  # first it must lie still
            table.dice["die"].play(motion.throw(second))

    said = report(*board("handheld_die", "handheld"), "die", nothing, shake, accelerometer=chip)
    assert said["end"] == said["memory"] == said["noise"] == said["radio"] == "ok"
    assert said["cell"] == said["light"] == "see"
    assert said["rate"] == said["gravity"] == said["interrupt"] == "ok"


def test_a_handheld_die_whose_accelerometer_is_dead(board):
    said = report(*board("handheld_die", "handheld"), "die", lambda table: table.mute_accelerometer(True), nothing)
    assert said["accelerometer"] == "no"
    assert said["end"] == "ok"


def test_a_handheld_die_on_its_charger_that_nobody_shakes(board):
    said = report(*board("handheld_die", "handheld"), "die", lambda table: table.set_charging(True), nothing)
    assert said["interrupt"] == "no"
    assert said["cell"] == "see"
    assert said["gravity"] == said["end"] == "ok"


@pytest.mark.parametrize("pressed", [True, False])
def test_a_stand_alone_table_die(board, pressed):
    def press(table, second):
        if pressed:
            table.press_button(300, "ring")

    said = report(*board("table_die", "table_die"), "ring", nothing, press)
    assert said["ring"] == "see"
    assert said["button"] == ("ok" if pressed else "no")


def test_the_table_on_an_esp32_s3(tmp_path, compiled):
    """The same firmware with the pins of the other chip reads tags and shows lights."""
    code = compiled("table_s3")

    async def whole():
        setup = BoardSetup(tmp_path / "flash", code=code, seed=3, chip="esp32s3")
        async with VirtualTable(setup=setup) as table, Partner(table.backend()) as partner:
            table.place_tag("04a1b2c3", 31)
            await partner.until(lambda: partner.connections == 1)
            await asyncio.sleep(8)
            return partner.tags(), table.model_errors()

    tags, errors = run(whole())
    assert tags == [("TAG_APPEARED", 31, "04a1b2c3")]
    assert errors == []
