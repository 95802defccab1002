"""Table die: pins and sizes, for the firmware.

Made from hardware/pinmaps/table_die.toml by `python -m hardware.pin_map --write`: change that file, not this one.
"""

DIE_LED_STRIP = 13  # the ring of lights
DIE_BUTTON = 34  # the button, low when pressed
CABLE_TX = 17  # the cable to the companion, 115,200 baud
CABLE_RX = 16  # the cable from the companion

DIE_LEDS = 12
CABLE_BAUD = 115200
LED_CURRENT_LIMIT = 150
