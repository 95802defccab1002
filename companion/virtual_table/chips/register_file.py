"""The passive half of the MFRC522: its registers, the FIFO with its alerts (8.3), and the timer's settings (8.5)."""

from __future__ import annotations

from companion.virtual_table.chips import mfrc522_registers as reg

FIFO_SIZE = 64
CARRIER_MHZ = 13.56


class RegisterFile:
    """`values` by address, and the FIFO. What a register does beyond holding bits is the chip's matter."""

    def __init__(self, version: int) -> None:
        self._version = version
        self.values = bytearray(64)
        self.fifo = bytearray()
        self.reset()

    def reset(self) -> None:
        """9.2: the reset values; the FIFO is empty."""
        self.values[:] = bytes(64)
        for address, value in reg.RESET_VALUES.items():
            self.values[address] = value
        self.values[reg.VERSION] = self._version
        self.fifo.clear()

    def write(self, address: int, value: int) -> None:
        """Registers that only hold what is written."""
        if address not in reg.READ_ONLY:
            self.values[address] = value

    def mark(self, address: int, value: int) -> None:
        """ComIrqReg and DivIrqReg: the highest bit says whether the marked flags are set or cleared."""
        marked = value & (0x7F if address == reg.COM_IRQ else 0x14)
        if value & 0x80:
            self.values[address] |= marked
        else:
            self.values[address] &= ~marked & 0xFF

    def flag(self, irq: int) -> None:
        self.values[reg.COM_IRQ] |= irq

    def fail(self, error: int) -> None:
        """An error, and the flag that tells of it."""
        self.values[reg.ERROR] |= error
        self.flag(reg.ERR_IRQ)

    def clear_errors(self, errors: int = 0xFF) -> None:
        self.values[reg.ERROR] &= ~errors & 0xFF

    def status1(self, timer_runs: bool) -> int:
        v = self.values
        enabled = v[reg.COM_IRQ] & v[reg.COM_I_EN] & 0x7F | v[reg.DIV_IRQ] & v[reg.DIV_I_EN] & 0x14
        alerts = (0x02 if self._high() else 0) | (0x01 if self._low() else 0)
        return v[reg.STATUS1] & 0x60 | (0x10 if enabled else 0) | (0x08 if timer_runs else 0) | alerts

    # -- FIFO ---------------------------------------------------------------------------------------------------------

    def take(self) -> int:
        """The oldest byte; 0 from an empty FIFO."""
        value = self.fifo.pop(0) if self.fifo else 0
        self.fifo_changed()
        return value

    def put(self, data: bytes | bytearray) -> None:
        """Bytes at the end; what does not fit is lost, which is an error."""
        room = FIFO_SIZE - len(self.fifo)
        if len(data) > room:
            self.fail(reg.BUFFER_OVFL)
        self.fifo += data[:room]
        self.fifo_changed()

    def drain(self) -> bytes:
        """All bytes; the FIFO is empty then."""
        data = bytes(self.fifo)
        self.fifo.clear()
        self.fifo_changed()
        return data

    def fifo_changed(self) -> None:
        if self._high():
            self.flag(reg.HI_ALERT_IRQ)
        if self._low():
            self.flag(reg.LO_ALERT_IRQ)

    def _high(self) -> bool:
        return FIFO_SIZE - len(self.fifo) <= self.values[reg.WATER_LEVEL] & 0x3F

    def _low(self) -> bool:
        return len(self.fifo) <= self.values[reg.WATER_LEVEL] & 0x3F

    # -- timer --------------------------------------------------------------------------------------------------------

    def timer_us(self) -> float:
        """From its start to its interrupt."""
        return (self._reload() + 1) * self._tick_us()

    def timer_counter(self, left_us: float) -> int:
        """What the counter shows that long before the interrupt."""
        return min(self._reload(), int(left_us / self._tick_us()))

    def _tick_us(self) -> float:
        prescaler = (self.values[reg.T_MODE] & 0x0F) << 8 | self.values[reg.T_PRESCALER]
        return (2 * prescaler + (2 if self.values[reg.DEMOD] & 0x10 else 1)) / CARRIER_MHZ

    def _reload(self) -> int:
        return self.values[reg.T_RELOAD_H] << 8 | self.values[reg.T_RELOAD_L]
