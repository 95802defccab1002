"""The bot that reckons: its chances are the published ones, it keeps to the rules and to what it may know, it wins."""

import random

import pytest
from random_titles.taxi import random_position
from taxi_tables import STREET, do, table

from shared_rules import library
from shared_rules.engine import game
from shared_rules.engine.driver import SeededChance, completed, play_out
from shared_rules.games.taxi.bots import Greedy
from shared_rules.games.taxi.bots.race import ROUNDS, bonus_shares, expected, turns_for
from shared_rules.games.taxi.bots.strong import Strong
from shared_rules.portable.random_stream import RandomStream

KEPT = [
    {"deck": "passenger", "card": card, "title": "", "keep": keep}
    for card, keep in (("P45", "waive_fine"), ("P46", "waive_settlement_due"), ("P47", "pass_one_light"))
]


def strong():
    return Strong(random.Random(1).random)


def mean_turns(streets):
    return sum(t * chance for t, chance in enumerate(turns_for(streets), 1))


@pytest.mark.parametrize(
    ("streets", "turns"),
    [(1, 1), (2, 1.1667), (3, 1.3611), (4, 1.5880), (5, 1.8526), (6, 2.1614), (7, 2.5216), (8, 2.7752), (12, 3.9064)],
)
def test_turns_for_so_many_streets(streets, turns):
    """S-147."""
    assert mean_turns(streets) == pytest.approx(turns, abs=6e-5)
    assert len(turns_for(streets)) == ROUNDS


@pytest.mark.parametrize(
    ("distances", "bonuses"),
    [
        ((5, 6, 6, 6, 6, 6), (1631.49, 873.70)),
        ((4, 6, 6, 6, 6, 6), (2246.29, 750.74)),
        ((8, 6, 6, 6, 6, 6), (251.67, 1149.67)),
        ((5, 7), (4356.91, 1643.09)),
        ((1, 7), (6000, 0)),
    ],
)
def test_what_a_race_is_worth(distances, bonuses):
    """S-149."""
    for mine, bonus in zip((0, 1), bonuses, strict=True):
        others = [turns_for(streets) for i, streets in enumerate(distances) if i != mine]
        shares = bonus_shares(others, [], 0, False)
        assert 6000 * expected(turns_for(distances[mine]), shares) == pytest.approx(bonus, abs=0.02)


def test_who_has_arrived_leaves_this_round_only():
    shares = bonus_shares([turns_for(1)], [], 1, False)
    assert shares[0] == pytest.approx(1 / 3)
    assert shares[1:] == [0.0] * (ROUNDS - 1)


def test_whoever_moves_first_takes_all_where_the_first_arrival_ends_the_trip():
    """A-46 immediate: an opponent that arrives in the same round, but later in it, comes too late."""
    assert bonus_shares([], [turns_for(1)], 0, True)[0] == 1
    assert bonus_shares([turns_for(1)], [], 0, True)[0] == pytest.approx(0)


def test_it_drives_to_its_destination_and_keeps_what_it_need_not_spend():
    state = table({"at": "A", "green": 2, "guide": ["D1", "D1"]}, {"at": "A", "guide": ["D1", "D1"]}, board=STREET)
    do(state, "roll", 1, die="d6", face=6)
    assert strong().choose(state, 1) == {"do": "move", "seat": 1, "to": "D", "green": 0, "white": 0}
    state = table({"at": "A", "green": 2, "guide": ["D1", "D1"]}, {"at": "A", "guide": ["D1", "D1"]}, board=STREET)
    do(state, "roll", 1, die="d6", face=1)
    assert strong().choose(state, 1) == {"do": "move", "seat": 1, "to": "D", "green": 1, "white": 0}


def test_reasons_name_what_a_move_brings():
    state = table({"at": "A", "green": 1, "guide": ["D1"]}, {"at": "A", "guide": ["D1"]}, board=STREET)
    do(state, "roll", 1, die="d6", face=1)
    best, *others = strong().ranked(state, 1)
    assert best["because"][0] == ["arrives", [1, 1]]
    assert all(other["score"] <= best["score"] for other in others)
    assert ["arrives_next_turn", [6, 6]] in [reason for other in others for reason in other["because"]]


@pytest.mark.parametrize(("price", "buys"), [(10000, True), (20000, False)])
def test_it_buys_taxis_that_are_worth_their_price(price, buys):
    state = table({"cash": 40000}, {}, options={"plate_price": price})
    bought = strong().choose(state, 1)
    assert (bought["do"] == "buy_taxi") is buys
    if buys:
        assert state.cash[1] - bought["count"] * price >= 2000


