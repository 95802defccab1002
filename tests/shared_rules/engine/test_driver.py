"""Whole games without people: reproducible from a seed, on both Pythons."""

import json
import subprocess

import pytest
from taxi_tables import ROOT, need_micropython, position, table

from shared_rules import games, library
from shared_rules.engine import game
from shared_rules.engine.driver import SeededChance, StuckError, TooLongError, play_out
from shared_rules.games.taxi.bots import Greedy, RandomLawful
from shared_rules.portable.random_stream import RandomStream

# One trip is enough.
BEGINNINGS = {"taxi": {"guide": ["base"]}}

GAME = """
import sys
sys.path.insert(0, {root!r})
from shared_rules.engine import game
from shared_rules.engine.driver import SeededChance, play_out
from shared_rules.games.taxi.bots import Greedy, RandomLawful
from shared_rules.portable.json_text import parse
from shared_rules.portable.random_stream import RandomStream
stream = RandomStream(5)
state = game.load_position(parse({position!r}))
bots = [None, Greedy(stream.random), RandomLawful(stream.random), RandomLawful(stream.random)]
play_out(state, bots, SeededChance(stream))
print(game.state_hash(state))
"""


def played(seed, bots=(Greedy, RandomLawful, RandomLawful), start=None):
    stream = RandomStream(seed)
    state = game.load_position(start or position(3))
    commands = []
    result = play_out(
        state, [None, *[bot(stream.random) for bot in bots]], SeededChance(stream), lambda s, c,
        e: commands.append((c, len(e)))
    )
    return state, commands, result


def test_the_same_seed_gives_the_same_game_and_another_seed_another():
    first, commands, result = played(5)
    again, same, _ = played(5)
    assert commands == same
    assert game.state_hash(first) == game.state_hash(again)
    assert result["reason"] in ("trips_done", "last_player")
    assert played(6)[1] != commands


def test_the_same_game_on_micropython(tmp_path):
    script = tmp_path / "game.py"
    script.write_text(GAME.format(root=str(ROOT), position=json.dumps(position(3)).encode()))
    done = subprocess.run([need_micropython(), script], capture_output=True, text=True, timeout=120)
    assert done.stdout.strip() == game.state_hash(played(5)[0]), done.stderr


def test_commands_of_a_game_are_complete_and_replay_it():
    state, commands, _ = played(9)
    again = table(3)
    for command, _ in commands:
        game.play(again, command)
    assert game.state_hash(again) == game.state_hash(state)


@pytest.mark.parametrize("name", games.names())
def test_the_driver_plays_every_title_from_a_new_game(name):
    least, most = games.meta(name).PLAYERS
    for seats in (least, most):
        stream = RandomStream(seats)
        state = game.load_position(
            {"game": name, "board": library.board_ids(name)[0], "players": [BEGINNINGS.get(name, {})] * seats}
        )
        made = state.title.bots()
        bots = [None, *[made[("random", "greedy")[seat % 2]](stream.random) for seat in range(seats)]]
        asked = []

        def chance(state, request, answer=SeededChance(stream), asked=asked):
            asked.append((request["kind"], request["field"], sorted(request)))
            return answer(state, request)

        seen = []
        result = play_out(state, bots, chance, lambda s, c, e, seen=seen: seen.append(c), max_rounds=200)
        assert result["reason"] in games.meta(name).REASONS
        assert game.check_invariants(state) == []
        assert {kind for kind, _, _ in asked} <= {"die", "dice", "card"}
        if name == "destination_london":
            assert {"do": "deal", "seat": 0, "card": seen[0]["card"]} == seen[0], "the operator deals by itself"
            assert ("dice", "faces", ["count", "die", "field", "kind", "seat"]) in asked


def test_a_game_that_does_not_end_and_one_that_stands_still_are_reported():
    class Waiter:
        def choose(self, state, seat):
            return None

    class Stayer(RandomLawful):
        def _move(self, s, seat, template):
            return {"do": "move", "seat": seat, "to": s.at[seat]}

    with pytest.raises(StuckError, match="card_choice"):
        play_out(table(2), [None, Waiter(), Waiter()], SeededChance(RandomStream(1)))
    stream = RandomStream(1)
    stayers = [None, Stayer(stream.random), Stayer(stream.random)]
    state = table({"guide": ["D1"], "at": "N"}, {"guide": ["D1"], "at": "N"})
    try:
        play_out(state, stayers, SeededChance(stream), max_rounds=3)
        ended = True
    except TooLongError as error:
        ended = "round 4" not in str(error)
    assert not ended or game.dump_position(state)["result"]


def test_greedy_drives_for_its_bonus():
    wins = 0
    for seed in range(8):
        _, _, result = played(seed, (Greedy, RandomLawful), position(2, board="fumbling") | {"players": [{}, {}]})
        wins += result["winners"] == [1]
    assert wins >= 6
