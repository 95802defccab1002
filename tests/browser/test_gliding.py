"""A taxi glides along its streets where motion is wanted, nose ahead, and is at once there where it is not."""

from __future__ import annotations

import math
from typing import Any

import pytest
from running_companion import RunningCompanion, Visit

from companion.titles.taxi.map.town import town
from companion.titles.taxi.map.way import find_way
from companion.titles.taxi.map.ways import leg_line
from companion.web.map.geometry import Line
from shared_rules import library

pytestmark = pytest.mark.browser

# The glide is held at twelfths of its way: where and how the taxi then lies does not hang on how fast this machine is.
HALTS = """
() => { window.halts = new Promise((done) => {
  let left = 3600;
  const look = () => {
    const taxi = document.getElementById("taxi-red");
    const glide = taxi.getAnimations().find((one) => !(one instanceof CSSTransition));
    if (!glide) return left-- ? requestAnimationFrame(look) : done([0, [], ""]);
    glide.pause();
    const { duration } = glide.effect.getComputedTiming();
    const seen = [];
    for (let i = 0; i <= 12; i++) {
      glide.currentTime = Math.min((duration * i) / 12, duration - 1);
      const m = new DOMMatrix(getComputedStyle(taxi).transform);
      seen.push([m.e, m.f, (Math.atan2(m.b, m.a) * 180) / Math.PI]);
    }
    glide.finish();
    done([duration, seen, taxi.getAttribute("style")]);
  };
  look();
}); }
"""
"""Begun before the drive: on a busy machine this would come when it is over."""


def bent_drive(companion: RunningCompanion) -> tuple[str, str, dict[str, Any]]:
    """Where red is, and a drive of two or three streets from there whose way leaves the straight line by far."""
    board, layout = library.board("fumbling"), library.layout("fumbling")
    at = companion.table.view("bank")["players"][0]["at"]
    here = town(board, layout)
    prompts = companion.table.view("bank")["prompts"]["1"]
    rows = next(prompt["to"] for prompt in prompts if prompt["do"] == "move")
    for place, streets, green, white in rows:
        way = find_way(board, layout, at, place)
        if (green, white) != (0, 0) or streets not in (2, 3) or way is None:
            continue
        straight = Line([here.xy(at), here.xy(place)])
        path = Line([p for leg in way["legs"] if (line := leg_line(here, leg)) for p in line.points])
        middle = path.at(path.length / 2)[:2]
        if math.dist(middle, straight.at(straight.nearest(middle))[:2]) > 60:
            return at, place, {"path": path, "streets": streets}
    raise AssertionError("no bent drive from here")


def test_a_taxi_glides_along_its_streets(visit: Visit, companion: RunningCompanion) -> None:
    companion.evening("Ann", "Bo")
    companion.command(do="correct", seat=0, set={"players": [{"seat": 1, "at": "h6"}]}, why="where it lay")
    companion.command(do="roll", seat=1, die="d6", face=3)
    wall = visit.wall()
    wall.emulate_media(reduced_motion="no-preference")
    wall.locator("#taxi-red").wait_for(state="attached")
    _, place, drive = bent_drive(companion)
    path: Line = drive["path"]
    wall.evaluate(HALTS)
    companion.command(do="move", seat=1, to=place)
    duration, seen, style = wall.evaluate("() => window.halts")
    assert duration == min(700 * drive["streets"], 2200)
    for x, y, _ in seen:
        assert math.dist((x, y), path.at(path.nearest((x, y)))[:2]) < 12, "off its street"
    driven = [path.nearest((x, y)) for x, y, _ in seen]
    assert driven == sorted(driven)
    assert driven[0] < 5
    assert driven[-1] > path.length - 5
    inner = [(mark, turn) for mark, (_, _, turn) in zip(driven, seen, strict=True) if 40 < mark < path.length - 40]
    assert inner
    for mark, turn in inner:
        headings = [path.at(mark + by)[2] for by in (-24, 0, 24)]
        low, high = min(_apart(turn, one) for one in headings), max(_apart(turn, one) for one in headings)
        assert low < 50, "not nose ahead"
        assert high < 100, "not nose ahead"
    # It lies where the table says, though a later message tells the same place with another heading.
    companion.command(do="end_turn", seat=1)
    wall.locator("#turn h2", has_text="Bo").wait_for()
    assert wall.locator("#taxi-red").get_attribute("style") == style


def test_without_motion_it_is_there_at_once(visit: Visit, companion: RunningCompanion) -> None:
    companion.evening("Ann", "Bo")
    companion.command(do="roll", seat=1, die="d6", face=3)
    wall = visit.wall()
    before = wall.locator("#taxi-red").get_attribute("style")
    _, place, drive = bent_drive(companion)
    companion.command(do="move", seat=1, to=place)
    wall.wait_for_function("was => document.getElementById('taxi-red').getAttribute('style') !== was", arg=before)
    at = wall.evaluate(
        "() => { const t = document.getElementById('taxi-red'), m = new DOMMatrix(getComputedStyle(t).transform);"
        " return [m.e, m.f, t.getAnimations().length]; }"
    )
    assert math.dist(at[:2], drive["path"].points[-1]) < 1
    assert at[2] == 0


def _apart(one: float, other: float) -> float:
    return abs((one - other + 180) % 360 - 180)
