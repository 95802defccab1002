"""Files that a command writes for people (records, stories, tables, reports): whole or not at all, whatever happens
meanwhile, and checked before hours of work go into them.

A link stays a link: what it leads to is written. A device or a pipe is written to and never put away.
"""

from __future__ import annotations

import contextlib
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

from companion.errors import CompanionError


class FileNotWrittenError(CompanionError):
    """Nothing was written; the sentence says why."""

    code = "not_written"


def check(path: Path) -> None:
    """Whether a file could be written there: its folder takes one, and no folder has its name.
    `FileNotWrittenError`."""
    target = _target(path)
    if not target.parent.is_dir():
        raise FileNotWrittenError(f"{path.parent} is no folder; make it first.")
    if target.is_dir():
        raise FileNotWrittenError(f"{path} is a folder; choose another name.")
    if _is_special(target):
        return
    with _spoken(path), tempfile.NamedTemporaryFile(dir=target.parent, prefix=".cabstand-"):
        pass


@contextlib.contextmanager
def whole(path: Path, *, replace: bool = True) -> Iterator[Path]:
    """A path to write to, in a folder of its own: what lies there at the end is put in the place of `path`, and
    nothing if anything went wrong. `FileNotWrittenError`, also for a file that is there already and may not be
    replaced."""
    with _spoken(path):
        if not replace and os.path.lexists(path):
            raise FileNotWrittenError(f"{path} is there already; choose another name, or say --force.")
        target = _target(path)
        special = _is_special(target)
        with tempfile.TemporaryDirectory(dir=None if special else target.parent, prefix=".cabstand-") as folder:
            made = Path(folder) / "made"
            yield made
            if special:
                target.write_bytes(made.read_bytes())
            else:
                made.replace(target)


def save(text: str, path: Path, *, replace: bool = True) -> None:
    """Writes a text as a whole file. `FileNotWrittenError`."""
    with whole(path, replace=replace) as made:
        made.write_text(text, encoding="utf-8", newline="\n")


def _target(path: Path) -> Path:
    return Path(os.path.realpath(path))


def _is_special(target: Path) -> bool:
    """A device, a pipe, a socket: something that is no file and no folder."""
    return target.exists() and not target.is_file() and not target.is_dir()


@contextlib.contextmanager
def _spoken(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise FileNotWrittenError(f"{str(path)[:200]} cannot be written ({error.strerror or error}).") from None
