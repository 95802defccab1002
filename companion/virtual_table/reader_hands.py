"""Hands for readers and for what lies between coils and tags, with the layout's socket numbers over all controllers.

`VirtualTable.readers` is one of these; `READER_HANDS` are the same by name, for the control socket and fault scripts.
Every hand raises `ValueError` for what cannot be done, and then nothing has changed.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from companion.virtual_table.chips.table_hardware import READER_KINDS, TableHardware


class ReaderHands:
    """`tables` are the controllers' hardware in the layout's order; `on_tags()` hears of tags that were pulled away."""

    def __init__(self, tables: list[TableHardware], on_tags: Callable[[], None] = lambda: None) -> None:
        self._tables = tables
        for table in tables:
            table.on_tags = on_tags

    def kinds(self) -> list[str]:
        """What is in each socket, in the layout's order: keys of `READER_KINDS`."""
        return [kind for table in self._tables for kind in table.kinds]

    def set_reader(self, socket: int, kind: str) -> None:
        """Plugs another reader into a socket, or takes it out (`none`)."""
        table, own = self.at(socket)
        table.set_reader(own, kind)

    def set_readers(self, kind: str) -> None:
        """The same kind in every socket."""
        if kind not in READER_KINDS:
            raise ValueError(f"readers are of the kinds {', '.join(READER_KINDS)}, not {kind!r}")
        for table in self._tables:
            for socket in range(table.wiring.sockets):
                table.set_reader(socket, kind)

    def set_coupling(self, uid: str, value: float) -> None:
        """How well a tag on the table couples: 1 in the middle of its coil, 0 out of reach."""
        table, raw = self._with_tag(uid)
        table.set_coupling(raw, value)

    def pull_tag(self, uid: str, after_frames: int = 0) -> None:
        """Takes a tag away in the middle of a read, when it has heard so many more frames."""
        table, raw = self._with_tag(uid)
        table.pull_tag(raw, after_frames)

    def crosstalk(self, socket: int, other: int, coupling: float) -> None:
        """The field of a socket reaches the tags on another one of the same controller; 0 ends it."""
        (table, own), (there, its) = self.at(socket), self.at(other)
        if table is not there:
            raise ValueError(f"sockets {socket} and {other} belong to two controllers: their coils do not meet here")
        table.crosstalk(own, its, coupling)

    def tag_field(self, socket: int, most_tags: int | None = None) -> None:
        """More tags of type A than that detune the coil: something answers, none can be read. None: any number."""
        table, own = self.at(socket)
        table.tag_field(own, most_tags)

    def deafen_reader(self, socket: int, after_s: float) -> None:
        """The reader goes deaf when it has run for that long from now, until it is reset."""
        table, own = self.at(socket)
        table.deafen_reader(own, after_s)

    def hold_miso(self, socket: int, holds: bool = True) -> None:
        """A clone that drives MISO while it is not selected."""
        table, own = self.at(socket)
        table.hold_miso(own, holds)

    def share_miso(self, shared: bool = True) -> None:
        """Tables without multiplexers: MISO of all readers of a controller is one line."""
        for table in self._tables:
            table.share_miso(shared)

    def at(self, socket: int) -> tuple[TableHardware, int]:
        """Controller and own number of a socket with the layout's number."""
        at = socket
        for table in self._tables:
            if 0 <= at < table.wiring.sockets:
                return table, at
            at -= table.wiring.sockets
        if not self._tables:
            raise ValueError("there is no table controller here")
        raise ValueError(f"sockets have numbers from 0 to {len(self.kinds()) - 1}, not {socket}")

    def _with_tag(self, uid: str) -> tuple[TableHardware, bytes]:
        try:
            raw = bytes.fromhex(uid)
        except ValueError:
            raise ValueError(f"a tag's UID is bytes in hex, not {uid!r}") from None
        for table in self._tables:
            if raw in table.tags():
                return table, raw
        raise ValueError(f"no tag {uid} lies on the table: place it first")


READER_HANDS: dict[str, Callable[..., Any]] = {
    "readers": lambda t: t.readers.kinds(),
    "set_reader": lambda t, socket, kind: t.readers.set_reader(socket, kind),
    "set_readers": lambda t, kind: t.readers.set_readers(kind),
    "set_coupling": lambda t, uid, value: t.readers.set_coupling(uid, value),
    "pull_tag": lambda t, uid, after_frames=0: t.readers.pull_tag(uid, after_frames),
    "crosstalk": lambda t, socket, other, coupling: t.readers.crosstalk(socket, other, coupling),
    "tag_field": lambda t, socket, most_tags=None: t.readers.tag_field(socket, most_tags),
    "deafen_reader": lambda t, socket, after_s: t.readers.deafen_reader(socket, after_s),
    "hold_miso": lambda t, socket, holds=True: t.readers.hold_miso(socket, holds),
    "share_miso": lambda t, shared=True: t.readers.share_miso(shared),
}
