"""Every shipped card is drawn once at a table of three, and does there what it says."""

import json
from pathlib import Path

import pytest

from shared_rules import library
from shared_rules.engine import game

DECKS = Path(__file__).parents[2] / "shared_rules" / "games" / "taxi" / "decks"
PLATES = 2


def cards(*decks):
    return [
        pytest.param(deck, card, id=card["id"])
        for deck in decks
        for card in json.loads((DECKS / f"{deck}.json").read_text("utf-8"))["cards"]
    ]


def table(**more):
    """Three owners of two taxis each with tablets in hand, in the second trip; seat 2 is the richest of the others."""
    player = {"plates": PLATES, "green": 3, "white": 2, "cash": 9000}
    players = [dict(player), dict(player, cash=9500), dict(player)]
    return game.load_position({"game": "taxi", "board": "fumbling", "trip": 2, "players": players, **more})


def players(state):
    return game.dump_position(state)["players"]


def draw(state, deck, card):
    events = game.play(state, {"do": "draw_card", "seat": 1, "deck": deck, "card": card["id"]})
    assert game.check_invariants(state) == []
    return events


def cash_after(verb):
    """What the three hold after a verb that moves money."""
    name, amount = verb[0], verb[-1]
    if name in ("pay_bank", "collect_bank"):
        change = [amount, 0, 0]
    elif name in ("pay_each", "collect_each"):
        change = [2 * amount, -amount, -amount]
    elif name == "collect_from":
        change = [amount, -amount, 0]
    else:
        change = [amount * PLATES, 0, 0]
    sign = -1 if name.startswith("pay") else 1
    return [cash + sign * part for cash, part in zip((9000, 9500, 9000), change, strict=True)]


@pytest.mark.parametrize(("deck", "card"), cards("journey", "passenger"))
def test_a_card_of_the_turn(deck, card):
    state = table()
    before = game.dump_position(state)
    events = draw(state, deck, card)
    after = game.dump_position(state)
    verb = card["do"][0]
    if verb[0].startswith(("pay_", "collect_")):
        assert [player["cash"] for player in after["players"]] == cash_after(verb)
        assert any("T-083" in event.get("rules", []) for event in events) == card["fine"]
    elif verb[0] == "gamble":
        assert after["phase"] == "gamble_bets"
        assert after["gamble"]["word"] == verb[1]
        return
    elif verb[0] == "barrier":
        assert after["players"][0]["barriers"] == verb[1]
    elif verb[0] == "throw_d12":
        assert after["phase"] == "card_option"
        game.play(state, {"do": "roll", "seat": 1, "die": "d12", "face": "green"})
        assert players(state)[0]["green"] == 4
        return
    elif verb[0] == "lose_tablet":
        assert after["players"][0][verb[1]] == before["players"][0][verb[1]] - verb[2]
    elif verb[0] == "move_to":
        board = library.board("fumbling")
        start = board["destinations"][before["players"][0]["guide"][0]]["at"]
        assert after["players"][0]["at"] == {"base": board["base"], "trip_start": start}[verb[1]]
    elif verb[0] == "keep":
        assert after["players"][0]["kept"][0]["keep"] == verb[1]
    elif verb[0] == "miss_next_turn":
        assert after["players"][0]["skip"] == 1
    else:
        changed = {"add_streets": "add_streets", "double_move": "times", "throw_again": "again", "no_d12_now": "no_d12"}
        assert after["effects"][changed[verb[0]]] != before["effects"][changed[verb[0]]]
    assert after["phase"] == "before_roll"


@pytest.mark.parametrize(("deck", "card"), cards("expense"))
def test_a_card_of_the_settlement(deck, card):
    state = table(
        phase="settle",
        settle=[[1, "expense"], [2, "expense"], [3, "expense"]],
        players=[{"plates": PLATES, "owner_on_arrival": True, "arrived": seat == 1} for seat in (1, 2, 3)],
        first_arrival=1,
    )
    events = draw(state, deck, card)
    verb = card["do"][0]
    owed = {"nothing": 0, "pay_bank": verb[-1], "pay_per_taxi": PLATES * verb[-1] if verb[0] == "pay_per_taxi" else 0}[
        verb[0]
    ]
    assert players(state)[0]["cash"] == 9340 - owed
    assert sum(event["amount"] for event in events if event["event"] == "ExpensePaid") == owed
