"""Whatever is drawn: what pushing may do to a road, that views tell the position and no more, that events carry all."""

import json

from hypothesis import given, settings
from hypothesis import strategies as st
from taxi_over_tables import EIGHT, ring

from shared_rules.engine import game
from shared_rules.games.taxi_over.board import START_PLACE, parse_board
from shared_rules.games.taxi_over.traffic import Traffic


@st.composite
def roads(draw):
    """A board and taxis on it: (board, places by taxi with an unused first entry)."""
    if draw(st.booleans()):
        size = draw(st.integers(5, 14))
        marks = draw(st.sets(st.integers(1, size), min_size=1, max_size=3))
        bends = draw(st.sets(st.integers(1, size), max_size=3))
        board = parse_board(ring(size, sorted(marks), {f"K{i}": i for i in sorted(bends)}))
    else:
        board = parse_board(EIGHT | {"sinkholes": draw(st.sampled_from([{}, {"K1": "f4"}, {"K1": "f1", "K2": "f8"}]))})
    taxis = draw(st.integers(2, 4))
    at = [START_PLACE]
    taken = set()
    for _ in range(taxis):
        place = draw(st.integers(START_PLACE, len(board.loop) - 1))
        if place != START_PLACE and board.space[place] in taken:
            place = START_PLACE
        if place != START_PLACE:
            taken.add(board.space[place])
        at.append(place)
    return board, at


def traffic(board, at, own_heading=False, any_falls=False):
    fresh = [place == START_PLACE for place in at]
    return Traffic(board, at, fresh, own_heading, any_falls)


def spaces(board, at):
    return [board.space[place] for place in at[1:] if place != START_PLACE]


@given(roads(), st.integers(1, 12), st.booleans(), st.booleans())
@settings(max_examples=400, deadline=None)
def test_a_drive_keeps_all_taxis_and_puts_no_two_on_a_space(road, steps, own_heading, landing_only):
    board, at = road
    now = traffic(board, at, own_heading)
    way = now.drive(1, steps, landing_only)
    assert len(now.at) == len(at)
    assert len(set(spaces(board, now.at))) == len(spaces(board, now.at))
    assert way == [name for name in way if name in board.loop]
    assert len(way) == steps
    assert board.names[now.at[1]] == way[-1]
    # Who is neither on the way nor pushed stays where it is.
    for taxi in range(2, len(at)):
        if taxi not in now.ways:
            assert now.at[taxi] == at[taxi]
    fallen = [taxi for taxi, _ in now.falls]
    assert len(set(fallen)) == len(fallen)
    for taxi, pit in now.falls:
        assert now.at[taxi] == START_PLACE
        assert now.fresh[taxi]
        assert pit in board.sinkholes
    for taxi in range(1, len(at)):
        if now.at[taxi] != START_PLACE and board.marks[now.at[taxi]]:
            assert not now.fresh[taxi] or now.at[taxi] == at[taxi]


@given(roads(), st.integers(1, 12))
@settings(max_examples=200, deadline=None)
def test_a_taxi_that_is_swept_along_ends_right_before_the_mover(road, steps):
    board, at = road
    now = traffic(board, at)
    now.drive(1, steps, False)
    ahead = board.next[now.at[1]]
    for taxi, way in now.ways.items():
        if now.at[taxi] == START_PLACE:
            continue
        # Each was pushed over as many spaces as its way has names, and ends on the last of them.
        assert board.names[now.at[taxi]] == way[-1]
    before_it = [taxi for taxi in now.ways if now.at[taxi] != START_PLACE]
    if len(before_it) == 1 and now.ways[before_it[0]][-1:] == [board.names[ahead]]:
        assert board.space[now.at[before_it[0]]] == board.space[ahead]


@given(roads(), st.integers(1, 12))
@settings(max_examples=200, deadline=None)
def test_a_drive_is_its_steps_one_after_another(road, steps):
    """Step by step gives the same road as the whole drive, but for who was pushed into a hole on its way."""
    board, at = road
    whole = traffic(board, at)
    whole.drive(1, steps, False)
    by_step = traffic(board, at)
    for _ in range(steps):
        by_step = Traffic(board, by_step.at, by_step.fresh, False, False)
        by_step.drive(1, 1, False)
    assert by_step.at == whole.at
    assert by_step.fresh == whole.fresh


@given(roads(), st.sampled_from(["put", "put_behind", "drive"]))
@settings(max_examples=300, deadline=None)
def test_placing_ends_on_the_next_intersection_or_right_before_it(road, how):
    board, at = road
    now = traffic(board, at)
    target = now.to_next_mark(1)
    steps = board.to_mark[at[1]]
    if how == "put":
        now.put(1, target)
    elif how == "put_behind":
        now.put_behind(1)
    else:
        now.drive(1, steps, False)
    assert len(set(spaces(board, now.at))) == len(spaces(board, now.at))
    if how == "put_behind":
        assert not now.ways
        assert now.at[1] == at[1] or board.names[now.at[1]] in board.way(at[1], steps)
    else:
        assert now.at[1] == target
        assert not now.fresh[1]


@given(st.lists(st.sampled_from([1, 2, 3, 0]), max_size=60), st.integers(2, 4))
@settings(max_examples=60, deadline=None)
def test_views_are_the_position_and_events_rebuild_it(choices, seats):
    start = {"game": "taxi_over", "board": "carousel", "players": [{} for _ in range(seats)]}
    state = game.load_position(start)
    again = game.load_position(start)
    for choice in choices:
        if state.phase == "over":
            break
        seat = state.turn
        templates = game.legal_commands(state, seat)
        if state.phase == "board":
            taxis = templates[0]["taxi"]
            command = {"do": "board_taxi", "seat": seat, "taxi": taxis[choice % len(taxis)]}
        elif choice == 0 and len(templates) == 2:
            command = templates[1]
        else:
            command = {**templates[0], "face": choice or 1}
        for event in game.play(state, command):
            assert json.loads(json.dumps(event)) == event
            game.evolve(again, json.loads(json.dumps(event)))
    now = game.dump_position(state)
    assert game.dump_position(again) == now
    assert game.dump_position(game.load_position(json.loads(json.dumps(now)))) == now
    for audience in ["spectator", "bank", *range(1, seats + 1)]:
        view = game.view_for(state, audience)
        assert {key: value for key, value in view.items() if key not in ("audience", "prompts")} == now
