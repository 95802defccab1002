"""The terminal as it may be: closed, full, in another alphabet, or gone in mid-sentence. Nothing that is printed may
end an evening, and nothing that breaks inside is told people as a traceback.

`prepare()` first of all; `complaint()` last: what could not be printed. `keep_log(folder)` for `cabstand play`.
"""

from __future__ import annotations

import io
import logging
import logging.handlers
import os
import signal
import sys
from contextlib import suppress
from pathlib import Path

LOG_NAME = "companion.log"
LOG_BYTES = 1_000_000
"""Size at which the log is put aside; one older one is kept."""


class _Forgiving(io.RawIOBase):
    """A file descriptor that takes everything; `error` is the first thing that went wrong, after which it is silent."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self.error: OSError | None = None

    def fileno(self) -> int:
        return self._descriptor

    def isatty(self) -> bool:
        return os.isatty(self._descriptor)

    def writable(self) -> bool:
        return True

    def write(self, data: object) -> int:
        view = memoryview(data)  # type: ignore[arg-type]
        at = 0
        try:
            while self.error is None and at < len(view):
                at += os.write(self._descriptor, view[at:])
        except OSError as error:
            self.error = error
        return len(view)


_outputs: list[_Forgiving] = []


def prepare() -> None:
    """Makes standard output and standard error streams that never raise: what the terminal's alphabet lacks becomes
    a question mark, what it does not take is dropped. Until `interruptible`, Ctrl-C just ends the process: modules are
    still being loaded."""
    with suppress(ValueError):  # not the main thread
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    # A closed 0, 1 or 2 would otherwise become the number of the next file that is opened: the evenings, say.
    while (lowest := os.open(os.devnull, os.O_RDWR)) <= 2:
        pass
    os.close(lowest)
    for name, descriptor in (("stdout", 1), ("stderr", 2)):
        encoding = getattr(getattr(sys, name), "encoding", None) or "utf-8"
        raw = _Forgiving(descriptor)
        _outputs.append(raw)
        setattr(sys, name, io.TextIOWrapper(io.BufferedWriter(raw), encoding, "replace", line_buffering=True))


def interruptible() -> None:
    """From here on, Ctrl-C is a `KeyboardInterrupt`: whoever works can tidy up."""
    with suppress(ValueError):
        signal.signal(signal.SIGINT, signal.default_int_handler)


def complaint() -> str:
    """Why standard output is not whole, empty if it is or if its reader had simply seen enough (`| head`)."""
    sys.stdout.flush()
    error = _outputs[0].error if _outputs else None
    return "" if error is None or isinstance(error, BrokenPipeError) else error.strerror or str(error)


def keep_log(folder: Path) -> None:
    """Faults of ours go with all details into `companion.log` in `folder`, and as one sentence to standard error."""
    root = logging.getLogger()
    logging.raiseExceptions = False  # a disk that is full must not fill the terminal
    brief = logging.StreamHandler(sys.stderr)
    brief.setFormatter(_Brief())
    brief.setLevel(logging.WARNING)  # what is told for the log alone stays there
    root.addHandler(brief)
    with suppress(OSError):
        path = folder / LOG_NAME
        os.close(os.open(path, os.O_CREAT | os.O_APPEND | os.O_WRONLY, 0o600))
        whole = logging.handlers.RotatingFileHandler(path, maxBytes=LOG_BYTES, backupCount=1, encoding="utf-8")
        whole.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
        root.addHandler(whole)
        logging.getLogger("companion.virtual_table").setLevel(logging.INFO)  # what its process says, word for word


class _Brief(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        """One line."""
        first, *more = f"cabstand: {record.getMessage()}".splitlines()
        return first + (f" (more in {LOG_NAME})" if record.exc_info or more else "")
