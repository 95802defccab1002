"""Views: white-listed, and the same bytes for an audience wherever it cannot know the difference (T-149)."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from taxi_tables import STAR, do, draw, position, roll, table, whole

from shared_rules.engine import game
from shared_rules.portable.json_text import dumps

WORDS = ("money", "freeway", "taxi")
KEEPS = ("waive_fine", "waive_settlement_due", "pass_one_light")
AUDIENCES = ("spectator", "bank", 1, 2, 3)


def seen(state, audience):
    return dumps(game.view_for(state, audience))


def test_a_view_has_the_positions_keys_and_some_more():
    state = table({"plates": 1, "kept": [{"deck": "passenger", "title": "k", "keep": "waive_fine"}]}, {})
    view = game.view_for(state, "spectator")
    extra = {"audience", "prompts"}
    assert set(view) == set(whole(state)) | extra
    first = view["players"][0]
    assert set(first) == set(whole(state)["players"][0]) | {"destination", "next_destination", "wealth"}
    assert (first["destination"], first["next_destination"], first["wealth"], first["kept"]) == ("D1", "D2", 24340, 1)
    assert game.view_for(state, 1)["players"][0]["kept"] == whole(state)["players"][0]["kept"]
    assert game.view_for(state, 2)["players"][0]["kept"] == 1
    assert game.view_for(state, "bank")["players"][0]["kept"] == 1
    assert view["prompts"] == []
    last = game.view_for(table(2, trip=5), "spectator")["players"][0]
    assert (last["destination"], last["next_destination"]) == ("base", None)
    json.dumps(view)


def test_a_view_is_a_copy():
    state = table({}, {"barriers": 1}, placed_barriers=[{"on": "O~E", "by": 2, "against": 1}])
    before = game.state_hash(state)
    view = game.view_for(state, 1)
    view["players"][0]["guide"].clear()
    view["placed_barriers"].clear()
    view["effects"]["drawn"].append("x")
    view["decks"]["journey"]["discard"].append("x")
    assert game.state_hash(state) == before


def test_the_word_is_its_holders_alone_until_the_reveal():
    state = table(3)
    draw(state, 1, ["gamble", "taxi"], title="Bet on a taxi")
    assert game.view_for(state, 1)["gamble"]["word"] == "taxi"
    assert game.view_for(state, 1)["card_drawn"]["title"] == "Bet on a taxi"
    assert game.view_for(state, 1)["prompts"] == []
    for audience in ("spectator", "bank", 2, 3):
        view = game.view_for(state, audience)
        assert view["gamble"]["word"] is None
        assert "taxi" not in json.dumps(view["card_drawn"])
    do(state, "place_bet", 2, word="money")
    assert game.view_for(state, 3)["gamble"]["bets"] == {"2": True, "3": {"words": [], "done": False}}
    assert game.view_for(state, 1)["gamble"]["bets"] == {"2": True, "3": False}
    assert game.view_for(state, 2)["gamble"]["bets"] == {"2": {"words": ["money"], "done": True}, "3": False}
    assert game.view_for(state, 2)["players"][1]["cash"] == 8340
    assert game.view_for(state, 3)["players"][1]["cash"] == 9340
    assert game.view_for(state, 3)["players"][1]["wealth"] == 9340
    do(state, "pass_bet", 3)
    assert game.view_for(state, 1)["prompts"] == [{"do": "reveal_card", "seat": 1, "word": ["taxi"]}]
    assert game.view_for(state, "bank")["prompts"]["1"] == [{"do": "reveal_card", "seat": 1}]
    do(state, "reveal_card", 1)
    assert game.view_for(state, 3)["players"][1]["cash"] == 8340


def test_a_word_still_to_come_on_a_card_is_hidden_too():
    state = table(3)
    draw(state, 1, ["choose", [[["gamble", "taxi"]], [["if_owner", [["gamble", "taxi"]], []]]]], title="taxi")
    assert "taxi" in json.dumps(game.view_for(state, 1)["card_drawn"])
    for audience in ("spectator", "bank", 2):
        assert "taxi" not in json.dumps(game.view_for(state, audience)["card_drawn"]).replace('"taxi"}', "")


def test_the_bank_sees_everybodys_prompts_without_secrets():
    state = table({"kept": [{"deck": "passenger", "title": "l", "keep": "pass_one_light"}]}, {"barriers": 1}, {})
    prompts = game.view_for(state, "bank")["prompts"]
    assert [t["do"] for t in prompts["1"]] == ["draw_card", "draw_card", "roll"]
    assert [t["do"] for t in prompts["2"]] == ["place_barrier"]
    assert prompts["3"] == prompts["0"] == []
    roll(state, 1, 1)
    assert [t["do"] for t in game.view_for(state, "bank")["prompts"]["1"]] == ["move"]
    assert [t["do"] for t in game.view_for(state, 1)["prompts"]] == ["move", "play_card"]


@st.composite
def twins(draw_):
    """Two positions that differ only in what not everybody knows, and who may know the difference."""
    mode = draw_(st.sampled_from(["one", "one_per_word", "unlimited"]))
    most = 1 if mode == "one" else 3
    players = [{"cash": 40000, "green": 3} for _ in range(3)]
    both = []
    shared = {
        "done": [draw_(st.booleans()) for _ in range(2)],
        "kept": [draw_(st.integers(0, 2)) for _ in range(3)],
        "phase": draw_(st.sampled_from(["gamble_bets", "gamble_reveal", "move", "card_choice", "tablet_die"])),
        "title": [draw_(st.sampled_from(["a", "b"])) for _ in range(2)],
    }
    for twin in range(2):
        seats = [dict(player) for player in players]
        for seat in range(3):
            seats[seat]["kept"] = [
                {"deck": "passenger", "card": draw_(st.sampled_from([None, f"P{seat}{n}{twin}"])),
                "title": draw_(st.text(max_size=3)), "keep": draw_(st.sampled_from(KEEPS))}
                for n in range(shared["kept"][seat])
            ]
        keys = {"options": {"bets_per_gambler": mode}, "phase": shared["phase"]}
        if shared["phase"].startswith("gamble"):
            bets = {}
            for i, seat in enumerate((2, 3)):
                words = draw_(st.lists(st.sampled_from(WORDS), max_size=most, unique=mode != "unlimited"))
                done = shared["phase"] == "gamble_reveal" or shared["done"][i]
                if words or done:
                    bets[str(seat)] = {"words": words, "done": done}
                for word in words:
                    stake = {"money": ("cash", 1000), "freeway": ("green", 1), "taxi": ("cash", 5000)}[word]
                    seats[seat - 1][stake[0]] -= stake[1]
            keys["gamble"] = {"holder": 1, "word": draw_(st.sampled_from(WORDS)), "bets": bets}
            keys["card_drawn"] = {"seat": 1, "deck": "journey", "title": shared["title"][twin],
                "do": [["collect_bank", 10]]}
            if shared["phase"] == "gamble_bets" and shared["done"] == [True, True]:
                keys["phase"] = "gamble_reveal"
        elif shared["phase"] == "move":
            keys["d6"] = 2
        both.append(position(*seats, **keys))
    return both


def hidden_from(audience, first, second):
    """Give the audience's own secrets of the first position to the second."""
    second = json.loads(json.dumps(second))
    if isinstance(audience, int):
        mine, other = first["players"][audience - 1], second["players"][audience - 1]
        for key in ("kept", "cash", "green"):
            other[key] = mine[key]
        if "gamble" in first:
            if audience == 1:
                second["gamble"]["word"] = first["gamble"]["word"]
                second["card_drawn"] = first["card_drawn"]
            else:
                second["gamble"]["bets"].pop(str(audience), None)
                if str(audience) in first["gamble"]["bets"]:
                    second["gamble"]["bets"][str(audience)] = first["gamble"]["bets"][str(audience)]
    return second


