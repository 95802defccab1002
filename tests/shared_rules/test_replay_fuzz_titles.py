"""The replay program answers spoiled lines of every title with one line and no traceback, on both Pythons alike."""

import json

import pytest
from spoiling import Spoiler
from taxi_tables import need_micropython, replay

from shared_rules import games


@pytest.mark.parametrize("name", games.names())
def test_spoiled_lines_of_every_title(name):
    spoiler = Spoiler(name, 1)
    lines = [spoiler.line() for _ in range(150)]
    answers = replay(lines)
    assert len(answers) == len(lines)
    assert replay(lines, need_micropython(), "-X", "heapsize=64m") == answers
    told = [json.loads(answer) for answer in answers]
    assert [line for line, out in zip(lines, told, strict=True) if out.get("error", {}).get("code") == "fault"] == []
    assert 15 < sum("error" in out for out in told) < 140


def test_the_same_seed_gives_the_same_lines():
    first, second, other = Spoiler("taxi_over", 3), Spoiler("taxi_over", 3), Spoiler("taxi_over", 4)
    lines = [first.line() for _ in range(20)]
    assert [second.line() for _ in range(20)] == lines
    assert [other.line() for _ in range(20)] != lines
