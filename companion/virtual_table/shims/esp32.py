"""`esp32`: what a table's firmware may use of it. NVS lies in a file of the board's flash."""

import binascii
import json

import _table

WAKEUP_ALL_LOW = False
WAKEUP_ANY_HIGH = True

_FILE = "/.nvs.json"


def _load():
    try:
        with open(_FILE) as f:
            return json.load(f)
    except (OSError, ValueError):
        return {}


class NVS:
    def __init__(self, namespace):
        self._namespace = namespace
        self._values = _load().get(namespace, {})

    def _get(self, key):
        if key not in self._values:
            raise OSError(-4354, "ESP_ERR_NVS_NOT_FOUND")
        return self._values[key]

    def set_i32(self, key, value):
        self._values[key] = value

    def get_i32(self, key):
        return self._get(key)

    def set_blob(self, key, value):
        self._values[key] = binascii.hexlify(bytes(value)).decode()

    def get_blob(self, key, into):
        value = binascii.unhexlify(self._get(key))
        into[: len(value)] = value
        return len(value)

    def erase_key(self, key):
        self._get(key)
        del self._values[key]

    def commit(self):
        everything = _load()
        everything[self._namespace] = self._values
        with open(_FILE, "w") as f:
            json.dump(everything, f)


class RMT:
    @staticmethod
    def bitstream_channel(value=None):
        return value


def mcu_temperature():
    return 35


def _sleeps_with(gpio):
    """Whether a pin is fed while the chip sleeps deeply, so that it can wake it."""
    if _table.chip == "esp32c3":
        return gpio <= 5
    if _table.chip == "esp32s3":
        return gpio <= 21
    return gpio in (0, 2, 4, 12, 13, 14, 15, 25, 26, 27) or 32 <= gpio <= 39


def _wake(kind, pins, level):
    numbers = tuple([pin.id for pin in pins or ()])
    for gpio in numbers:
        if kind != "gpio" and not _sleeps_with(gpio):
            raise ValueError("invalid pin")
    if numbers:
        _table.wakes[kind] = (numbers, 1 if level else 0)
    else:
        _table.wakes.pop(kind, None)


if _table.chip != "esp32c3":

    def wake_on_ext0(pin=None, level=False):
        _wake("ext0", None if pin is None else (pin,), level)

    def wake_on_ext1(pins=None, level=False):
        _wake("ext1", pins, level)


def wake_on_gpio(pins=None, level=False):
    """From deep sleep on an ESP32-C3 (pins 0 to 5); on the others from light sleep only."""
    _wake("gpio", pins, level)


def gpio_deep_sleep_hold(enable):
    pass
