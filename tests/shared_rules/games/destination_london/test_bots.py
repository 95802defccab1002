"""The players that are no people: always lawful, blind to others' hands, and each stronger than the one before."""

import json
import math
import random

import pytest
from london_tables import (
    THAMES,
    Chance,
    do,
    far_board,
    game,
    new_stream,
    next_command,
    random_position,
    ring_with_many_cards,
    seen,
    table,
    title,
)

from shared_rules.engine.errors import PositionError
from shared_rules.portable.json_text import dumps

BOTS = title.bots()


def play_out(start, kinds, stream, most=4000):
    """A whole game; its state at the end."""
    state = game.load_position(start)
    bots = [None] + [BOTS[kind](stream.random) for kind in kinds]
    chance = Chance(stream)
    for _ in range(most):
        if state.phase == "over":
            break
        game.play(state, next_command(state, bots, chance))
    return state


def share_of_wins(one, other, games):
    """The share of games that `one` wins against `other`, two at a table, sides changed; a tie is half a game."""
    won = 0.0
    for seed in range(games):
        kinds = [one, other] if seed % 2 == 0 else [other, one]
        start = {"game": "destination_london", "board": THAMES, "players": [{}, {}]}
        state = play_out(start, kinds, random.Random(seed))
        assert state.result is not None
        winners = state.result["winners"]
        if kinds.index(one) + 1 in winners:
            won += 1 / len(winners)
    return won / games


def test_there_are_three():
    assert sorted(BOTS) == ["greedy", "random", "strong"]
    assert BOTS["strong"].UNIT == "pounds"


@pytest.mark.parametrize("kind", ["greedy", "strong"])
@pytest.mark.parametrize("seed", range(10))
def test_bots_play_lawfully_under_any_house_rules(kind, seed):
    """Two to six of them, from new tables and from the middle of games; whatever they choose is carried out."""
    stream = new_stream(3000 + seed)
    play_out(random_position(stream), [kind] * 6, stream, most=150)


@pytest.mark.parametrize("kinds", [["greedy", "random"], ["strong", "random"], ["strong", "greedy", "greedy"]])
def test_whole_games_come_to_an_end(kinds):
    start = {"game": "destination_london", "board": THAMES, "players": [{} for _ in kinds]}
    state = play_out(start, kinds, random.Random(1))
    assert state.result is not None
    assert state.result["reason"] in ("home", "knocked_home", "last_survivor")


def test_the_same_chance_gives_the_same_game():
    for kind in sorted(BOTS):
        games = []
        for _ in range(2):
            stream = random.Random(5)
            state = game.load_position({"game": "destination_london", "board": THAMES, "players": [{}, {}]})
            bots = [None] + [BOTS[kind](stream.random)] * 2
            chance = Chance(stream)
            commands = []
            for _ in range(60):
                commands.append(next_command(state, bots, chance))
                game.play(state, commands[-1])
            games.append(commands)
        assert games[0] == games[1]


@pytest.mark.parametrize(("one", "other", "games", "least"), [
    ("greedy", "random", 12, 0.9), ("strong", "greedy", 30, 0.6),
])  # fmt: skip
def test_each_is_stronger_than_the_one_before(one, other, games, least):
    assert share_of_wins(one, other, games) >= least


@pytest.mark.long
def test_how_much_stronger_the_strong_one_is():
    """At least 60 % against greedy, and the lower 95 % bound above 55 %."""
    games = 600
    share = share_of_wins("strong", "greedy", games)
    bound = share - 1.96 * math.sqrt(share * (1 - share) / games)
    assert share >= 0.6, share
    assert bound > 0.55, (share, bound)


@pytest.mark.parametrize("kind", ["greedy", "strong"])
@pytest.mark.parametrize("seed", range(12))
def test_a_bot_does_not_look_into_others_hands(kind, seed):
    stream = new_stream(4000 + seed)
    state = game.load_position(random_position(stream, stream.choice([THAMES, ring_with_many_cards()]), most_options=3))
    bots = [None] + [BOTS["random"](stream.random) for _ in range(state.seats)]
    chance = Chance(stream)
    for _ in range(40):
        if state.phase == "over":
            return
        for seat in title.waiting_for(state):
            if seat == 0:
                continue
            position = json.loads(dumps(game.dump_position(state)))
            places = [position["pile"]] + [p["hand"] for p in position["players"] if p["seat"] != seat]
            cards = [card for place in places for card in place]
            stream.shuffle(cards)
            for place in places:
                place[:] = [cards.pop() for _ in place]
            try:
                other = game.load_position(position)
            except PositionError:
                continue
            choices = [BOTS[kind](random.Random(9).random).choose(one, seat) for one in (state, other)]
            assert choices[0] == choices[1]
        game.play(state, next_command(state, bots, chance))


def ranking(state, seat):
    bot = BOTS["strong"](random.Random(1).random)
    found = bot.ranked(state, seat)
    assert [entry["score"] for entry in found] == sorted([entry["score"] for entry in found], reverse=True)
    for entry in found:
        assert set(entry) == {"command", "score", "because"}
        for key, value in entry["because"]:
            assert isinstance(key, str)
            assert isinstance(value, (int, float, str, list))
        command = dict(entry["command"])
        request = game.chance(state, command)
        if request is not None and request["kind"] == "dice":
            command["faces"] = [1] * request["count"]
        elif request is not None:
            command["card"] = game.cards_left(state, request["deck"], state.lights)[0]
        game.decide(state, command)
    assert found[0]["command"] == bot.choose(state, seat)
    return found


