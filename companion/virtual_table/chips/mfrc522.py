"""The MFRC522 reader chip at register level, for the virtual table: SPI bytes in, SPI bytes out, a field with tags.

Written from the NXP data sheet (MFRC522, rev. 3.9; its section numbers stand at each part). What the chip does is a
matter of its registers alone: framing, CRC, parity, collisions, the timer and the commands. Where the data sheet is
silent the model takes the reading of NXP's own reader library, or the one that is hardest on a driver:

- CollPos counts the bits as they lie in the FIFO, so the places that RxAlign leaves empty are counted (9.3.1.15).
- A command that is written while the chip is still waking up is lost, and every write while it starts after a reset.
- StartSend must be written after Transceive; a bit that still stands there from before starts nothing.
- Without Force100ASK no tag understands a word: the reset values leave no modulation at all (9.3.2.6, 9.3.3.9).

Times are microseconds of the table's clock; fractions are kept. Everything that the chip would do by itself is done
when it is next looked at, in the order in which it would have happened.
"""

from __future__ import annotations

from collections.abc import Callable

from companion.virtual_table.chips.crc_a import crc_16, crc_a
from companion.virtual_table.chips.iso14443a import COLLISION, START_UP_US, AirFrame, RfField

# Registers (9.2, table 20)
COMMAND, COM_I_EN, DIV_I_EN, COM_IRQ, DIV_IRQ, ERROR, STATUS1, STATUS2 = range(0x01, 0x09)
FIFO_DATA, FIFO_LEVEL, WATER_LEVEL, CONTROL, BIT_FRAMING, COLL = range(0x09, 0x0F)
MODE, TX_MODE, RX_MODE, TX_CONTROL, TX_ASK, TX_SEL, RX_SEL, RX_THRESHOLD, DEMOD = range(0x11, 0x1A)
MF_TX, MF_RX = 0x1C, 0x1D
SERIAL_SPEED = 0x1F
CRC_RESULT_H, CRC_RESULT_L = 0x21, 0x22
MOD_WIDTH = 0x24
RF_CFG, GS_N, CW_GS_P, MOD_GS_P, T_MODE, T_PRESCALER, T_RELOAD_H, T_RELOAD_L, T_COUNTER_H, T_COUNTER_L = range(
    0x26, 0x30
)
TEST_SEL1, TEST_SEL2, TEST_PIN_EN, TEST_PIN_VALUE, TEST_BUS, AUTO_TEST, VERSION, ANALOG_TEST = range(0x31, 0x39)

# Commands (10.3, table 149)
IDLE, MEM, GENERATE_ID, CALC_CRC, TRANSMIT = 0x0, 0x1, 0x2, 0x3, 0x4
NO_CHANGE, RECEIVE, TRANSCEIVE, MF_AUTHENT, SOFT_RESET = 0x7, 0x8, 0xC, 0xE, 0xF

# ComIrqReg, ErrorReg
TX_IRQ, RX_IRQ, IDLE_IRQ, HI_ALERT_IRQ, LO_ALERT_IRQ, ERR_IRQ, TIMER_IRQ = 0x40, 0x20, 0x10, 0x08, 0x04, 0x02, 0x01
CRC_IRQ = 0x04
WR_ERR, BUFFER_OVFL, COLL_ERR, CRC_ERR, PARITY_ERR, PROTOCOL_ERR = 0x80, 0x10, 0x08, 0x04, 0x02, 0x01

_RESET_VALUES = {
    COMMAND: 0x20, COM_I_EN: 0x80, COM_IRQ: 0x14, STATUS1: 0x21, WATER_LEVEL: 0x08, CONTROL: 0x10, COLL: 0xA0,
    MODE: 0x3F, TX_CONTROL: 0x80, TX_SEL: 0x10, RX_SEL: 0x84, RX_THRESHOLD: 0x84, DEMOD: 0x4D, MF_TX: 0x62,
    SERIAL_SPEED: 0xEB, CRC_RESULT_H: 0xFF, CRC_RESULT_L: 0xFF, MOD_WIDTH: 0x26, RF_CFG: 0x48, GS_N: 0x88,
    CW_GS_P: 0x20, MOD_GS_P: 0x20, TEST_PIN_EN: 0x80, AUTO_TEST: 0x40,
}  # fmt: skip

