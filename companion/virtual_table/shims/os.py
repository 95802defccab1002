"""`os` of an ESP32 at the virtual table; random bytes come from the host, so that a seed repeats them."""

import sys

_path = sys.path
sys.path = ()
try:
    from os import *
finally:
    sys.path = _path

import binascii

import _table


def urandom(n):
    """Random bytes. A real ESP32 has entropy only while its radio is on, and the host complains when it is not."""
    return binascii.unhexlify(_table.call({"op": "urandom", "n": n})["v"])


def uname():
    return ("esp32", "esp32", "1.29.0", "1.29.0 at the virtual table", "Virtual table with ESP32")


def dupterm(stream, index=0):
    return None
