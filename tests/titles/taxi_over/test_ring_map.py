"""The ring as it is drawn: all that the game has can be seen, in every position; what is printed is printed once."""

from __future__ import annotations

import random
import re
from xml.etree import ElementTree

import pytest
from ring_kit import BOARD, LAYOUT, a_map, a_row, a_state, a_view, play

from companion.titles.contract import Piece
from companion.titles.taxi_over.map import draw
from companion.titles.taxi_over.map.moments import moment_of
from companion.titles.taxi_over.outlook import outlook_of
from companion.web.seat_shapes import SHAPES
from shared_rules.engine import game


def group(svg: str, name: str) -> str:
    """One live group of a map."""
    tree = ElementTree.fromstring(svg)
    found = next(part for part in tree.iter() if part.get("id") == name)
    return ElementTree.tostring(found, encoding="unicode")


def test_an_empty_town_and_every_group_in_order() -> None:
    svg = draw.draw_map(BOARD, LAYOUT)
    ids = re.findall(r'<g id="([a-z-]+)"', svg)
    assert [name for name in ids if name in draw.LIVE_GROUPS] == list(draw.LIVE_GROUPS)
    assert group(svg, "taxis").count("<ns0:g") == 1
    with pytest.raises(ValueError, match="map mode"):
        draw.draw_live(BOARD, LAYOUT, mode="moon")


def test_taxis_and_drivers_are_separate_and_empty_taxis_are_lit() -> None:
    state = a_state({}, {"driver": None}, {}, taxis={"T1": {"at": "s3"}, "T2": {"at": "s9"}})
    taxis = group(a_map(state), "taxis")
    ids = re.findall(r'id="([\w-]+)"', taxis)
    assert [name for name in ids if name not in ("taxis", "on-turn")] == [
        "taxi-T1", "taxi-T2", "taxi-T3", "driver-red", "driver-white", "driver-blue",
    ]  # fmt: skip
    assert taxis.count("rooflamp on") == 1
    assert "empty taxi 2" in taxis
    assert "Bo’s driver" in taxis
    spots = dict(re.findall(r'id="([\w-]+)"[^>]*style="transform:translate\(([^)]*)\)', taxis))
    assert spots["driver-red"] == spots["taxi-T1"] == spots["on-turn"]
    assert spots["driver-blue"] != spots["taxi-T2"], "who is out stands before the own house"


def test_colour_never_stands_alone() -> None:
    svg = a_map(a_state({}, {}, {}, {}))
    for colour in ("red", "blue", "white", "violet"):
        assert f'id="shp-{colour}"' in svg
        assert SHAPES[colour] in svg
        assert svg.count(f'href="#shp-{colour}"') >= 2, "on the driver and on the house"


@pytest.mark.parametrize("tokens", [0, 1, 9, 12, 36])
def test_the_box_has_a_drawn_token_for_each(tokens: int) -> None:
    box = group(a_map(a_state({}, {}, box=tokens, taxis={"T1": {"at": "s1"}})), "box")
    assert box.count("#token") == tokens
    assert f"{tokens} token" in box


def test_houses_have_as_many_tokens_as_their_players() -> None:
    houses = group(a_map(a_state({"held": 3}, {"held": 7})), "homes")
    assert houses.count("#token") == 10
    assert houses.count("#slot") == 2 * 8 - 10, "two players play to eight"
    assert houses.count("TO LET") == 2


def test_the_dice_and_what_stopping_and_the_next_die_would_do() -> None:
    state = a_state({}, {}, {}, taxis={"T1": {"at": "s2"}, "T2": {"at": "s8"}, "T3": {"at": "s6"}})
    play(state, {"do": "roll", "seat": 1, "face": 2}, {"do": "roll", "seat": 1, "face": 1})
    svg = a_map(state)
    assert group(svg, "dice").count('class="die new"') == 1
    assert "2 + 1 = 3" in group(svg, "dice")
    ahead = group(svg, "ahead")
    assert re.findall(r'class="stopflag".*?>(\d+)<', ahead) == ["6"]
    assert 'class="danger"' in ahead, "Bo or Carla would fall"
    assert "33 %" in ahead
    assert "rt wide" in group(svg, "route")


def test_a_violation_stays_to_be_seen_until_the_next_command() -> None:
    state = a_state({}, {})
    events = play(state, {"do": "roll", "seat": 1, "face": 3}, {"do": "roll", "seat": 1, "face": 3})
    svg = a_map(state, events)
    assert "TOO FAST!" in group(svg, "dice")
    assert "3 + 3 = 6" in group(svg, "dice")
    assert group(svg, "box").count("coin new") == 1
    events = play(state, {"do": "roll", "seat": 2, "face": 1})
    assert "TOO FAST!" not in a_map(state, events)


def test_start_shines_while_a_driver_may_get_in() -> None:
    assert 'class="glow"' in a_map(a_state({"driver": None}, {}))
    assert 'class="glow"' not in a_map(a_state({}, {}))


def test_nothing_moves_by_a_command_that_was_taken_back() -> None:
    state = a_state({}, {})
    events = play(state, {"do": "roll", "seat": 1, "face": 3}, {"do": "stop", "seat": 1})
    assert moment_of([a_row(events)]).events
    assert not moment_of([a_row(events, undone=True)]).events
    assert not moment_of([a_row([], kind="undo"), a_row(events, undone=True)]).events
    assert moment_of([a_row([], kind="note"), a_row(events)]).events, "a note is no command"


def test_a_hundred_positions_of_random_games_can_be_drawn() -> None:
    rng = random.Random(5)
    state = a_state({}, {}, {}, {})
    bot, drawn = state.title.bots()["random"](rng.random), 0
    while drawn < 100 and state.title.waiting_for(state):
        command = bot.choose(state, state.turn)
        if game.chance(state, command) is not None:
            command = {**command, "face": rng.choice(state.title.faces(state, "taxi"))}
        events = game.play(state, command)
        for mode in ("wall", "phone"):
            ElementTree.fromstring(a_map(state, events, mode))
        drawn += 1
    assert drawn == 100


def test_what_is_held_in_a_hand_is_drawn() -> None:
    taxi = draw.hold(Piece("taxi:T2", "taxi", 0, "", "2"))
    assert "rooflamp on" in taxi
    assert "rooflamp off" in draw.hold(Piece("taxi:T2", "taxi", 3, "", "2"))
    assert "#shp-blue" in draw.hold(Piece("driver:2", "driver", 2, "blue"))


def test_a_phone_is_shown_the_whole_ring() -> None:
    view = a_view(a_state({}, {}))
    assert outlook_of(view) is not None
    x, y, wide, high = map(float, draw.crop_round(BOARD, LAYOUT, [], 328, 236).split())
    assert x <= 44
    assert y <= 44
    assert x + wide >= 1322
    assert y + high >= 992
