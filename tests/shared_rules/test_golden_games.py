"""Golden games stay for ever: what was stored under a rules revision gives the same game today.

`python tests/shared_rules/test_golden_games.py NAME SEED` writes another one; a file that is there is never written
again. If a change of the rules makes the commands of a golden game give other events, raise RULES_REVISION: its events
still have to give the same position.
"""

import hashlib
import json
import sys
from pathlib import Path

import pytest

from shared_rules.engine import RULES_REVISION, game
from shared_rules.portable.json_text import canonical, dumps

FOLDER = Path(__file__).parent / "golden_games"
GAMES = sorted(FOLDER.glob("*.json"))


def digest(events):
    """One figure for all events, in canonical order."""
    return hashlib.sha256(dumps(canonical(events)).encode()).hexdigest()


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)
def test_stored_events_give_the_same_game(path):
    golden = json.loads(path.read_text("utf-8"))
    state = game.load_position(golden["position"])
    for event in golden["events"]:
        game.evolve(state, event)
    assert game.state_hash(state) == golden["hash"]
    assert golden["rules_revision"] <= RULES_REVISION


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)
def test_the_same_commands_give_the_same_events_under_the_same_revision(path):
    golden = json.loads(path.read_text("utf-8"))
    if golden["rules_revision"] != RULES_REVISION:
        pytest.skip(f"made under rules revision {golden['rules_revision']}; its events are what counts")
    state = game.load_position(golden["position"])
    events = [event for command in golden["commands"] for event in game.play(state, command)]
    assert digest(events) == digest(golden["events"])
    assert game.state_hash(state) == golden["hash"]


def test_there_are_golden_games_and_they_see_much():
    names = {event["event"] for path in GAMES for event in json.loads(path.read_text("utf-8"))["events"]}
    assert len(GAMES) >= 3
    assert {"BonusPaid", "ExpensePaid", "BetSealed", "StakeLost", "BarrierPlaced", "GameEnded", "TaxiBought"} <= names


def record(name, seed):
    """Write a golden game: three trips on a small board, random house rules, the shipped decks' effects."""
    sys.path.insert(0, str(Path(__file__).parents[2]))
    from random_games import random_options
    from taxi_tables import position

    from shared_rules import library
    from shared_rules.engine.driver import play_out
    from shared_rules.games.taxi.bots import Greedy, RandomLawful
    from shared_rules.portable.random_stream import RandomStream

    stream = RandomStream(seed)
    guide = {"guide": ["D1", "D3", "base"], "barriers": 1}
    players = [guide | {"cash": 10 * stream.below(3000)} for _ in range(4)]
    start = position(*players, options=random_options(stream))
    state = game.load_position(start)
    commands, events = [], []

    def chance(state, request):
        if request["kind"] == "die":
            return stream.choice(state.title.faces(state, request["die"]))
        cards = library.deck("taxi", request["deck"])
        if request["deck"] == "journey" and stream.below(3) == 0:
            # Gambles and roadworks are what a short game sees least of.
            cards = [card for card in cards if card["do"][0][0] in ("gamble", "barrier")]
        card = stream.choice(cards)
        return {"title": card["id"], "fine": card["fine"], "do": card["do"]}

    def keep(state, command, more):
        commands.append(command)
        events.extend(more)

    bots = [RandomLawful(stream.random), Greedy(stream.random)]
    play_out(state, [bots[seat % 2] for seat in range(5)], chance, keep)
    golden = {"rules_revision": RULES_REVISION, "position": start, "hash": game.state_hash(state)}
    lines = [json.dumps(key) + ": " + json.dumps(value) for key, value in golden.items()]
    for key, entries in (("commands", commands), ("events", events)):
        lines.append(f'"{key}": [\n ' + ",\n ".join(json.dumps(entry) for entry in entries) + "\n]")
    path = FOLDER / f"{name}.json"
    with path.open("x", encoding="utf-8") as out:
        out.write("{\n" + ",\n".join(lines) + "\n}\n")


if __name__ == "__main__":
    record(sys.argv[1], int(sys.argv[2]))
