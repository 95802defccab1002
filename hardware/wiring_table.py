"""The wiring page for a table from bought modules, made from the pin map so that paper and firmware cannot part.

Pin numbers of the logic chips are those of the DIP packages (Nexperia 74HC138, 74HC251, 74HC244; TI SN74AHCT125).
"""

from typing import Any

from hardware.pin_rules import Pin

BANKS = 4
PER_BANK = 8
_Y_138 = (15, 14, 13, 12, 11, 10, 9, 7)
_D_251 = (4, 3, 2, 1, 15, 14, 13, 12)
_SCK_244 = (18, 16, 14, 12)
_MOSI_244 = (9, 7, 5, 3)

# mA at 5 V, computed from data sheets: WS2812B 20 a colour; ESP32 peak with its radio; MFRC522 at 3.3 V at most 6.5
# digital, 10 analog and 100 for the field, through a converter of 90 %; PN5180 at most 250 for the field, from 5 V.
LED_ALL_WHITE_MA = 60
CONTROLLER_PEAK_MA = 500
READER_ON_MA = 250
READER_IDLE_MA = 13


def _table(head: list[str], rows: list[list[str]]) -> list[str]:
    lines = ["| " + " | ".join(head) + " |", "|" + " --- |" * len(head)]
    return lines + ["| " + " | ".join(row) + " |" for row in rows]


