"""What stands on each socket, made steady out of single polls, for the reader bank and the snapshot.

A tag is *there* after two good reads at least `CONFIRM_MS` apart, so a taxi that slides over a socket is not placed on
it; it is *gone* after `GONE_AFTER` clean polls in a row without it. A poll that was corrupt or a mute reader proves
nothing and counts for neither. A tag that is confirmed elsewhere while it was already missing here has moved: gone
first, then there.
"""

import time

from firmware.drivers.mfrc522 import CLEAR, MUTE, UNREADABLE
from shared_rules.wire.messages import SOCKET_MUTE, SOCKET_SEVERAL

CONFIRM_MS = 250
GONE_AFTER = 3
SEVERAL_AFTER = 3  # polls in a row that could not be told apart
MUTE_AFTER = 2

_UID = 0
_MISSES = 1
_SINCE = 2  # ticks of the first read while unconfirmed, None once there


class TagPresence:
    """`report(name, fields)` is called with each event of `shared_rules.wire.messages` the moment it becomes true."""

    def __init__(self, sockets: int, report) -> None:
        self._report = report
        self._tags: list[list[list]] = [[] for _ in range(sockets)]
        self._trouble = bytearray(sockets)
        self._unreadable = bytearray(sockets)
        self._mute = bytearray(sockets)
        self.restless = False

    def tags(self, socket: int) -> list[bytes]:
        """UIDs that are there, in the order in which they came."""
        return [entry[_UID] for entry in self._tags[socket] if entry[_SINCE] is None]

    def trouble(self, socket: int) -> int:
        """0, SOCKET_SEVERAL or SOCKET_MUTE."""
        return self._trouble[socket]

    def begin_sweep(self) -> None:
        """Called before each sweep; after it `restless` says whether some tag is neither safely there nor gone."""
        self.restless = False

    def polled(self, socket: int, result: int, seen: list[bytes], version: int) -> None:
        """Takes one poll of one socket: its result, the UIDs seen, the chip's version byte."""
        if result == MUTE:
            self._count_mute(socket, version)
            return
        self._mute[socket] = 0
        if self._trouble[socket] == SOCKET_MUTE:
            self._trouble[socket] = 0
            self._report("READER_BACK", {"socket": socket, "version": version})
        for uid in seen:
            self._saw(socket, uid)
        if result == CLEAR:
            self._missed(socket, seen)
        self._count_unreadable(socket, result, len(seen))

    def _saw(self, socket, uid):
        now = time.ticks_ms()
        for entry in self._tags[socket]:
            if entry[_UID] == uid:
                entry[_MISSES] = 0
                if entry[_SINCE] is not None:
                    if time.ticks_diff(now, entry[_SINCE]) >= CONFIRM_MS:
                        self._leave_elsewhere(socket, uid)
                        entry[_SINCE] = None
                        self._report("TAG_APPEARED", {"socket": socket, "uid": uid})
                    else:
                        self.restless = True
                return
        self._tags[socket].append([uid, 0, now])
        self.restless = True

    def _leave_elsewhere(self, socket, uid):
        for other, entries in enumerate(self._tags):
            if other == socket:
                continue
            for entry in entries:
                if entry[_UID] == uid and entry[_SINCE] is None and entry[_MISSES] > 0:
                    entries.remove(entry)
                    self._report("TAG_GONE", {"socket": other, "uid": uid})
                    break

    def _missed(self, socket, seen):
        entries = self._tags[socket]
        for entry in list(entries):
            if entry[_UID] in seen:
                continue
            entry[_MISSES] += 1
            if entry[_MISSES] < GONE_AFTER:
                self.restless = True
                continue
            entries.remove(entry)
            if entry[_SINCE] is None:
                self._report("TAG_GONE", {"socket": socket, "uid": entry[_UID]})

    def _count_unreadable(self, socket, result, readable):
        if result == UNREADABLE:
            if self._unreadable[socket] < SEVERAL_AFTER:
                self._unreadable[socket] += 1
                self.restless = True
                if self._unreadable[socket] == SEVERAL_AFTER and not self._trouble[socket]:
                    self._trouble[socket] = SOCKET_SEVERAL
                    self._report("SEVERAL_UNREADABLE", {"socket": socket, "readable": readable})
        elif self._unreadable[socket]:
            self._unreadable[socket] -= 1
            if self._unreadable[socket] == 0 and self._trouble[socket] == SOCKET_SEVERAL:
                self._trouble[socket] = 0
                self._report("SEVERAL_RESOLVED", {"socket": socket})

    def _count_mute(self, socket, version):
        if self._mute[socket] < MUTE_AFTER:
            self._mute[socket] += 1
            if self._mute[socket] == MUTE_AFTER:
                self._unreadable[socket] = 0
                self._trouble[socket] = SOCKET_MUTE
                self._report("READER_MUTE", {"socket": socket, "version": version})
