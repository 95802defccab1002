"""The page for whoever plays says what pages and devices really say, and their real figures."""

import json
import re
from pathlib import Path

from firmware.die import calibration, calibration_run, power_policy
from shared_rules.wire import battery_level
from shared_rules.wire.messages import SEAT_COLOURS

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "at_the_table.md").read_text(encoding="utf-8")
FLAT = " ".join(PAGE.split())


def constant(path, name):
    return int(re.search(rf"^{name} = (\d+)", (ROOT / path).read_text(encoding="utf-8"), re.MULTILINE)[1])


def said():
    """All that the pages and the companion's devices may say."""
    texts = json.loads((ROOT / "companion" / "web" / "texts" / "en.json").read_text(encoding="utf-8"))
    words = [value if isinstance(value, str) else " ".join(value.values()) for value in texts.values()]
    words += [path.read_text(encoding="utf-8") for path in (ROOT / "companion" / "devices").glob("*.py")]
    return "\n".join(words)


def test_what_is_quoted_is_what_people_read():
    told = said()
    quoted = re.findall(r"(?<!\*)\*{1,2}([^*\n]+)\*{1,2}", PAGE)
    absent = [one for one in quoted if one.rstrip(" …:.") not in told]
    own = {"Throwing", "It leans", "Its cell", "Sleep", "Calibrating", "The table die", "To leave it", "Devices"}
    assert len(quoted) > 20
    assert {one.rstrip(" …:.") for one in absent} - own == set()


def test_figures_are_the_firmwares():
    assert power_policy.SLEEP_AFTER_MS == 15 * 60_000
    assert "still for 15 minutes" in FLAT
    assert power_policy.ALONE_AFTER_MS == 3 * 60_000
    assert "or for three when no companion is there" in FLAT
    assert constant("firmware/table/app.py", "DARK_AFTER") == 10
    assert "does so after ten minutes" in FLAT
    assert calibration.FEWEST_FACES == 6
    assert "from six faces on" in FLAT
    assert calibration_run.PATIENCE_MS == 180_000
    assert "no new face has come for three minutes" in FLAT
    assert constant("firmware/supervision/safe_mode.py", "MOST_FAILURES") == 3
    assert constant("firmware/supervision/safe_mode.py", "MOST_POWER_ONS") == 3
    assert constant("firmware/supervision/safe_mode.py", "YOUNG_MS") == 60_000
    assert "fails three times, each within a minute of its start" in FLAT
    assert "three times in a row within a minute each" in FLAT
    assert (battery_level.LOW_PERCENT, battery_level.CRITICAL_PERCENT) == (15, 3)
    assert "(15 %)" in FLAT
    assert "Empty (3 %)" in FLAT


def test_winks_are_counted_in_the_order_of_the_colours():
    told = re.search(r"one for (\w+), two for (\w+), then ([\w, ]+) \|", FLAT)
    assert (told[1], told[2], *told[3].split(", ")) == tuple(SEAT_COLOURS)
