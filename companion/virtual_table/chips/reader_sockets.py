"""Readers in their sockets and the tags on their coils, with the hands that move tags and plug readers.

Each socket has a reader of its own kind, or none (READER_KINDS), and a coil whose field feeds the tags that lie on it.
Every hand raises `ValueError` for what cannot be done, and then nothing has changed.
"""

from __future__ import annotations

import random
from collections.abc import Callable

from companion.virtual_table.chips.hardware import Complaints
from companion.virtual_table.chips.iso14443a import Tag
from companion.virtual_table.chips.iso15693 import VicinityTag
from companion.virtual_table.chips.mfrc522 import Mfrc522
from companion.virtual_table.chips.pn5180 import Pn5180
from companion.virtual_table.chips.reader_chip import EmptySocket, ReaderChip
from companion.virtual_table.chips.rf_field import AnyTag, RfField

READER_KINDS = {
    "mfrc522": "NXP's chip, version 2.0",
    "mfrc522_v1": "NXP's chip, version 1.0",
    "clone_88": "a clone (FM17522) whose version reads 88",
    "clone_90": "a clone whose version reads 90",
    "clone_b2": "a clone whose version reads b2",
    "clone_12": "a clone whose version reads 12",
    "pn5180": "NXP's PN5180 on an adapter with BUSY",
    "none": "nothing is plugged in",
}
_MFRC522_VERSIONS = {
    "mfrc522": 0x92,
    "mfrc522_v1": 0x91,
    "clone_88": 0x88,
    "clone_90": 0x90,
    "clone_b2": 0xB2,
    "clone_12": 0x12,
}


class ReaderSockets(Complaints):
    """`count` sockets, each with an MFRC522 to begin with.

    `seed` is what chance in the air follows (weak coupling, crosstalk); `on_tags()` is called when a tag was pulled out
    of a field in mid-read.
    """

    def __init__(self, count: int, seed: int) -> None:
        super().__init__()
        self.on_tags: Callable[[], None] = lambda: None
        chance = random.Random(seed)
        self.fields = [RfField(chance, self._gone) for _ in range(count)]
        self.readers: list[ReaderChip] = [
            Mfrc522(f, self._complaint_of(f"reader {i}")) for i, f in enumerate(self.fields)
        ]
        self.kinds = ["mfrc522"] * count
        """The kind of reader in each socket: keys of READER_KINDS."""
        self._late: list[ReaderChip] = []  # readers whose fields come and go some time after they were told
        self._tags: dict[bytes, tuple[AnyTag, int]] = {}

    def tags(self) -> dict[bytes, int]:
        """UID → socket of every tag on the table."""
        return {uid: socket for uid, (_, socket) in self._tags.items()}

    def place_tag(self, uid: bytes, socket: int, flicker: str = "") -> None:
        """Puts a tag on a socket, from wherever it is: 8 bytes are of ISO/IEC 15693, others of 14443 type A.

        `flicker`: see `Tag.flicker`. The tag lies in the middle of the coil, whatever it was before.
        """
        self._check_socket(socket)
        if flicker.strip("01"):
            raise ValueError(f"a flicker pattern is made of 0 and 1, not {flicker!r}")
        tag: AnyTag = VicinityTag(uid) if len(uid) == 8 else Tag(uid)
        self.lift_tag(uid)
        tag.flicker = flicker
        self._tags[uid] = (tag, socket)
        self.fields[socket].put(tag, self.now)

    def lift_tag(self, uid: bytes) -> bool:
        """Takes a tag off the table; False when it was not there."""
        found = self._tags.pop(uid, None)
        if found is None:
            return False
        tag, socket = found
        self.fields[socket].take(tag)
        return True

    def pull_tag(self, uid: bytes, after_frames: int = 0) -> None:
        """Takes a tag away in the middle of a read: after it has heard so many more frames."""
        if not 0 <= after_frames <= 10_000:
            raise ValueError(f"a tag is pulled away after 0 to 10000 frames, not {after_frames}")
        self._tag(uid)[0].leaves_after = after_frames

    def set_coupling(self, uid: bytes, value: float) -> None:
        """How well a tag that lies on the table couples, from 0 (out of reach) to 1 (in the middle of the coil)."""
        _check_coupling(value)
        tag, socket = self._tag(uid)
        self.fields[socket].couple(tag, value, self.now)

    def crosstalk(self, socket: int, other: int, coupling: float) -> None:
        """The field of a socket reaches the tags on another one, with that coupling; 0 ends it."""
        self._check_socket(socket)
        self._check_socket(other)
        _check_coupling(coupling)
        if socket == other:
            raise ValueError("crosstalk is between two sockets")
        self.fields[socket].reach(self.fields[other], coupling, self.now)

    def tag_field(self, socket: int, most_tags: int | None = None) -> None:
        """How many tags of type A this coil bears: with more it is detuned and none can be read. None: any number."""
        self._check_socket(socket)
        if most_tags is not None and most_tags < 0:
            raise ValueError(f"a coil bears 0 or more tags, not {most_tags}")
        self.fields[socket].most_tags = most_tags

    def set_reader(self, socket: int, kind: str) -> None:
        """Plugs another reader into a socket: one of READER_KINDS. It starts cold; tags stay where they lie."""
        self._check_socket(socket)
        if kind not in READER_KINDS:
            raise ValueError(f"readers are of the kinds {', '.join(READER_KINDS)}, not {kind!r}")
        f = self.fields[socket]
        f.switch(False, self.now)
        complain = self._complaint_of(f"reader {socket}")
        reader: ReaderChip
        if kind == "none":
            reader = EmptySocket()
        elif kind == "pn5180":
            reader = Pn5180(f, complain)
        else:
            reader = Mfrc522(f, complain, _MFRC522_VERSIONS[kind])
        self.readers[socket] = reader
        self.kinds[socket] = kind
        self._late = [r for r, k in zip(self.readers, self.kinds, strict=True) if k == "pn5180"]
        self._plugged(socket, reader)

    def deafen_reader(self, socket: int, after_s: float) -> None:
        """The reader goes deaf when it has run for that long from now; a reset heals it."""
        self._check_socket(socket)
        if after_s < 0:
            raise ValueError(f"a reader goes deaf after 0 or more seconds, not {after_s}")
        self.readers[socket].deaf_at = self.now + after_s * 1e6

    # -- inside -------------------------------------------------------------------------------------------------------

    def _plugged(self, socket: int, reader: ReaderChip) -> None:
        """A reader is new in its socket: the wiring brings its pins to the levels that they have there."""

    def _check_socket(self, socket: int) -> None:
        if not 0 <= socket < len(self.fields):
            raise ValueError(f"sockets have numbers from 0 to {len(self.fields) - 1}, not {socket}")

    def _tag(self, uid: bytes) -> tuple[AnyTag, int]:
        if uid not in self._tags:
            raise ValueError(f"no tag {uid.hex()} lies on the table: place it first")
        return self._tags[uid]

    def _gone(self, tag: AnyTag) -> None:
        self.lift_tag(tag.uid)
        self.on_tags()

    def _complaint_of(self, who: str) -> Callable[[str], None]:
        return lambda text: self.complain(f"{who}: {text}")


def _check_coupling(value: float) -> None:
    if not 0 <= value <= 1:
        raise ValueError(f"coupling is from 0 to 1, not {value}")
