"""Random games of Taxi Over (see random_games.py)."""

from __future__ import annotations

from shared_rules import library
from shared_rules.games.taxi_over.meta import ALL_TOKENS

WILD = {
    "dice_faces": [[1, 1, 2, 2, 3, 3], [1, 2, 3, 4, 5, 6], [1, 1, 1, 1, 1, 1], [1, 1, 2, 2, 4, 20]],
    "target_tokens": [{"2": 3, "3": 4, "4": 5}, {"4": 9}, {"2": 1}, {"2": 12, "3": 12, "4": 12}],
}
MOST_ROUNDS = 5000
SEEN = {"moved", "pushed", "fell", "collected", "refilled", "speeding_violation", "taxi_advanced", "all_to_start",
        "corrected", "resigned", "driver_boarded", "boarding_declined", "turn_skipped"}  # fmt: skip
ABOUT = (
    "2 to 4 seats on the board `carousel`, or on a figure of eight with a crossing; some begin with tokens in hand or "
    "taxis under way. O-065 to O-071"
)
EIGHT = {
    "id": "eight",
    "loop": ["a1", "a2", "x", "a3", "a4", "a5", "a6", "x", "b1", "b2"],
    "entry": "a1",
    "intersections": ["x", "b2"],
    "sinkholes": {"K": "a4"},
}


def position(stream, options):
    """Two to four seats; one game in three begins in its middle."""
    seats = 2 + stream.below(3)
    crossing = stream.below(3) == 0
    start = {
        "game": "taxi_over",
        "board": EIGHT if crossing else library.board_ids("taxi_over")[0],
        "options": options,
        "players": [{} for _ in range(seats)],
    }
    if stream.below(3) == 0 and not crossing:
        loop = library.board(start["board"])["loop"]
        start["taxis"] = {f"T{number}": {"at": loop[3 * number + stream.below(3)]} for number in range(1, seats + 1)}
        start["box"] = stream.below(5)
    return start


def may_resign(state):
    """At any time."""
    return True


def correction(state, stream):
    """Tokens between the box and the supply, or a taxi sent back to START."""
    loose = ALL_TOKENS - sum(state.tokens[seat] for seat in range(1, state.seats + 1))
    if stream.below(2) and loose > 0:
        return {"do": "correct", "seat": 0, "set": {"box": stream.below(loose + 1)}, "why": "miscounted"}
    taxi = f"T{1 + stream.below(state.taxis)}"
    return {"do": "correct", "seat": 0, "set": {"taxis": {taxi: {"at": "START"}}}, "why": "it fell off the table"}


def more(state, stream):
    """Bots think of everything here."""


def wrong(state, stream):
    """What no rule allows."""
    seat = stream.below(state.seats + 1)
    others = [other for other in range(1, state.seats + 1) if other != state.turn]
    return stream.choice(
        [
            {"do": "roll", "seat": seat, "face": 21},
            {"do": "roll", "seat": state.turn, "face": 0},
            {"do": "roll", "seat": stream.choice(others), "face": 1},
            {"do": "roll", "seat": state.turn, "die": "d6", "face": 1},
            {"do": "stop", "seat": stream.choice(others)},
            {"do": "board_taxi", "seat": seat, "taxi": "T9"},
            {"do": "decline", "seat": stream.choice(others)},
            {"do": "resign", "seat": 0},
            {"do": "resign", "seat": state.seats + 1},
            {"do": "hoot", "seat": seat},
            {"do": "correct", "seat": 0, "set": {"box": -1}, "why": "x"},
            {"do": "correct", "seat": 0, "set": {"box": 1}, "why": ""},
            {"do": "correct", "seat": 0, "set": {"target": 1}, "why": "x"},
        ]
    )


def check(state, event):
    """O-065, O-037: all tokens are somewhere, and no two taxis share a space."""
    assert sum(state.tokens) == ALL_TOKENS, "O-065"