def best(state, seat):
    return ranking(state, seat)[0]


def test_the_strong_one_says_why():
    state = table({"hand": ["ALPHA", "ETA", "F1"], "at": "q2", "cash": 100}, {"at": "q7"})
    do(state, 1, "roll", faces=[3])
    top = best(state, 1)
    assert (top["command"]["to"], top["because"][0]) == ("q9", ["fare", 100])
    assert len(ranking(state, 1)) >= 3


def test_it_buys_a_turbo_taxi_early_and_none_late():
    state = table({"hand": ["ALPHA", "ETA", "BETA"]}, {})
    assert best(state, 1)["command"]["do"] == "buy_turbo"
    state = table({"hand": ["ALPHA"]}, {}, pile=[])
    assert best(state, 1)["command"]["do"] == "roll"


def test_it_fills_its_tank():
    state = table({"at": "q6", "fuel": 1, "cash": 100, "hand": ["ALPHA", "BETA", "ETA"]}, {})
    assert best(state, 1)["command"] == {"do": "buy_fuel", "seat": 1, "count": 4}


def test_it_keeps_quiet_with_its_last_fuel():
    state = table({"hand": ["ALPHA", "ETA", "F1"], "at": "q2", "fuel": 1, "cash": 40}, {"fuel": 1})
    do(state, 1, "roll", faces=[1])
    do(state, 1, "move", to="q3")
    assert best(state, 1)["command"]["do"] == "keep_quiet"


def test_it_claims_what_it_can_afford():
    for fuel, wanted in ((3, "claim"), (1, "pass")):
        state = table({"at": "q4"}, {"hand": ["BETA", "DELTA", "ETA"], "fuel": fuel})
        do(state, 1, "roll", faces=[1])
        do(state, 1, "move", to="q5")
        do(state, 1, "keep_quiet")
        top = best(state, 2)
        assert top["command"]["do"] == wanted
        if wanted == "claim":
            assert top["command"]["cards"] == ["BETA", "DELTA"]
            assert ["sends_back", "Red"] in top["because"]


def test_it_throws_the_dice_that_bring_it_home():
    state = table({"hand": [], "at": "q0", "turbo": True}, {"hand": ["F1"], "at": "q5"}, pile=[])
    assert best(state, 1)["command"] == {"do": "roll", "seat": 1, "dice": 1} or best(state, 1)["because"] == [
        ["comes_home", [6, 36]]
    ]
    do(state, 1, "roll", faces=[1])
    assert best(state, 1)["command"]["to"] == "B"


def test_it_avoids_bringing_a_rival_home():
    players = ({"hand": ["F1"], "at": "q3", "cash": 300}, {"hand": [], "at": "q1", "cash": 400})
    state = table(*players, pile=[])
    do(state, 1, "roll", faces=[2])
    assert best(state, 1)["command"]["to"] != "q1"
    assert ranking(state, 1)[-1]["command"]["to"] == "q1"


def test_it_takes_and_repays_loans_and_sells_to_no_only_rival():
    state = table({"cash": 10}, {}, {}, debts=[{"seat": 1, "amount": 60, "to": 0, "why": "fine"}])
    assert best(state, 1)["command"]["do"] == "take_loan"
    state = table({"cash": 400, "loan": True}, {})
    assert best(state, 1)["command"]["do"] == "repay_loan"
    state = table({"fuel": 0, "at": "q2"}, {"fuel": 5})
    assert best(state, 1)["command"]["do"] == "ask_fuel"
    do(state, 1, "ask_fuel", of=2)
    assert best(state, 2)["command"]["do"] == "refuse"
    do(state, 2, "refuse")
    assert best(state, 1)["command"]["do"] == "wait"


def test_it_knocks_back_and_takes_its_extra_turn():
    state = table({"at": "q3"}, {"at": "q4"}, lights={"pile": 0, "returned": 0})
    do(state, 1, "roll", faces=[1])
    do(state, 1, "move", to="q4")
    assert best(state, 1)["command"] == {"do": "knock", "seat": 1, "whom": 2}
    state = table({"at": "q2"}, {}, dice=[6], extra_turn=True)
    assert best(state, 1)["command"]["do"] in ("roll", "take_extra_turn")


def test_it_plays_a_move_card_where_it_pays_most():
    state = table({"at": "q3", "hand": ["ETA", "EPSILON", "F1"], "held": ["move_1"], "cash": 100}, {})
    top = best(state, 1)
    assert top["command"] == {"do": "play_move_card", "seat": 1, "card": "move_1", "destination": "ETA"}
    do(state, 1, "roll", faces=[1])
    do(state, 1, "move", to="q4")
    do(state, 1, "draw_light", card="move_2")
    assert best(state, 1)["command"] == {"do": "choose_destination", "seat": 1, "card": "ETA"}


def test_greedy_turns_to_the_garage_with_little_fuel():
    state = table({"at": "q4", "fuel": 1, "hand": ["ALPHA", "F1", "F2"], "cash": 100}, {}, board=far_board())
    do(state, 1, "roll", faces=[3])
    command = BOTS["greedy"](random.Random(1).random).choose(state, 1)
    assert command["to"] == "q6"
    assert seen(state)["phase"] == "moving"
