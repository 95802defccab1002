"""How well each socket's reader does, counted since the start, for the devices page: one byte or two a figure.

Counters stop at their highest value instead of beginning anew.
"""

from array import array

from firmware.drivers.reader import MUTE, UNREADABLE

_MOST_BYTE = 0xFF
_MOST_WORD = 0xFFFF


class SocketHealth:
    """Kept by the reader bank for `sockets` sockets.

    `kinds` holds READER_... of each socket, `versions` what its chip says of itself, `polls` how often it was asked,
    `corrupt` how often something answered that could not be understood, `restarts` how often it had to be set up anew
    because it did not behave.
    """

    def __init__(self, sockets: int) -> None:
        self.kinds = bytearray(sockets)
        self.versions = bytearray(sockets)
        self.polls = array("H", bytes(2 * sockets))
        self.corrupt = array("H", bytes(2 * sockets))
        self.restarts = bytearray(sockets)

    def polled(self, socket: int, result: int) -> None:
        """Counts one poll."""
        if result == MUTE:
            return
        if self.polls[socket] < _MOST_WORD:
            self.polls[socket] += 1
        if result == UNREADABLE and self.corrupt[socket] < _MOST_WORD:
            self.corrupt[socket] += 1

    def found(self, socket: int, kind: int, version: int) -> None:
        """Notes which reader is in a socket."""
        self.kinds[socket] = kind
        self.versions[socket] = version

    def restarted(self, socket: int) -> None:
        """Counts a set-up of a reader that had not behaved."""
        if self.restarts[socket] < _MOST_BYTE:
            self.restarts[socket] += 1

    def fields(self, socket: int, state: int, crosstalk: int) -> dict[str, int]:
        """What SOCKET_HEALTH says of a socket; `state` and `crosstalk` are what its `TagPresence` knows."""
        return {
            "socket": socket,
            "reader": self.kinds[socket],
            "version": self.versions[socket],
            "state": state,
            "polls": self.polls[socket],
            "corrupt": self.corrupt[socket],
            "restarts": self.restarts[socket],
            "crosstalk": crosstalk,
        }