@settings(max_examples=150, deadline=None)
@given(twins())
def test_what_an_audience_cannot_know_does_not_change_its_bytes(pair):
    first, second = pair
    one = game.load_position(first)
    for audience in AUDIENCES:
        other = game.load_position(hidden_from(audience, first, second))
        assert seen(one, audience) == seen(other, audience), audience


@settings(max_examples=60, deadline=None)
@given(st.lists(st.sampled_from(WORDS), min_size=4, max_size=4), st.booleans())
def test_events_before_the_reveal_do_not_depend_on_words_and_bets(words, first_bets):
    """Every event of the bets, as the others see it, whatever the word and the bets are."""

    def log(word, bet, again):
        state = table({}, {"cash": 40000, "green": 1}, {"cash": 40000, "green": 1}, board=STAR)
        out = []
        for command in (
            {"do": "draw_card", "seat": 1, "deck": "journey", "card": {"title": word, "do": [["gamble", word]]}},
            {"do": "place_bet", "seat": 2, "word": bet},
            {"do": "place_bet", "seat": 2, "word": again},
            {"do": "pass_bet", "seat": 3},
        ):
            events = game.decide(state, command)
            while events:
                for event in events:
                    out.append([game.event_for(state, event, audience) for audience in ("spectator", "bank", 3)])
                    game.evolve(state, event)
                events = game.follow(state)
        return [entry for entry in out if entry != [None] * 3]

    assert log(words[0], words[1], words[2]) == log(words[3], words[1] if first_bets else words[2], words[0])


def test_events_of_ones_own_are_whole():
    state = table(2)
    events = game.decide(state, {"do": "draw_card", "seat": 1, "deck": "journey", "card": {"do": [["gamble", "taxi"]]}})
    assert game.event_for(state, events[0], 1) == events[0]
    correction = game.decide(state, {"do": "correct", "seat": 0, "set": {"players": [{"seat": 1, "cash": 0}]},
        "why": "x"})[0]
    public = game.event_for(state, correction, 1)
    assert (public["set"], public["why"], "booked" in public) == (["players"], "x", False)


@pytest.mark.parametrize("audience", [0, 3, -1, "cat", "1", None, True, []])
def test_an_audience_must_exist(audience):
    with pytest.raises(ValueError, match="no audience"):
        game.view_for(table(2), audience)