def _parts(sockets: int, leds: int, die_leds: int, resistors: int) -> list[str]:
    banks = -(-sockets // PER_BANK)
    return _table(
        ["quantity", "part", "what for"],
        [
            ["1", "ESP32-DevKitC with ESP32-WROOM-32E", "controller"],
            [str(sockets), "RC522 reader board (13.56 MHz, SPI)", "one under each place that sees taxis"],
            [str(1 + banks), "74HC138", "one reader selected at a time, by wiring and not by programme: U1, U2 to U5"],
            [str(banks), "74HC251", "only the selected reader speaks: U11 to U14"],
            [str(banks), "74HC251", "BUSY of the selected reader, for PN5180 adapters: U31 to U34"],
            [str(banks), "74HC244", "clock and data buffers of a bank: U21 to U24"],
            ["1", "74AHCT125", "3.3 V to 5 V for both light strips: U6"],
            [str(leds), "WS2812B, as a strip or single", "lights, gates and hints"],
            [str(die_leds), "WS2812B, as a ring", "the die"],
            ["1", "push button, 100 nF", "the die"],
            [str(2 * sockets), "33 ohm resistor", "clock and data of each reader"],
            ["2", "330 ohm resistor", "data into each strip, close to U6"],
            [str(resistors), "10 kohm resistor", "see the column of outside resistors"],
            [str(sockets), "100 kohm resistor", "from each D input of U11 to U14 to GND"],
            [str(sockets), "10 uF and 100 nF", "at the supply of each reader"],
            [str(2 + 4 * banks), "100 nF", "at the supply of each logic chip"],
            ["2", "1000 uF, 6.3 V", "where 5 V enters each strip"],
            ["1", "5 V 3 A supply, 3 A fuse", "everything"],
            ["1", "buck converter 5 V to 3.3 V, 2 A", "readers and logic"],
            [str(banks), "500 mA resettable fuse", "3.3 V of each bank"],
            ["6 or more", "NTAG213 tag, 25 mm", "under the taxis"],
        ],
    )


def _controller(pins: list[Pin]) -> list[str]:
    rows = [
        [f"`{p.name}`", f"IO{p.gpio}", p.direction, p.outside or "none", p.use, "; ".join(p.to)]
        for p in sorted(pins, key=lambda p: p.gpio)
    ]
    return _table(["firmware's name", "module pin", "direction", "outside resistor", "meaning", "goes to"], rows)


def _master() -> list[str]:
    rows = [["G1 (6)", "3V3"], ["/G2B (5)", "GND"]]
    for b in range(BANKS):
        rows.append([f"Y{b} ({_Y_138[b]})", f"/G2A (4) of U{2 + b}, and /OE (7) of U{11 + b} and U{31 + b}"])
    rows += [["Y4 to Y7", "open"], ["C (3)", "GND"]]
    return _table(["U1, 74HC138", "goes to"], rows)


def _sockets(sockets: int) -> list[str]:
    rows = []
    for socket in range(sockets):
        bank, place = divmod(socket, PER_BANK)
        rows.append(
            [
                str(socket),
                f"{socket:05b}",
                f"U{2 + bank} Y{place} (pin {_Y_138[place]})",
                f"U{11 + bank} D{place} (pin {_D_251[place]})",
                f"U{21 + bank} pin {_SCK_244[place // 2]}",
                f"U{21 + bank} pin {_MOSI_244[place // 2]}",
            ]
        )
    return _table(["socket", "select lines 4 to 0", "SDA (select)", "MISO", "SCK, 33 ohm", "MOSI, 33 ohm"], rows)


def _power(table: dict[str, Any]) -> list[str]:
    leds = table["BOARD_LEDS"] + table["DIE_LEDS"]
    readers = READER_ON_MA + (table["SOCKETS"] - 1) * READER_IDLE_MA
    most = table["LED_CURRENT_LIMIT"] + CONTROLLER_PEAK_MA + readers
    rows = [
        ["lights, the firmware's limit", str(table["LED_CURRENT_LIMIT"])],
        ["controller, peak", str(CONTROLLER_PEAK_MA)],
        ["readers: one field on (a PN5180; an RC522 takes 86), the rest without", str(readers)],
        ["**sum**", f"**{most}**"],
        ["supply, with a fifth kept back", str(3000 * 4 // 5)],
    ]
    return _table(["at 5 V, computed from data sheets", "mA"], rows) + [
        "",
        f"All {leds} lights in full white would take {leds * LED_ALL_WHITE_MA} mA. The firmware computes the current "
        "of every frame and dims it to the limit before it goes out; the 3 A fuse is for the day it does not.",
    ]


def wiring_page(controller: dict[str, Any], table: dict[str, Any], pins: list[Pin]) -> str:
    """The text of hardware/wiring.md."""
    sockets = table["SOCKETS"]
    lines = [
        "# Wiring: a table from bought modules",
        "",
        "Made from `hardware/pinmap.toml` by `.venv/bin/python -m hardware.pin_map --write`: change that file, not",
        "this one. The pins keep the rules of `hardware/pin_rules.py`. Nothing here has been measured on a built",
        "table: check each bank with `firmware/tools/self_test.py` before the next one is wired.",
        "",
        f"Controller: {controller['module']}.",
        "",
        "## Parts",
        "",
        *_parts(sockets, table["BOARD_LEDS"], table["DIE_LEDS"], sum(bool(pin.outside) for pin in pins)),
        "",
        "Fewer places than sockets: leave readers out, from the highest socket number down or anywhere. The firmware",
        "reports an absent reader as mute once and goes on. The smallest table has one reader:",
        "[the first reader](first_reader.md).",
        "",
        "## Controller",
        "",
        *_controller(pins),
        "",
        "5V of the module to 5 V, 3V3 of the module stays open (the readers have a converter of their own), all",
        "grounds together in one point at the converter.",
        "",
        "## Which bank: U1",
        "",
        *_master(),
        "",
        "## Each bank",
        "",
        "Bank b (0 to 3) has U(2+b), a 74HC138; U(11+b), a 74HC251; U(21+b), a 74HC244; and where a bank holds PN5180",
        "readers U(31+b), a second 74HC251. All run on 3.3 V.",
        "",
        "- 74HC138: G1 (6) to 3V3, /G2B (5) to GND, /G2A (4) from U1.",
        "- 74HC251: W (6) open, Y (5) to `READER_MISO`. While no reader is selected its output is off, and the",
        "  resistor holds the line: reader boards that never let go of their data line cannot disturb each other.",
        "  100 kohm from each D input to GND keep the inputs of readers that do let go, or are absent, from floating.",
        "- U(31+b): like U(11+b), with BUSY of the same eight readers at its D inputs and Y (5) at `READER_BUSY`.",
        "- 74HC244: /1OE (1) and /2OE (19) to GND; inputs 2, 4, 6, 8 from `READER_SCK`; inputs 11, 13, 15, 17 from",
        "  `READER_MOSI`. Each output drives two readers.",
        "",
        "## Readers",
        "",
        "A socket takes an RC522 board or, where more than two taxis may meet, a PN5180 board: the firmware looks",
        "which of the two it finds. 3.3V and GND of each reader come from its bank's fuse, RST from `READER_RESET_N`,",
        "IRQ stays open. A PN5180 board also takes 5 V, and its tags are of the kind ISO/IEC 15693 (ICODE SLIX). Flat",
        "cable of at most 0.4 m, with GND beside SCK. Coils at least 30 mm apart, no metal under a coil.",
        "",
        *_sockets(sockets),
        "",
        "## Lights and die",
        "",
        "- U6, 74AHCT125 on 5 V: /1OE (1) and /2OE (4) to GND; 1Y (3) over 330 ohm to the strip's DIN, 2Y (6) over",
        "  330 ohm to the ring's DIN; unused inputs 9 and 12 to GND, /3OE (10) and /4OE (13) to 5 V.",
        "- Feed 5 V into the strip every 16 lights.",
        "- LED numbers of the layout file count from the strip's first light, 0.",
        "",
        "## Power",
        "",
        *_power(table),
        "",
    ]
    return "\n".join(lines)


def pins_page(maps: list[tuple[str, dict[str, Any], list[Pin]]]) -> str:
    """The text of hardware/pins.md from (map, controller, pins) of every device that is not the table on an ESP32."""
    lines = [
        "# Pins of the other devices",
        "",
        "Made from `hardware/pinmaps/` by `.venv/bin/python -m hardware.pin_map --write`: change those files, not this",
        "one. The table controller on an ESP32, with its readers, lights and supply, has [a page of its",
        "own](wiring.md); on an ESP32-S3 all of that page holds but for the pin numbers here. What a handheld die",
        "draws is on [the power page](../docs/die_power.md); its charger, regulator and shell are not designed yet.",
    ]
    for path, controller, pins in maps:
        lines += ["", f"## {controller['title']}", "", f"{controller['module']}; `{path}`.", "", *_controller(pins)]
    return "\n".join(lines) + "\n"
