"""Packets on a serial line, for both ends: COBS frames that end with a zero byte and carry a CRC-32.

A frame is `COBS(packet, CRC-32 of the packet, little-endian), 0x00`. Consistent Overhead Byte Stuffing (Cheshire and
Baker, 1999) leaves no zero byte inside, so whoever joins in the middle, or has heard noise, is in step again after the
next zero. The CRC-32 is that of zlib and Ethernet (0xCBF43926 for b"123456789"); together with the packet's own CRC-16
it keeps damage out. Nothing longer than `MAX_PACKET` is sent, and a reader never keeps more than `MAX_FRAME` bytes.
"""

import binascii

MAX_PACKET = 120  # as `shared_rules.wire.messages.MAX_SIZE`; a test holds them together
CRC_SIZE = 4
MAX_FRAME = MAX_PACKET + CRC_SIZE + 1  # encoded, without the zero: below 254 bytes COBS adds one
_FEWEST = CRC_SIZE + 1  # a frame without a packet byte is no frame


def cobs_encode(data: "bytes | bytearray") -> bytearray:
    """`data` without zero bytes; one byte longer for up to 253 bytes, and one more for each further 254."""
    out = bytearray(1)
    mark = 0  # where the length of the run that is being written belongs
    for byte in data:
        if byte:
            out.append(byte)
        if not byte or len(out) - mark == 255:
            out[mark] = len(out) - mark
            mark = len(out)
            out.append(0)
    out[mark] = len(out) - mark
    return out


def cobs_decode(data: "bytes | bytearray") -> "bytearray | None":
    """What was encoded, or None when no data encodes to that."""
    out = bytearray()
    at = 0
    end = len(data)
    while at < end:
        run = data[at]
        if run == 0 or at + run > end:
            return None
        for i in range(at + 1, at + run):
            if data[i] == 0:
                return None
            out.append(data[i])
        at += run
        if run < 255 and at < end:
            out.append(0)
    return out


def encode_frame(packet: "bytes | bytearray") -> bytes:
    """The bytes that go over the line for one packet of 1 to `MAX_PACKET` bytes, else ValueError."""
    if not 1 <= len(packet) <= MAX_PACKET:
        raise ValueError("a packet on the line has 1 to %d bytes, not %d" % (MAX_PACKET, len(packet)))
    crc = binascii.crc32(packet)
    tail = bytes((crc & 255, crc >> 8 & 255, crc >> 16 & 255, crc >> 24 & 255))
    out = cobs_encode(bytes(packet) + tail)
    out.append(0)
    return bytes(out)


class FrameReader:
    """Takes whatever the line brings and gives back sound packets, for one direction of one line.

    `frames` counts sound ones, `damaged` those that were not, `oversized` runs of more than `MAX_FRAME` bytes.
    """

    def __init__(self) -> None:
        self._kept = bytearray()
        self._skipping = False
        self.frames = 0
        self.damaged = 0
        self.oversized = 0

    def feed(self, data: "bytes | bytearray") -> "list[bytes]":
        """The packets that these bytes complete, in order."""
        packets = []
        for byte in data:
            if byte:
                if self._skipping:
                    continue
                if len(self._kept) == MAX_FRAME:
                    self._skipping = True
                    self.oversized += 1
                    self._kept = bytearray()
                else:
                    self._kept.append(byte)
            elif self._skipping:
                self._skipping = False
            elif self._kept:
                packet = self._opened()
                self._kept = bytearray()
                if packet is None:
                    self.damaged += 1
                else:
                    self.frames += 1
                    packets.append(packet)
        return packets

    def _opened(self) -> "bytes | None":
        raw = cobs_decode(self._kept)
        if raw is None or len(raw) < _FEWEST:
            return None
        packet = bytes(raw[:-CRC_SIZE])
        crc = binascii.crc32(packet)
        if raw[-4] | raw[-3] << 8 | raw[-2] << 16 | raw[-1] << 24 != crc:
            return None
        return packet
