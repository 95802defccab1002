"""The story of a game adds up: what moved explains the standings, every throw is counted, turning points are true."""

import pytest
from record_games import FILES, golden, record_of

from shared_rules.engine import game, titles
from shared_rules.records import story


def told(path):
    record = record_of(path)
    return record, story.of(record)


def ends(path):
    """(state at the beginning, state at the end)."""
    _, start, commands = golden(path)
    first, last = game.load_position(start), game.load_position(start)
    for command in commands:
        game.play(last, command)
    return first, last


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_standings_go_from_the_beginning_to_the_end(path):
    record, found = told(path)
    first, last = ends(path)
    key, unit = titles.title(record.game).meta.STANDING
    assert found["unit"] == unit
    assert found["result"] == record.result
    assert found["entries"] == len(golden(path)[2])
    if not record.entries:
        assert found["standings"] == []
        return
    assert found["standings"][0]["values"] == story.standing(first, key)
    assert found["standings"][-1]["values"] == story.standing(last, key)
    turns = [row["turn"] for row in found["standings"]]
    assert turns == [*range(1, found["turns"] + 1), found["turns"]]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_what_moved_explains_what_everybody_has(path):
    record, found = told(path)
    corrected = any(what["do"] == "correct" for _, what in record.entries)
    first, last = (game.dump_position(state)["players"] for state in ends(path))
    key = {"taxi": "cash", "taxi_over": "held", "destination_london": "cash"}[record.game]
    moved = found["moved"].get(found["unit"], {})
    sums = [sum(changes[seat] for changes in moved.values()) for seat in range(len(first))]
    gained = [after[key] - before[key] for before, after in zip(first, last, strict=True)]
    assert corrected or sums == gained


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_throw_is_counted_once(path):
    record, found = told(path)
    thrown = 0
    for _, command in record.entries:
        thrown += len(command.get("faces", ())) + ("face" in command)
    assert sum(row["throws"] for row in found["luck"]) == thrown
    for row in found["luck"]:
        assert sum(times for _, times, _ in row["faces"]) == row["throws"]
        assert sum(top * 1.0 / bottom for _, _, (top, bottom) in row["faces"]) == pytest.approx(1)


def test_turning_points_are_the_largest_changes_of_the_lead():
    seen = 0
    for path in FILES:
        record, found = told(path)
        points = found["points"]
        assert len(points) <= story.POINTS
        assert [point["entry"] for point in points] == sorted(point["entry"] for point in points)
        for point in points:
            hero = point["hero"] - 1
            margins = [
                values[hero] - max(value for seat, value in enumerate(values) if seat != hero)
                for values in (point["before"], point["values"])
            ]
            assert margins[1] - margins[0] == point["swing"] != 0
            assert record.entries[point["entry"] - 1][1]["seat"] == point["seat"]
            seen += 1
        if record.result and record.result["winners"] and points:
            assert points[0]["hero"] == record.result["winners"][0]
    assert seen > 50
