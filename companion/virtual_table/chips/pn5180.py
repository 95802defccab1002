"""The PN5180 reader chip at register level, for the virtual table: SPI frames in, SPI frames out, BUSY, a field.

Written from the NXP data sheet (PN5180A0xx; its section numbers stand at each part) and reached through its pins alone.
A frame is what goes over SPI between the two edges of NSS (11.4.1). A frame is a host command; when that command has an
answer, the next frame reads it, with FF on MOSI. BUSY goes high with the bytes of a frame and low when the chip has
worked on it and the answer is ready; bytes that come while it works are lost. Looking at BUSY while selected, without a
byte, does no harm.

A host command that does not exist, or has a wrong length, sets GENERAL_ERROR_IRQ and does nothing else: whoever looks
what is in a socket may send such.
"""

from __future__ import annotations

from collections.abc import Callable

from companion.virtual_table.chips import pn5180_registers as reg
from companion.virtual_table.chips.pn5180_radio import Pn5180Radio
from companion.virtual_table.chips.reader_chip import check_trouble
from companion.virtual_table.chips.rf_field import RfField

BOOT_US = 2_500.0
_MOST_SENT = 260
_MOST_READ = 508
_WORK_US = 30.0  # of most commands, from the rising edge of NSS
_LONGER_US = {reg.LOAD_RF_CONFIG: 250.0, reg.WRITE_EEPROM: 3_000.0, reg.RF_ON: 60.0, reg.READ_DATA: 60.0}

_OPEN = 0xFF
"""What MISO shows while there is nothing to say."""


