"""Table controller, built from bought modules: pins and sizes, for the firmware.

Made from hardware/pinmap.toml by `python -m hardware.pin_map --write`: change that file, not this one.
"""

READER_SCK = 18  # SPI clock of all readers
READER_MOSI = 23  # SPI data to all readers
READER_MISO = 19  # SPI data from the selected reader
READER_BUSY = 35  # high while the selected PN5180 works; an RC522 leaves it low
READER_SELECT_0 = 25  # socket number, bit 0
READER_SELECT_1 = 26  # socket number, bit 1
READER_SELECT_2 = 27  # socket number, bit 2
READER_SELECT_3 = 32  # socket number, bit 3: bank
READER_SELECT_4 = 33  # socket number, bit 4: bank
READER_ENABLE_N = 21  # low: the socket with the number on the select lines is selected
READER_RESET_N = 22  # low: all readers are powered down
LED_STRIP = 4  # lights, gates and hints
DIE_LED_STRIP = 13  # the die's ring of lights
DIE_BUTTON = 34  # the die's button, low when pressed
CABLE_TX = 17  # the cable to the companion: a USB-UART bridge of its own, 115,200 baud
CABLE_RX = 16  # the cable from the companion

SOCKETS = 32
BOARD_LEDS = 64
DIE_LEDS = 12
READER_BAUD = 1000000
CABLE_BAUD = 115200
LED_CURRENT_LIMIT = 1000
