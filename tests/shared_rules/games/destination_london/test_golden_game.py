"""The golden game of the rules page, step by step, and the exact probabilities beside it."""

from fractions import Fraction

import pytest
from london_tables import do, game, position, ring_board, seen, table, title

from shared_rules.games.destination_london import light_cards, odds_of
from shared_rules.games.destination_london.bots import home_run

# (commands, P1 cash / fuel / place, P2 the same, fuel bank) after each row of the table.
ROWS = (
    ([(1, "roll", {"faces": [4]}), (1, "move", {"to": "q3"}), (1, "collect", {"cards": ["ALPHA"]}),
      (0, "deal", {"card": "DELTA"}), (2, "pass", {})], (340, 2, "q3"), (300, 3, "B"), 25),
    ([(2, "roll", {"faces": [2]}), (2, "move", {"to": "q1"}), (2, "collect", {"cards": ["ZETA"]}),
      (0, "deal", {"card": "THETA"}), (1, "pass", {})], (340, 2, "q3"), (380, 2, "q1"), 26),
    ([(1, "roll", {"faces": [2]}), (1, "move", {"to": "q5"}), (1, "collect", {"cards": ["DELTA"]}),
      (2, "claim", {"cards": ["BETA"]})], (320, 1, "B"), (430, 1, "q5"), 28),
    ([(2, "roll", {"faces": [1]}), (2, "move", {"to": "q6"}), (2, "buy_fuel", {"count": 4})],
     (320, 1, "B"), (410, 5, "q6"), 24),
    ([(1, "roll", {"faces": [2]}), (1, "move", {"to": "q11"}), (1, "collect", {"cards": ["EPSILON"]}),
      (2, "pass", {})], (340, 0, "q11"), (410, 5, "q6"), 25),
    ([(2, "roll", {"faces": [1]}), (2, "move", {"to": "q7"}), (2, "collect", {"cards": ["THETA"]}), (1, "pass", {})],
     (340, 0, "q11"), (480, 4, "q7"), 26),
    ([(1, "ask_fuel", {"of": 2}), (2, "sell", {}), (1, "roll", {"faces": [1]}), (1, "move", {"to": "q10"}),
      (1, "draw_light", {"card": "speeding_1"})], (290, 1, "q10"), (530, 3, "q7"), 26),
    ([(2, "roll", {"faces": [6]}), (2, "move", {"to": "q9"}), (2, "collect", {"cards": ["ETA"]}), (1, "pass", {}),
      (2, "take_extra_turn", {}), (2, "roll", {"faces": [5]}), (2, "stay", {})],
     (290, 1, "q10"), (630, 2, "q9"), 27),
    ([(1, "roll", {"faces": [2]}), (1, "move", {"to": "q8"}), (1, "collect", {"cards": ["GAMMA"]}), (2, "pass", {}),
      (1, "draw_light", {"card": "fuel_1"})], (350, 0, "q8"), (630, 2, "q9"), 28),
    ([(2, "roll", {"faces": [4]}), (2, "move", {"to": "B"})], (350, 0, "q8"), (880, 2, "B"), 28),
)  # fmt: skip


def begun():
    return table({"hand": ["ALPHA", "GAMMA", "EPSILON"]}, {"hand": ["BETA", "ETA", "ZETA"]}, board=ring_board())


def test_the_golden_game_row_by_row():
    state = begun()
    for row, (commands, first, second, bank) in enumerate(ROWS):
        for seat, verb, fields in commands:
            do(state, seat, verb, **fields)
            assert game.check_invariants(state) == []
        after = seen(state)
        for seat, wanted in ((1, first), (2, second)):
            player = after["seats"][seat]
            assert (player["cash"], player["fuel"], player["at"]) == wanted, (row + 1, seat)
        assert after["fuel_bank"] == bank, row + 1
    assert after["phase"] == "over"
    assert after["result"] == {"winners": [2], "reason": "home", "totals": {"1": 350, "2": 880}}
    assert after["seats"][1]["bonus_fuel"] == ["fuel_1"]
    assert after["seats"][1]["sections"] == 1
    assert sorted(after["gone"]) == sorted(ring_board()["cards"])


def chances(state, seat, what, dice):
    return [Fraction(*entry["chance"]) for entry in title.odds(state, seat)
            if entry["what"] == what and entry.get("dice") == dice]  # fmt: skip


# LP-13: the chance of entering the Base of LB1 with one throw of one die and of two.
ENTRY = {
    "q0": ("1/6", "5/36"), "q1": ("1/6", "2/9"), "q2": ("1/3", "5/18"), "q3": ("1/6", "1/3"), "q4": ("1/6", "13/36"),
    "q5": ("1/6", "7/18"), "q6": ("0", "1/4"), "q7": ("1/6", "1/3"), "q8": ("1/6", "1/4"), "q9": ("1/6", "2/9"),
    "q10": ("1/6", "7/36"), "q11": ("1/6", "1/6"), "x1": ("1/6", "7/36"),
}  # fmt: skip


