"""Where taxis' tags lie, for `TableEyes`: one socket a tag, kept by facts and put right by snapshots. Memory only:
the table can always be asked."""

from __future__ import annotations

from companion.devices.facts import TableSnapshot


class Presence:
    """uid → socket of every tag that lies on one, and the sockets that cannot be read for sure."""

    def __init__(self) -> None:
        self.tags: dict[str, int] = {}
        self.troubles: dict[int, str] = {}
        self._seen: set[str] = set()
        self.known = False
        """Whether the table has been seen at all since the companion started."""

    def appeared(self, uid: str, socket: int) -> bool:
        """A tag came to a socket; False if it was there all along (a reader that looked again, an event after a
        restart)."""
        self.known = True
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
        if self.tags.get(uid) != socket:
            return False
        del self.tags[uid]
        return True

    def replace(self, snapshot: TableSnapshot) -> set[str]:
        """The table as it lies now; the uids that lie elsewhere than was known (none on the first look)."""
        changed = set()
        if self.known:
            changed = {uid for uid, socket in snapshot.tags.items() if self.tags.get(uid) != socket}
        self.known = True
        self._seen |= set(snapshot.tags)
        self.tags = dict(snapshot.tags)
        self.troubles = dict(snapshot.troubles)
        return changed

    def trouble(self, socket: int, state: str) -> None:
        """`several`, `mute`, or `ok` again."""
        if state == "ok":
            self.troubles.pop(socket, None)
        else:
            self.troubles[socket] = state
