"""A script that must fail fails, and says why; a person at a real table is told what to do; the command's status."""

import asyncio
import subprocess
import sys

import pytest

from companion.fault_scripts.person import PersonTarget
from companion.fault_scripts.player import play
from companion.fault_scripts.script import FORMAT, parse_script
from companion.fault_scripts.targets import RefusedError, TargetError, VirtualTarget, runner_for, target_named
from companion.virtual_table.clock import VirtualTimeLoop

HEAD = f'format = "{FORMAT}"\nname = "n"\ntitle = "t"\nsource = "s"\nlasts_ms = 9000\n'
PLACE = '[[steps]]\nat_ms = 500\ndo = "place_tag"\nuid = "04a1b2c3"\nsocket = 3\nlabel = "placed"\n'


def verdict_on(text, target=None):
    target = target or VirtualTarget()
    with runner_for(target) as runner:
        return runner.run(play(parse_script(text), target))


@pytest.mark.parametrize(
    ("judged", "says"),
    [
        ('[[expect]]\nfact = "tag_appeared"\nsocket = 4\n', "socket=4 never came"),
        ('[[expect]]\nfact = "tag_appeared"\nafter = "placed"\nwithin_ms = 1\n', "the limit was"),
        ('[[never]]\nfact = "tag_appeared"\n', "must never come"),
        ('[[count]]\nfact = "tag_appeared"\nexactly = 2\n', "came 1 times, and must come 2 times"),
        ('[[state]]\ndevice = "table"\nfield = "state"\nis = "lost"\n', "'connected' in the end"),
        ('[[steps]]\nwait = "tag_gone"\nwithin_ms = 2000\n[[never]]\nfact = "tag_gone"\n', "nothing within 2 s"),
        ('[[steps]]\nask = "pair"\noutcome = "fails"\n[[never]]\nfact = "tag_gone"\n', "must be refused"),
        ('[[steps]]\nask = "restart"\n[[never]]\nfact = "tag_gone"\n', "paired with"),
        ('[[steps]]\ndo = "power_cut"\nafter_writes = 9999\n[[never]]\nfact = "tag_gone"\n', "1 of 1 power cuts never"),
        ('[[steps]]\ndo = "lights"\nshows = "lit"\n[[never]]\nfact = "tag_gone"\n', "dark, and should be lit"),
    ],
)
def test_what_does_not_come_is_said(judged, says, virtual_table):
    verdict = verdict_on(HEAD + PLACE + judged)
    assert not verdict.passed
    assert any(says in sentence for sentence in verdict.wrong), verdict.wrong


def test_the_same_script_is_the_same_twice(virtual_table):
    text = HEAD + PLACE + '[[steps]]\nat_ms = 3000\ndo = "drop_link"\n[[expect]]\nfact = "linked"\n'
    first, second = verdict_on(text), verdict_on(text)
    assert first.passed
    assert first.heard == second.heard


def test_a_person_is_told_what_to_do(virtual_table):
    """The table is virtual, the hands are this test's: it does what a person is told, when the person is asked."""

    async def evening():
        from companion.settings import Settings
        from companion.virtual_table.table import VirtualTable

        told = []
        async with VirtualTable() as table:

            async def ask(text):
                told.append(text)
                table.place_tag("04ffffffffffff", 3)  # whatever taxi is at hand
                return ""

            scanner, client = table.backend()
            settings = Settings(scanner_backend=scanner, client_backend=client)
            person = PersonTarget(told.append, ask, settings=settings)
            script = parse_script(HEAD + PLACE + '[[expect]]\nfact = "tag_appeared"\nsocket = 3\nby_ms = 1\n')
            return await play(script, person), told

    with asyncio.Runner(loop_factory=VirtualTimeLoop) as runner:
        verdict, told = runner.run(evening())
    assert verdict.wrong == []
    assert any("04a1b2c3 on socket 3" in text for text in told)
    assert any("tag appeared" in text and "04a1b2c3" in text for text in told)


@pytest.mark.parametrize(
    ("steps", "says"),
    [
        ('[[steps]]\ndo = "crash"\n', "No person can make a processor crash"),
        ('[[steps]]\ndo = "mute_reader"\nsocket = 3\n', "hang up a reader's chip"),
    ],
)
def test_what_no_hand_can_do_is_said_before_anything_begins(steps, says):
    told = []
    person = PersonTarget(told.append, table="ble")
    text = HEAD + PLACE + steps + '[[never]]\nfact = "tag_gone"\n'
    with pytest.raises(RefusedError, match=says):
        asyncio.run(play(parse_script(text), person))
    assert told == []


def test_a_script_for_a_cable_needs_one():
    text = HEAD + 'cables = ["table"]\n' + PLACE + '[[never]]\nfact = "tag_gone"\n'
    with pytest.raises(RefusedError, match="--table ble,serial:/dev/ttyUSB0"):
        asyncio.run(play(parse_script(text), PersonTarget(table="ble")))


def test_an_unknown_target_is_refused():
    with pytest.raises(TargetError, match="virtual, process, person"):
        target_named("moon")


def run(*arguments):
    command = [sys.executable, "-c", "from companion.cli import main; main()", "fault", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)


def test_the_command(tmp_path, virtual_table):
    good, bad = tmp_path / "good.toml", tmp_path / "bad.toml"
    good.write_text(HEAD + PLACE + '[[expect]]\nfact = "tag_appeared"\n')
    bad.write_text(HEAD + PLACE + '[[never]]\nfact = "tag_appeared"\n')
    done = run("run", good, "--facts")
    assert (done.returncode, done.stderr) == (0, "")
    assert "ok   n (virtual" in done.stdout
    assert "tag_appeared device=table socket=3" in done.stdout
    done = run("run", tmp_path)
    assert done.returncode == 1
    assert "FAIL n" in done.stdout
    assert run("list", tmp_path).stdout.splitlines()[0].startswith("n ")
    broken = tmp_path / "broken.toml"
    broken.write_text("format = 1")
    done = run("run", broken)
    assert done.returncode == 1
    assert done.stderr.startswith("cabstand: broken.toml: line 1: format")
    assert "Traceback" not in done.stderr
    assert run("run", tmp_path / "none.toml").returncode == 1
