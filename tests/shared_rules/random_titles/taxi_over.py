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
    "2 to 4 seats on the board `carousel`, a ring of 5 to 24 spaces, a figure of eight, or a ring with two lobes; half "
    "begin with tokens in hand and taxis under way. O-065 to O-071"
)


def random_board(stream):
    """A ring of 5 to 24 spaces, or a road with one or two crossings; at least one intersection, maybe no sinkhole."""
    kind = stream.below(4)
    if kind == 0:
        size = 8 + stream.below(8)
        loop = [f"p{i}" for i in range(size)]
        first = stream.below(3)
        between = 3 + stream.below(size - 6)
        loop.insert(first, "X")
        loop.insert(first + 1 + between, "X")
    elif kind == 1:
        # Two lobes on a ring.
        loop = ["X", "a1", "a2", "a3", "X", "b1", "Y", "c1", "c2", "c3", "Y", "b2", "b3", "b4"]
    else:
        loop = [f"p{i}" for i in range(5 + stream.below(20))]
    names = sorted(set(loop))
    plain = [name for name in names if loop.count(name) == 1]
    marks = sorted({stream.choice(names) for _ in range(1 + stream.below(3))})
    bends = sorted({stream.choice(plain) for _ in range(stream.below(4))})
    return {
        "id": "random",
        "loop": loop,
        "entry": stream.choice(plain),
        "intersections": marks,
        "sinkholes": {f"K{i}": bend for i, bend in enumerate(bends)},
    }


def position(stream, options):
    """Two to four seats on the shipped board or a random road; half of the games begin in their middle."""
    board = library.board_ids("taxi_over")[0] if stream.below(3) == 0 else random_board(stream)
    seats = 2 + stream.below(3)
    start = {"game": "taxi_over", "board": board, "options": options, "players": [{} for _ in range(seats)]}
    if stream.below(2):
        return start
    road = library.board(board) if isinstance(board, str) else board
    spaces = [name for name in road["loop"] if road["loop"].count(name) == 1]
    start["players"] = [
        {"held": stream.below(3)} | ({"driver": None} if stream.below(3) == 0 else {}) for _ in range(seats)
    ]
    start["taxis"] = {}
    for number in range(1, seats + 1):
        if stream.below(2):
            place = spaces.pop(stream.below(len(spaces)))
            fresh = place not in road["intersections"] and stream.below(2) == 0
            start["taxis"][f"T{number}"] = {"at": place, "fresh": fresh}
    start["box"] = stream.below(4)
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


def before(state):
    """What `after` compares with: the tokens of the seats, and whose turn it is."""
    return list(state.tokens[1 : state.seats + 1]), state.turn, state.taxis


def after(state, was, command, happened):
    """Held tokens never get fewer; by default only the active player's grow; the box is filled while it can be."""
    held, turn, taxis = was
    assert state.taxis == taxis == len(state.at) - 1
    if command["do"] in ("resign", "correct"):
        return
    now = state.tokens[1 : state.seats + 1]
    assert all(later >= earlier for earlier, later in zip(held, now, strict=True)), (held, now)
    if state.options["pushed_driver_collects"] == "no":
        grown = [seat for seat in range(1, state.seats + 1) if now[seat - 1] > held[seat - 1]]
        assert grown in ([], [turn]), (grown, turn)
    if "collected" in happened and state.phase != "over":
        assert state.tokens[-1] >= 1 or state.tokens[0] == 0, "O-070"
    assert not {"speeding_violation", "collected"} <= set(happened), "OQ-27"
