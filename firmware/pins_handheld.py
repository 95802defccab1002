"""Handheld die: pins and sizes, for the firmware.

Made from hardware/pinmaps/handheld_die.toml by `python -m hardware.pin_map --write`: change that file, not this one.
"""

ACCEL_SDA = 4  # data of the accelerometer
ACCEL_SCL = 5  # clock of the accelerometer
ACCEL_INT = 3  # high when the die is moved; wakes it from deep sleep
BATTERY_ADC = 1  # half the cell's voltage
CHARGING = 0  # low while the cell is charged
LED = 7  # the light
LED_POWER = 10  # high: the light has its supply
CABLE_TX = 6  # test pad: to a companion by cable, 115,200 baud
CABLE_RX = 2  # test pad: from a companion by cable

ACCEL_BUS_HZ = 400000
CABLE_BAUD = 115200
LED_CURRENT_LIMIT = 20
BATTERY_DIVIDER = 2
BATTERY_CELL_MAH = 100
