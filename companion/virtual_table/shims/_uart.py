"""`machine.UART` of an ESP32: bytes take their time at the baud rate, both buffers overflow as the driver's do.

Works with `asyncio.StreamReader` and `StreamWriter`, and with `select.poll`.
"""

import binascii
import io

import _table
from machine import Pin

_PINS = {
    "esp32": ((1, 3), (10, 9), (17, 16)),
    "esp32s3": ((43, 44), (17, 18), (17, 18)),
    "esp32c3": ((21, 20), (19, 18)),
}
_FIFO = 128  # of the hardware, behind the driver's buffers
_ports = {}


def _on_bytes(message):
    port = _ports.get(message["p"])
    if port is not None:
        port._came(binascii.unhexlify(message["v"]), message["b"])


_table.on("uart", _on_bytes)


class UART(io.IOBase):
    INV_TX = 32
    INV_RX = 4
    RTS = 1
    CTS = 2
    IRQ_RX = 1
    IRQ_RXIDLE = 4096
    IRQ_BREAK = 128

    def __init__(self, id, *args, **options):
        if not 0 <= id < len(_PINS[_table.chip]):
            raise ValueError("UART(%d) does not exist" % id)
        self._id = id
        self._tx, self._rx = _PINS[_table.chip][id]
        self._size = 256
        self._room = 256
        self._timeout = 0
        self._in = bytearray()
        self._baud = 115200
        self._sent_at = 0
        self._handler = None
        self.init(*args, **options)

    def init(
        self, baudrate=None, bits=8, parity=None, stop=1, *, tx=None, rx=None, rts=None, cts=None, txbuf=None,
        rxbuf=None, timeout=None, timeout_char=None, invert=0, flow=0
    ):
        _ports.pop(self._rx, None)
        if baudrate is not None:
            self._baud = baudrate
        if tx is not None:
            self._tx = tx.id if isinstance(tx, Pin) else tx
        if rx is not None:
            self._rx = rx.id if isinstance(rx, Pin) else rx
        if txbuf is not None:
            self._room = txbuf
        if rxbuf is not None:
            self._size = rxbuf
        if timeout is not None:
            self._timeout = timeout
        self._bits = 1 + bits + stop + (parity is not None)
        _ports[self._rx] = self
        _table.call({"op": "uart", "tx": self._tx, "rx": self._rx, "baud": self._baud})

    def deinit(self):
        _ports.pop(self._rx, None)

    def irq(self, handler=None, trigger=0, hard=False):
        self._handler = handler
        return self

    def _came(self, data, baud):
        if abs(baud - self._baud) * 20 > self._baud:  # more than 5 % apart: the stop bit is not where it should be
            data = bytes([byte ^ 0xFF for byte in data])
        self._in += data[: max(0, self._size + _FIFO - len(self._in))]
        if self._handler:
            self._handler(self)

    def _unsent(self):
        return max(0, (self._sent_at - _table.now()) * self._baud // (self._bits * 1000000))

    def any(self):
        return len(self._in)

    def _await_bytes(self):
        end = _table.now() + self._timeout * 1000
        while not self._in and _table.now() < end:
            _table.wait(end - _table.now())
        return len(self._in)

    def read(self, nbytes=-1):
        if not self._await_bytes():
            return None
        data = bytes(self._in if nbytes is None or nbytes < 0 else self._in[:nbytes])
        self._in = self._in[len(data) :]
        return data

    def readinto(self, buf, nbytes=None):
        data = self.read(len(buf) if nbytes is None else min(nbytes, len(buf)))
        if data is None:
            return None
        buf[: len(data)] = data
        return len(data)

    def readline(self):
        if not self._await_bytes():
            return None
        end = self._in.find(b"\n")
        return self.read(end + 1 if end >= 0 else -1)

    def write(self, buf):
        view = memoryview(buf)
        at = 0
        while at < len(view):
            part = view[at : at + 128]
            while self._unsent() + len(part) > self._room + _FIFO:  # the driver waits until there is room
                _table.sleep_us(max(1000, len(part) * self._bits * 1000000 // self._baud))
            _table.uart_write(self._tx, part)
            now = _table.now()
            self._sent_at = max(now, self._sent_at) + len(part) * self._bits * 1000000 // self._baud
            at += len(part)
        return len(view)

    def txdone(self):
        return self._unsent() == 0

    def flush(self):
        while not self.txdone():
            _table.sleep_us(max(1, self._sent_at - _table.now()))

    def sendbreak(self):
        pass

    def ioctl(self, request, flags):
        if request == 3:  # poll
            return flags & ((1 if self._in else 0) | (4 if self._unsent() < self._room else 0))
        return 0
