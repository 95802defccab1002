"""One PN5180 model on a bench: SPI frames written in hex as in the data sheet, BUSY waited for, a clock turned by hand.

bench.command("04 13")             # a host command without an answer, or its first half
bench.ask("04 13", 4)              # with an answer of so many bytes, in hex
"""

from companion.virtual_table.chips.iso14443a import Tag
from companion.virtual_table.chips.iso15693 import VicinityTag, crc_v
from companion.virtual_table.chips.pn5180 import Pn5180
from companion.virtual_table.chips.rf_field import RfField

SYSTEM_CONFIG, IRQ_STATUS, IRQ_CLEAR, RX_STATUS, RF_STATUS = 0x00, 0x02, 0x03, 0x13, 0x1D
RX_IRQ, TX_IRQ, IDLE_IRQ, RFOFF_IRQ, RFON_IRQ = 0x0001, 0x0002, 0x0004, 0x0100, 0x0200
GENERAL_ERROR_IRQ = 0x20000


class Pn5180Bench:
    """A reader with a field and tags; `patient` False does not wait for BUSY."""

    def __init__(self, *uids: str) -> None:
        self.field = RfField()
        self.complaints: list[str] = []
        self.chip = Pn5180(self.field, self.complaints.append)
        self.now = 0.0
        self.patient = True
        self.chip.reset_pin(False, self.now)
        self.wait(20)
        self.chip.reset_pin(True, self.now)
        self.wait(3_000)
        self.tags = []
        for uid in uids:
            raw = bytes.fromhex(uid)
            tag = VicinityTag(raw) if len(raw) == 8 else Tag(raw)
            self.field.put(tag, int(self.now))
            self.tags.append(tag)

    def wait(self, us: float) -> None:
        self.now += us

    def frame(self, mosi: bytes) -> bytes:
        """What goes between two edges of NSS; BUSY is waited for before."""
        while self.patient and self.chip.busy(self.now):
            self.wait(5)
        self.chip.select_pin(True, self.now)
        miso = self.chip.transfer(mosi, self.now)
        self.wait(8 * len(mosi))
        self.chip.select_pin(False, self.now)
        return miso

    def command(self, mosi: str) -> None:
        self.frame(bytes.fromhex(mosi))

    def ask(self, mosi: str, length: int) -> str:
        self.command(mosi)
        return self.frame(b"\xff" * length).hex(" ")

    def read(self, register: int) -> int:
        """READ_REGISTER: 04, the address; the value with its lowest byte first."""
        return int.from_bytes(bytes.fromhex(self.ask(f"04 {register:02x}", 4)), "little")

    def write(self, register: int, value: int) -> None:
        self.command(f"00 {register:02x} {value.to_bytes(4, 'little').hex()}")

    def irq(self) -> int:
        return self.read(IRQ_STATUS)

    def state(self) -> int:
        """TRANSCEIVE_STATE of RF_STATUS."""
        return self.read(RF_STATUS) >> 24 & 7

    def field_on(self, tx: int = 0x0D, rx: int = 0x8D) -> None:
        """LOAD_RF_CONFIG, RF_ON, and the time that tags need."""
        self.command(f"11 {tx:02x} {rx:02x}")
        self.command("16 00")
        self.wait(7_000)

    def exchange(self, data: str, bits: int = 0, wait_us: float = 10_000) -> str:
        """Idle, flags away, Transceive, SEND_DATA; the answer after that time, or nothing."""
        self.command("02 00 f8 ff ff ff")
        self.write(IRQ_CLEAR, 0xFFFFF)
        self.command("01 00 03 00 00 00")
        self.command(f"09 {bits:02x} {data}")
        self.wait(wait_us)
        if not self.irq() & RX_IRQ:
            return ""
        length = self.read(RX_STATUS) & 0x1FF
        return self.ask("0a 00", length) if length else "-"

    def end_of_frame(self, wait_us: float = 10_000) -> str:
        """The next slot: without start symbol and data (TX_CONFIG 6, 7 and 10), an end of frame alone."""
        self.command("02 18 3f fb ff ff")
        return self.exchange("", wait_us=wait_us)

    def collided_at(self) -> int | None:
        """The data bit, from 0, at which answers differed."""
        status = self.read(RX_STATUS)
        return status >> 19 & 0x7F if status & 0x40000 else None


def inventory(mask: str = "", bits: int = 0, slots: int = 1) -> str:
    """An inventory request in hex; `mask` with its lowest byte first. The chip adds the sum."""
    return f"{0x26 if slots == 1 else 0x06:02x} 01 {bits:02x} {mask}"


def with_sum(data: str) -> bytes:
    return bytes.fromhex(data) + crc_v(bytes.fromhex(data))
