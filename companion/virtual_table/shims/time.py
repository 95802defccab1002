"""`time` of an ESP32 at the virtual table: the built-in module, with the table's clock while time is virtual."""

import sys

_path = sys.path
sys.path = ()
try:
    from time import *
finally:
    sys.path = _path

import _table

_EPOCH_S = 946684800 + 26 * 365 * 86400  # what the clock of a board without a battery says does not matter

if _table.virtual:
    def ticks_us():
        return _table.ticks_us()

    def ticks_ms():
        return _table.ticks_us() // 1000

    def ticks_cpu():
        return _table.ticks_us()

    def time():
        return _EPOCH_S + _table.ticks_us() // 1000000

    def time_ns():
        return _EPOCH_S * 1000000000 + _table.ticks_us() * 1000


def sleep_us(us):
    _table.sleep_us(us)


def sleep_ms(ms):
    _table.sleep_us(ms * 1000)


def sleep(s):
    _table.sleep_us(int(s * 1000000))
