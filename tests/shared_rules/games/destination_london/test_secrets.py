"""What a seat sees does not depend on others' hands or on which cards the pile holds (L-014, LQ-78)."""

import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from london_tables import (
    THAMES,
    Chance,
    code,
    do,
    far_board,
    game,
    new_stream,
    next_command,
    random_bots,
    random_position,
    ring_with_many_cards,
    seen,
    table,
    title,
)

from shared_rules.engine.errors import PositionError
from shared_rules.games.destination_london import movement
from shared_rules.portable.json_text import dumps


def sight(state, audience):
    """All that an audience gets: its view, prompts included, and its odds."""
    view = dumps(game.view_for(state, audience))
    if isinstance(audience, int):
        return view, dumps(title.odds(state, audience)), dumps(game.legal_commands(state, audience))
    return view


def some_way_on(seed, commands):
    """A position from the middle of a random game."""
    stream = new_stream(seed)
    board = stream.choice([THAMES, ring_with_many_cards()])
    state = game.load_position(random_position(stream, board, most_options=4))
    bots = random_bots(state, stream)
    chance = Chance(stream)
    for _ in range(commands):
        if state.phase == "over":
            break
        game.play(state, next_command(state, bots, chance))
    return state


def swapped(position, audience, order):
    """The position with the cards of the pile and of all hands but the audience's dealt out anew."""
    places = [position["pile"]] + [p["hand"] for p in position["players"] if p["seat"] != audience]
    cards = [card for place in places for card in place]
    mixed = sorted(cards)
    order.shuffle(mixed)
    for place in places:
        for i in range(len(place)):
            place[i] = mixed.pop()
    return position


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(seed=st.integers(0, 400), commands=st.integers(0, 120), audience=st.integers(0, 6), order=st.randoms())
def test_a_seat_gets_the_same_bytes_whatever_others_hold(seed, commands, audience, order):
    state = some_way_on(seed, commands)
    if audience > state.seats:
        audience = 1
    who = audience or "bank"
    twin = swapped(json.loads(dumps(game.dump_position(state))), audience, order)
    try:
        other = game.load_position(twin)
    except PositionError:
        # Another hand may bring another phase (a taxi without any way out): such a position is none of these.
        return
    assert sight(other, who) == sight(state, who)
    assert sight(other, "spectator") == sight(state, "spectator")


LANDED = ["own_fare", "claims"]


@pytest.mark.parametrize("phase", LANDED)
def test_every_kind_of_hand_comes_to_the_same_windows(phase):
    """Own fare and claims open on every attraction square, with nothing in any hand that fits too."""
    for hands in (("ALPHA", "F1"), ("F1", "ALPHA"), ("F1", "F2")):
        state = table({"hand": [hands[0]], "at": "q2"}, {"hand": [hands[1]]}, {"hand": ["F5", "F6"]})
        do(state, 1, "roll", faces=[1])
        do(state, 1, "move", to="q3")
        if phase == "claims":
            do(state, 1, "keep_quiet")
        assert state.phase == phase
        assert title.waiting_for(state) == ([1] if phase == "own_fare" else [2])
        bank = game.view_for(state, "bank")["prompts"]
        if phase == "own_fare":
            assert bank["1"] == [{"do": "collect", "seat": 1}, {"do": "keep_quiet", "seat": 1}]
        else:
            assert bank["2"][:2] == [{"do": "claim", "seat": 2}, {"do": "pass", "seat": 2}]
            do(state, 2, "pass")
            assert title.waiting_for(state) == [3]


def test_the_seat_itself_sees_which_of_its_cards_fit():
    state = table({"at": "q4"}, {"hand": ["BETA", "DELTA", "F4"]}, {"hand": ["F5", "F6"]})
    do(state, 1, "roll", faces=[1])
    do(state, 1, "move", to="q5")
    do(state, 1, "keep_quiet")
    assert {"do": "claim", "seat": 2, "cards": ["BETA", "DELTA"]} in game.legal_commands(state, 2)
    assert game.view_for(state, 2)["prompts"][0]["cards"] == ["BETA", "DELTA"]
    do(state, 2, "pass")
    assert [template["do"] for template in game.legal_commands(state, 3)] == ["pass"]


def test_views_are_built_from_what_is_allowed():
    state = table({"hand": ["ALPHA"], "held": ["double_1"]}, {"hand": ["BETA", "F1"], "bonus_fuel": ["fuel_2"]})
    for audience in (1, "bank", "spectator"):
        view = game.view_for(state, audience)
        assert view["audience"] == audience
        assert view["players"][0]["hand"] == (["ALPHA"] if audience == 1 else 1)
        assert view["players"][1]["hand"] == 2
        assert view["pile"] == len(seen(state)["pile"])
        assert view["players"][0]["held"] == ["double_1"]
        assert view["players"][1]["total_fuel"] == 4
        assert "BETA" not in dumps(view["players"])
    assert set(game.view_for(state, 2)) - set(game.dump_position(state)) == {"audience", "prompts"}


@pytest.mark.parametrize("audience", [0, 3, "operator", None, True, "1"])
def test_there_is_no_view_for_an_audience_that_there_is_not(audience):
    with pytest.raises(ValueError, match="There is no audience"):
        game.view_for(table({}, {}), audience)


