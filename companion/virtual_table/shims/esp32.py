"""`esp32`: what a table's firmware may use of it. NVS lies in a file of the board's flash."""

import binascii
import json

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
