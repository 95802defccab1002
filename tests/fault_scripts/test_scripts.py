"""Every script of this folder, in virtual time, and some of them in real time through another process."""

import asyncio
from pathlib import Path

import pytest

from companion.fault_scripts.player import play
from companion.fault_scripts.script import read_script
from companion.fault_scripts.targets import ProcessTarget, VirtualTarget, runner_for

FOLDER = Path(__file__).parent
FILES = sorted(FOLDER.glob("*.toml"))
IN_PROCESSES = ("a_taxi_placed_lifted_placed", "a_link_lost_in_the_middle_of_a_roll", "noise_on_the_cable")
LONG = {"a_reader_that_goes_deaf_after_a_long_run", "half_an_hour_of_thinking"}


def verdict_on(script, target):
    with runner_for(target) as runner:
        return runner.run(play(script, target))


@pytest.mark.parametrize(
    "path", [pytest.param(f, id=f.stem, marks=[pytest.mark.long] * (f.stem in LONG)) for f in FILES]
)
@pytest.mark.timeout(900)
def test_in_virtual_time(path, virtual_table):
    script = read_script(path)
    assert script.name == path.stem, "a script is called as its file"
    verdict = verdict_on(script, VirtualTarget())
    assert verdict.wrong == []
    assert verdict.left_out == []


def test_in_processes_of_their_own(virtual_table):
    """Side by side, since their time is everybody's."""

    async def all_of_them():
        targets = [(read_script(FOLDER / f"{name}.toml"), ProcessTarget()) for name in IN_PROCESSES]
        return await asyncio.gather(*(play(script, target) for script, target in targets))

    verdicts = asyncio.run(all_of_them())
    assert {verdict.script.name: verdict.wrong for verdict in verdicts} == {name: [] for name in IN_PROCESSES}
    assert [verdict.left_out for verdict in verdicts] == [[]] * len(IN_PROCESSES)


def test_there_are_scripts():
    assert len(FILES) >= 25
