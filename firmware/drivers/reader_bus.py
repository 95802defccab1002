"""The SPI bus behind the one-hot select, for reader drivers: no two readers can ever be selected.

Five lines carry a socket number into 74HC138 decoders, a sixth (active low) opens the one output they point at; see
hardware/wiring.md. A transfer puts the number on the lines while nothing is selected, opens, moves its bytes, closes.
BUSY of a PN5180 comes back only while its socket is open, so it is looked at between opening and the first byte.
"""

import asyncio
import time

MYPY = False
if MYPY:  # only type checkers come here
    import machine

RESET_MS = 2
BOOT_MS = 50  # the oscillators start
_SOON = 5  # looks at BUSY, 0.1 ms apart: most commands take less
_LATER = 12  # more looks, 1 ms apart: a chip takes 2.5 ms to start
_RISE = 20  # looks until BUSY has risen after the last byte


class ReaderBus:
    """`spi` is a machine.SPI, `select` the pins of the socket number from bit 0 up, `enable_n` the opening pin.

    `busy` is the input that carries BUSY of the open socket, `reset_n` the output that resets all readers; without
    them there are no PN5180 readers and no common reset. `transfers` counts SPI transfers since the start.
    """

    def __init__(
        self,
        spi: "machine.SPI",
        select: "tuple[machine.Pin, ...]",
        enable_n: "machine.Pin",
        busy: "machine.Pin | None" = None,
        reset_n: "machine.Pin | None" = None,
    ) -> None:
        self._spi = spi
        self._select = select
        self._enable_n = enable_n
        self._busy = busy
        self._reset_n = reset_n
        self._on_lines = -1
        self._pair = bytearray(2)
        self._answer = bytearray(2)
        self.transfers = 0

    async def reset(self) -> bool:
        """Resets all readers at once, the last resort; False when there is no line for it."""
        if self._reset_n is None:
            return False
        self._reset_n.value(0)
        await asyncio.sleep_ms(RESET_MS)
        self._reset_n.value(1)
        await asyncio.sleep_ms(BOOT_MS)
        return True

    def _open(self, socket: int) -> None:
        if socket != self._on_lines:
            for bit, pin in enumerate(self._select):
                pin.value((socket >> bit) & 1)
            self._on_lines = socket
        self._enable_n.value(0)
        self.transfers += 1

    # -- MFRC522: an address byte and data ----------------------------------------------------------------------------

    def write(self, socket: int, register: int, value: int) -> None:
        """One byte into a register."""
        self._pair[0] = register << 1
        self._pair[1] = value
        self._open(socket)
        self._spi.write(self._pair)
        self._enable_n.value(1)

    def write_frame(self, socket: int, frame: bytes | bytearray) -> None:
        """`frame` as it is: its first byte is the address, the rest goes to that one register."""
        self._open(socket)
        self._spi.write(frame)
        self._enable_n.value(1)

    def read(self, socket: int, register: int) -> int:
        """The byte in a register."""
        self._pair[0] = 0x80 | register << 1
        self._pair[1] = 0
        self.exchange(socket, self._pair, self._answer)
        return self._answer[1]

    def exchange(self, socket: int, addresses: bytes | bytearray, answer: bytearray) -> None:
        """Reads many: `addresses` end in a zero byte, `answer` is as long; its byte n+1 belongs to address n."""
        self._open(socket)
        self._spi.write_readinto(addresses, answer)
        self._enable_n.value(1)

    # -- PN5180: whole frames, and BUSY -------------------------------------------------------------------------------

    async def send(self, socket: int, frame: bytes | bytearray) -> bool:
        """A host command, as soon as BUSY lets it; False when nobody raises BUSY for it or BUSY never falls."""
        return await self._frame(socket, frame, None)

    async def receive(self, socket: int, answer: bytearray) -> bool:
        """Fills `answer` with what the last command asked for; False as with `send`."""
        return await self._frame(socket, None, answer)

    async def _frame(self, socket, frame, answer):
        if self._busy is None:
            return False
        busy = self._busy.value
        for look in range(_SOON + _LATER):
            self._open(socket)
            if not busy():
                break
            self._enable_n.value(1)
            if look < _SOON:
                time.sleep_us(100)
            else:
                await asyncio.sleep_ms(1)
        else:
            return False
        if answer is None:
            self._spi.write(frame)
        else:
            self._spi.readinto(answer, 0xFF)
        risen = False
        for _ in range(_RISE):
            if busy():
                risen = True
                break
        self._enable_n.value(1)
        return risen
