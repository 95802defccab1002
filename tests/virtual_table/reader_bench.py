"""One MFRC522 model on a bench: SPI streams written in hex as in the data sheet, and a clock that is turned by hand."""

from companion.virtual_table.chips.crc_a import crc_a
from companion.virtual_table.chips.iso14443a import Tag
from companion.virtual_table.chips.mfrc522 import Mfrc522
from companion.virtual_table.chips.rf_field import RfField

REQA = ("26", 0x07)
WUPA = ("52", 0x07)
UID = "de ad be ef"


def sel(uid_part: str, code: str = "93") -> str:
    """A SELECT with its check byte and sum, in hex."""
    part = bytes.fromhex(uid_part)
    body = bytes.fromhex(code) + b"\x70" + part + bytes([part[0] ^ part[1] ^ part[2] ^ part[3]])
    return (body + crc_a(body)).hex(" ")


class Bench:
    """A reader with a field; `stream("24 26")` writes 26 to the register whose address byte is 24."""

    def __init__(self, *uids: str, version: int = 0x92) -> None:
        self.field = RfField()
        self.complaints: list[str] = []
        self.chip = Mfrc522(self.field, self.complaints.append, version)
        self.now = 0
        self.chip.reset_pin(False, self.now)
        self.wait(1_000)
        self.chip.reset_pin(True, self.now)
        self.wait(1_000)
        self.tags = [Tag(bytes.fromhex(uid)) for uid in uids]
        for tag in self.tags:
            self.field.put(tag, self.now)

    def wait(self, us: int) -> None:
        self.now += us

    def stream(self, mosi: str) -> str:
        """One stream of bytes between two edges of NSS; what MISO said, in hex."""
        self.chip.select_pin(True, self.now)
        miso = self.chip.transfer(bytes.fromhex(mosi), self.now)
        self.chip.select_pin(False, self.now)
        self.wait(20)
        return miso.hex(" ")

    def read(self, register: int) -> int:
        """One register: its address byte with the highest bit set, then 00 (8.1.2.1)."""
        return int(self.stream(f"{0x80 | register << 1:02x} 00").split()[1], 16)

    def write(self, register: int, value: int) -> None:
        self.stream(f"{register << 1:02x} {value:02x}")

    def fifo(self) -> str:
        """All that is in the FIFO: its level (0A), then as many reads of 09 in one stream."""
        level = self.read(0x0A)
        if not level:
            return ""
        return " ".join(self.stream("92 " * level + "00").split()[1:])

    def field_on(self) -> None:
        """100 % modulation (15 <- 40), timer of 25 ms started by itself (2A-2D), both drivers on (14 <- 83)."""
        for mosi in ("2a 40", "54 80", "56 a9", "58 03", "5a e8", "28 83"):
            self.stream(mosi)
        self.wait(6_000)

    def exchange(self, data: str, framing: int = 0x00, wait_us: int = 5_000) -> str:
        """Transceive (10.3.1.8): Idle, flags away, FIFO empty, bytes in, command 0C, StartSend; the FIFO after."""
        self.stream("02 00")
        self.stream("08 7f")
        self.stream("14 80")
        if data:
            self.stream("12 " + data)
        self.stream("02 0c")
        self.stream(f"1a {0x80 | framing:02x}")
        self.wait(wait_us)
        return self.fifo()

    def irq(self) -> int:
        return self.read(0x04)

    def error(self) -> int:
        return self.read(0x06)
