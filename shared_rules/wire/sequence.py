"""Event numbers of 16 bits that never end, for both ends: which packet is next, a repeat, after a gap, or nonsense.

Numbers count from 1 in each boot of a table and wrap from 65535 to 0. Two numbers are compared by the shorter way
round, and since a table keeps at most `WINDOW` events, nothing farther away than that can have come from it.
"""

WINDOW = 512  # the most events that a table may keep unacknowledged

NEXT = "next"
REPEAT = "repeat"
GAP = "gap"
REFUSED = "refused"


def distance(later: int, earlier: int) -> int:
    """How many steps `later` is after `earlier`, from -32768 to 32767."""
    d = (later - earlier) & 0xFFFF
    return d - 0x10000 if d >= 0x8000 else d


class EventReceiver:
    """The companion's side of one boot of one table: what has been received without a hole.

    `last` is the number of the newest event in unbroken order as a whole number that does not wrap, so that
    (device, boot_id, last) names an event for ever. Store it; give it back with the boot id to go on.
    """

    def __init__(self, boot_id: int, last: int = 0) -> None:
        self.boot_id = boot_id
        self.last = last

    def judge(self, seq: int) -> str:
        """What an arriving event number means.

        `NEXT`: take it, then call `advance`. `REPEAT`: drop it and acknowledge again. `GAP`: drop it and ask for a
        REPLAY. `REFUSED`: no number that this table can have sent, so count it and drop it.
        """
        d = distance(seq, self.last & 0xFFFF)
        if d == 1:
            return NEXT
        if -WINDOW < d <= 0:
            return REPEAT
        if 1 < d <= WINDOW:
            return GAP
        return REFUSED

    def advance(self) -> int:
        """Takes the next event; its whole number."""
        self.last += 1
        return self.last

    def skip(self, first: int, lost: int) -> bool:
        """A GAP message: `lost` events from `first` on are gone for good. True when that moved `last`."""
        d = distance(first, self.last & 0xFFFF)
        if d + lost <= 1 or not -WINDOW < d <= 1:
            return False  # all of them are known already, or the gap does not join on to what is known
        self.last += d + lost - 1
        return True

    def behind(self, newest: int) -> int:
        """How many events are missing when the table's newest is `newest`; 0 for none or for an impossible number."""
        d = distance(newest, self.last & 0xFFFF)
        return d if 0 < d <= WINDOW else 0
