"""The contactless half of the PN5180: registers, transceiver, timers, and what goes to and comes from the field.

Written from the NXP data sheet (PN5180A0xx, its section 12 for registers, 11.6 for the radio). Where it is silent the
model takes the reading of NXP's own reader library, or the one that is hardest on a driver:

- Data goes out only in WaitTransmit: after an exchange that nobody answered the transceiver waits for data for ever,
  until Idle and then Transceive are written again.
- RX_COLL_POS counts data bits from 0, the places that RX_BIT_ALIGN leaves empty included. Bits after a collision read
  as 0. With `cut_at_collision` the buffer ends before the byte that collided, as boards have been seen to do.
- A field takes its time to come (TX_RFON_IRQ); what is sent before is lost.

Everything that the chip would do by itself is done when it is next looked at, in the order in which it would have
happened. Times are microseconds; fractions are kept.
"""

from __future__ import annotations

from collections.abc import Callable
from math import inf

from companion.virtual_table.chips import iso14443a, iso15693
from companion.virtual_table.chips import pn5180_registers as reg
from companion.virtual_table.chips.crc_a import crc_16
from companion.virtual_table.chips.iso14443a import COLLISION, AirFrame
from companion.virtual_table.chips.iso15693 import VicinityFrame
from companion.virtual_table.chips.receiver import receive
from companion.virtual_table.chips.register_file import CARRIER_MHZ
from companion.virtual_table.chips.rf_field import RfField

RF_ON_US = 450.0
_A_BIT_US = 128 / CARRIER_MHZ
_A_DELAY_US = 1172 / CARRIER_MHZ
_V_BIT_US = 512 / CARRIER_MHZ  # ISO/IEC 15693-2, 8.3: 26.48 kbit/s from the tag
_V_BYTE_OUT_US = 4 * 1024 / CARRIER_MHZ  # 1 out of 4: two bits in 75.52 us (7.2.2)
_V_SOF_OUT_US, _V_EOF_OUT_US = 1024 / CARRIER_MHZ, 512 / CARRIER_MHZ
_V_AROUND_BITS = 4  # SOF and EOF of an answer take 2,048 periods each
_V_DELAY_US = 4352 / CARRIER_MHZ  # ISO/IEC 15693-3: t1

_NEVER = inf


