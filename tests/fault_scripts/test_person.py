"""A person at a terminal: the command in a pseudo-terminal, its table a virtual one in another process, reached over
real links; this test is the hands, which read what is printed."""

import asyncio
import fcntl
import os
import pty
import re
import subprocess
import sys
import termios
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parent / "a_taxi_placed_lifted_placed.toml"
COMMAND = [sys.executable, "-c", "from companion.cli import main; main()", "fault", "run"]
PUT = re.compile(r"Put the taxi (\w+) on socket (\d+)\. Then press Enter: $")
TAKE = re.compile(r"Take the taxi (\w+) off the table\. Then press Enter: $")
PATIENCE = 120


def own_terminal():
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)


async def evening(answer, *scripts):
    """What was printed, and the status; `answer(hands, text)` hears all that is new, and says what is typed."""
    from companion.virtual_table.client import VirtualTableClient
    from companion.virtual_table.launch import start_virtual_table

    running = await start_virtual_table()
    hands = await VirtualTableClient.connect(running.control)
    screen, terminal = pty.openpty()
    table = f"hci:127.0.0.1:{running.hci_port}"
    process = subprocess.Popen(
        [*COMMAND, *map(str, scripts), "--target", "person", "--table", table],
        stdin=terminal, stdout=terminal, stderr=terminal, start_new_session=True, preexec_fn=own_terminal,
    )  # fmt: skip
    os.close(terminal)
    seen, new = "", ""
    try:
        async with asyncio.timeout(PATIENCE):
            while data := await asyncio.to_thread(read, screen):
                seen, new = seen + data, new + data
                if (typed := await answer(hands, new)) is not None:
                    new = ""
                    os.write(screen, typed)
        return seen.replace("\r", ""), await asyncio.to_thread(process.wait, PATIENCE)
    finally:
        process.kill()
        process.wait()
        os.close(screen)
        await hands.close()
        await running.stop()


def read(screen):
    try:
        return os.read(screen, 4096).decode()
    except OSError:  # nobody is at the other end any more
        return ""


async def obedient(hands, text):
    if asked := PUT.search(text):
        await hands.place_tag("04ffffffffffff", int(asked[2]))
    elif TAKE.search(text):
        await hands.lift_tag("04ffffffffffff")
    else:
        return None
    return b"\n"


@pytest.mark.timeout(300)
def test_who_does_what_is_printed_passes(virtual_table):
    printed, status = asyncio.run(evening(obedient, SCRIPT))
    assert status == 0, printed
    lines = [line.strip() for line in printed.splitlines()]
    assert lines[0].startswith("a_taxi_placed_lifted_placed: The same taxi")
    assert "It asks you 3 times." in lines
    assert [line[:6] for line in lines if " of 3 " in line] == ["1 of 3", "2 of 3", "3 of 3"]
    assert sum("tag appeared (socket 3, uid 04a1b2c3)" in line for line in lines) == 2
    assert any(line.startswith("ok   a_taxi_placed_lifted_placed (person") for line in lines)


@pytest.mark.timeout(300)
@pytest.mark.parametrize(("key", "why", "status"), [(b"\x03", "It was stopped", 130), (b"\x04", "The input ended", 1)])
def test_who_has_had_enough_gets_a_sentence_and_what_is_known(key, why, status, virtual_table):
    async def tired(hands, text):
        return key if TAKE.search(text) else await obedient(hands, text)

    printed, ended = asyncio.run(evening(tired, SCRIPT))
    assert ended == status, printed
    report = printed[printed.index("stop a_taxi") :].split("\n")
    assert report[0] == f"stop a_taxi_placed_lifted_placed: {why} after 1 of 3 steps; that proves nothing."
    assert report[1].strip() == "came:         tag_appeared uid=04a1b2c3 socket=3"
    assert report[2].strip().startswith("did not come: tag_gone")
    assert "Traceback" not in printed


def test_a_virtual_table_has_hands_of_its_own():
    done = subprocess.run(
        [*COMMAND, str(SCRIPT), "--target", "person", "--table", "virtual"],
        capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert done.returncode == 1
    assert "use --target process" in done.stderr
    refused = SCRIPT.with_name("a_reader_that_hangs.toml")
    done = subprocess.run(
        [*COMMAND, str(refused), "--target", "person"], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 1
    assert done.stdout.startswith("skip a_reader_that_hangs: No person can hang up")
