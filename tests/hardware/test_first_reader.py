"""The page for one reader says what the pin map says, and its decoder selects socket 16 alone."""

import re
from pathlib import Path

from hardware.pin_map import load

PAGE = (Path(__file__).resolve().parents[2] / "hardware" / "first_reader.md").read_text(encoding="utf-8")
ROW = re.compile(r"^\| `(\w+)` \| IO(\d+) \| ([^|]+) \| ([^|]+) \|$", re.MULTILINE)
SOCKET = 16


def rows():
    found = ROW.findall(PAGE)
    assert len(found) == 12
    return found


def test_pins_and_resistors_are_those_of_the_table():
    pins = {pin.name: pin for pin in load().pins}
    for name, gpio, _, resistor in rows():
        assert int(gpio) == pins[name].gpio, name
        assert resistor == (pins[name].outside or "none"), name
    resistors = sum(resistor != "none" for *_, resistor in rows())
    assert f"| {resistors} | 10 kohm resistor |" in PAGE


def test_what_is_left_out_are_all_other_pins():
    named = {name for name, *_ in rows()}
    open_pins = sorted(pin.gpio for pin in load().pins if pin.name not in named)
    told = re.search(r"((?:IO\d+, )*IO\d+ and IO\d+) stay open", PAGE)
    assert [int(number) for number in re.findall(r"IO(\d+)", told[1])] == open_pins


def test_one_decoder_selects_socket_16_and_no_other():
    """A 74HC138: Y0 is low while G1 is high, /G2A and /G2B are low, and A, B, C are low."""
    at = {}
    for name, _, goes_to, _ in rows():
        found = re.match(r"(\S+) \(\d+\) of the 74HC138", goes_to)
        if found:
            at[found[1]] = name
    assert set(at) == {"A", "B", "C", "/G2A", "/G2B", "G1"}
    selected = []
    for socket in range(32):
        for enable_n in (0, 1):
            levels = {f"READER_SELECT_{bit}": socket >> bit & 1 for bit in range(5)} | {"READER_ENABLE_N": enable_n}
            pin = {line: levels[name] for line, name in at.items()}
            if pin["G1"] and not any(pin[line] for line in ("/G2A", "/G2B", "A", "B", "C")):
                selected.append((socket, enable_n))
    assert selected == [(SOCKET, 0)]
    assert f"Y0 is **socket {SOCKET}**" in PAGE
