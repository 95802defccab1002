"""What the virtual table's own command line takes: readers in some sockets, and one sentence for what cannot be."""

import asyncio
import json
import subprocess
import sys
from pathlib import Path

import pytest

from companion.virtual_table.client import ControlAddress, VirtualTableClient

COMMAND = [sys.executable, "-m", "companion.virtual_table"]
ROOT = Path(__file__).resolve().parents[2]
PATIENCE = 60


@pytest.mark.parametrize(
    ("arguments", "status", "sentence"),
    [
        (["--devices", ""], 1, "devices are called table, die, ring"),
        (["--flash", "/proc/nosuch"], 1, "cannot start: /proc/nosuch: No such file or directory. Name another one."),
        (["--flash", ""], 2, "nothing stands there"),
        (["--code", "/nosuch"], 1, "there is no 'firmware' in /nosuch"),
        (["--heap", "x"], 1, "a heap is written like 110wK"),
        (["--air-time-ms", "nan"], 2, "a time is a number from 0"),
        (["--hci-port", "99999"], 2, "a port is a number from 1 to 65535"),
        (["--control-port", "-3"], 2, "a port is a number from 1 to 65535"),
        (["--port-file", "/proc/nosuch"], 1, "cannot start: /proc/nosuch"),
        (["--readers", "5-2"], 2, "the lower socket comes first"),
        (["--readers", "40"], 1, "sockets have numbers from 0 to 31"),
        (["--readers", "16", "--devices", "die"], 1, "there is no table controller here"),
    ],
)
def test_what_cannot_be_is_one_sentence(arguments, status, sentence):
    done = subprocess.run([*COMMAND, *arguments], capture_output=True, text=True, timeout=PATIENCE, cwd=ROOT)
    assert done.returncode == status, done.stderr
    assert sentence in done.stderr
    assert "Traceback" not in done.stderr
    assert "Errno" not in done.stderr


def test_readers_are_in_the_sockets_that_were_named():
    table = subprocess.Popen(
        [*COMMAND, "--readers", "16, 0-1", "--with-parent"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=ROOT
    )
    try:
        reached = json.loads(table.stdout.readline())

        async def ask():
            client = await VirtualTableClient.connect(ControlAddress(reached["control_port"], reached["token"]))
            try:
                return await client.do("readers")
            finally:
                await client.close()

        kinds = asyncio.run(ask())
    finally:
        table.stdin.close()
        table.wait(timeout=PATIENCE)
        table.stdout.close()
    assert [socket for socket, kind in enumerate(kinds) if kind != "none"] == [0, 1, 16]
