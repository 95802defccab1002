"""Where taxis' tags lie, for `TableEyes`: one socket a tag, kept by facts and put right by snapshots. Memory only:
the table can always be asked. What a controller that is away would say is not known; what it said last is kept, and
marked."""

from __future__ import annotations

from collections.abc import Mapping

from companion.devices.device_state import SOCKETS_EACH
from companion.devices.facts import TableSnapshot


class Presence:
    """uid → socket of every tag that lies on one, and the sockets that cannot be read for sure."""

    def __init__(self) -> None:
        self.tags: dict[str, int] = {}
        self.troubles: dict[int, str] = {}
        self._seen: set[str] = set()
        self._looked_at: set[int] = set()
        """First sockets of controllers that have said how they lie."""
        self.known = False
        """Whether the table has been seen at all since the companion started."""
        self.away: set[int] = set()
        """Numbers of controllers that are not there now."""

    def appeared(self, uid: str, socket: int) -> bool:
        """A tag came to a socket; False if it was there all along (a reader that looked again, an event after a
        restart)."""
        self.known = True
        self._looked_at.add(socket // SOCKETS_EACH * SOCKETS_EACH)
        self._seen.add(uid)
        was = self.tags.get(uid)
        self.tags[uid] = socket
        return was != socket

    def has_seen(self, uid: str) -> bool:
        """Whether this tag has ever been on the table since the companion started."""
        return uid in self._seen

    def gone(self, uid: str, socket: int) -> bool:
        """A tag left a socket; False if it has been seen elsewhere meanwhile."""
        self.known = True
        self._looked_at.add(socket // SOCKETS_EACH * SOCKETS_EACH)
        if self.tags.get(uid) != socket:
            return False
        del self.tags[uid]
        return True

    def replace(self, snapshot: TableSnapshot) -> set[str]:
        """A part of the table as it lies now; the uids that lie elsewhere than was known (none on the first look at
        it). What the snapshot does not speak for stays as it was."""
        if not snapshot.covers:
            return set()
        changed = set()
        if snapshot.covers.start in self._looked_at:
            changed = {uid for uid, socket in snapshot.tags.items() if self.tags.get(uid) != socket}
        self._looked_at.add(snapshot.covers.start)
        self.known = True
        self._seen |= set(snapshot.tags)
        rest = {uid: socket for uid, socket in self.tags.items() if socket not in snapshot.covers}
        self.tags = {**rest, **snapshot.tags}
        others = {socket: state for socket, state in self.troubles.items() if socket not in snapshot.covers}
        self.troubles = {**others, **snapshot.troubles}
        return changed

    def controllers(self, here: Mapping[int, bool]) -> None:
        """Which controllers there are (number → whether it is there now): what was known of sockets of any other is
        forgotten."""
        self.away = {number for number, there in here.items() if not there}
        self.tags = {uid: socket for uid, socket in self.tags.items() if socket // SOCKETS_EACH in here}
        self.troubles = {socket: state for socket, state in self.troubles.items() if socket // SOCKETS_EACH in here}
        self._looked_at = {first for first in self._looked_at if first // SOCKETS_EACH in here}

    def is_away(self, socket: int) -> bool:
        """Whether a socket's controller is not there now, so that nobody knows what lies on it."""
        return socket // SOCKETS_EACH in self.away

    def trouble(self, socket: int, state: str) -> None:
        """`several`, `mute`, or `ok` again."""
        if state == "ok":
            self.troubles.pop(socket, None)
        else:
            self.troubles[socket] = state
