"""The table controller's firmware: MicroPython on an ESP32, or in an interpreter with modelled chips."""

VERSION = (0, 1, 0)