class Pn5180:
    """One reader chip. `complain(text)` hears what a real chip would suffer in silence and its driver should not do."""

    def __init__(self, field: RfField, complain: Callable[[str], None] = lambda text: None) -> None:
        self.field = field
        self._complain = complain
        self.radio = Pn5180Radio(field, complain)
        self.trouble = ""
        self.deaf_at: float | None = None
        die = bytes((0x50, 0x18) + (0x00,) * 14)
        self.eeprom = bytearray((die + reg.VERSIONS).ljust(reg.EEPROM_SIZE, b"\0"))
        self._held_in_reset = False
        self._selected = False
        self._frame = bytearray()
        self._lost = False
        self._answer: bytes | None = None
        self._answer_read = 0
        self._busy_until = 0.0
        self._cold_start(0.0)

    # -- pins ---------------------------------------------------------------------------------------------------------

    def reset_pin(self, high: bool, now: float) -> None:
        """RESET_N (11.3): low holds everything; after the rising edge the chip starts, with BUSY high meanwhile."""
        if not high and not self._held_in_reset:
            self._held_in_reset = True
            self.radio.reset(now)
        elif high and self._held_in_reset:
            self._held_in_reset = False
            self._cold_start(now)

    def select_pin(self, selected: bool, now: float) -> None:
        """NSS: `True` is low. The frame ends with its rising edge, and is worked on then."""
        if selected == self._selected:
            return
        self._selected = selected
        if selected:
            self._frame.clear()
            self._answer_read = 0
            self._lost = False
        elif (self._frame or self._answer_read) and not self._lost and self._runs():
            self._end_frame(now)

    def transfer(self, mosi: bytes, now: float) -> bytes:
        """SPI bytes while selected; whole bytes, mode 0, most significant bit first."""
        if not self._runs():
            return bytes(len(mosi))
        if self._busy_until > now or self._lost:
            if not self._lost:
                self._complain("bytes are sent while BUSY is high: the chip does not hear them")
            self._lost = True
            return bytes([_OPEN] * len(mosi))
        if self._answer is None:
            self._frame += mosi
            return bytes([_OPEN] * len(mosi))
        if mosi.strip(b"\xff"):
            self._complain("an answer is waiting: FF must be sent while it is read")
        at = self._answer_read
        self._answer_read = at + len(mosi)
        return self._answer[at : at + len(mosi)].ljust(len(mosi), bytes([_OPEN]))

    def busy(self, now: float) -> bool:
        """BUSY: high from the first byte of a frame until it has been worked on, and while the chip starts."""
        if self._held_in_reset or self.trouble == "dead":
            return False
        if self.trouble == "hung":
            return True
        return self._busy_until > now or bool(self._selected and (self._frame or self._answer_read))

    def catch_up(self, now: float) -> None:
        """Does what the chip would have done by itself until now: a field comes some time after RF_ON."""
        self.radio.advance(now)

    def fail(self, trouble: str, now: float) -> None:
        """Something breaks: one of reader_chip.TROUBLES."""
        check_trouble(trouble)
        self.radio.advance(now)
        self.trouble = trouble
        self.radio.deaf, self.radio.empty = trouble == "deaf", trouble == "empty"
        if trouble != "empty":
            self.field.switch(False, int(now))

    def repair(self, now: float) -> None:
        """A dead chip is replaced: it starts cold, the rest goes on as before."""
        if self.trouble:
            self.trouble = ""
            self._cold_start(now)

    # -- life ---------------------------------------------------------------------------------------------------------

    def _runs(self) -> bool:
        return not self._held_in_reset and self.trouble not in ("dead", "hung")

    def _cold_start(self, now: float) -> None:
        if self.trouble != "dead":
            self.trouble = ""
        self.radio.reset(now)
        self.radio.deaf = self.radio.empty = False
        self._answer = None
        self._frame.clear()
        self._busy_until = now + BOOT_US

    def _end_frame(self, now: float) -> None:
        if self._answer is not None:
            if self._answer_read != len(self._answer):
                self._complain(f"{self._answer_read} bytes were read of an answer of {len(self._answer)}")
            self._answer = None
            self._busy_until = now + _WORK_US
            return
        frame = bytes(self._frame)
        self._frame.clear()
        self._busy_until = now + _LONGER_US.get(frame[0], _WORK_US)
        if self.deaf_at is not None and now >= self.deaf_at:
            self.deaf_at = None
            self.fail("deaf", now)
        if not self._obey(frame[0], frame[1:], now):
            self.radio.flag(reg.GENERAL_ERROR_IRQ)

    # -- host commands (11.4.3.3) -------------------------------------------------------------------------------------

    def _obey(self, command: int, body: bytes, now: float) -> bool:
        if command <= reg.READ_REGISTER_MULTIPLE:
            return self._registers(command, body, now)
        if command == reg.SEND_DATA:
            return 1 <= len(body) <= _MOST_SENT + 1 and body[0] < 8 and self.radio.send(body[1:], body[0], now)
        if command == reg.READ_DATA:
            return len(body) == 1 and self._say(self._received(now))
        if command == reg.READ_EEPROM:
            return len(body) == 2 and body[0] + body[1] <= reg.EEPROM_SIZE and self._say(self._eeprom(body))
        if command == reg.WRITE_EEPROM:
            return self._write_eeprom(body)
        if command == reg.LOAD_RF_CONFIG:
            return len(body) == 2 and self.radio.load(body[0], body[1])
        if command in (reg.RF_ON, reg.RF_OFF):
            if len(body) == 1:
                self.radio.switch_field(command == reg.RF_ON, now)
            return len(body) == 1
        return False

    def _say(self, answer: bytes) -> bool:
        if not answer:
            return False
        self._answer = answer
        return True

    def _received(self, now: float) -> bytes:
        self.radio.advance(now)
        return self.radio.received[:_MOST_READ]

    def _eeprom(self, body: bytes) -> bytes:
        return bytes(self.eeprom[body[0] : body[0] + body[1]])

    def _write_eeprom(self, body: bytes) -> bool:
        if len(body) < 2 or body[0] < reg.FIRST_WRITABLE or body[0] + len(body) - 1 > reg.EEPROM_SIZE:
            return False
        self.eeprom[body[0] : body[0] + len(body) - 1] = body[1:]
        return True

    def _registers(self, command: int, body: bytes, now: float) -> bool:
        if command == reg.READ_REGISTER:
            return len(body) == 1 and self._read_registers(body, now)
        if command == reg.READ_REGISTER_MULTIPLE:
            return 1 <= len(body) <= 18 and self._read_registers(body, now)
        if command == reg.WRITE_REGISTER_MULTIPLE:
            if not body or len(body) % 6 or any(body[i + 1] not in (1, 2, 3) for i in range(0, len(body), 6)):
                return False
            return all(self._change(body[i + 1] - 1, body[i], body[i + 2 : i + 6], now) for i in range(0, len(body), 6))
        return len(body) == 5 and self._change(command, body[0], body[1:], now)

    def _read_registers(self, addresses: bytes, now: float) -> bool:
        if any(address >= reg.REGISTERS for address in addresses):
            return False
        return self._say(b"".join(self.radio.read(a, now).to_bytes(4, "little") for a in addresses))

    def _change(self, how: int, address: int, value: bytes, now: float) -> bool:
        """Writes, ORs or ANDs; an OR or AND of a register that is only written acts on what was read of it, 0."""
        if address >= reg.REGISTERS:
            return False
        number = int.from_bytes(value, "little")
        if how == reg.WRITE_REGISTER_OR_MASK:
            number |= self.radio.read(address, now)
        elif how == reg.WRITE_REGISTER_AND_MASK:
            number &= self.radio.read(address, now)
        if address == reg.SYSTEM_CONFIG and number & reg.SOFT_RESET:
            self._cold_start(now)
            return True
        self.radio.write(address, number, now)
        return True
