"""Simulated games: the same from the same seed, whatever else is played, with every dollar accounted for."""

import dataclasses

import pytest
from simulated import plan

from companion.simulation import games
from companion.simulation.games import GameFailedError, play_game
from companion.simulation.titles import BETWEEN, part, taxi
from shared_rules import games as titles
from shared_rules import library

PLAN = plan(players=3, seed=11)


@pytest.fixture(scope="module")
def played():
    return [play_game(PLAN, number) for number in PLAN.numbers]


def test_a_game_is_the_same_again_and_alone(played):
    assert play_game(dataclasses.replace(PLAN, games=1, first=3), 3) == played[2]


def test_another_seed_or_number_is_another_game(played):
    assert len({(str(game.lengths), game.totals) for game in played}) == len(played)
    assert play_game(dataclasses.replace(PLAN, seed=12), 1).totals != played[0].totals


def test_a_game_is_whole(played):
    for game in played:
        lengths = game.lengths
        assert lengths["rounds a game"] == pytest.approx(lengths["rounds a trip"] * 15) or game.reason != "trips_done"
        assert lengths["turns a game"] <= lengths["rounds a game"] * PLAN.players
        assert lengths["commands a game"] > lengths["turns a game"]
        assert set(game.winners) <= {1, 2, 3}
        assert max(game.totals) == game.totals[game.winners[0] - 1]
        assert set(game.half) >= {"wealth", "green tablets", "taxis"}
        assert all(len(values) == 3 for values in game.half.values())


def test_half_time_is_after_half_of_the_turns(monkeypatch):
    numbers = iter(range(10_000))
    monkeypatch.setattr(taxi, "features", lambda state: {"turn": (float(next(numbers)),) * 3})
    game = play_game(PLAN, 1)
    assert game.half["turn"][0] == game.lengths["turns a game"] // 2


def test_every_dollar_has_a_reason(played):
    for game in played:
        assert not [reason for reason in game.money if reason[0].isupper() and reason != "Expense cards"]
        plates = game.money.get("taxis bought", 0) + game.money.get("taxis sold for debt", 0)
        assert plates % 5000 == 0
        if game.reason == "trips_done":
            assert game.money["bonus"] == 6000 * 15


def test_the_sums_are_the_players_money(monkeypatch):
    """T-142: what came from the bank is what the players hold beyond their float."""
    tallies, states = [], []
    load = games.game.load_position

    class Kept(games.Tally):
        def __init__(self, known, state):
            super().__init__(known, state)
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
        from_outside = sum(amount for reason, amount in tally.money.items() if not reason.startswith(BETWEEN))
        assert cash == 9340 * PLAN.players + from_outside


def test_guides_are_dealt_with_their_colours_and_bots_wander(played):
    assert {game.bots[0] for game in played} == {"random", "greedy"}
    assert len({game.sides for game in played}) > 1
    board = library.board("fumbling")

    class Dealt:
        def sample(self, among, count):
            return [4, 1, 6]

    position, sides = taxi.deal(PLAN, Dealt())
    assert [player["colour"] for player in position["players"]] == ["green", "red", "black"]
    assert position["players"][0]["guide"] == board["guides"][3][:15]
    assert sides == ("4", "1", "6")


def test_too_many_rounds_are_a_failure_that_names_the_game(monkeypatch):
    monkeypatch.setattr(taxi, "MOST_ROUNDS", 1)
    random_only = dataclasses.replace(PLAN, bots=("random",))
    with pytest.raises(GameFailedError, match=r"Game 7 failed: .*round 2"):
        play_game(random_only, 7)


def test_house_rules_that_do_not_fit_are_a_failure_that_says_so():
    with pytest.raises(GameFailedError, match="cannot begin .bad_option."):
        play_game(dataclasses.replace(PLAN, options={"tie_break": "coin"}), 1)


@pytest.mark.parametrize("name", titles.names())
def test_every_title_can_be_simulated(name):
    meta = titles.meta(name)
    board = library.board_ids(name)[0]
    for players in {meta.PLAYERS[0], meta.PLAYERS[1]}:
        asked = plan(game=name, board=board, players=players, bots=("random", "greedy"))
        game = play_game(asked, 1)
        assert game == play_game(asked, 1)
        assert len(game.totals) == len(game.sides) == players
        assert game.winners
        assert game.reason in meta.REASONS
        assert game.half
        assert game.lengths["commands a game"] >= game.lengths["turns a game"] > players
        assert part(name).UNIT


def transfer(name, source, to, amount, rules=()):
    return {"event": name, "unit": "money", "from": source, "to": to, "amount": amount, "rules": list(rules)}


@pytest.mark.parametrize(
    ("event", "counted"),
    [
        (transfer("BonusPaid", 0, 1, 3000, ["T-112"]), [("bonus", 3000)]),
        (transfer("DuePaid", 1, 0, 200, ["T-083", "T-130"]), [("traffic fines", -200)]),
        (transfer("DuePaid", 1, 0, 100, ["T-082", "T-130"]), [("cards paid", -100)]),
        (transfer("DuePaid", 1, 2, 50, ["T-082", "T-130"]), [(BETWEEN + "cards paid", 50)]),
        (transfer("BetSealed", 2, "escrow", 1000, ["T-088"]), []),
        (transfer("StakeLost", "escrow", 1, 1000, ["T-088", "T-091"]), [(BETWEEN + "stakes lost", 1000)]),
        (transfer("StakeReturned", "escrow", 3, 5000, ["T-090"]), []),
        (transfer("MoneyPaid", 0, 2, 3000, ["T-088"]), [("gambles won from the bank", 3000)]),
        (transfer("SomethingNew", 2, 0, 10), [("SomethingNew", -10)]),
        ({"event": "TabletMoved", "unit": "green", "from": 0, "to": 1, "amount": 1, "rules": ["T-039"]}, []),
    ],
)
def test_money_is_told_by_receipt(event, counted):
    assert taxi.money(event) == counted


def test_two_bots_do_not_wait_for_each_other_for_ever():
    """London: two hold their last cards for one square, and whoever lands there first is claimed by the other."""
    waiting = plan(game="destination_london", board="thames", players=3, seed=1, bots=("strong", "greedy"))
    assert play_game(waiting, 376).lengths["turns a game"] < 400
