"""Exact odds: counted out over all faces and cards, and the same for positions that differ in secrets only."""

from itertools import product

import pytest
from taxi_tables import GATE, STREET, do, table

from shared_rules import library
from shared_rules.engine import game
from shared_rules.engine.driver import SeededChance, play_out
from shared_rules.games.taxi.bots import Greedy
from shared_rules.portable.random_stream import RandomStream


def rows(state, seat, what):
    return [entry for entry in state.title.odds(state, seat) if entry["what"] == what]


def arrivals(state, seat):
    return [(entry["green"], entry["white"], entry["chance"]) for entry in rows(state, seat, "arrive")]


def counted(state, seat, green, white):
    """Faces of the d6 with which the rules let the seat drive to its destination with at most so many tablets."""
    enough = 0
    for face in range(1, 7):
        thrown = game.copy_state(state)
        do(thrown, "roll", seat, die="d6", face=face)
        reach = [template for template in game.legal_commands(thrown, seat) if template["do"] == "move"][0]["to"]
        goal = thrown.goal(seat)
        enough += any(place == goal and g <= green and w <= white for place, _, g, w in reach)
    return enough


def test_arrivals_are_the_faces_with_which_the_rules_allow_the_move():
    state = game.load_position(
        {"game": "taxi", "board": "fumbling", "players": [{"green": 3, "white": 1}, {}], "trip": 1}
    )
    for trip in range(1, 8):
        state.trip = trip
        found = arrivals(state, 1)
        for green, white, chance in found:
            assert chance == [counted(state, 1, green, white), 6]
        best = max((chance[0] for _, _, chance in found), default=0)
        assert best == counted(state, 1, 3, 1)


def test_a_light_saved_costs_streets():
    """T-058, T-060: straight on through the light is one street, round it are three."""
    state = table({"at": "A", "green": 1, "guide": ["D1"]}, {"at": "A", "guide": ["D1"]}, board=STREET)
    assert arrivals(state, 1) == [(0, 0, [2, 6]), (1, 0, [6, 6])]
    assert arrivals(table({"at": "A", "guide": ["D1"]}, {"at": "A", "guide": ["D1"]}, board=STREET), 1) == [
        (0, 0, [2, 6])
    ]


def test_a_white_tablet_opens_the_freeway():
    assert arrivals(table({"at": "A", "white": 1, "guide": ["D1"]}, {"at": "A", "guide": ["D1"]}, board=GATE), 1) == [
        (0, 1, [6, 6])
    ]
    assert arrivals(table({"at": "A", "guide": ["D1"]}, {"at": "A", "guide": ["D1"]}, board=GATE), 1) == []


def test_cards_change_the_throw_that_is_reckoned_with():
    state = table({"at": "A", "guide": ["D1"]}, {"at": "A", "guide": ["D1"]}, board=STREET)
    streets = state.streets.distance("A", "D", 0, 0)[0][0]
    for verbs, driven in (
        ([["add_streets", 2]], [(face + 2,) for face in range(1, 7)]),
        ([["double_move"]], [(2 * face,) for face in range(1, 7)]),
        ([["throw_again"]], list(product(range(1, 7), repeat=2))),
    ):
        drawn = game.copy_state(state)
        do(drawn, "draw_card", 1, deck="journey", card={"title": "", "do": verbs})
        enough = sum(sum(faces) >= streets for faces in driven)
        assert arrivals(drawn, 1) == [(0, 0, [enough, len(driven)])]
    drawn = game.copy_state(state)
    do(drawn, "draw_card", 1, deck="journey", card={"title": "", "do": [["no_move_now"]]})
    assert arrivals(drawn, 1) == []


def test_the_tablet_die_is_reckoned_with_what_the_bank_has():
    state = table(2, phase="tablet_die")
    assert [(entry["colour"], entry["chance"]) for entry in rows(state, 1, "tablet")] == [
        ("green", [5, 12]), ("white", [2, 12]), ("nothing", [5, 12]),
    ]  # fmt: skip
    assert rows(state, 2, "tablet") == []
    state = table({"white": 12}, {}, phase="tablet_die")
    assert [(entry["colour"], entry["chance"]) for entry in rows(state, 1, "tablet")] == [
        ("green", [5, 12]), ("nothing", [7, 12]),
    ]  # fmt: skip


def test_a_gamble_is_reckoned_from_the_cards_that_lie_open():
    gambles = {card["do"][0][1]: card["id"] for card in library.deck("taxi", "journey") if card["do"][0][0] == "gamble"}
    state = table(2, decks={"journey": {"draw": 49, "discard": [gambles["taxi"]]}})
    do(state, "draw_card", 1, deck="journey", card=gambles["money"])
    assert [(entry["word"], entry["chance"]) for entry in rows(state, 2, "word")] == [
        ("money", [2, 5]), ("freeway", [2, 5]), ("taxi", [1, 5]),
    ]  # fmt: skip
    assert rows(state, 1, "word") == []


def test_odds_do_not_tell_secrets():
    """T-094, T-149: the word, others' bets and the cards that others keep make no difference."""
    kept = [{"deck": "passenger", "card": card, "title": "", "keep": keep} for card, keep in (
        ("P45", "waive_fine"), ("P46", "waive_settlement_due"))]  # fmt: skip
    told = []
    for card, word, bet in zip(kept, ("money", "taxi"), ("money", "taxi"), strict=True):
        state = table(
            {"cash": 20000}, {"cash": 20000, "kept": [card]}, {"cash": 20000},
            decks={"passenger": {"draw": 49, "discard": []}},
        )  # fmt: skip
        before = state.title.odds(state, 1)
        do(state, "draw_card", 1, deck="journey", card={"title": "", "do": [["gamble", word]]})
        do(state, "place_bet", 2, word=bet)
        told.append([before, state.title.odds(state, 3)])
    assert told[0] == told[1]
    assert told[0][1]


def test_every_chance_of_a_whole_game_is_a_part_of_one():
    stream = RandomStream(5)
    seen = set()

    def look(state, command, events):
        for seat in (1, 2, 3):
            sums = {}
            for entry in state.title.odds(state, seat):
                top, bottom = entry["chance"]
                assert 0 < top <= bottom, entry
                seen.add(entry["what"])
                if entry["what"] != "arrive":
                    key = (entry["what"], entry.get("deck"))
                    sums[key] = sums.get(key, 0) + top / bottom
            assert all(total == pytest.approx(1) for total in sums.values()), sums

    bots = {seat: Greedy(stream.random) for seat in (1, 2, 3)}
    board = library.board("fumbling")
    start = {"game": "taxi", "board": "fumbling", "players": [{"guide": board["guides"][i][:4]} for i in range(3)]}
    play_out(game.load_position(start), bots, SeededChance(stream), look)
    assert seen >= {"arrive", "tablet", "card"}
