"""The first golden games, with their events: what was stored under a rules revision gives the same game today.

These six files stay as they are; newer ones lie in a folder for each title (test_golden_titles).
"""

import hashlib
import json
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
