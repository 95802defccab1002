"""How taxis go on the map: along the ring, pushed when they are reached, into the hole and up at START."""

from __future__ import annotations

import math

import pytest
from ring_kit import BOARD, LAYOUT, a_state, play

from companion.titles.taxi_over.map.glide import DEPTHS, FINE, Glide, bay_of, glides
from companion.titles.taxi_over.map.ring import ring

HERE = ring(BOARD, LAYOUT)
Track = list[tuple[float, float]]


def points(glide: Glide) -> tuple[int, Track]:
    milliseconds, *flat = map(float, glide.way.split())
    return int(milliseconds), list(zip(flat[::2], flat[1::2], strict=True))


def stop(state: object, *faces: int) -> dict[str, Glide]:
    seat = state.turn  # type: ignore[attr-defined]
    rolls = [{"do": "roll", "seat": seat, "face": face} for face in faces]
    return glides(HERE, play(state, *rolls, {"do": "stop", "seat": seat}))


def near(point: tuple[float, float], place: str) -> bool:
    return math.dist(point, HERE.at(place)[:2]) < 1


def test_a_free_road() -> None:
    found = stop(a_state({}, {}, taxis={"T1": {"at": "s7"}}), 2, 1)
    assert set(found) == {"T1"}
    _, track = points(found["T1"])
    assert near(track[0], "s7")
    assert near(track[-1], "s13")
    assert len(track) == 6 * FINE + 1
    for place, step in zip(("s8", "s9", "s10", "s11", "s12"), range(1, 6), strict=True):
        assert near(track[step * FINE], place), "along the ring, not across the town"


def test_the_first_drive_begins_in_the_own_bay() -> None:
    found = stop(a_state({}, {}), 3)
    _, track = points(found["T1"])
    assert track[0] == pytest.approx(bay_of(HERE, "T1")[:2], abs=0.1)
    assert near(track[FINE], "s1")
    assert near(track[-1], "s3")


def test_a_row_shifts_when_it_is_reached_and_not_before() -> None:
    state = a_state({}, {}, {}, taxis={"T1": {"at": "s9"}, "T2": {"at": "s12"}, "T3": {"at": "s13"}})
    found = stop(state, 1, 1)
    tracks = {taxi: points(glide) for taxi, glide in found.items()}
    assert len({milliseconds for milliseconds, _ in tracks.values()}) == 1
    assert len({len(track) for _, track in tracks.values()}) == 1, "all at the same pace"
    mover, second, third = (tracks[taxi][1] for taxi in ("T1", "T2", "T3"))
    assert near(mover[-1], "s13")
    assert near(second[-1], "s14")
    assert near(third[-1], "s15")
    waits = 2 * FINE
    assert all(near(point, "s12") for point in second[: waits + 1])
    assert near(second[waits + FINE], "s13"), "pushed by one as the mover takes its place"
    assert near(third[waits + FINE], "s14")
    assert near(mover[waits + FINE], "s12")


def test_who_is_pushed_at_a_bend_goes_straight_into_the_hole_and_comes_up_at_start() -> None:
    state = a_state({}, {}, taxis={"T1": {"at": "s4"}, "T2": {"at": "s8"}})
    found = stop(state, 2, 1)
    _, track = points(found["T2"])
    pit = HERE.pit("K1")
    fall = next(index for index, point in enumerate(track) if math.dist(point, pit) < 1)
    assert near(track[fall - FINE], "s8")
    assert all(abs(point[1] - pit[1]) < 1 for point in track[fall - FINE : fall + 1]), "straight on"
    assert track[-1] == pytest.approx(bay_of(HERE, "T2")[:2], abs=0.1)
    down, up = map(float, found["T2"].under.split())
    assert down == pytest.approx(fall / (len(track) - 1), abs=0.002)
    assert up >= (fall + DEPTHS * FINE) / (len(track) - 1)
    assert found["T1"].under == ""


def test_an_empty_taxi_is_put_on_the_crossing_and_pushes_who_stands_there() -> None:
    state = a_state({}, {}, taxis={"T2": {"at": "s5"}})
    events = play(state, {"do": "roll", "seat": 1, "face": 3}, {"do": "roll", "seat": 1, "face": 3})
    found = glides(HERE, events)
    _, placed = points(found["T1"])
    _, pushed = points(found["T2"])
    assert near(placed[-1], "s5")
    assert near(pushed[0], "s5")
    assert near(pushed[-1], "s6")


def test_a_long_row_into_both_holes_ends_where_the_rules_say() -> None:
    taxis = {"T1": {"at": "s6"}, "T2": {"at": "s7"}, "T3": {"at": "s8"}, "T4": {"at": "s17"}}
    state = a_state({}, {}, {}, {}, taxis=taxis)
    found = stop(state, 2, 2)
    for taxi, glide in found.items():
        place = state.place_name(int(taxi[1:]))
        end = bay_of(HERE, taxi)[:2] if place == "START" else HERE.at(place)[:2]
        assert math.dist(points(glide)[1][-1], end) < 1, taxi


def test_nothing_glides_without_a_move() -> None:
    state = a_state({}, {})
    assert glides(HERE, play(state, {"do": "roll", "seat": 1, "face": 1})) == {}
