"""Table controller on an ESP32-S3: pins and sizes, for the firmware.

Made from hardware/pinmaps/table_s3.toml by `python -m hardware.pin_map --write`: change that file, not this one.
"""

READER_SCK = 12  # SPI clock of all readers
READER_MOSI = 11  # SPI data to all readers
READER_MISO = 13  # SPI data from the selected reader
READER_BUSY = 18  # high while the selected PN5180 works; an RC522 leaves it low
READER_SELECT_0 = 4  # socket number, bit 0
READER_SELECT_1 = 5  # socket number, bit 1
READER_SELECT_2 = 6  # socket number, bit 2
READER_SELECT_3 = 7  # socket number, bit 3: bank
READER_SELECT_4 = 15  # socket number, bit 4: bank
READER_ENABLE_N = 16  # low: the socket with the number on the select lines is selected
READER_RESET_N = 17  # low: all readers are powered down
LED_STRIP = 8  # lights, gates and hints
DIE_LED_STRIP = 9  # the die's ring of lights
DIE_BUTTON = 10  # the die's button, low when pressed
CABLE_TX = 1  # the cable to the companion: a USB-UART bridge of its own, 115,200 baud
CABLE_RX = 2  # the cable from the companion

SOCKETS = 32
BOARD_LEDS = 64
DIE_LEDS = 12
READER_BAUD = 1000000
CABLE_BAUD = 115200
LED_CURRENT_LIMIT = 1000
