"""The simulation yardsticks of the rules (part D): everybody plays OP-08 on the reference board."""

import pytest
from taxi_over_tables import table

from shared_rules.engine import game
from shared_rules.portable.random_stream import RandomStream

# By number of players, the mean of a game: turns (skipped ones too), violations, falls, all home, stalemates.
EXPECTED = {2: (22.4, 3.0, 2.2, 0.79, 0.0), 3: (39.4, 5.2, 7.1, 0.40, 0.0), 4: (48.1, 6.5, 13.2, 0.12, 0.004)}
WATCHED = ("speeding_violation", "fell", "all_to_start")


def op_08(state):
    """The command of plain OP-08."""
    seat, dice = state.turn, state.dice
    if state.phase == "board":
        return {"do": "board_taxi", "seat": seat, "taxi": f"T{state.boardable(seat)[0]}"}
    rolls = not dice or (len(dice) == 1 and dice[0] <= 2) or dice == [1, 1]
    return {"do": "roll" if rolls else "stop", "seat": seat}


def means(players, games):
    """(turns, violations, falls, all home, stalemates) a game."""
    stream = RandomStream(players)
    sums = dict.fromkeys((*WATCHED, "turn_started", "turn_skipped", "stalemate"), 0)
    for _ in range(games):
        state = table(players, board="carousel")
        sums["turn_started"] += 1
        while state.phase != "over":
            command = op_08(state)
            if command["do"] == "roll":
                command["face"] = stream.choice((1, 1, 2, 2, 3, 3))
            for event in game.play(state, command):
                if event["event"] in sums:
                    sums[event["event"]] += 1
        sums["stalemate"] += state.result["reason"] == "stalemate"
    turns = sums["turn_started"] + sums["turn_skipped"]
    return tuple(total / games for total in (turns, *(sums[name] for name in WATCHED), sums["stalemate"]))


def compare(players, games, turns, others):
    found = means(players, games)
    expected = EXPECTED[players]
    assert found[0] == pytest.approx(expected[0], abs=turns)
    assert found[1] == pytest.approx(expected[1], rel=others)
    assert found[2] == pytest.approx(expected[2], rel=others)
    assert found[3] == pytest.approx(expected[3], rel=2 * others, abs=0.02)
    assert found[4] == pytest.approx(expected[4], abs=0.004)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_few_hundred_games_are_near_the_yardsticks(players):
    compare(players, 400, 2.5, 0.12)


@pytest.mark.long
@pytest.mark.parametrize("players", [2, 3, 4])
def test_four_thousand_games_are_at_the_yardsticks(players):
    compare(players, 4000, 1.0, 0.05)
