"""What the terminal does to the command line: closed, full, in another alphabet, interrupted; and what becomes of a
fault of ours."""

from __future__ import annotations

import logging
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from companion import terminal

PROGRAM = [sys.executable, "-c", "from companion.cli import main; main()"]


def shell(words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """What a shell says of `$CABSTAND words`."""
    program = f"{sys.executable} -c 'from companion.cli import main; main()'"
    return subprocess.run(
        ["bash", "-c", words.replace("CABSTAND", program)],
        capture_output=True,
        text=True,
        timeout=120,
        env={**os.environ, **environment},
        check=False,
    )


@pytest.mark.parametrize("command", ["board check", "doctor --table none --data DATA", "--help"])
@pytest.mark.parametrize(
    ("words", "status"),
    [("CABSTAND {} | head -1; echo ${{PIPESTATUS[0]}}", "0"), ("CABSTAND {} >&-; echo $?", "0")],
)
def test_output_that_nobody_reads_is_no_failure(tmp_path: Path, command: str, words: str, status: str) -> None:
    answer = shell(words.format(command.replace("DATA", str(tmp_path))))
    assert answer.stdout.splitlines()[-1] == status
    assert answer.stderr == ""


@pytest.mark.parametrize(
    "command", ["board check", "doctor --table none --data DATA", "backup --data DATA DATA/copy.db"]
)
def test_a_full_disk_behind_the_output_is_a_sentence(tmp_path: Path, command: str) -> None:
    if not Path("/dev/full").exists():
        pytest.skip("this system has no /dev/full")
    answer = shell(f"CABSTAND {command.replace('DATA', str(tmp_path))} > /dev/full; echo $?")
    assert answer.stdout.split() == ["1"]
    assert answer.stderr.startswith("cabstand: Not all could be printed (")
    assert len(answer.stderr.splitlines()) == 1


@pytest.mark.parametrize(
    "command", ["simulate --games 1 --players 2", "board check", "doctor --table none --data DATA"]
)
def test_an_alphabet_without_our_letters_loses_letters_only(tmp_path: Path, command: str) -> None:
    whole = shell(f"CABSTAND {command.replace('DATA', str(tmp_path))}", PYTHONIOENCODING="utf-8")
    poor = shell(f"CABSTAND {command.replace('DATA', str(tmp_path))}", PYTHONIOENCODING="ascii")
    assert poor.returncode == whole.returncode
    assert poor.stderr == whole.stderr
    assert len(poor.stdout.splitlines()) == len(whole.stdout.splitlines()) > 3


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["board", "check", "x" * 5000], "File name too long"),
        (["backup", "y" * 5000, "--data", "DATA"], "File name too long"),
        (["backup", "/dev/null/copy", "--data", "DATA"], "/dev/null does not exist"),
        (["play", "--port", "²"], "a port is a number from 1 to 65535"),
        (["play", "--port", "9" * 5000], "a port is a number from 1 to 65535"),
        (["play", "--data", ""], "the name of a folder is missing"),
        (["play", "--table", "hci:127.0.0.1:²", "--no-browser", "--data", "DATA"], "the radio is hci:HOST:PORT"),
        (["doctor", "--table", "nonsense"], "choose virtual, none, ble"),
    ],
)
def test_silly_arguments_are_answered_in_a_sentence(tmp_path: Path, words: list[str], says: str) -> None:
    words = [word.replace("DATA", str(tmp_path)) for word in words]
    answer = subprocess.run(PROGRAM + words, capture_output=True, text=True, timeout=120, check=False)
    assert answer.returncode in (1, 2)
    assert says in answer.stderr
    assert "Traceback" not in answer.stderr
    assert len(answer.stderr.splitlines()[-1]) < 400


def test_a_folder_that_is_a_file_is_seen_by_the_doctor(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder")
    answer = shell(f"CABSTAND doctor --table none --data {tmp_path}/file")
    assert answer.returncode == 1
    assert "is no folder" in answer.stdout


def test_ctrl_c_while_modules_are_loaded_ends_quietly(tmp_path: Path) -> None:
    for tenths in range(1, 8):
        running = subprocess.Popen(
            [*PROGRAM, "play", "--no-browser", "--table", "none", "--port", "18431", "--data", str(tmp_path)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        time.sleep(0.2 + tenths / 10)
        running.send_signal(signal.SIGINT)
        _, said = running.communicate(timeout=60)
        if "companion.cli" not in said and "KeyboardInterrupt" in said:
            continue  # before the first line of ours
        assert said == ""
        assert running.returncode in (0, 130, -signal.SIGINT)


def test_faults_are_kept_whole_and_told_in_a_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    root = logging.getLogger()
    before = list(root.handlers)
    try:
        terminal.keep_log(tmp_path)
        try:
            raise RuntimeError("a fault\nof two lines")
        except RuntimeError:
            logging.getLogger("companion.test").exception("a page failed: %s", "/wall")
        kept = tmp_path / terminal.LOG_NAME
        assert "RuntimeError: a fault" in kept.read_text("utf-8")
        assert "test_terminal.py" in kept.read_text("utf-8")
        assert kept.stat().st_mode & 0o077 == 0
        assert capsys.readouterr().err == f"cabstand: a page failed: /wall (more in {terminal.LOG_NAME})\n"
    finally:
        for handler in [h for h in root.handlers if h not in before]:
            root.removeHandler(handler)
            handler.close()
        logging.raiseExceptions = True


def test_a_folder_that_takes_no_log_stops_nothing(tmp_path: Path) -> None:
    root = logging.getLogger()
    before = list(root.handlers)
    try:
        terminal.keep_log(tmp_path / "missing")
    finally:
        for handler in [h for h in root.handlers if h not in before]:
            root.removeHandler(handler)
        logging.raiseExceptions = True
