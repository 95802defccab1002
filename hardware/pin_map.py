"""Reads the pin maps, checks them, and makes the firmware's pin modules and two pages of hardware/ from them.

For makers and the tests: `python -m hardware.pin_map` checks maps and copies, `--write` makes the copies anew. Ends
with 1 and one sentence a fault when something is wrong.
"""

import argparse
import sys
import tomllib
from pathlib import Path
from typing import Any

from hardware.pin_rules import CHIPS, Pin, PinMapError, broken_rules
from hardware.wiring_table import pins_page, wiring_page

ROOT = Path(__file__).resolve().parent.parent
MAP = ROOT / "hardware" / "pinmap.toml"
MODULES = {
    MAP: "firmware/pins.py",
    ROOT / "hardware" / "pinmaps" / "table_s3.toml": "firmware/pins_table_s3.py",
    ROOT / "hardware" / "pinmaps" / "table_die.toml": "firmware/pins_table_die.py",
    ROOT / "hardware" / "pinmaps" / "handheld_die.toml": "firmware/pins_handheld.py",
}
"""Each device's map, and the module of the firmware that is made from it."""
WIRING_PAGE = "hardware/wiring.md"
PINS_PAGE = "hardware/pins.md"

_KEYS = {"gpio": int, "direction": str, "use": str, "to": list, "pull": str, "outside": str, "boot_level": str}
_KEYS |= {"chip_select": bool, "analog": bool, "wake": bool, "console": bool}
_WORDS = {"direction": ("in", "out"), "pull": ("none", "up", "down"), "boot_level": ("", "low", "high")}


class PinMap:
    """A pin map that keeps all rules: `controller` and `table` as in the file, `pins` in the file's order."""

    def __init__(self, controller: dict[str, Any], table: dict[str, Any], pins: list[Pin]) -> None:
        self.controller = controller
        self.table = table
        self.pins = pins


def load(path: Path = MAP) -> PinMap:
    """The map in a file; `PinMapError` names the file, the pin and what to change."""
    try:
        raw = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise PinMapError(f"{path}: cannot be read ({error.strerror})") from error
    except tomllib.TOMLDecodeError as error:
        raise PinMapError(f"{path}: {error}") from error
    controller = raw.get("controller", {})
    if controller.get("chip") not in CHIPS:
        raise PinMapError(f"{path}: [controller] chip must be one of {', '.join(sorted(CHIPS))}")
    pins = [_pin(path, name, entry) for name, entry in raw.get("pins", {}).items()]
    if not pins:
        raise PinMapError(f"{path}: there is no [pins.NAME] in it")
    found = broken_rules(controller, pins)
    if found:
        raise PinMapError("\n".join(f"{path}: rule {number}: {sentence}" for number, sentence in found))
    return PinMap(controller, raw.get("table", {}), pins)


def _pin(path: Path, name: str, entry: dict[str, Any]) -> Pin:
    if not name.isupper() or not name.isidentifier():
        raise PinMapError(f"{path}: [pins.{name}] must be named like a constant")
    for key, value in entry.items():
        if key not in _KEYS:
            raise PinMapError(f"{path}: [pins.{name}] has {key}, which nothing reads; keys are {', '.join(_KEYS)}")
        if type(value) is not _KEYS[key]:
            raise PinMapError(f"{path}: [pins.{name}] {key} must be {_KEYS[key].__name__}, not {value!r}")
        if key in _WORDS and value not in _WORDS[key]:
            raise PinMapError(f"{path}: [pins.{name}] {key} must be one of {_WORDS[key]}, not {value!r}")
    for key in ("gpio", "direction", "use", "to"):
        if key not in entry:
            raise PinMapError(f"{path}: [pins.{name}] says no {key}")
    return Pin(name=name, **entry)


def pins_module(pin_map: PinMap, source: str) -> str:
    """The text of a pin module that is made from the map `source`."""
    lines = [
        f'"""{pin_map.controller["title"]}: pins and sizes, for the firmware.',
        "",
        f"Made from {source} by `python -m hardware.pin_map --write`: change that file, not this one.",
        '"""',
        "",
    ]
    lines += [f"{pin.name} = {pin.gpio}  # {pin.use}" for pin in pin_map.pins]
    lines.append("")
    lines += [f"{name} = {value!r}" for name, value in pin_map.table.items()]
    return "\n".join(lines) + "\n"


def copies(root: Path = ROOT) -> list[tuple[Path, str]]:
    """Every file that is made from the maps, below `root`, with the text it must hold. `PinMapError` when a map is
    wrong."""
    made = []
    others = []
    for path, module in MODULES.items():
        pin_map, name = load(path), path.relative_to(ROOT).as_posix()
        made.append((root / module, pins_module(pin_map, name)))
        if path == MAP:
            page = wiring_page(pin_map.controller, pin_map.table, pin_map.pins)
            made.append((root / WIRING_PAGE, page))
        else:
            others.append((name, pin_map.controller, pin_map.pins))
    return [*made, (root / PINS_PAGE, pins_page(others))]


def main(arguments: list[str] | None = None, root: Path = ROOT) -> int:
    parser = argparse.ArgumentParser(prog="python -m hardware.pin_map", description="Check the pin maps and copies.")
    parser.add_argument("--write", action="store_true", help="make the firmware's pin modules and the wiring page anew")
    options = parser.parse_args(arguments)
    try:
        made = copies(root)
    except PinMapError as error:
        print(error, file=sys.stderr)
        return 1
    stale = [(path, text) for path, text in made if not path.exists() or path.read_text("utf-8") != text]
    for path, text in stale:
        if options.write:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        print(f"{path.relative_to(root)}: {'written' if options.write else 'differs, run with --write'}")
    if stale and not options.write:
        return 1
    print(f"{len(MODULES)} maps keep all rules; firmware and wiring table agree with them.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
