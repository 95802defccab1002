"""A whole evening of each title, with a link drop and a crash of the companion in each of its chapters."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from evening_checks import commands_give_the_events, device_origins, dice_thrown, happened, nothing_doubled
from evening_people import titles_with_people
from virtual_evening import an_evening

from companion.virtual_table.clock import VirtualTimeLoop

SEED = 20261129


@pytest.mark.evening
@pytest.mark.parametrize("title", titles_with_people())
def test_a_whole_evening_with_a_drop_and_a_crash_in_each_chapter(tmp_path: Path, title: str) -> None:
    with asyncio.Runner(loop_factory=VirtualTimeLoop) as runner:
        evening = runner.run(an_evening(tmp_path, seed=SEED, title=title))
        seconds = runner.get_loop().time()
    record = evening.record
    commands_give_the_events(record)
    nothing_doubled(record)
    throws = [row for row in record["entries"] if row["kind"] == "play" and row["command"]["do"] == "roll"]
    assert len(device_origins(record, "die")) == len(throws), "every throw is the table's"
    assert dice_thrown(record) == evening.people.presses, "every press of the die counts once"
    assert happened(record) >= evening.people.HAPPENS
    assert len(device_origins(record, "tag")) >= evening.people.CHAPTERS, "hands have played, too"
    assert evening.companion.crashes == evening.chapters >= evening.people.CHAPTERS
    assert evening.table.model_errors() == []
    assert seconds > 100, "an evening takes a while, even a virtual one"
