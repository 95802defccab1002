"""The rules that a pin map must keep before anybody solders it, for `hardware.pin_map` and the tests.

Each rule is a function from (chip facts, controller table, pins) to sentences, one for each broken place; `[]` is good.
Sources: Espressif, ESP32, ESP32-S3 and ESP32-C3 data sheets (pin lists, strapping pins, RTC GPIOs) and the data sheets
of the modules ESP32-WROOM-32E, ESP32-S3-WROOM-1 and ESP32-C3-WROOM-02 (which pins leave the module).
"""

from dataclasses import dataclass, field
from typing import Any


class PinMapError(ValueError):
    """A pin map that cannot be used; the text says which line and what to do."""


@dataclass(frozen=True)
class Pin:
    """One line of the map: `name` is the firmware's constant, the rest as hardware/pinmap.toml explains it."""

    name: str
    gpio: int
    direction: str
    use: str
    to: list[str]
    pull: str = "none"
    outside: str = ""
    boot_level: str = ""
    chip_select: bool = False
    analog: bool = False
    wake: bool = False
    console: bool = False


@dataclass(frozen=True)
class Chip:
    """What a chip's data sheet says about its pins."""

    exists: frozenset[int]
    flash: frozenset[int]
    input_only: frozenset[int]
    safe_boot_level: dict[int, str]
    adc2: frozenset[int]
    wakes: frozenset[int]
    taken: dict[int, str] = field(default_factory=dict)
    pulses_at_boot: frozenset[int] = frozenset()


CHIPS = {
    "esp32": Chip(
        exists=frozenset([*range(20), 21, 22, 23, 25, 26, 27, 32, 33, 34, 35, 36, 39]),
        flash=frozenset(range(6, 12)),
        input_only=frozenset(range(34, 40)),
        safe_boot_level={0: "high", 2: "low", 5: "high", 12: "low", 15: "high"},
        adc2=frozenset([0, 2, 4, 12, 13, 14, 15, 25, 26, 27]),
        wakes=frozenset([0, 2, 4, 12, 13, 14, 15, 25, 26, 27, *range(32, 40)]),
        taken={1: "the console's TX", 3: "the console's RX"},
        pulses_at_boot=frozenset([5, 14]),
    ),
    # ESP32-S3-WROOM-1 without octal memory: with it GPIO 35 to 37 belong to the memory, so no map may use them.
    "esp32s3": Chip(
        exists=frozenset([*range(22), *range(26, 35), *range(38, 49)]),
        flash=frozenset(range(26, 33)),
        input_only=frozenset(),
        safe_boot_level={0: "high", 3: "high", 45: "low", 46: "low"},
        adc2=frozenset(range(11, 21)),
        wakes=frozenset(range(22)),
        taken={19: "USB D-", 20: "USB D+", 43: "the console's TX", 44: "the console's RX"},
    ),
    "esp32c3": Chip(
        exists=frozenset(range(22)),
        flash=frozenset(range(11, 18)),
        input_only=frozenset(),
        safe_boot_level={2: "high", 8: "high", 9: "high"},
        adc2=frozenset([5]),
        wakes=frozenset(range(6)),
        taken={18: "USB D-", 19: "USB D+", 20: "the console's RX", 21: "the console's TX"},
    ),
}


def rule_1_pin_exists(chip: Chip, controller: dict[str, Any], pins: list[Pin]) -> list[str]:
    return [f"{p.name}: this module has no GPIO{p.gpio}" for p in pins if p.gpio not in chip.exists]


def rule_2_no_flash_pins(chip: Chip, controller: dict[str, Any], pins: list[Pin]) -> list[str]:
    return [f"{p.name}: GPIO{p.gpio} belongs to the flash memory" for p in pins if p.gpio in chip.flash]


def rule_3_no_pin_twice(chip: Chip, controller: dict[str, Any], pins: list[Pin]) -> list[str]:
    first: dict[int, str] = {}
    found = []
    for p in pins:
        if p.gpio in first:
            found.append(f"{p.name}: GPIO{p.gpio} is {first[p.gpio]} already")
        first.setdefault(p.gpio, p.name)
    return found


def rule_4_inputs_only(chip: Chip, controller: dict[str, Any], pins: list[Pin]) -> list[str]:
    return [
        f"{p.name}: GPIO{p.gpio} can only be an input"
        for p in pins
        if p.gpio in chip.input_only and p.direction != "in"
    ]


def rule_5_no_pull_there(chip: Chip, controller: dict[str, Any], pins: list[Pin]) -> list[str]:
    return [
        f"{p.name}: GPIO{p.gpio} has no pull of its own, give it a resistor (`outside`)"
        for p in pins
        if p.gpio in chip.input_only and (p.pull != "none" or not p.outside)
    ]


def rule_6_safe_boot_levels(chip: Chip, controller: dict[str, Any], pins: list[Pin]) -> list[str]:
    return [
        f"{p.name}: GPIO{p.gpio} decides how the chip starts, it needs boot_level = "
        f"\"{chip.safe_boot_level[p.gpio]}\" and wiring that keeps to it"
        for p in pins
        if p.gpio in chip.safe_boot_level and p.boot_level != chip.safe_boot_level[p.gpio]
    ]


def rule_7_no_second_converter_with_wifi(chip: Chip, controller: dict[str, Any], pins: list[Pin]) -> list[str]:
    return [
        f"{p.name}: GPIO{p.gpio} measures with ADC2, which Wi-Fi takes"
        for p in pins
        if controller.get("wifi") and p.analog and p.gpio in chip.adc2
    ]


def rule_8_wake_pins(chip: Chip, controller: dict[str, Any], pins: list[Pin]) -> list[str]:
    return [f"{p.name}: GPIO{p.gpio} cannot wake the chip" for p in pins if p.wake and p.gpio not in chip.wakes]


def rule_9_console_and_boot_pulses(chip: Chip, controller: dict[str, Any], pins: list[Pin]) -> list[str]:
    found = [
        f"{p.name}: GPIO{p.gpio} is {chip.taken[p.gpio]}" for p in pins if p.gpio in chip.taken and not p.console
    ]
    found += [
        f"{p.name}: GPIO{p.gpio} pulses while the chip starts, so it must select nothing"
        for p in pins
        if p.chip_select and p.gpio in chip.pulses_at_boot
    ]
    return found


RULES = (
    rule_1_pin_exists,
    rule_2_no_flash_pins,
    rule_3_no_pin_twice,
    rule_4_inputs_only,
    rule_5_no_pull_there,
    rule_6_safe_boot_levels,
    rule_7_no_second_converter_with_wifi,
    rule_8_wake_pins,
    rule_9_console_and_boot_pulses,
)


def broken_rules(controller: dict[str, Any], pins: list[Pin]) -> list[tuple[int, str]]:
    """(rule number, sentence) for everything that is wrong with these pins on this chip; `[]` when all is well."""
    chip = CHIPS[controller["chip"]]
    found = []
    for number, rule in enumerate(RULES, 1):
        found += [(number, sentence) for sentence in rule(chip, controller, pins)]
    return found
