"""The pin map: its rules, and the copies made from it."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from hardware import pin_map
from hardware.pin_map import MODULES, PinMapError, copies, load
from hardware.pin_rules import RULES, broken_rules

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
BROKEN = sorted((HERE / "broken").glob("rule_*.toml"))


def test_the_copies_are_what_the_map_makes():
    for path, text in copies():
        assert path.read_text(encoding="utf-8") == text, f"{path} differs: python -m hardware.pin_map --write"


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.stem)
def test_each_map_keeps_every_rule(path):
    pins = load(path)
    assert broken_rules(pins.controller, pins.pins) == []


def test_the_table_is_the_same_on_both_chips():
    one, other = load(), load(ROOT / "hardware" / "pinmaps" / "table_s3.toml")
    assert [pin.name for pin in one.pins] == [pin.name for pin in other.pins]
    assert one.table == other.table
    assert one.controller["chip"] != other.controller["chip"]


@pytest.mark.parametrize("path", BROKEN, ids=lambda path: path.stem)
def test_each_rule_refuses_its_fixture_and_only_that(path):
    number = int(re.match(r"rule_(\d+)", path.stem).group(1))
    with pytest.raises(PinMapError) as caught:
        load(path)
    broken = {int(n) for n in re.findall(r": rule (\d+): ", str(caught.value))}
    assert broken == {number}
    assert path.name in str(caught.value)


def test_every_rule_has_a_fixture():
    numbers = {int(re.match(r"rule_(\d+)", path.stem).group(1)) for path in BROKEN}
    assert numbers == set(range(1, len(RULES) + 1))


# Which programmes drive which device's pins.
PROGRAMMES = {
    "pins": ("table/app.py", "table/main.py"),
    "pins_table_s3": ("table/app.py", "table/main.py"),
    "pins_table_die": ("die/table_die_app.py", "die/table_die_main.py"),
    "pins_handheld": ("die/handheld_app.py", "die/handheld_main.py"),
}


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.stem)
def test_the_firmware_uses_every_pin(path):
    names = {pin.name for pin in load(path).pins}
    programmes = PROGRAMMES[Path(MODULES[path]).stem]
    programme = "".join((ROOT / "firmware" / name).read_text() for name in programmes)
    assert {name for name in re.findall(r"(?:pins|where)\.([A-Z_0-9]+)", programme) if name in names} == names


def test_no_pin_has_a_bare_number():
    for path in (ROOT / "firmware").rglob("*.py"):
        assert not re.search(r"Pin\(\d", path.read_text()), path


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("[controller\n", "line 1"),
        ('[controller]\nchip = "avr"\n', "chip must be one of"),
        ('[controller]\nchip = "esp32"\n', "no \\[pins.NAME\\]"),
        ('[controller]\nchip = "esp32"\n[pins.LAMP]\ngpio = "four"\n', "gpio must be int"),
        ('[controller]\nchip = "esp32"\n[pins.LAMP]\ngpio = 4\n', "says no direction"),
        ('[controller]\nchip = "esp32"\n[pins.LAMP]\ncolour = "red"\n', "colour, which nothing reads"),
        ('[controller]\nchip = "esp32"\n[pins.LAMP]\ngpio = 4\ndirection = "up"\n', "direction must be one of"),
        ('[controller]\nchip = "esp32"\n[pins.lamp]\ngpio = 4\n', "named like a constant"),
    ],
)
def test_a_broken_file_says_where_and_what(tmp_path, text, what):
    path = tmp_path / "map.toml"
    path.write_text(text)
    with pytest.raises(PinMapError, match=what):
        load(path)
    with pytest.raises(PinMapError, match="cannot be read"):
        load(tmp_path / "absent.toml")


def test_the_command_tells_stale_copies(tmp_path, capsys):
    assert pin_map.main(["--write"], tmp_path) == 0
    stale = tmp_path / "firmware" / "pins.py"
    stale.write_text("old\n")
    assert pin_map.main([], tmp_path) == 1
    assert "firmware/pins.py: differs, run with --write" in capsys.readouterr().out
    assert pin_map.main(["--write"], tmp_path) == 0
    assert pin_map.main([], tmp_path) == 0
    assert "LED_STRIP = 4" in stale.read_text()


def test_the_command_runs():
    done = subprocess.run(
        [sys.executable, "-m", "hardware.pin_map"], cwd=ROOT, capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_wiring_table_reaches_every_socket_once():
    page = (ROOT / "hardware" / "wiring.md").read_text()
    rows = re.findall(r"^\| (\d+) \| ([01]{5}) \| (U\d Y\d) \(pin \d+\) \| (U1\d D\d) ", page, re.M)
    assert [int(row[0]) for row in rows] == list(range(32))
    assert all(int(row[1], 2) == int(row[0]) for row in rows)
    assert len({row[2] for row in rows}) == 32
    assert len({row[3] for row in rows}) == 32