_READ_ONLY = frozenset(
    (0x00, 0x0F, 0x10, 0x1A, 0x1B, 0x1E, 0x20, 0x23, 0x30, 0x3C, 0x3D, 0x3E, 0x3F)
    + (ERROR, STATUS1, CRC_RESULT_H, CRC_RESULT_L, T_COUNTER_H, T_COUNTER_L, VERSION, 0x35, 0x3B)
)

_PRESETS = (0x0000, 0x6363, 0xA671, 0xFFFF)  # ModeReg CRCPreset, 9.3.2.2

FIFO_SIZE = 64
_CARRIER_MHZ = 13.56
_BIT_US = 128 / _CARRIER_MHZ
_ANSWER_DELAY_US = 1172 / _CARRIER_MHZ  # ISO/IEC 14443-3, 6.2.1: frame delay time, n = 9, last bit 0
_WAKE_UP_US = 500 + 1024 / 27.12  # oscillator, then 1024 clocks (8.8.2)
_UNDEFINED = 0xA5  # what MISO shows while there is nothing to say

_NOTHING_SAID = bytes((_UNDEFINED, _UNDEFINED))

# 16.1.1: what the FIFO holds after the digital self-test of version 2.0
_SELF_TEST = bytes.fromhex(
    "00eb66ba57bf2395d0e30d3d27895cde9d3ba700215b8982513aeb020ca50049"
    "7c844db3ccd21b815d4876d5716121a986968338cf9d5b6ddc15ba3e7d953b2f"
)


TROUBLES = {
    "dead": "nothing works until it is repaired",
    "hung": "no register answers until a SoftReset or the reset pin",
    "deaf": "registers work, but no tag is powered or heard until a SoftReset or the reset pin",
}


