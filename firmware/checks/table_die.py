"""Looks at a stand-alone table die: memory, radio, ring, button."""

from firmware import pins_table_die as pins
from firmware.checks import common


def main():
    """All items."""
    common.check_memory(40000)
    common.check_chance()
    common.check_strip("ring", pins.DIE_LED_STRIP, pins.DIE_LEDS, pins.LED_CURRENT_LIMIT)
    common.check_button(pins.DIE_BUTTON)
    print("end")
