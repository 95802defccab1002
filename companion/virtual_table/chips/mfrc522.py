"""The MFRC522 reader chip at register level, for the virtual table: SPI bytes in, SPI bytes out, a field with tags.

Written from the NXP data sheet (MFRC522, rev. 3.9; its section numbers stand at each part). What the chip does is a
matter of its registers alone: framing, CRC, parity, collisions, the timer and the commands. Where the data sheet is
silent the model takes the reading of NXP's own reader library, or the one that is hardest on a driver:

- CollPos counts the bits as they lie in the FIFO, so the places that RxAlign leaves empty are counted (9.3.1.15).
- A command that is written while the chip is still waking up is lost, and every write while it starts after a reset.
- StartSend must be written after Transceive; a bit that still stands there from before starts nothing.
- Without Force100ASK no tag understands a word: the reset values leave no modulation at all (9.3.2.6, 9.3.3.9).

Times are microseconds of the table's clock; what the chip would do by itself is done when it is next looked at.
"""

from __future__ import annotations

from collections.abc import Callable

from companion.virtual_table.chips import mfrc522_registers as reg
from companion.virtual_table.chips.crc_a import crc_16, crc_a
from companion.virtual_table.chips.iso14443a import START_UP_US, AirFrame
from companion.virtual_table.chips.reader_chip import check_trouble
from companion.virtual_table.chips.receiver import receive
from companion.virtual_table.chips.register_file import CARRIER_MHZ, RegisterFile
from companion.virtual_table.chips.rf_field import RfField
from companion.virtual_table.chips.spi_stream import SpiStream

_BIT_US = 128 / CARRIER_MHZ
_ANSWER_DELAY_US = 1172 / CARRIER_MHZ  # ISO/IEC 14443-3, 6.2.1: frame delay time, n = 9, last bit 0
_WAKE_UP_US = 500 + 1024 / 27.12  # oscillator, then 1024 clocks (8.8.2)


