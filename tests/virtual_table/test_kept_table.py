"""A virtual table whose process dies: it is started again, once by itself, then when asked; people get one sentence,
the log gets the details.
"""

import asyncio
import logging
import sys
from contextlib import contextmanager

import pytest

from companion import terminal
from companion.virtual_table import kept as kept_module
from companion.virtual_table import launch
from companion.virtual_table.client import VirtualTableGoneError
from companion.virtual_table.kept import KeptTable


async def until(condition, seconds=60.0):
    async with asyncio.timeout(seconds):
        while not condition():
            await asyncio.sleep(0.02)


@contextmanager
def logged(folder):
    """As in `cabstand play`: sentences to standard error, all of it to a file."""
    before = list(logging.getLogger().handlers)
    terminal.keep_log(folder)
    yield folder / terminal.LOG_NAME
    for handler in [one for one in logging.getLogger().handlers if one not in before]:
        logging.getLogger().removeHandler(handler)
        handler.close()


def test_a_killed_process_is_started_again_once_by_itself_then_when_asked(tmp_path, capsys):
    states = []

    async def work():
        kept = KeptTable(tmp_path / "flash", ("table",))
        await kept.start()
        kept.on_change = lambda: states.append(kept.state)
        port, first = kept.running.hci_port, kept.bench

        async def lay_out():
            await kept.bench.place_tag("04a1b2c3", 7)

        kept.on_back = lay_out
        await kept.start_again()  # it runs: nothing happens
        assert kept.bench is first
        kept.running.kill()
        await until(lambda: kept.state == "again")
        assert kept.running.hci_port == port
        assert await kept.bench.tags() == {"04a1b2c3": 7}
        with pytest.raises(VirtualTableGoneError):
            await first.tags()
        kept.running.kill()
        await until(lambda: kept.state == "ended")
        await asyncio.sleep(0.3)
        assert kept.state == "ended"
        await kept.start_again()
        assert kept.state == "again"
        assert await kept.bench.tags() == {"04a1b2c3": 7}
        kept._old_news()
        await kept.stop()
        assert not kept.running.alive

    with logged(tmp_path):
        asyncio.run(work())
    assert states == ["ended", "starting", "again", "ended", "starting", "again", "running"]
    told = capsys.readouterr().err.splitlines()
    assert len(told) == 2
    assert "it is started again, and nothing of the evening is lost" in told[0]
    assert "start it again on the devices page, or play by hand" in told[1]


def test_a_process_that_ends_while_its_table_is_laid_out_can_be_started_again(tmp_path):
    async def work():
        kept = KeptTable(tmp_path / "flash", ("table",))
        await kept.start()
        backs = []

        async def lay_out():
            backs.append(kept.running.hci_port)
            if len(backs) == 1:
                kept.running.kill()
                await until(lambda: kept.state == "ended")

        kept.on_back = lay_out
        kept.running.kill()
        await until(lambda: backs and not kept.running.alive and kept.state == "ended")
        await asyncio.sleep(0.3)
        assert kept.state == "ended"
        await kept.start_again()
        assert (kept.state, len(backs)) == ("again", 2)
        assert await kept.bench.tags() == {}
        await kept.stop()

    asyncio.run(work())


def test_one_that_was_ended_on_purpose_stays_so(tmp_path, capsys):
    async def work():
        kept = KeptTable(tmp_path / "flash", ("table",))
        await kept.start()
        await kept.stop()
        await asyncio.sleep(0.2)
        assert kept.state == "running"
        assert not kept.running.alive

    with logged(tmp_path):
        asyncio.run(work())
    assert capsys.readouterr().err == ""


def test_a_fault_inside_is_one_sentence_for_people_and_a_traceback_in_the_log(tmp_path, monkeypatch, capsys):
    """The process is a real one, whose program is spoilt on the way in."""
    spoilt = tmp_path / "spoilt.py"
    spoilt.write_text(
        "import asyncio, runpy, sys\n"
        "from companion.virtual_table.table import VirtualTable\n"
        "start = VirtualTable.start\n"
        "def spoil(self):\n"
        "    start(self)\n"
        "    asyncio.get_running_loop().call_later(0.2, lambda: {}['in one of many tasks'])\n"
        "VirtualTable.close = None\n"
        "VirtualTable.start = spoil\n"
        "sys.argv[1:] = sys.argv[4:]\n"  # what stands before is: -m companion.virtual_table
        "runpy.run_module('companion.virtual_table', run_name='__main__')\n"
    )
    real = asyncio.create_subprocess_exec

    async def spoil(program, *arguments, **options):
        return await real(program, str(spoilt), "--", *arguments, **options)

    monkeypatch.setattr(launch.asyncio, "create_subprocess_exec", spoil)
    monkeypatch.setenv("PYTHONPATH", ":".join(sys.path))
    monkeypatch.setattr(kept_module, "start_virtual_table", launch.start_virtual_table)

    async def work():
        kept = KeptTable(tmp_path / "flash", ("table",))
        await kept.start()
        await until(lambda: any("in one of many tasks" in line for line in kept.running.last_words))
        await until(lambda: any("KeyError" in line for line in kept.running.last_words))
        assert await kept.bench.tags() == {}  # it goes on
        kept.running.process.terminate()  # closing fails: that fault ends it
        await until(lambda: kept.state == "again")
        await kept.stop()

    with logged(tmp_path) as log:
        asyncio.run(work())
        told, details = capsys.readouterr().err.splitlines(), log.read_text()
    assert [line for line in told if not line.startswith("cabstand: ")] == []
    assert any("Something broke inside ('in one of many tasks'); it goes on." in line for line in told)
    assert any("Something broke inside (TypeError" in line for line in told)
    assert any("ended unexpectedly (status 1): it is started again" in line for line in told)
    assert "Traceback" in details
    assert "in one of many tasks" in details
    assert not any("Traceback" in line for line in told)
