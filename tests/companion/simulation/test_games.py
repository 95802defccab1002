"""Simulated games: the same from the same seed, whatever else is played, with every dollar accounted for."""

import dataclasses

import pytest

from companion.simulation import games
from companion.simulation.games import GameFailedError, play_game
from companion.simulation.money import BETWEEN, MoneyByReason
from companion.simulation.records import Plan
from shared_rules import library

PLAN = Plan(players=3, games=4, long=False, seed=11, board="fumbling", bots=("random", "greedy"))


@pytest.fixture(scope="module")
def played():
    return [play_game(PLAN, number) for number in PLAN.numbers]


def test_a_game_is_the_same_again_and_alone(played):
    assert play_game(dataclasses.replace(PLAN, games=1, first=3), 3) == played[2]


def test_another_seed_or_number_is_another_game(played):
    assert len({(game.turns, game.commands, game.wealth) for game in played}) == len(played)
    assert play_game(dataclasses.replace(PLAN, seed=12), 1).wealth != played[0].wealth


def test_a_game_is_whole(played):
    for game in played:
        assert len(game.rounds_by_trip) == (15 if game.reason == "trips_done" else len(game.rounds_by_trip))
        assert game.turns <= sum(game.rounds_by_trip) * PLAN.players
        assert game.commands > game.turns
        assert set(game.winners) <= {1, 2, 3}
        assert max(game.wealth) == game.wealth[game.winners[0] - 1]


def test_every_dollar_has_a_reason(played):
    for game in played:
        assert not [reason for reason in game.money if reason[0].isupper() and reason != "Expense cards"]
        plates = game.money.get("taxis bought", 0) + game.money.get("taxis sold for debt", 0)
        assert plates % 5000 == 0
        assert game.money["bonus"] == 6000 * len(game.rounds_by_trip)


def test_the_sums_are_the_players_money(monkeypatch):
    """T-142: what came from the bank is what the players hold beyond their float."""
    tallies, states = [], []
    load = games.game.load_position

    class Kept(games.Tally):
        def __init__(self):
            super().__init__()
            tallies.append(self)

    def kept(position):
        states.append(load(position))
        return states[-1]

    monkeypatch.setattr(games, "Tally", Kept)
    monkeypatch.setattr(games.game, "load_position", kept)
    for number in (1, 2, 3):
        play_game(PLAN, number)
    for tally, state in zip(tallies, states, strict=True):
        cash = sum(player["cash"] for player in games.game.dump_position(state)["players"])
        assert cash == 9340 * PLAN.players + tally.money.from_outside


def test_guides_are_dealt_with_their_colours_and_bots_wander(played):
    assert {game.bots[0] for game in played} == {"random", "greedy"}
    assert len({game.guides for game in played}) > 1
    board = library.board("fumbling")
    players = games.position(PLAN, [4, 1, 6])["players"]
    assert [player["colour"] for player in players] == ["green", "red", "black"]
    assert players[0]["guide"] == board["guides"][3][:15]


def test_too_many_rounds_are_a_failure_that_names_the_game(monkeypatch):
    monkeypatch.setattr(games, "MAX_ROUNDS", 1)
    random_only = dataclasses.replace(PLAN, bots=("random",))
    with pytest.raises(GameFailedError, match=r"Game 7 failed: .*round 2.*\(trip \d+\)"):
        play_game(random_only, 7)


def transfer(name, source, to, amount, rules=()):
    return {"event": name, "unit": "money", "from": source, "to": to, "amount": amount, "rules": list(rules)}


def test_money_is_told_by_receipt():
    money = MoneyByReason()
    money.count(
        [
            transfer("BonusPaid", 0, 1, 3000, ["T-112"]),
            transfer("DuePaid", 1, 0, 200, ["T-083", "T-130"]),
            transfer("DuePaid", 1, 0, 100, ["T-082", "T-130"]),
            transfer("DuePaid", 1, 2, 50, ["T-082", "T-130"]),
            transfer("BetSealed", 2, "escrow", 1000, ["T-088"]),
            transfer("StakeLost", "escrow", 1, 1000, ["T-088", "T-091"]),
            transfer("BetSealed", 3, "escrow", 5000, ["T-090"]),
            transfer("StakeReturned", "escrow", 3, 5000, ["T-090"]),
            transfer("MoneyPaid", 0, 2, 3000, ["T-088"]),
            transfer("SomethingNew", 2, 0, 10),
            {"event": "TabletMoved", "unit": "green", "from": 0, "to": 1, "amount": 1, "rules": ["T-039"]},
        ]
    )
    assert money.sums == {
        "bonus": 3000,
        "traffic fines": -200,
        "cards paid": -100,
        BETWEEN + "cards paid": 50,
        BETWEEN + "stakes lost": 1000,
        "gambles won from the bank": 3000,
        "SomethingNew": -10,
    }
    assert money.from_outside == 3000 - 200 - 100 + 3000 - 10
