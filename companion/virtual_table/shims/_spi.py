"""`machine.SPI` of an ESP32: whole transfers, done by the host."""

import _table


class SPI:
    MSB = 0
    LSB = 1
    _DEFAULTS = {1: (14, 13, 12), 2: (18, 23, 19)}

    def __init__(
        self, id=-1, baudrate=1000000, *, polarity=0, phase=0, bits=8, firstbit=0, sck=None, mosi=None, miso=None
    ):
        pins = self._DEFAULTS.get(id, (0, 0, 0))
        self._sck = sck.id if sck is not None else pins[0]
        self._mosi = mosi.id if mosi is not None else pins[1]
        self._miso = miso.id if miso is not None else pins[2]
        self.init(baudrate, polarity=polarity, phase=phase, bits=bits, firstbit=firstbit)

    def init(self, baudrate=1000000, *, polarity=0, phase=0, bits=8, firstbit=0):
        self._byte_us = max(1, 8000000 // baudrate)
        _table.spi_setup(baudrate, polarity, phase, firstbit, self._sck, self._mosi, self._miso)

    def deinit(self):
        pass

    def write(self, buf):
        _table.spi_write(buf, self._byte_us)

    def write_readinto(self, write_buf, read_buf):
        if len(write_buf) != len(read_buf):
            raise ValueError("buffers must be the same length")
        _table.spi_transfer(write_buf, read_buf, self._byte_us)

    def readinto(self, buf, write=0):
        for i in range(len(buf)):
            buf[i] = write
        _table.spi_transfer(buf, buf, self._byte_us)

    def read(self, nbytes, write=0):
        buf = bytearray(nbytes)
        self.readinto(buf, write)
        return bytes(buf)


SoftSPI = SPI