@pytest.mark.parametrize("square", sorted(ENTRY))
def test_chance_of_entering_the_base(square):
    board = ring_board({"EPSILON": {"attraction": "EPSILON", "fare": 20}})
    players = [{"hand": [], "at": square, "turbo": True}, {"hand": ["EPSILON"]}]
    state = table(*players, board=board)
    for dice in (1, 2):
        wanted = Fraction(ENTRY[square][dice - 1])
        assert chances(state, 1, "reach_base", dice) == [wanted]
        assert Fraction(home_run.entry_ways(state, square, dice), 36) == wanted


def test_distances_to_the_base():
    wanted = {"q0": 1, "q1": 2, "q11": 2, "q2": 3, "q10": 3, "q3": 4, "q9": 4, "q4": 5, "q8": 5, "x1": 5, "q5": 6,
              "q7": 6, "q6": 7, "B": 0}  # fmt: skip
    state = begun()
    for square, squares in wanted.items():
        command = {"do": "ask", "what": "distance", "from": square, "to": "B"}
        assert game.ask(state, command) == {"what": "distance", "distance": squares}


@pytest.mark.parametrize(("options", "dice", "wanted"), [
    ({}, 1, "1/6"), ({}, 2, "1/6"), ({"turbo_six_extra": "yes"}, 1, "1/6"), ({"turbo_six_extra": "yes"}, 2, "4/9"),
])  # fmt: skip
def test_chance_of_an_extra_turn(options, dice, wanted):
    """LP-01 and LP-02, as told and as thrown."""
    state = table({"turbo": True}, {}, options=options)
    assert chances(state, 1, "extra_turn", dice) == [Fraction(wanted)]
    earned = 0
    throws = [[a] for a in range(1, 7)] if dice == 1 else [[a, b] for a in range(1, 7) for b in range(1, 7)]
    for faces in throws:
        twin = game.copy_state(state)
        earned += do(twin, 1, "roll", faces=faces)[0]["extra_turn"]
    assert Fraction(earned, len(throws)) == Fraction(wanted)


def test_chance_of_a_nasty_light_card():
    """LP-08: 1/2 of a full pile, then 7/29 that the second is nasty too; 13/116 for three."""
    state = table({"at": "q3"}, {})
    chance = Fraction(1)
    nasty = [card for card in light_cards.IDS if light_cards.side_of(card) == light_cards.NASTY]
    for n, wanted in enumerate(("1/2", "7/29", "13/116")):
        (now,) = [Fraction(*entry["chance"]) for entry in title.odds(state, 1) if entry["what"] == "nasty_card"]
        chance *= now
        assert chance == Fraction(wanted)
        left = [card for card in light_cards.IDS if card not in nasty[: n + 1]]
        state = table({"at": "q3"}, {}, lights={"pile": left, "returned": nasty[: n + 1]})


def test_odds_count_an_empty_pile_as_reshuffled():
    state = table({"at": "q3"}, {}, lights={"pile": [], "returned": list(light_cards.IDS)})
    assert {"what": "nice_card", "chance": [1, 2]} in title.odds(state, 1)


@pytest.mark.parametrize("dice", [1, 2])
def test_throws_add_up(dice):
    assert sum(ways for _, ways in odds_of.throws(dice)) == 6**dice


def test_odds_of_destinations_garage_and_lights_agree_with_the_moves():
    """Each chance is counted once more by asking where every single throw can end."""
    players = ({"hand": ["ALPHA", "BETA", "ETA"], "at": "q1", "turbo": True}, {"at": "q8"})
    start = position(*players)
    state = game.load_position(start)
    places = {"ALPHA": "q3", "BETA": "q5", "ETA": "q9"}
    for dice in (1, 2):
        throws = [[a] for a in range(1, 7)] if dice == 1 else [[a, b] for a in range(1, 7) for b in range(1, 7)]
        ends = [game.ask(state, {"do": "ask", "what": "ends", "faces": faces})["reachable"] for faces in throws]
        for entry in title.odds(state, 1):
            if entry.get("dice") != dice or entry["what"] == "extra_turn":
                continue
            if entry["what"] == "reach_destination":
                goals = [places[entry["card"]]]
                assert entry["square"] == goals[0]
            else:
                goals = {"reach_garage": ["q6"], "reach_lights": ["q4", "q8", "q10"], "reach_base": ["B"]}
                goals = goals[entry["what"]]
            hits = len([found for found in ends if set(found) & set(goals)])
            assert Fraction(*entry["chance"]) == Fraction(hits, len(throws)), entry
