"""The digest of a throw's motion, for the roll's receipt: the same on the die and on whoever has stored the trace.

A trace is every sample from the one with which the detector said `started` to the one with which it said `settled`,
both included, as the sensor gave it (before calibration). The digest is the CRC-32 of ISO-HDLC over eight bytes a
sample, all little endian: milliseconds since the sample before (u16, at most 65,535, 0 for the first), then x, y and z
in mg (i16, cut off at +-32,767). It shows that a stored trace belongs to a receipt; it keeps no secret and stops nobody
who wants to forge.
"""

from binascii import crc32
from struct import pack_into

BYTES = 8
_SAMPLES = 16  # a check over many at once makes one large number, not sixteen: less to collect on the device


class MotionTrace:
    """A running digest in fixed memory."""

    def __init__(self) -> None:
        self._buffer = bytearray(BYTES * _SAMPLES)
        self._view = memoryview(self._buffer)
        self._used = 0
        self._crc = 0

    def begin(self) -> None:
        """Forgets everything: the next sample is the first."""
        self._used = 0
        self._crc = 0

    def add(self, since_ms: int, x: int, y: int, z: int) -> None:
        """One more sample: milliseconds since the one before, and mg."""
        pack_into("<Hhhh", self._buffer, self._used, min(since_ms, 65535), _short(x), _short(y), _short(z))
        self._used += BYTES
        if self._used == len(self._buffer):
            self._crc = crc32(self._buffer, self._crc)
            self._used = 0

    def digest(self) -> int:
        """The digest of everything so far, 32 bits."""
        return crc32(self._view[: self._used], self._crc) & 0xFFFFFFFF


def digest_of(samples: "list[tuple[int, int, int, int]]") -> int:
    """The digest of a stored trace of (t_ms, x, y, z)."""
    trace = MotionTrace()
    before = samples[0][0] if samples else 0
    for t_ms, x, y, z in samples:
        trace.add(t_ms - before, x, y, z)
        before = t_ms
    return trace.digest()


def _short(value: int) -> int:
    return max(-32767, min(32767, value))
