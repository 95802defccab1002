"""What the real firmware does by itself on the virtual table when something goes wrong: it hangs while it is built, is
restarted in bursts, its key is changed again and again, its companion goes without a word."""

import asyncio
import shutil

import pytest

from companion.virtual_table import missing
from shared_rules.wire.messages import LOOK_GREEN, LOOK_RED, MODE_NORMAL, MODE_SAFE, NOT_NOW, RESET_CAUSES

if missing() is not None:
    pytest.skip(str(missing()), allow_module_level=True)

from firmware.tools.build import build
from firmware.tools.builds import ROOT
from tests.firmware.link_companion import KEY, OTHER_KEY, LinkCompanion, play

DARK = (0, 0, 0)


def with_entry(code, folder, text):
    """A copy of the firmware that begins with this text, and a folder for its flash."""
    copy, flash = folder / "code", folder / "flash"
    shutil.copytree(code, copy)
    flash.mkdir()
    (copy / "entries").mkdir()
    (copy / "entries" / "entry.py").write_text(text)
    return copy, flash


HANGS = {
    "while the table is built": (
        "from firmware.table import main as table_main\n"
        "good = table_main.build\n"
        "def build(device):\n"
        "    hang()\n"
        "    return good(device)\n"
        "table_main.build = build\n"
    ),
    "while its radio is set up": (
        "from firmware.table import main as table_main\n"
        "from firmware.device_link.ble_peripheral import BlePeripheral\n"
        "good = BlePeripheral.start\n"
        "def start(self, info):\n"
        "    if info[-3] == 0:\n"  # HELLO's mode, before its check: not in safe mode
        "        hang()\n"
        "    good(self, info)\n"
        "BlePeripheral.start = start\n"
    ),
}


async def hung(table):
    await asyncio.sleep(50)
    ours = LinkCompanion(7, KEY)
    hello = await ours.by_air(table)
    await ours.resume()
    await ours.command("PAIR", key=KEY)
    (table.setup.flash / "mended").write_text("yes")
    await ours.command("RESTART", mode=0)
    await asyncio.sleep(5)
    after = await ours.by_air(table)
    await ours.resume(4)
    return hello, after, ours


@pytest.mark.parametrize("where", HANGS)
def test_a_device_that_hangs_before_it_runs_is_reset_and_reached_in_safe_mode(tmp_path, code, where):
    """Whatever waits for ever on the way: the watchdog ends it, says so, and three in a row lead to safe mode."""
    copy, flash = with_entry(
        code,
        tmp_path,
        "import os, time\n"
        "def hang():\n"
        "    while 'mended' not in os.listdir('/'):\n"
        "        time.sleep_ms(50)\n" + HANGS[where] + "main = table_main.main\n",
    )
    hello, after, ours = play(hung, copy, flash, entry="entries.entry")
    assert RESET_CAUSES[hello["reset_cause"]] == "watchdog"
    assert hello["mode"] == MODE_SAFE
    assert after["mode"] == MODE_NORMAL
    assert ours.fields_of("SNAPSHOT_END") != []


async def paired(table):
    ours = LinkCompanion(1)
    await ours.by_air(table)
    await ours.resume()
    assert await ours.command("PAIR", key=KEY) == 0
    ours.key = KEY
    return ours


async def keys_in_a_loop(table):
    ours = await paired(table)
    flash = table.board.flash
    before = flash.operations
    same = [await ours.command("PAIR", key=KEY) for _ in range(20)]
    for_the_same = flash.operations - before
    statuses = []
    for _ in range(20):
        statuses.append(await ours.command("UNPAIR"))
        statuses.append(await ours.command("PAIR", key=KEY))
    cost = flash.operations - before
    await asyncio.sleep(60)
    return same, for_the_same, statuses, cost, await ours.command("PAIR", key=OTHER_KEY)


def test_a_loop_of_pairing_and_unpairing_is_refused_before_it_wears_the_flash(tmp_path, code):
    same, for_the_same, statuses, cost, later = play(keys_in_a_loop, code, tmp_path, littlefs=256 * 4096)
    assert (set(same), for_the_same) == ({0}, 0)
    assert NOT_NOW in statuses
    assert statuses.count(0) - 20 <= 20, "a refused UNPAIR leaves the key, and the same key again costs nothing"
    assert cost <= 2 * 12 * 8
    assert later == 0


async def burst_of_restarts(table):
    ours = await paired(table)
    flash = table.board.flash
    before, boots = flash.operations, table.board.boots
    for turn in range(30):
        ours.number += 1
        await ours.say("RESTART", ours.number, mode=turn % 2)
    await asyncio.sleep(6)
    cost, boots = flash.operations - before, table.board.boots - boots
    hello = await ours.by_air(table)
    await ours.resume(3)
    return cost, boots, hello, ours


async def one_restart(table):
    ours = await paired(table)
    flash = table.board.flash
    before = flash.operations
    await ours.command("RESTART", mode=1)
    await asyncio.sleep(6)
    return flash.operations - before


def test_a_burst_of_restarts_is_one_restart_into_the_mode_asked_for_last(tmp_path, code):
    for name in ("burst", "one"):
        (tmp_path / name).mkdir()
    cost, boots, hello, ours = play(burst_of_restarts, code, tmp_path / "burst", littlefs=256 * 4096)
    assert boots == 1
    assert hello["mode"] == MODE_SAFE
    assert cost == play(one_restart, code, tmp_path / "one", littlefs=256 * 4096)
    assert ours.device_proved is True


async def gone_without_a_word(table):
    ours = LinkCompanion(1)
    await ours.by_air(table)
    await ours.resume()
    await ours.command("SET_LIGHTS", look=LOOK_RED, seconds=0, leds=[1, 2])
    await ours.command("SET_LIGHTS", look=LOOK_GREEN, seconds=255, leds=[3])
    await ours.client.disconnect()
    await asyncio.sleep(90)
    shining = table.lights()[1]
    await ours.by_air(table)
    await ours.resume()
    await asyncio.sleep(60)
    await ours.client.disconnect()
    await asyncio.sleep(50)
    still = table.lights()[1]
    await asyncio.sleep(90)
    dark = table.lights()
    await ours.by_air(table)
    await ours.resume()
    await ours.command("SET_LIGHTS", look=LOOK_RED, seconds=0, leds=[1])
    await asyncio.sleep(1)
    return shining, still, dark, table.lights()[1]


def test_lights_of_a_companion_that_never_comes_back_go_out(tmp_path):
    """It was killed, its machine has no power: a break leaves the lights, a long one (two minutes here) does not."""
    root, code, flash = tmp_path / "root", tmp_path / "code", tmp_path / "flash"
    for part in ("firmware", "shared_rules"):
        shutil.copytree(ROOT / part, root / part)
    flash.mkdir()
    app = root / "firmware" / "table" / "app.py"
    text = app.read_text()
    assert "\nDARK_AFTER = 10" in text
    app.write_text(text.replace("\nDARK_AFTER = 10", "\nDARK_AFTER = 2"))
    build(code, "table", root)
    shining, still, dark, again = play(gone_without_a_word, code, flash)
    assert shining != DARK
    assert still == shining
    assert set(dark) == {DARK}
    assert again == shining
