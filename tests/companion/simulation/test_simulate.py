"""`cabstand simulate` from the outside: arguments, the same output for any number of processes, failures, Ctrl-C."""

import signal
import subprocess
import sys
import time

import psutil
import pytest

from companion import simulate
from companion.simulation import games

COMMAND = [sys.executable, "-c", "import sys; from companion.simulate import run; sys.exit(run(sys.argv[1:]))"]
SMALL = ["--players", "2", "--games", "3", "--seed", "5"]


def test_the_output_is_the_same_for_any_number_of_processes():
    outputs = [
        subprocess.run([*COMMAND, *SMALL, "--jobs", jobs], capture_output=True, text=True, timeout=120)
        for jobs in ("1", "2", "3")
    ]
    assert [done.returncode for done in outputs] == [0, 0, 0], outputs[0].stderr
    assert outputs[0].stdout == outputs[1].stdout == outputs[2].stdout
    assert "3 short games of 15 trips on Fumbling-on-the-Dawdle" in outputs[0].stdout


def test_another_seed_is_another_output(capsys):
    assert simulate.run([*SMALL, "--jobs", "1"]) == 0
    first = capsys.readouterr().out
    assert simulate.run([*SMALL[:-1], "6", "--jobs", "1"]) == 0
    assert capsys.readouterr().out != first


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--players", "1"], "must be 2 to 6, not 1"),
        (["--players", "seven"], "'seven' is no whole number"),
        (["--games", "0"], "must be 1 to"),
        (["--board", "atlantis"], "no board 'atlantis'; there are: fumbling"),
        (["--bots", "random,clever"], "no bot 'clever'; there are: greedy, random"),
        (["--jobs", "0"], "must be 1 to"),
        (["--speed", "11"], "unrecognized arguments: --speed 11"),
    ],
)
def test_bad_arguments_are_said_in_a_line(arguments, said, capsys):
    with pytest.raises(SystemExit) as end:
        simulate.run(arguments)
    assert end.value.code == 2
    assert said in capsys.readouterr().err


def test_a_game_that_fails_says_how_to_see_it_again(monkeypatch, capsys):
    monkeypatch.setattr(games, "MAX_ROUNDS", 1)
    assert simulate.run(["--players", "2", "--games", "40", "--jobs", "1", "--seed", "9"]) == 1
    said = capsys.readouterr()
    assert said.out == ""
    assert "round 2" in said.err
    assert "cabstand simulate --players 2 --seed 9 --board fumbling --bots random --first" in said.err


def test_ctrl_c_ends_all_processes_without_a_word_too_many():
    playing = subprocess.Popen(
        [*COMMAND, "--games", "100000", "--jobs", "2"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    try:
        deadline = time.monotonic() + 60
        family = []
        while len(family) < 2 and time.monotonic() < deadline:
            time.sleep(0.1)
            family = [
                child for child in psutil.Process(playing.pid).children(recursive=True) if child.cpu_times().user > 1
            ]
        assert len(family) >= 2, "two processes were to play"
        playing.send_signal(signal.SIGINT)
        out, err = playing.communicate(timeout=60)
        assert playing.returncode == 130
        assert out == ""
        assert "Stopped. Nothing was counted." in err
        assert "Traceback" not in err
        assert psutil.wait_procs(family, timeout=10)[1] == []
    finally:
        if playing.poll() is None:
            playing.kill()