class Pn5180Radio:
    """Registers and radio of one chip. `complain(text)` hears what a real chip would suffer in silence."""

    def __init__(self, field: RfField, complain: Callable[[str], None]) -> None:
        self.field = field
        self.deaf = False
        self.empty = False
        self.cut_at_collision = False
        self._complain = complain
        self.reset(0.0)

    def reset(self, now: float) -> None:
        """Reset values; the field is off, IDLE_IRQ tells that the chip is there."""
        self._registers = [0] * reg.REGISTERS
        self._registers[reg.IRQ_STATUS] = reg.IDLE_IRQ
        self.received = b""
        self._state = reg.STATE_IDLE
        self._driven = False
        self._tx_kind = self._rx_kind = ""
        self._field_at = self._sent_at = self._starts_at = self._heard_at = _NEVER
        self._timers = [_NEVER, _NEVER, _NEVER]
        self._frame: AirFrame | VicinityFrame | None = None
        self._began_at = 0.0
        self._bits: list[int] = []
        self._next = _NEVER
        self.field.switch(False, int(now))

    # -- registers ----------------------------------------------------------------------------------------------------

    def read(self, address: int, now: float) -> int:
        self.advance(now)
        if address == reg.RF_STATUS:
            return self._rf_status()
        if reg.TIMER_STATUS <= address < reg.TIMER_STATUS + 3:
            return self._timer_counter(address - reg.TIMER_STATUS, now)
        return self._registers[address]

    def write(self, address: int, value: int, now: float) -> None:
        """All 32 bits of a register. A soft reset is the chip's matter and not seen here."""
        self.advance(now)
        if address in reg.READ_ONLY:
            self._complain(f"register {address:02x} is read-only")
        elif address == reg.IRQ_CLEAR:
            self._registers[reg.IRQ_STATUS] &= ~value
        elif address == reg.SYSTEM_CONFIG:
            self._registers[address] = value
            self._follow_command(value & reg.COMMAND_MASK)
        elif reg.TIMER_CONFIG <= address < reg.TIMER_CONFIG + 3:
            self._registers[address] = value & ~reg.T_START_NOW
            self._follow_timer(address - reg.TIMER_CONFIG, value, now)
        else:
            self._registers[address] = value

    def flag(self, irq: int) -> None:
        self._registers[reg.IRQ_STATUS] |= irq

    def _rf_status(self) -> int:
        state = self._state
        status = state << 24 | (reg.RF_FIELD_ON if self._driven else 0)
        if state == reg.STATE_TRANSMITTING:
            status |= reg.RF_TX_ACTIVE
        elif state in (reg.STATE_WAIT_FOR_DATA, reg.STATE_RECEIVING):
            status |= reg.RF_RX_ENABLE | (reg.RF_RX_ACTIVE if state == reg.STATE_RECEIVING else 0)
        return status

    # -- transceiver --------------------------------------------------------------------------------------------------

    def _enter(self, state: int) -> None:
        if state == self._state:
            return
        self._state = state
        if state == reg.STATE_IDLE:
            self.flag(reg.IDLE_IRQ)
        if self._registers[reg.TRANSCEIVE_CONTROL] >> 4 >> state & 1:
            self.flag(reg.STATE_CHANGE_IRQ)

    def _follow_command(self, command: int) -> None:
        if command == reg.TRANSCEIVE_COMMAND:
            if self._state == reg.STATE_IDLE:
                initiator = self._registers[reg.TRANSCEIVE_CONTROL] & reg.INITIATOR
                self._enter(reg.STATE_WAIT_TRANSMIT if initiator else reg.STATE_WAIT_RECEIVE)
            return
        self._sent_at = self._starts_at = self._heard_at = _NEVER
        self._plan()
        self._enter(reg.STATE_IDLE)

    def load(self, tx: int, rx: int) -> bool:
        """LOAD_RF_CONFIG; False for a number that the chip does not have."""
        known = (tx == reg.UNCHANGED or tx <= 0x1C) and (rx == reg.UNCHANGED or 0x80 <= rx <= 0x9C)
        if not known:
            return False
        self._registers[reg.TRANSCEIVE_CONTROL] |= reg.INITIATOR
        if tx != reg.UNCHANGED:
            self._tx_kind, self._registers[reg.TX_CONFIG], self._registers[reg.CRC_TX_CONFIG] = (
                reg.TX_CONFIGURATIONS.get(tx, ("other", 0x400, 0))
            )
        if rx != reg.UNCHANGED:
            self._rx_kind, self._registers[reg.CRC_RX_CONFIG] = reg.RX_CONFIGURATIONS.get(rx, ("other", 0))
        return True

    def switch_field(self, on: bool, now: float) -> None:
        """RF_ON, RF_OFF."""
        self.advance(now)
        if on:
            if not self._tx_kind:
                self._complain("the field is switched on before LOAD_RF_CONFIG: nothing is set for any tag")
            if not self._driven:
                self._field_at = now + RF_ON_US
                self._plan()
            return
        self._field_at = _NEVER
        if self._driven:
            self._driven = False
            self.field.switch(False, int(now))
            self.flag(reg.TX_RFOFF_IRQ)
            self._timer_event(reg.T_START_RF_OFF, reg.T_STOP_RF_OFF, now)
        self._plan()

    def send(self, data: bytes, last_bits: int, now: float) -> bool:
        """SEND_DATA; False when the transceiver does not wait for it."""
        self.advance(now)
        if self._state != reg.STATE_WAIT_TRANSMIT:
            self._complain(f"SEND_DATA in transceiver state {self._state}: write Idle and then Transceive first")
            return False
        r = self._registers
        config = r[reg.TX_CONFIG]
        if not data and config & reg.TX_DATA_ENABLE:
            self._complain("SEND_DATA without data while TX_DATA_ENABLE is set")
            return False
        if not self._driven:
            self._complain("SEND_DATA without a field: nobody hears that")
        if data and r[reg.CRC_TX_CONFIG] & reg.CRC_ENABLE:
            if last_bits:
                self._complain("a sum cannot follow a part of a byte: TX_CRC_ENABLE with valid bits")
            data += _sum(data, r[reg.CRC_TX_CONFIG])
        self._frame = None
        if self._tx_kind == reg.VICINITY:
            took = _V_SOF_OUT_US + len(data) * _V_BYTE_OUT_US + _V_EOF_OUT_US
            if not last_bits and self._is_vicinity_frame(data, config):
                self._frame = VicinityFrame(data)
        else:
            air = AirFrame(data, last_bits)
            took = (air.bit_count + len(data) + 2) * _A_BIT_US
            if self._tx_kind == reg.TYPE_A and (air.bit_count < 8 or config & reg.TX_PARITY):
                self._frame = air
        r[reg.RX_STATUS] = 0
        self.received = b""
        self._timer_event(reg.T_START_TX, reg.T_STOP_TX, now)
        self._began_at = now
        self._sent_at = now + took
        self._plan()
        self._enter(reg.STATE_TRANSMITTING)
        return True

    def _is_vicinity_frame(self, data: bytes, config: int) -> bool:
        """With start, data and end; or an end alone, for the next slot."""
        if not config & reg.TX_STOP_SYMBOL:
            return False
        if config & reg.TX_DATA_ENABLE:
            return bool(config & reg.TX_START_SYMBOL)
        return not config & reg.TX_START_SYMBOL and not data

    # -- what happens by itself ---------------------------------------------------------------------------------------

    def _plan(self) -> None:
        self._next = min(self._field_at, self._sent_at, self._starts_at, self._heard_at, *self._timers)

    def advance(self, now: float) -> None:
        while self._next <= now:
            t = self._next
            if self._field_at == t:
                self._field_at = _NEVER
                self._driven = True
                self.field.switch(not self.deaf, int(t))
                self.flag(reg.TX_RFON_IRQ)
                self._timer_event(reg.T_START_RF_ON, reg.T_STOP_RF_ON, t)
            elif self._sent_at == t:
                self._sent_at = _NEVER
                self._sent(t)
            elif self._starts_at == t:
                self._starts_at = _NEVER
                self._enter(reg.STATE_RECEIVING)
                self.flag(reg.RX_SOF_DET_IRQ)
                self._timer_event(reg.T_START_RX, reg.T_STOP_RX, t)
            elif self._heard_at == t:
                self._heard_at = _NEVER
                self._heard(t)
            else:
                self._timer_ended(self._timers.index(t), t)
            self._plan()

    def _sent(self, t: float) -> None:
        self.flag(reg.TX_IRQ)
        self._timer_event(reg.T_START_TX_END, 0, t)
        self._enter(reg.STATE_WAIT_FOR_DATA)
        frame, field = self._frame, self.field
        vicinity = isinstance(frame, VicinityFrame)
        needs = iso15693.START_UP_US if vicinity else iso14443a.START_UP_US
        waited = (self._began_at if vicinity else t) - field.on_since_us
        if field.on and waited < needs:
            self._complain(f"a frame {int(waited)} us after the field came: a tag may need {needs}")
            frame = None  # its beginning was missed, so it is noise
        delay, bit, around = _A_DELAY_US, _A_BIT_US, 1
        if isinstance(frame, VicinityFrame):
            delay, bit, around = _V_DELAY_US, _V_BIT_US, _V_AROUND_BITS
            answer = field.exchange(frame, int(t))
            if answer is not None and (not answer.high_rate or answer.two_subcarriers):
                self.flag(reg.RX_SC_DET_IRQ)  # something is there, in a form that no configuration here reads
                answer = None
            bits = answer.bits if answer is not None else None
        else:
            bits = field.exchange(frame, int(t))
        if self.empty:
            bits = []
        if bits is None or self._rx_kind != self._tx_kind or self._rx_wait_us() > delay:
            return
        self._bits = bits
        self._starts_at = t + delay + around * bit
        self._heard_at = self._starts_at + (len(bits) + (around if around > 1 else 0)) * bit

    def _rx_wait_us(self) -> float:
        wait = self._registers[reg.RX_WAIT_CONFIG]
        return (wait >> 8) * ((wait & 0xFF) + 1) / CARRIER_MHZ

    def _heard(self, t: float) -> None:
        """Puts the answer into the buffer as the settings say, and the flags that go with it."""
        r = self._registers
        config = r[reg.CRC_RX_CONFIG]
        type_a = self._rx_kind == reg.TYPE_A
        align = config >> 6 & 0x07 if type_a else 0
        parity = type_a and bool(config & reg.RX_PARITY)
        got = receive(self._bits, align, parity, bool(config & reg.VALUES_AFTER_COLLISION))
        data, status = got.data, 0
        if got.errors & ~0x08:
            status |= reg.DATA_INTEGRITY_ERROR
        if got.collided_at:
            status |= reg.COLLISION_DETECTED | (got.collided_at - 1 & 0x7F) << 19
            if self.cut_at_collision:
                del data[(got.collided_at - 1) // 8 :]
        elif got.last_bits and not type_a:
            status |= reg.PROTOCOL_ERROR
        if config & reg.CRC_ENABLE and self._bits:
            if got.last_bits or len(data) < 3 or COLLISION in self._bits or _sum(data[:-2], config) != data[-2:]:
                status |= reg.DATA_INTEGRITY_ERROR
            if not self.cut_at_collision or not got.collided_at:
                del data[-2:]
        self.received = bytes(data)
        r[reg.RX_STATUS] = status | got.last_bits << 13 | len(data)
        self.flag(reg.RX_IRQ)
        self._timer_event(reg.T_START_RX_END, 0, t)
        self._enter(reg.STATE_WAIT_TRANSMIT)

    # -- timers (11.6.6) ----------------------------------------------------------------------------------------------

    def _timer_us(self, timer: int) -> float:
        return (self._registers[reg.TIMER_RELOAD + timer] & 0xFFFFF) * self._tick_us(timer)

    def _tick_us(self, timer: int) -> float:
        config = self._registers[reg.TIMER_CONFIG + timer]
        return (2 << (config >> 3 & 0x07)) / CARRIER_MHZ if config & reg.T_PRESCALED else 1 / CARRIER_MHZ

    def _timer_counter(self, timer: int, now: float) -> int:
        due = self._timers[timer]
        return 0 if due == _NEVER else int((due - now) / self._tick_us(timer))

    def _follow_timer(self, timer: int, config: int, now: float) -> None:
        if not config & reg.T_ENABLE:
            self._timers[timer] = _NEVER
        elif config & reg.T_START_NOW:
            self._timers[timer] = now + self._timer_us(timer)
        self._plan()

    def _timer_event(self, starts: int, stops: int, t: float) -> None:
        for timer in range(3):
            config = self._registers[reg.TIMER_CONFIG + timer]
            if not config & reg.T_ENABLE:
                continue
            if config & stops:
                self._timers[timer] = _NEVER
            if config & starts:
                self._timers[timer] = t + self._timer_us(timer)

    def _timer_ended(self, timer: int, t: float) -> None:
        self.flag(reg.TIMER0_IRQ << timer)
        again = self._registers[reg.TIMER_CONFIG + timer] & reg.T_RELOAD and self._timer_us(timer) > 0
        self._timers[timer] = t + self._timer_us(timer) if again else _NEVER


def _sum(data: bytes | bytearray, config: int) -> bytes:
    """The two bytes that CRC_TX_CONFIG or CRC_RX_CONFIG add to `data` (presets; inverted or not)."""
    select = config >> 3 & 0x07
    preset = config >> 16 if select == 7 else reg.CRC_PRESETS[select] if select < 6 else 0
    crc = crc_16(bytes(data), preset)
    return ((crc ^ 0xFFFF) if config & reg.CRC_INVERTED else crc).to_bytes(2, "little")