def test_it_bets_when_the_cards_that_lie_open_make_it_pay():
    gambles = [card["id"] for card in library.deck("taxi", "journey") if card["do"][0][0] == "gamble"]
    for gone, bets in (([], "pass_bet"), (gambles[:4], "place_bet")):
        state = table({"cash": 20000}, {"cash": 20000}, decks={"journey": {"draw": 50 - len(gone), "discard": gone}})
        do(state, "draw_card", 1, deck="journey", card=gambles[5])
        assert strong().choose(state, 2)["do"] == bets


def test_it_does_not_see_what_its_seat_cannot_know():
    """T-094, T-149: ranked in the same way, whatever the word, the others' bets and the cards that others keep."""
    seen = []
    for card, word, bet in zip(KEPT, ("money", "taxi", "freeway"), ("money", "taxi", "freeway"), strict=True):
        start = {
            "game": "taxi", "board": "fumbling", "players": [{"cash": 20000, "green": 2, "kept": [card] * (seat == 2)}
            for seat in (1, 2, 3)], "decks": {"passenger": {"draw": 49, "discard": []}},
        }  # fmt: skip
        state = game.load_position(start)
        ranked = [strong().ranked(state, 1)]
        do(state, "draw_card", 1, deck="journey", card={"title": "", "do": [["gamble", word]]})
        do(state, "place_bet", 2, word=bet)
        ranked.append(strong().ranked(state, 3))
        do(state, "pass_bet", 3)
        ranked.append(strong().ranked(state, 3))
        seen.append(ranked)
    assert seen[0] == seen[1] == seen[2]
    assert seen[0][0]
    assert seen[0][1]


def test_everything_it_thinks_of_is_lawful():
    stream = RandomStream(3)
    bots = {seat: strong() for seat in range(1, 7)}
    chance = SeededChance(stream)
    thought = set()
    for _ in range(12):
        start = random_position(stream, "fumbling")
        start["players"][0]["kept"] = KEPT
        start["decks"] = {"passenger": {"draw": 47, "discard": []}}
        state = game.load_position(start)
        for _ in range(80):
            seats = state.title.waiting_for(state)
            command = None
            for seat in seats:
                ranked = bots[seat].ranked(state, seat)
                for entry in ranked[:3]:
                    game.decide(state, completed(state, entry["command"], chance))
                    thought.add(entry["command"]["do"])
                command = command or bots[seat].choose(state, seat)
            if not seats:
                break
            game.play(state, completed(state, command, chance))
    assert thought >= {"roll", "draw_card", "move", "buy_taxi", "place_bet", "pass_bet", "place_barrier", "play_card"}


def test_a_barrier_is_set_where_it_hinders():
    guides = library.board("fumbling")["guides"]
    players = [{"guide": guides[0][:15]}, {"guide": guides[1][:15], "barriers": 2}]
    start = {"game": "taxi", "board": "fumbling", "players": players}
    state = game.load_position(start)
    goal = state.goal(1)
    beside = next(link.name for link in state.board.links if goal in link.name.split("~"))
    players[0]["at"] = next(end for end in beside.split("~") if end != goal)
    best = strong().ranked(game.load_position(start), 2)[0]
    assert best["command"]["do"] == "place_barrier"
    assert goal in best["command"]["on"].split("~")
    now, then = best["because"][0][1], best["because"][1][1]
    assert now == [6, 6]
    assert then[0] < 6
    # Far from its destination it is left alone.
    players[0]["at"] = max(
        (place["at"] for place in state.board.destinations.values()),
        key=lambda place: state.streets.streets_needed(place, goal, 0, 0),
    )
    far = game.load_position(start)
    assert strong().choose(far, 2) is None


def test_it_beats_greedy():
    """A few games, always the same; docs/proofs/bots.md has many."""
    won = 0.0
    board = library.board("fumbling")
    for number in range(40):
        deal = random.Random(f"strong {number}")
        guides = deal.sample(range(6), 2)
        start = {"game": "taxi", "board": "fumbling", "players": [{"guide": board["guides"][g][:15]} for g in guides]}
        state = game.load_position(start)
        seat = number % 2 + 1
        bots = {seat: strong(), 3 - seat: Greedy(deal.random)}
        winners = play_out(state, bots, SeededChance(deal))["winners"]
        won += (seat in winners) / len(winners)
    assert won >= 22