def test_events_hide_what_was_dealt_and_what_was_set():
    state = table({"hand": ["ALPHA", "F1", "F2"], "at": "q2"}, {})
    do(state, 1, "roll", faces=[1])
    do(state, 1, "move", to="q3")
    do(state, 1, "collect", cards=["ALPHA"])
    (dealt,) = game.decide(state, {"do": "deal", "seat": 0, "card": "BETA"})
    assert game.event_for(state, dealt, 1)["card"] == "BETA"
    for audience in (2, "bank", "spectator"):
        assert game.event_for(state, dealt, audience) == {**dealt, "card": None}
    change = {"players": [{"seat": 2, "hand": ["GAMMA"]}]}
    (corrected,) = game.decide(state, {"do": "correct", "seat": 0, "set": change, "why": "wrong hand"})
    for audience in (1, 2, "bank", "spectator"):
        shown = game.event_for(state, corrected, audience)
        assert shown["set"] == ["players"]
        assert "GAMMA" not in dumps(shown)
        assert shown["why"] == "wrong hand"
    assert dealt["card"] == "BETA"
    assert corrected["set"] == change


def test_the_bank_is_not_told_where_a_move_may_end_or_whether_a_move_card_helps():
    state = table({"hand": ["ALPHA", "F1"], "at": "q1", "held": ["move_1"]}, {})
    prompts = game.view_for(state, "bank")["prompts"]
    assert {"do": "play_move_card", "seat": 1} in prompts["1"]
    # On the square of its only card the seat itself is offered nothing; the bank sees no difference.
    here = table({"hand": ["ALPHA", "F1"], "at": "far", "held": ["move_1"]}, {})
    only = table({"hand": ["F1", "F2"], "at": "far", "held": ["move_1"]}, {})
    assert game.view_for(here, "bank")["prompts"] == game.view_for(only, "bank")["prompts"]
    assert "play_move_card" not in [template["do"] for template in game.legal_commands(only, 1)]
    do(state, 1, "roll", faces=[5])
    assert "q3" in game.legal_commands(state, 1)[0]["to"]
    assert game.view_for(state, "bank")["prompts"]["1"] == [
        {"do": "move", "seat": 1, "to": ["q11", "q6", "q7", "q8"], "with_card": ["q3", "q5", "q9"]}
    ]


def test_bounds_that_tell_no_hand_are_the_banks_too():
    state = table({"at": "q6", "fuel": 2, "turbo": True, "hand": ["ALPHA"]}, {"at": "q6"})
    assert game.view_for(state, "bank")["prompts"]["1"] == [
        {"do": "roll", "seat": 1, "dice": [1, 2]}, {"do": "buy_fuel", "seat": 1, "count": [1, 3]},
    ]  # fmt: skip
    assert game.view_for(state, "spectator")["prompts"] == []
    stranded = table({"fuel": 0, "at": "q2"}, {})
    assert {"do": "ask_fuel", "seat": 1, "of": [2]} in game.view_for(stranded, "bank")["prompts"]["1"]


@pytest.mark.parametrize(("player", "options", "to", "with_card"), [
    ({}, {}, "q2 q6 q8", "q3 q7"), ({"fuel": 0}, {}, "q2 q6 q8", ""), ({"hand": []}, {}, "q2 q6 q8", ""),
    ({}, {"garage_entry": "exact"}, "q2 q8", "q3 q7"),
    ({}, {"short_moves": "free"}, "q2 q3 q4 q6 q7 q8", ""),
    ({}, {"short_moves": "own_destination_only"}, "q2 q8", "q3 q7"),
])  # fmt: skip
def test_where_everybody_may_reckon_a_move_to_end(player, options, to, with_card):
    """From q5 with three squares, and from q1 with two for the Base."""
    state = table({"at": "q5", **player}, {}, options=options, phase="before_roll")
    assert movement.public_ends(state, 1, 3) == (to.split(), with_card.split())
    for base, rule in ((True, {}), (False, {"base_midgame": "forbidden"})):
        state = table({"at": "q1"}, {}, options=rule)
        assert ("B" in movement.public_ends(state, 1, 2)[0]) is base


def test_an_open_move_card_is_prompted_the_same_for_every_hand():
    for hand in (["ALPHA", "F1"], ["ALPHA", "BETA", "DELTA"]):
        state = table({"hand": hand, "at": "q3"}, {})
        do(state, 1, "roll", faces=[1])
        do(state, 1, "move", to="q4")
        do(state, 1, "draw_light", card="move_1")
        assert game.view_for(state, "bank")["prompts"]["1"] == [{"do": "choose_destination", "seat": 1}]


def test_claims_are_closed_by_a_throw_whatever_the_hands_hold():
    for hand in (["BETA"], ["F9"]):
        state = table({"at": "q4"}, {"hand": hand}, {}, board=far_board())
        do(state, 1, "roll", faces=[1])
        do(state, 1, "move", to="q5")
        do(state, 1, "keep_quiet")
        assert code(state, 3, "roll", faces=[2]) == "not_your_turn"
        assert {"do": "roll", "seat": 2, "dice": [1, 1]} in game.legal_commands(state, 2)
        assert game.legal_commands(state, 3) == []
        do(state, 2, "roll", faces=[2])
        assert (state.phase, state.turn) == ("moving", 2)
