"""A reader and the tags in its field, for tests of the driver: stands in for `ReaderBus` at the level of its calls.

Tags follow the state machine of ISO/IEC 14443-3 type A bit by bit. `counting` chooses how the chip counts a collision's
position when its first byte is aligned: "aligned" with these bits, "frame" without, "whole" from the level's first.
"""

from firmware.drivers import mfrc522 as chip
from firmware.drivers.crc_a import crc_a

IDLE, READY, ACTIVE, HALT = range(4)


def bits_of(data, count=None):
    out = [(byte >> i) & 1 for byte in data for i in range(8)]
    return out if count is None else out[:count]


def with_crc(data):
    crc = crc_a(data, len(data))
    return bytes(data) + bytes((crc & 255, crc >> 8))


class Tag:
    def __init__(self, uid, keeps_halt=True):
        self.uid = uid
        self.levels = []
        rest = uid
        while len(rest) > 4:
            self.levels.append(b"\x88" + rest[:3])
            rest = rest[3:]
        self.levels.append(rest)
        self.keeps_halt = keeps_halt
        self.power_off()

    def power_off(self):
        self.state = IDLE
        self.was_halted = False
        self.level = 0

    def _give_up(self):
        self.state = HALT if self.was_halted else IDLE

    def hear(self, frame, last_bits):
        """The bits of the answer to a frame, or None."""
        short = last_bits == 7 and len(frame) == 1
        if short and frame[0] in (0x26, 0x52):
            if self.state == IDLE or (self.state == HALT and frame[0] == 0x52):
                self.was_halted = self.state == HALT
                self.state = READY
                self.level = 0
                return bits_of(b"\x44\x00" if len(self.levels) > 1 else b"\x04\x00")
            if self.state in (READY, ACTIVE):
                self._give_up()
            return None
        if self.state == ACTIVE:
            if frame == with_crc(b"\x50\x00") and self.keeps_halt:
                self.state = HALT
            else:
                self._give_up()
            return None
        if self.state != READY or len(frame) < 2 or frame[0] != (0x93, 0x95, 0x97)[self.level]:
            if self.state == READY:
                self._give_up()
            return None
        part = self.levels[self.level]
        whole = part + bytes((part[0] ^ part[1] ^ part[2] ^ part[3],))
        if frame[1] == 0x70:
            if last_bits or bytes(frame) != with_crc(bytes(frame[:2]) + whole):
                self._give_up()
                return None
            last = self.level == len(self.levels) - 1
            if last:
                self.state = ACTIVE
            else:
                self.level += 1
            return bits_of(with_crc(b"\x00" if last else b"\x04"))
        known = ((frame[1] >> 4) - 2) * 8 + (frame[1] & 7)
        if len(frame) != 2 + (known + 7) // 8 or last_bits != known % 8:
            self._give_up()
            return None
        mine = bits_of(whole)
        if bits_of(frame[2:], known) != mine[:known]:
            self._give_up()
            return None
        return mine[known:]


