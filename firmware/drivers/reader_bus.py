"""The SPI bus behind the one-hot select, for the reader driver: no two readers can ever be selected.

Five lines carry a socket number into 74HC138 decoders, a sixth (active low) opens the one output they point at; see
hardware/wiring.md. A transfer puts the number on the lines while nothing is selected, opens, moves its bytes, closes.
"""

MYPY = False
if MYPY:  # only type checkers come here
    import machine


class ReaderBus:
    """`spi` is a machine.SPI, `select` the pins of the socket number from bit 0 up, `enable_n` the opening pin.

    `transfers` counts SPI transfers since the start.
    """

    def __init__(self, spi: "machine.SPI", select: "tuple[machine.Pin, ...]", enable_n: "machine.Pin") -> None:
        self._spi = spi
        self._select = select
        self._enable_n = enable_n
        self._on_lines = -1
        self._pair = bytearray(2)
        self._answer = bytearray(2)
        self.transfers = 0

    def _open(self, socket: int) -> None:
        if socket != self._on_lines:
            for bit, pin in enumerate(self._select):
                pin.value((socket >> bit) & 1)
            self._on_lines = socket
        self._enable_n.value(0)
        self.transfers += 1

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