class Mfrc522:
    """One reader chip. `complain(text)` hears what a real chip would suffer in silence and its driver should not do."""

    def __init__(
        self, field: RfField, complain: Callable[[str], None] = lambda text: None, version: int = 0x92
    ) -> None:
        self.field = field
        self._complain = complain
        self._version = version
        self.trouble = ""
        """What is wrong with the chip: one of TROUBLES, or nothing."""
        self._held_in_reset = False
        self._selected = False
        self._stream: int | None = None  # the register of the SPI stream, None before the address byte
        self._reading = False
        self._stream_over = False
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

    def select_pin(self, selected: bool) -> None:
        """NSS (8.1.2): each stream of bytes begins with an address byte after its falling edge."""
        self._selected = selected
        self._stream = None
        self._stream_over = False

    def transfer(self, mosi: bytes, now: float) -> bytes:
        """SPI bytes while selected (8.1.2.1-3); whole bytes, mode 0, most significant bit first."""
        if self._held_in_reset or self.trouble == "dead":
            return bytes(len(mosi))
        if self._next is not None and self._next <= now:
            self._advance(now)
        if self.trouble == "hung":
            self._transfer_hung(mosi, now)
            return bytes(len(mosi))
        if len(mosi) == 2 and self._stream is None and not mosi[0] & 1:  # by far the most: one register
            self._stream, self._reading = mosi[0] >> 1 & 0x3F, mosi[0] > 0x7F
            if self._reading:
                if not mosi[1]:
                    self._stream_over = True
                    return bytes((_UNDEFINED, self._read(self._stream, now)))
            else:
                self._write(self._stream, mosi[1], now)
                return _NOTHING_SAID
            self._stream = None
        miso = bytearray()
        for byte in mosi:
            if self._stream is None:
                if byte & 1:
                    self._complain(f"address byte {byte:02x}: the lowest bit must be 0")
                self._stream, self._reading = byte >> 1 & 0x3F, bool(byte & 0x80)
                miso.append(_UNDEFINED)
            elif not self._reading:
                self._write(self._stream, byte, now)
                miso.append(_UNDEFINED)
            elif self._stream_over:
                miso.append(_UNDEFINED)
            else:
                miso.append(self._read(self._stream, now))
                if byte & 0x80:
                    self._stream = byte >> 1 & 0x3F
                else:
                    self._stream_over = True
                    if byte:
                        self._complain(f"byte {byte:02x} after a read: 00 ends it, an address has its highest bit set")
        return bytes(miso)

    def _transfer_hung(self, mosi: bytes, now: float) -> None:
        for byte in mosi:
            if self._stream is None:
                self._stream = byte
            elif self._stream == COMMAND << 1 and byte & 0x0F == SOFT_RESET:
                self._cold_start(now)

    def fail(self, trouble: str, now: float) -> None:
        """Something breaks: one of TROUBLES."""
        if trouble not in TROUBLES:
            raise ValueError(f"a reader's trouble is one of {', '.join(TROUBLES)}, not {trouble!r}")
        self._advance(now)
        self.trouble = trouble
        self._stop_command()
        self.field.switch(False, int(now))

    def repair(self, now: float) -> None:
        """A dead chip is replaced: it starts cold, the rest goes on as before."""
        if self.trouble:
            self._cold_start(now)
            self.trouble = ""

    # -- reset and waking up ------------------------------------------------------------------------------------------

    def _cold_start(self, now: float) -> None:
        self._registers = bytearray(64)
        for address, value in _RESET_VALUES.items():
            self._registers[address] = value
        self._registers[VERSION] = self._version
        self._fifo = bytearray()
        self._command = IDLE
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
                if self._registers[T_MODE] & 0x80:
                    self._timer_at = None
            elif self._heard_at == t:
                self._heard_at = None
                self._heard()
            elif self._timer_at == t:
                self._registers[COM_IRQ] |= TIMER_IRQ
                restart = self._registers[T_MODE] & 0x10
                self._timer_at = t + self._timer_us() if restart else None
            self._plan()

    def _follow_tx_control(self, now: float) -> None:
        driven = bool(self._registers[TX_CONTROL] & 0x03) and not self._powered_down
        self.field.switch(driven and not self.trouble, int(now))

    # -- registers (9.3) ----------------------------------------------------------------------------------------------

    def _read(self, address: int, now: float) -> int:
        if address == FIFO_DATA:
            value = self._fifo.pop(0) if self._fifo else 0
            self._fifo_changed()
            return value
        if address == FIFO_LEVEL:
            return len(self._fifo)
        if address == COMMAND:
            return (0x20 if self._receiver_off else 0) | (0x10 if self._powered_down else 0) | self._command
        if address == STATUS1:
            return self._status1()
        if address == STATUS2:
            return self._registers[STATUS2] & 0xC8 | self._modem
        if address in (T_COUNTER_H, T_COUNTER_L):
            counter = self._timer_counter(now)
            return counter >> 8 if address == T_COUNTER_H else counter & 0xFF
        if address in (BIT_FRAMING, CONTROL):
            return self._registers[address] & (0x7F if address == BIT_FRAMING else 0x07 | 0x10)
        return self._registers[address]

    def _write(self, address: int, value: int, now: float) -> None:
        if self._starting and not (address == COMMAND and value & 0x0F == SOFT_RESET):
            self._complain(f"register {address:02x} is written while the chip starts: wait until PowerDown reads 0")
            return
        if address == FIFO_DATA:
            self._push(value)
        elif address == COMMAND:
            self._write_command(value, now)
        elif address in (COM_IRQ, DIV_IRQ):
            marked = value & (0x7F if address == COM_IRQ else 0x14)
            if value & 0x80:
                self._registers[address] |= marked
            else:
                self._registers[address] &= ~marked & 0xFF
        elif address == FIFO_LEVEL:
            if value & 0x80:
                self._fifo.clear()
                self._registers[ERROR] &= ~BUFFER_OVFL & 0xFF
                self._fifo_changed()
        elif address == CONTROL:
            if value & 0x80:
                self._timer_at = None
            if value & 0x40:
                self._timer_at = now + self._timer_us()
            self._plan()
        elif address == BIT_FRAMING:
            self._registers[BIT_FRAMING] = value
            if value & 0x80:
                self._start_send(now)
        elif address == COLL:
            self._registers[COLL] = self._registers[COLL] & 0x3F | value & 0x80
        elif address == TX_CONTROL:
            self._registers[TX_CONTROL] = value
            self._follow_tx_control(now)
        elif address == STATUS2:
            self._registers[STATUS2] = value & 0xC0 | self._registers[STATUS2] & value & 0x08
        elif address not in _READ_ONLY:
            self._registers[address] = value

    def _status1(self) -> int:
        enabled = self._registers[COM_IRQ] & self._registers[COM_I_EN] & 0x7F
        enabled |= self._registers[DIV_IRQ] & self._registers[DIV_I_EN] & 0x14
        alerts = (0x02 if self._high() else 0) | (0x01 if self._low() else 0)
        crc = self._registers[STATUS1] & 0x60
        return crc | (0x10 if enabled else 0) | (0x08 if self._timer_at is not None else 0) | alerts

    # -- FIFO (8.3) ---------------------------------------------------------------------------------------------------

    def _high(self) -> bool:
        return FIFO_SIZE - len(self._fifo) <= self._registers[WATER_LEVEL] & 0x3F

    def _low(self) -> bool:
        return len(self._fifo) <= self._registers[WATER_LEVEL] & 0x3F

    def _fifo_changed(self) -> None:
        self._registers[COM_IRQ] |= (HI_ALERT_IRQ if self._high() else 0) | (LO_ALERT_IRQ if self._low() else 0)

    def _push(self, value: int) -> None:
        if self._command == CALC_CRC:
            self._feed_crc(bytes([value]))
            return
        if self._sent_at is not None or self._heard_at is not None:
            self._fail(WR_ERR)
        if len(self._fifo) >= FIFO_SIZE:
            self._fail(BUFFER_OVFL)
            return
        self._fifo.append(value)
        self._fifo_changed()

    def _fail(self, error: int) -> None:
        self._registers[ERROR] |= error
        self._registers[COM_IRQ] |= ERR_IRQ

    # -- commands (10) ------------------------------------------------------------------------------------------------

    def _write_command(self, value: int, now: float) -> None:
        command = value & 0x0F
        self._receiver_off = bool(value & 0x20)
        if command == SOFT_RESET:
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
            if command not in (IDLE, NO_CHANGE):
                self._complain(f"command {command:x} is lost while the chip wakes up: wait until PowerDown reads 0")
            return
        if command == NO_CHANGE:
            return
        self._stop_command()
        self._registers[ERROR] = 0
        self._command = command
        if command == MEM:
            self._run_mem()
        elif command == GENERATE_ID:
            self._run_generate_id()
        elif command == CALC_CRC:
            self._run_calc_crc()
        elif command == TRANSMIT:
            self._send(now)
        elif command == TRANSCEIVE:
            self._modem = 1
        elif command == RECEIVE:
            self._modem = 5
        elif command == MF_AUTHENT:
            self._send(now)
        elif command != IDLE:
            self._finish()

    def _stop_command(self) -> None:
        self._command = IDLE
        self._sent_at = self._heard_at = self._heard_bit5_at = None
        self._modem = 0
        self._plan()

    def _finish(self) -> None:
        """The command is done by itself: back to Idle, which is what IdleIRq tells."""
        self._stop_command()
        self._registers[COM_IRQ] |= IDLE_IRQ

    def _run_mem(self) -> None:
        """10.3.1.2: an empty FIFO is filled from the internal buffer, else the buffer from the FIFO."""
        if self._fifo:
            self._memory = bytes(self._fifo[:25]).ljust(25, b"\0")
            del self._fifo[:25]
        else:
            self._fifo += self._memory
        self._fifo_changed()
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
        if self._registers[AUTO_TEST] & 0x0F == 0x09:
            if self._fifo == b"\0" and self._memory == bytes(25):
                self._fifo[:] = _SELF_TEST
                self._fifo_changed()
            self._registers[DIV_IRQ] |= CRC_IRQ
            self._finish()
            return
        self._crc = _PRESETS[self._registers[MODE] & 0x03]
        data = bytes(self._fifo)
        self._fifo.clear()
        self._fifo_changed()
        self._feed_crc(data)

    def _feed_crc(self, data: bytes) -> None:
        self._crc = crc_16(data, self._crc, bool(self._registers[MODE] & 0x80))
        self._registers[CRC_RESULT_H], self._registers[CRC_RESULT_L] = self._crc >> 8, self._crc & 0xFF
        self._registers[STATUS1] = 0x20 | (0x40 if self._crc == 0 else 0)
        self._registers[DIV_IRQ] |= CRC_IRQ

    # -- sending (9.3.1.14, 9.3.2.3) ----------------------------------------------------------------------------------

    def _start_send(self, now: float) -> None:
        if self._command == TRANSCEIVE:
            self._send(now)
        else:
            self._complain("StartSend without the Transceive command does nothing")

    def _send(self, now: float) -> None:
        data = bytes(self._fifo)
        self._fifo.clear()
        self._fifo_changed()
        if not data:
            self._complain("nothing in the FIFO to send")
        last_bits = self._registers[BIT_FRAMING] & 0x07
        if self._registers[TX_MODE] & 0x80:
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
        whole = r[TX_MODE] & 0x78 == 0 and r[TX_ASK] & 0x40 and r[MOD_WIDTH] == 0x26 and r[TX_SEL] & 0x30 == 0x10
        if not whole or not r[TX_CONTROL] & 0x03:
            return None
        if r[MF_RX] & 0x10 and self._frame.bit_count >= 8:
            return None
        return self._frame if self._frame.data else None

    def _sent(self, t: float) -> None:
        self._sent_at = None
        self._registers[COM_IRQ] |= TX_IRQ
        if self.field.on and t - self.field.on_since_us < START_UP_US:
            waited = int(t - self.field.on_since_us)
            self._complain(f"a frame {waited} us after the field came: a tag may need {START_UP_US}")
        answer = self.field.exchange(self._understood(), int(t))
        if self._registers[T_MODE] & 0x80:
            self._timer_at = t + self._timer_us()
        if self._command == TRANSMIT:
            self._finish()
            return
        self._registers[ERROR] &= ~(COLL_ERR | CRC_ERR | PARITY_ERR | PROTOCOL_ERR) & 0xFF
        self._registers[COLL] = self._registers[COLL] & 0x80 | 0x20
        self._modem = 5
        hearing = not self._receiver_off and self._registers[RX_MODE] & 0x70 == 0 and self._registers[RX_SEL] >> 6 == 2
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
        align = r[BIT_FRAMING] >> 4 & 0x07
        parity_on = not r[MF_RX] & 0x10
        if r[RX_MODE] & 0x08 and len(self._answer) < 4:
            return
        data = bytearray()
        collided_at = 0  # 1 is the first bit of the FIFO
        errors = 0
        at, place = 0, align
        current = 0
        while at < len(self._answer):
            symbol = self._answer[at]
            at += 1
            if symbol == COLLISION and not collided_at:
                collided_at = 8 * len(data) + place + 1
                errors |= COLL_ERR
            if symbol == COLLISION:
                symbol = 1
            if collided_at and not r[COLL] & 0x80:
                symbol = 0
            current |= symbol << place
            place += 1
            if place == 8:
                if parity_on and at < len(self._answer):
                    parity = self._answer[at]
                    at += 1
                    ones = bin(current).count("1")
                    checked = not collided_at and not (align and not data)
                    if checked and (ones + parity) % 2 == 0:
                        errors |= PARITY_ERR
                data.append(current)
                current, place = 0, 0
        if place:
            data.append(current)
        if collided_at and collided_at <= 32:
            r[COLL] = r[COLL] & 0x80 | collided_at & 0x1F
        r[CONTROL] = r[CONTROL] & 0xF8 | place
        if r[RX_MODE] & 0x80:
            if len(data) < 3 or place or crc_a(bytes(data[:-2])) != data[-2:]:
                errors |= CRC_ERR
            del data[-2:]
        room = FIFO_SIZE - len(self._fifo)
        if len(data) > room:
            errors |= BUFFER_OVFL
        self._fifo += data[:room]
        self._fifo_changed()
        if errors:
            self._fail(errors)
        r[COM_IRQ] |= RX_IRQ
        self._modem = 1 if self._command == TRANSCEIVE else 0
        if self._command == MF_AUTHENT:
            self._fail(PROTOCOL_ERR)
            self._finish()

    # -- timer (8.5) --------------------------------------------------------------------------------------------------

    def _tick_us(self) -> float:
        prescaler = (self._registers[T_MODE] & 0x0F) << 8 | self._registers[T_PRESCALER]
        return (2 * prescaler + (2 if self._registers[DEMOD] & 0x10 else 1)) / _CARRIER_MHZ

    def _reload(self) -> int:
        return self._registers[T_RELOAD_H] << 8 | self._registers[T_RELOAD_L]

    def _timer_us(self) -> float:
        return (self._reload() + 1) * self._tick_us()

    def _timer_counter(self, now: float) -> int:
        if self._timer_at is None:
            return 0
        return min(self._reload(), int((self._timer_at - now) / self._tick_us()))
