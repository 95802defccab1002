"""The traces of the last faults in flash, newest first, for READ_LOG.

They stay until newer ones push them out, at most `MOST` bytes in all.
"""

import io
import sys

from firmware.supervision.two_slot_file import TwoSlotFile

RECORD = "fault"
MOST = 1024


class CrashRecord:
    """The record of this device's faults."""

    def __init__(self) -> None:
        self._file = TwoSlotFile(RECORD)

    def note(self, task: int, uptime_s: int, error: BaseException) -> None:
        """Puts a fault in front of the older ones. OSError or MemoryError when that cannot be."""
        out = io.StringIO()
        out.write("task %d after %d s\n" % (task, uptime_s))  # pyright: ignore (its stubs know no streams)
        sys.print_exception(error, out)  # pyright: ignore
        self.add(out.getvalue())  # pyright: ignore

    def add(self, text: str) -> None:
        """Puts a text in front of the older ones; OSError or MemoryError as for `note`."""
        new = bytearray(text[:MOST].encode()[:MOST])
        for i, byte in enumerate(new):
            if byte > 127:  # READ_LOG sends it in pieces, and a cut character would be a fault of its own
                new[i] = 63
        old = self._file.read() or b""
        self._file.write(new, memoryview(old)[: MOST - len(new)])

    def text(self) -> bytes:
        """All that is noted."""
        return self._file.read() or b""
