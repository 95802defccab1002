"""The colours of seats on the lights of dice and board, in the order of `SEAT_COLOURS` in `shared_rules.wire.messages`.

A seat is told by its number of winks, too: its place in that order, from 1.
"""

from shared_rules.wire.messages import LOOK_SEAT, SEAT_COLOURS

# Red, green, blue; black is the faintest white
COLOURS = b"\x3c\x00\x00\x00\x00\x50\x00\x32\x00\x32\x28\x00\x05\x05\x05\x28\x28\x28\x28\x00\x32"


def is_seat(look: int) -> bool:
    """Whether this is the look of a seat, or 0 for nobody's."""
    return look == 0 or LOOK_SEAT <= look < LOOK_SEAT + len(SEAT_COLOURS)


def winks(look: int) -> int:
    """How often a seat winks in a row; 0 for nobody's look."""
    return look - LOOK_SEAT + 1 if look else 0


def colour(look: int) -> tuple[int, int, int]:
    """Red, green and blue of a seat's look."""
    at = 3 * (look - LOOK_SEAT)
    return COLOURS[at], COLOURS[at + 1], COLOURS[at + 2]
