"""`machine.I2C` of an ESP32: whole transfers, done by the host. A chip that does not acknowledge is OSError ENODEV."""

import struct

import _table
from machine import Pin

_PINS = {"esp32": ((18, 19), (25, 26)), "esp32s3": ((9, 8), (9, 8)), "esp32c3": ((5, 4),)}


class I2C:
    def __init__(self, id=0, *, scl=None, sda=None, freq=400000, timeout=50000):
        defaults = _PINS[_table.chip]
        if not isinstance(id, int) or not 0 <= id < len(defaults):
            raise ValueError("I2C(%s) doesn't exist" % id)
        self._open(scl or Pin(defaults[id][0]), sda or Pin(defaults[id][1]), freq)

    def _open(self, scl, sda, freq):
        self._scl = scl.id
        self._sda = sda.id
        self._byte_us = max(1, 9000000 // freq)
        self._status = bytearray(1)

    def _transfer(self, address, data, count):
        answer = bytearray(count + 1) if count else self._status
        head = struct.pack("<BBBHH", self._sda, self._scl, address, len(data), count)
        _table.ask(7, head, data, answer)
        _table.spend(20 + (len(data) + count + 1) * self._byte_us)
        if answer[0]:
            raise OSError(answer[0])
        return answer

    def scan(self):
        found = []
        for address in range(8, 120):
            try:
                self._transfer(address, b"", 0)
                found.append(address)
            except OSError:
                pass
        return found

    def writeto(self, addr, buf, stop=True):
        self._transfer(addr, buf, 0)
        return len(buf)

    def writevto(self, addr, vector, stop=True):
        return self.writeto(addr, b"".join([bytes(part) for part in vector]), stop)

    def readfrom(self, addr, nbytes, stop=True):
        return bytes(self._transfer(addr, b"", nbytes)[1:])

    def readfrom_into(self, addr, buf, stop=True):
        buf[:] = memoryview(self._transfer(addr, b"", len(buf)))[1:]

    def writeto_mem(self, addr, memaddr, buf, *, addrsize=8):
        self._transfer(addr, memaddr.to_bytes(addrsize // 8, "big") + bytes(buf), 0)

    def readfrom_mem(self, addr, memaddr, nbytes, *, addrsize=8):
        return bytes(self._transfer(addr, memaddr.to_bytes(addrsize // 8, "big"), nbytes)[1:])

    def readfrom_mem_into(self, addr, memaddr, buf, *, addrsize=8):
        buf[:] = memoryview(self._transfer(addr, memaddr.to_bytes(addrsize // 8, "big"), len(buf)))[1:]

    def deinit(self):
        pass


class SoftI2C(I2C):
    def __init__(self, scl, sda, *, freq=400000, timeout=50000):
        self._open(scl, sda, freq)
