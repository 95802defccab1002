"""A whole evening of fifteen trips, with a link drop and a crash of the companion in each."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from evening_checks import commands_give_the_events, device_origins, nothing_doubled
from virtual_evening import an_evening

from companion.virtual_table.clock import VirtualTimeLoop

SEED = 20261129


@pytest.mark.evening
def test_a_whole_evening_with_a_drop_and_a_crash_in_each_trip(tmp_path: Path) -> None:
    with asyncio.Runner(loop_factory=VirtualTimeLoop) as runner:
        evening = runner.run(an_evening(tmp_path, seed=SEED))
        seconds = runner.get_loop().time()
    record = evening.record
    commands_give_the_events(record)
    nothing_doubled(record)
    thrown = [row for row in record["entries"] if row["kind"] == "play" and row["command"]["do"] == "roll"]
    pressed = evening.people.presses
    assert len(device_origins(record, "die")) == pressed == len(thrown), "every press of the die is one throw"
    assert evening.companion.crashes == 15
    assert evening.table.model_errors() == []
    assert seconds > 400, "an evening takes a while, even a virtual one"