class Mfrc522:
    """One reader chip. `complain(text)` hears what a real chip would suffer in silence and its driver should not do."""

    def __init__(self, field: RfField, complain: Callable[[str], None] = lambda _: None, version: int = 0x92) -> None:
        self.field = field
        self._complain = complain
        self._file = RegisterFile(version)
        self._registers = self._file.values
        self.trouble = ""  # or one of reader_chip.TROUBLES
        self.deaf_at: float | None = None
        self._held_in_reset = False
        self._spi = SpiStream(self._read, self._write, complain)
        self._memory = bytes(25)
        self._next: float | None = None
        self._random_state = 0x1D872B41
        self._cold_start(0.0)

    # -- pins ---------------------------------------------------------------------------------------------------------

    def reset_pin(self, high: bool, now: float) -> None:
        """NRSTPD (8.8.1): low is hard power-down; the rising edge resets everything and wakes the oscillator."""
        if not high and not self._held_in_reset:
            self._held_in_reset = True
            self._next = None
            self.field.switch(False, int(now))
        elif high and self._held_in_reset:
            self._held_in_reset = False
            self._cold_start(now)

    def select_pin(self, selected: bool, now: float) -> None:
        """NSS (8.1.2): each stream of bytes begins with an address byte after its falling edge."""
        self._spi.select()

    def transfer(self, mosi: bytes, now: float) -> bytes:
        """SPI bytes while selected (8.1.2.1-3); whole bytes, mode 0, most significant bit first."""
        if self._held_in_reset or self.trouble == "dead":
            return bytes(len(mosi))
        if self._next is not None and self._next <= now:
            self._advance(now)
        if self.trouble == "hung":
            self._spi.transfer(mosi, now)
            return bytes(len(mosi))
        return self._spi.transfer(mosi, now)

    def busy(self, now: float) -> bool:
        return False

    def catch_up(self, now: float) -> None:
        self._advance(now)

    def fail(self, trouble: str, now: float) -> None:
        """Something breaks: one of reader_chip.TROUBLES."""
        check_trouble(trouble)
        self._advance(now)
        self.trouble = trouble
        if trouble == "empty":
            return
        self._stop_command()
        self.field.switch(False, int(now))

    def repair(self, now: float) -> None:
        """A dead chip is replaced: it starts cold, the rest goes on as before."""
        if self.trouble:
            self._cold_start(now)
            self.trouble = ""

    # -- reset and waking up ------------------------------------------------------------------------------------------

    def _cold_start(self, now: float) -> None:
        self._file.reset()
        self._command = reg.IDLE
        self._receiver_off = True
        self._powered_down = True
        self._starting = True
        if self.trouble != "dead":
            self.trouble = ""
        self._awake_at: float | None = now + _WAKE_UP_US
        self._sent_at: float | None = None
        self._heard_bit5_at: float | None = None
        self._heard_at: float | None = None
        self._answer: list[int] = []
        self._timer_at: float | None = None
        self._modem = 0
        self._crc = 0xFFFF
        self.field.switch(False, int(now))
        self._plan()

    def _plan(self) -> None:
        soonest = self._awake_at
        for t in (self._sent_at, self._heard_bit5_at, self._heard_at, self._timer_at):
            if t is not None and (soonest is None or t < soonest):
                soonest = t
        self._next = soonest

    def _advance(self, now: float) -> None:
        while self._next is not None and self._next <= now:
            t = self._next
            if self._awake_at == t:
                self._awake_at = None
                self._powered_down = self._starting = False
                self._follow_tx_control(t)
            elif self._sent_at == t:
                self._sent(t)
            elif self._heard_bit5_at == t:
                self._heard_bit5_at = None
                if self._registers[reg.T_MODE] & 0x80:
                    self._timer_at = None
            elif self._heard_at == t:
                self._heard_at = None
                self._heard()
            elif self._timer_at == t:
                self._file.flag(reg.TIMER_IRQ)
                restart = self._registers[reg.T_MODE] & 0x10
                self._timer_at = t + self._file.timer_us() if restart else None
            self._plan()

    def _follow_tx_control(self, now: float) -> None:
        driven = bool(self._registers[reg.TX_CONTROL] & 0x03) and not self._powered_down
        self.field.switch(driven and self.trouble in ("", "empty"), int(now))

    # -- registers (9.3) ----------------------------------------------------------------------------------------------

    def _read(self, address: int, now: float) -> int:
        if address == reg.FIFO_DATA:
            return self._file.take()
        if address == reg.FIFO_LEVEL:
            return len(self._file.fifo)
        if address == reg.COMMAND:
            return (0x20 if self._receiver_off else 0) | (0x10 if self._powered_down else 0) | self._command
        if address == reg.STATUS1:
            return self._file.status1(self._timer_at is not None)
        if address == reg.STATUS2:
            return self._registers[reg.STATUS2] & 0xC8 | self._modem
        if address in (reg.T_COUNTER_H, reg.T_COUNTER_L):
            counter = 0 if self._timer_at is None else self._file.timer_counter(self._timer_at - now)
            return counter >> 8 if address == reg.T_COUNTER_H else counter & 0xFF
        if address in (reg.BIT_FRAMING, reg.CONTROL):
            return self._registers[address] & (0x7F if address == reg.BIT_FRAMING else 0x07 | 0x10)
        return self._registers[address]

    def _write(self, address: int, value: int, now: float) -> None:
        if self.trouble == "hung" and not (address == reg.COMMAND and value & 0x0F == reg.SOFT_RESET):
            return
        if self._starting and not (address == reg.COMMAND and value & 0x0F == reg.SOFT_RESET):
            self._complain(f"register {address:02x} is written while the chip starts: wait until PowerDown reads 0")
            return
        if address == reg.FIFO_DATA:
            self._push(value)
        elif address == reg.COMMAND:
            self._write_command(value, now)
        elif address in (reg.COM_IRQ, reg.DIV_IRQ):
            self._file.mark(address, value)
        elif address == reg.FIFO_LEVEL:
            if value & 0x80:
                self._file.drain()
                self._file.clear_errors(reg.BUFFER_OVFL)
        elif address == reg.CONTROL:
            if value & 0x80:
                self._timer_at = None
            if value & 0x40:
                self._timer_at = now + self._file.timer_us()
            self._plan()
        elif address == reg.BIT_FRAMING:
            self._registers[reg.BIT_FRAMING] = value
            if value & 0x80:
                self._start_send(now)
        elif address == reg.COLL:
            self._registers[reg.COLL] = self._registers[reg.COLL] & 0x3F | value & 0x80
        elif address == reg.TX_CONTROL:
            self._registers[reg.TX_CONTROL] = value
            self._follow_tx_control(now)
        elif address == reg.STATUS2:
            self._registers[reg.STATUS2] = value & 0xC0 | self._registers[reg.STATUS2] & value & 0x08
        else:
            self._file.write(address, value)

    def _push(self, value: int) -> None:
        if self._command == reg.CALC_CRC:
            self._feed_crc(bytes([value]))
            return
        if self._sent_at is not None or self._heard_at is not None:
            self._file.fail(reg.WR_ERR)
        self._file.put(bytes([value]))

    # -- commands (10) ------------------------------------------------------------------------------------------------

    def _write_command(self, value: int, now: float) -> None:
        command = value & 0x0F
        self._receiver_off = bool(value & 0x20)
        if command == reg.SOFT_RESET:
            self._cold_start(now)
            return
        if value & 0x10:
            self._awake_at = None
            self._powered_down = True
            self._stop_command()
            self._follow_tx_control(now)
            return
        if self._powered_down:
            if self._awake_at is None:
                self._awake_at = now + _WAKE_UP_US
                self._plan()
            if command not in (reg.IDLE, reg.NO_CHANGE):
                self._complain(f"command {command:x} is lost while the chip wakes up: wait until PowerDown reads 0")
            return
        if command == reg.NO_CHANGE:
            return
        self._stop_command()
        self._file.clear_errors()
        self._command = command
        if command == reg.MEM:
            self._run_mem()
        elif command == reg.GENERATE_ID:
            self._run_generate_id()
        elif command == reg.CALC_CRC:
            self._run_calc_crc()
        elif command == reg.TRANSMIT:
            self._send(now)
        elif command == reg.TRANSCEIVE:
            self._modem = 1
        elif command == reg.RECEIVE:
            self._modem = 5
        elif command == reg.MF_AUTHENT:
            self._send(now)
        elif command != reg.IDLE:
            self._finish()

    def _stop_command(self) -> None:
        self._command = reg.IDLE
        self._sent_at = self._heard_at = self._heard_bit5_at = None
        self._modem = 0
        self._plan()

    def _finish(self) -> None:
        """The command is done by itself: back to Idle, which is what IdleIRq tells."""
        self._stop_command()
        self._file.flag(reg.IDLE_IRQ)

    def _run_mem(self) -> None:
        """10.3.1.2: an empty FIFO is filled from the internal buffer, else the buffer from the FIFO."""
        data = self._file.drain()
        if data:
            self._memory = data[:25].ljust(25, b"\0")
        self._file.put(data[25:] if data else self._memory)
        self._finish()

    def _run_generate_id(self) -> None:
        out = bytearray()
        for _ in range(10):
            self._random_state = (self._random_state * 1103515245 + 12345) & 0x7FFFFFFF
            out.append(self._random_state >> 16 & 0xFF)
        self._memory = bytes(out) + self._memory[10:]
        self._finish()

    def _run_calc_crc(self) -> None:
        """10.3.1.4: sums what is in the FIFO and everything written later, until another command is written."""
        if self._registers[reg.AUTO_TEST] & 0x0F == 0x09:
            if self._file.drain() == b"\0" and self._memory == bytes(25):
                self._file.put(reg.SELF_TEST)
            self._registers[reg.DIV_IRQ] |= reg.CRC_IRQ
            self._finish()
            return
        self._crc = reg.CRC_PRESETS[self._registers[reg.MODE] & 0x03]
        self._feed_crc(self._file.drain())

    def _feed_crc(self, data: bytes) -> None:
        self._crc = crc_16(data, self._crc, bool(self._registers[reg.MODE] & 0x80))
        self._registers[reg.CRC_RESULT_H], self._registers[reg.CRC_RESULT_L] = self._crc >> 8, self._crc & 0xFF
        self._registers[reg.STATUS1] = 0x20 | (0x40 if self._crc == 0 else 0)
        self._registers[reg.DIV_IRQ] |= reg.CRC_IRQ

    # -- sending (9.3.1.14, 9.3.2.3) ----------------------------------------------------------------------------------

    def _start_send(self, now: float) -> None:
        if self._command == reg.TRANSCEIVE:
            self._send(now)
        else:
            self._complain("StartSend without the Transceive command does nothing")

    def _send(self, now: float) -> None:
        data = self._file.drain()
        if not data:
            self._complain("nothing in the FIFO to send")
        last_bits = self._registers[reg.BIT_FRAMING] & 0x07
        if self._registers[reg.TX_MODE] & 0x80:
            if last_bits:
                self._complain("a sum cannot follow a part of a byte: TxCRCEn with TxLastBits")
            data += crc_a(data)
        self._frame = AirFrame(data, last_bits)
        self._heard_at = self._heard_bit5_at = None
        self._modem = 3
        self._sent_at = now + (self._frame.bit_count + len(data) + 2) * _BIT_US
        self._plan()

    def _understood(self) -> AirFrame | None:
        """The frame as it reaches a tag, None when settings make it noise."""
        r = self._registers
        whole = (
            r[reg.TX_MODE] & 0x78 == 0
            and r[reg.TX_ASK] & 0x40
            and r[reg.MOD_WIDTH] == 0x26
            and r[reg.TX_SEL] & 0x30 == 0x10
        )
        if not whole or not r[reg.TX_CONTROL] & 0x03:
            return None
        if r[reg.MF_RX] & 0x10 and self._frame.bit_count >= 8:
            return None
        return self._frame if self._frame.data else None

    def _sent(self, t: float) -> None:
        self._sent_at = None
        self._file.flag(reg.TX_IRQ)
        if self.deaf_at is not None and t >= self.deaf_at:
            self.deaf_at = None
            self.trouble = "deaf"
            self.field.switch(False, int(t))
        if self.field.on and t - self.field.on_since_us < START_UP_US:
            waited = int(t - self.field.on_since_us)
            self._complain(f"a frame {waited} us after the field came: a tag may need {START_UP_US}")
        answer = self.field.exchange(self._understood(), int(t))
        if self._registers[reg.T_MODE] & 0x80:
            self._timer_at = t + self._file.timer_us()
        if self._command == reg.TRANSMIT:
            self._finish()
            return
        self._file.clear_errors(reg.COLL_ERR | reg.CRC_ERR | reg.PARITY_ERR | reg.PROTOCOL_ERR)
        self._registers[reg.COLL] = self._registers[reg.COLL] & 0x80 | 0x20
        self._modem = 5
        hearing = (
            not self._receiver_off
            and self._registers[reg.RX_MODE] & 0x70 == 0
            and self._registers[reg.RX_SEL] >> 6 == 2
        )
        if self.trouble == "empty":
            answer = []
        if answer is None or not hearing:
            return
        start = t + _ANSWER_DELAY_US
        self._answer = answer
        self._heard_bit5_at = start + 5 * _BIT_US
        self._heard_at = start + (1 + len(answer)) * _BIT_US

    # -- receiving (9.3.1.7, 9.3.1.13-15, 9.3.2.4) --------------------------------------------------------------------

    def _heard(self) -> None:
        """Puts the answer into the FIFO as the settings say, and the flags that go with it."""
        r = self._registers
        if r[reg.RX_MODE] & 0x08 and len(self._answer) < 4:
            return  # RxNoErr: shorter than anything a tag says
        align = r[reg.BIT_FRAMING] >> 4 & 0x07
        received = receive(self._answer, align, not r[reg.MF_RX] & 0x10, bool(r[reg.COLL] & 0x80))
        data, errors = received.data, received.errors
        if 0 < received.collided_at <= 32:
            r[reg.COLL] = r[reg.COLL] & 0x80 | received.collided_at & 0x1F
        r[reg.CONTROL] = r[reg.CONTROL] & 0xF8 | received.last_bits
        if r[reg.RX_MODE] & 0x80:
            if len(data) < 3 or received.last_bits or crc_a(bytes(data[:-2])) != data[-2:]:
                errors |= reg.CRC_ERR
            del data[-2:]
        self._file.put(data)
        if errors:
            self._file.fail(errors)
        self._file.flag(reg.RX_IRQ)
        self._modem = 1 if self._command == reg.TRANSCEIVE else 0
        if self._command == reg.MF_AUTHENT:
            self._file.fail(reg.PROTOCOL_ERR)
            self._finish()
