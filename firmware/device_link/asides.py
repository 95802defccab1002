"""What a session has to say to connections that have no session: challenges, refusals, BUSY."""

MOST = 8  # the oldest gives way
TRIES = 20


class Asides:
    """`link` has `notify`. `waiting` are [connection, packet, tries left]."""

    def __init__(self, link):
        self._link = link
        self.waiting = []

    def add(self, conn, packet):
        """Says it as soon as the link takes it."""
        if len(self.waiting) >= MOST:
            self.waiting.pop(0)
        self.waiting.append([conn, packet, TRIES])

    def forget(self, conn):
        """That connection is gone, or has a session now."""
        self.waiting = [entry for entry in self.waiting if entry[0] != conn]

    def send(self):
        """Tries the next one; what `notify` answered. One that fails lets the others go first, and is given up in the
        end.
        """
        entry = self.waiting[0]
        done = self._link.notify(entry[0], entry[1])
        entry[2] -= 1
        if done or done is None or not entry[2]:
            self.waiting.pop(0)
        elif len(self.waiting) > 1:
            self.waiting.append(self.waiting.pop(0))
        return done
