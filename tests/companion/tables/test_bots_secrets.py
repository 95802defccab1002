"""What a strong bot tells everybody about its move while the game goes on hangs on nothing that its seat alone knows.

A score that changes with a hidden hand tells of that hand, however innocent the command is.
"""

import random
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "shared_rules"))

from test_hidden_information import HIDES, positions

from companion import titles
from companion.tables.bots import SHOWN
from shared_rules import games
from shared_rules.engine import game


def told(position, seat, title):
    """The ranking that pages show, None where they show none."""
    state = game.load_position(position)
    ranked = title.rules.bots()["strong"](random.Random(1)).ranked(state, seat)[:SHOWN]
    if not ranked or ranked[0]["command"]["do"] in title.table.SECRET:
        return None
    return [one for one in ranked if one["command"]["do"] not in title.table.SECRET]


@pytest.mark.parametrize("name", [name for name in games.names() if HIDES[name] is not None])
def test_reasons_hang_on_nothing_that_others_cannot_know(name):
    title = titles.find(name)
    chance = random.Random(7)
    changes = compared = 0
    for where, position in positions(name, 3):
        for seat in position["waiting_for"]:
            changed = HIDES[name](position, "spectator", chance) if seat else position
            if changed == position:
                continue
            changes += 1
            one, other = told(position, seat, title), told(changed, seat, title)
            if one and other and one[0]["command"] == other[0]["command"]:
                assert one == other, f"{where}, seat {seat}, {position['phase']}"
                compared += 1
    assert changes > 20
    assert compared > 0