class FieldBus:
    """One socket with a reader; `tags` lie on it. `versions` is what VersionReg says, `dead` that nothing answers."""

    def __init__(self, tags=(), counting="aligned"):
        self.tags = list(tags)
        self.counting = counting
        self.version = 0x92
        self.dead = False
        self.spoil = 0  # answers to corrupt before they arrive
        self.empty_answers = 0  # answers that end well without a byte
        self.field_sets = 0
        self.transfers = 0
        self.reset()

    def reset(self):
        self.registers = bytearray(64)
        self.registers[chip.COLL] = 0x80
        self.fifo = bytearray()
        self.command = 0
        self.power_tags_off()

    def power_tags_off(self):
        for tag in self.tags:
            tag.power_off()

    def write(self, socket, register, value):
        self.transfers += 1
        if self.dead:
            return
        if register == chip.COMMAND:
            if value == chip.SOFT_RESET:
                self.reset()
                return
            self.command = value & 15
        elif register == chip.FIFO_LEVEL and value & 0x80:
            self.fifo = bytearray()
        elif register == chip.COM_IRQ:
            if value & 0x80:
                self.registers[register] |= value & 0x7F
            else:
                self.registers[register] &= ~value & 0x7F
        elif register == chip.TX_CONTROL:
            self.registers[register] = value
            if value & 3:
                self.field_sets += 1
            else:
                self.power_tags_off()
        else:
            self.registers[register] = value & (0x7F if register == chip.BIT_FRAMING else 0xFF)
            if register == chip.BIT_FRAMING and value & 0x80:
                self.transceive()

    async def send(self, socket, frame):
        """A look for a PN5180: an MFRC522 never raises BUSY, and takes the bytes for a write to ComIEnReg."""
        self.write(socket, frame[0] >> 1, frame[1])
        return False

    def write_frame(self, socket, frame):
        self.transfers += 1
        assert frame[0] == chip.FIFO_DATA << 1, "only the FIFO takes a burst"
        self.fifo.extend(frame[1:])

    def read(self, socket, register):
        self.transfers += 1
        return self._value(register)

    def exchange(self, socket, addresses, answer):
        self.transfers += 1
        assert addresses[-1] == 0
        assert len(addresses) == len(answer)
        for i in range(len(addresses) - 1):
            assert addresses[i] & 0x81 == 0x80
            answer[i + 1] = self._value((addresses[i] >> 1) & 0x3F)

    def _value(self, register):
        if self.dead:
            return 0xFF
        if register == chip.FIFO_DATA:
            if not self.fifo:
                return 0
            first = self.fifo[0]
            self.fifo = self.fifo[1:]
            return first
        if register == chip.FIFO_LEVEL:
            return len(self.fifo)
        if register == chip.VERSION:
            return self.version
        return self.registers[register]

    def transceive(self):
        assert self.command == chip.TRANSCEIVE
        framing = self.registers[chip.BIT_FRAMING]
        last_bits, align = framing & 7, framing >> 4 & 7
        frame = bytes(self.fifo)
        self.fifo = bytearray()
        assert frame, "nothing to send"
        answers = []
        if self.registers[chip.TX_CONTROL] & 3 == 3 and self.registers[chip.TX_ASK] == 0x40:
            answers = [a for a in [tag.hear(frame, last_bits) for tag in self.tags] if a is not None]
        irq = 0x40
        self.registers[chip.ERROR] = 0
        if not answers:
            if self.registers[chip.T_MODE] & 0x80:
                irq |= chip.IRQ_TIMER
            self.registers[chip.COM_IRQ] |= irq
            return
        if self.spoil:
            self.spoil -= 1
            self.registers[chip.ERROR] = 0x02
            self.registers[chip.COM_IRQ] |= irq | chip.IRQ_RX | chip.IRQ_ERROR
            self.fifo = bytearray(b"\xa5\x5a")
            return
        if self.empty_answers:
            self.empty_answers -= 1
            self.registers[chip.COM_IRQ] |= irq | chip.IRQ_RX
            return
        self._hear(answers, align, 40 - len(answers[0]))
        self.registers[chip.COM_IRQ] |= irq | chip.IRQ_RX | (chip.IRQ_ERROR if self.registers[chip.ERROR] else 0)

    def _hear(self, answers, align, known):
        merged = []
        collision = None
        for i in range(max([len(a) for a in answers])):
            here = [a[i] for a in answers if i < len(a)]
            if collision is None and 0 in here and 1 in here:
                collision = i + 1
            merged.append(0 if collision is not None else here[0])
        coll = 0x20
        if collision is not None:
            self.registers[chip.ERROR] |= 0x08 | 0x02
            position = collision + {"aligned": align, "frame": 0, "whole": known}[self.counting]
            if position <= 32:
                coll = position & 0x1F
        self.registers[chip.COLL] = coll
        merged = [0] * align + merged
        for at in range(0, len(merged), 8):
            self.fifo.append(sum([bit << i for i, bit in enumerate(merged[at : at + 8])]))
