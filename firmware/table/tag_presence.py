"""What stands on each socket, made steady out of single polls, for the reader bank and the snapshot.

A tag is *there* after two good reads at least `CONFIRM_MS` apart, so a taxi that slides over a socket is not placed on
it; it is *gone* after `GONE_AFTER` clean polls in a row without it. A poll that was corrupt or a mute reader proves
nothing and counts for neither. A tag is there on one socket at most: when it is confirmed on a second one and has not
been read on the first since then, it has moved, gone first, then there.

When both go on reading it, one field reaches into the other: that is told once, and the tag stays where it is. Only a
socket that has read it `BEST_AFTER` times without a miss while the other missed it takes it over, so it ends where it
is read best and does not wander to and fro.
"""

import time

from firmware.drivers.reader import CLEAR, MUTE, UNREADABLE
from shared_rules.wire.messages import SOCKET_MUTE, SOCKET_SEVERAL

CONFIRM_MS = 300
GONE_AFTER = 3
SEVERAL_AFTER = 3  # polls in a row that could not be told apart
MUTE_AFTER = 2
CROSSTALK_AFTER = 3  # reads on a second socket while the first one reads it, too
BEST_AFTER = 16
BETTER_BY = 3  # misses of the first socket meanwhile
UNSURE_READS = 4  # reads on a second socket while nothing clean is heard of the first

# What is kept of a tag on a socket
_SOCKET = 0
_UID = 1
_MISSES = 2  # clean polls without it since the last read
_SINCE = 3  # ticks of the first read while unconfirmed, None once there
_LAST = 4  # ticks of the last read
_LOST = 5  # clean polls without it in all
_STREAK = 6  # reads since the last miss while unconfirmed
_READS = 7  # reads while it is there on another socket that reads it, too
_MARK = 8  # before: how often it was due; then: _LOST of that other one when the streak began


class TagPresence:
    """`report(name, fields)` is called with each event of `shared_rules.wire.messages` the moment it becomes true.

    `crosstalk` counts for each socket how often it was found reading a tag of another one, up to 255.
    """

    def __init__(self, sockets: int, report) -> None:
        self._report = report
        self._tags: list[list] = []  # of all sockets, in the order in which they came
        self._trouble = bytearray(sockets)
        self._unreadable = bytearray(sockets)
        self._mute = bytearray(sockets)
        self._told = bytearray(sockets)  # of which socket (from 1) it was told that this one reads a tag
        self.crosstalk = bytearray(sockets)
        self.restless = False

    def tags(self, socket: int) -> list[bytes]:
        """UIDs that are there, in the order in which they came."""
        return [entry[_UID] for entry in self._tags if entry[_SOCKET] == socket and entry[_SINCE] is None]

    def trouble(self, socket: int) -> int:
        """0, SOCKET_SEVERAL or SOCKET_MUTE."""
        return self._trouble[socket]

    def doubts(self, socket: int) -> bool:
        """Whether one more clean poll without a tag would be taken for its removal."""
        for entry in self._tags:
            if entry[_SOCKET] == socket and entry[_SINCE] is None and entry[_MISSES] == GONE_AFTER - 1:
                return True
        return False

    def due(self) -> int:
        """A socket that should be asked at once, or -1: where a tag can be confirmed, and before that where it was."""
        now = time.ticks_ms()
        for entry in self._tags:
            if entry[_SINCE] is None or entry[_MISSES] or entry[_READS] or entry[_MARK] == 2:
                continue
            if time.ticks_diff(now, entry[_SINCE]) >= CONFIRM_MS:
                entry[_MARK] += 1
                rival = self._where(entry[_UID])
                if entry[_MARK] == 1 and rival is not None and time.ticks_diff(rival[_LAST], entry[_SINCE]) < 0:
                    return rival[_SOCKET]
                entry[_MARK] = 2
                return entry[_SOCKET]
        return -1

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
        for entry in self._tags:
            if entry[_UID] == uid and entry[_SOCKET] == socket:
                entry[_MISSES] = 0
                if entry[_SINCE] is not None:
                    entry[_STREAK] += 1
                    if time.ticks_diff(now, entry[_SINCE]) < CONFIRM_MS:
                        self.restless = True
                    else:
                        self._confirm(entry)
                entry[_LAST] = now
                return
        self._tags.append([socket, uid, 0, now, now, 0, 1, 0, 0])
        self.restless = True

    def _confirm(self, entry):
        rival = self._where(entry[_UID])
        if rival is not None:
            if time.ticks_diff(rival[_LAST], entry[_SINCE]) >= 0:
                if not self._is_better(entry, rival):
                    return
            elif rival[_MISSES] == 0 and entry[_STREAK] < UNSURE_READS:
                self.restless = True
                return
            self._leave(rival)
        entry[_SINCE] = None
        self._report("TAG_APPEARED", {"socket": entry[_SOCKET], "uid": entry[_UID]})

    def _is_better(self, entry, rival):
        """Two sockets read one tag: tells of it, and whether the second one reads it so much better that it gets it."""
        if entry[_READS] == 0 or entry[_STREAK] == 1:
            entry[_MARK] = rival[_LOST]
        entry[_READS] += 1
        socket = entry[_SOCKET]
        other = rival[_SOCKET]
        if entry[_READS] == CROSSTALK_AFTER and self._told[socket] != other + 1:
            self._told[socket] = other + 1
            if self.crosstalk[socket] < 0xFF:
                self.crosstalk[socket] += 1
            self._report("CROSSTALK", {"socket": other, "other": socket})
        return entry[_STREAK] >= BEST_AFTER and rival[_LOST] - entry[_MARK] >= BETTER_BY

    def _where(self, uid):
        """What is kept of a tag on the socket where it is there, or None."""
        for entry in self._tags:
            if entry[_SINCE] is None and entry[_UID] == uid:
                return entry
        return None

    def _leave(self, entry):
        self._tags.remove(entry)
        if entry[_SINCE] is None:
            socket = entry[_SOCKET]
            self._report("TAG_GONE", {"socket": socket, "uid": entry[_UID]})
            for i, told in enumerate(self._told):
                if told == socket + 1:
                    self._told[i] = 0

    def _missed(self, socket, seen):
        for entry in self._tags[:]:
            if entry[_SOCKET] != socket or entry[_UID] in seen:
                continue
            entry[_MISSES] += 1
            entry[_LOST] += 1
            entry[_STREAK] = 0
            if entry[_MISSES] >= GONE_AFTER:
                self._leave(entry)
            elif entry[_READS] == 0:
                self.restless = True

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
