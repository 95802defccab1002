"""Seats round the table: 1…n in order of play, the next seat is the one to the left, after n comes 1."""

MYPY = False
if MYPY:  # only type checkers come here
    from collections.abc import Sequence
    from typing import Any


def following(seat: int, seats: int) -> int:
    """The place after a place, whoever sits there."""
    return seat % seats + 1


def from_left_of(seat: int, playing: "Sequence[Any]") -> list[int]:
    """The seats that play, in order from the left of `seat` round the table, without `seat` itself.

    `playing` has one entry a seat from index 1: whether the seat plays.
    """
    seats = len(playing) - 1
    out = []
    other = seat % seats + 1
    while other != seat:
        if playing[other]:
            out.append(other)
        other = other % seats + 1
    return out


def first_from(seat: int, playing: "Sequence[Any]") -> int:
    """`seat` if it plays, else the next that plays; 0 if nobody does."""
    seats = len(playing) - 1
    for _ in range(seats):
        if playing[seat]:
            return seat
        seat = seat % seats + 1
    return 0
