"""`cabstand simulate` from the outside: arguments, the same output for any number of processes, failures, Ctrl-C."""

import csv
import signal
import subprocess
import sys
import time

import psutil
import pytest

from companion import simulate
from companion.simulation.titles import taxi

COMMAND = [sys.executable, "-c", "import sys; from companion.simulate import run; sys.exit(run(sys.argv[1:]))"]
SMALL = ["--players", "2", "--games", "5", "--seed", "5"]


def test_the_output_is_the_same_for_any_number_of_processes(tmp_path):
    outputs, tables = [], []
    for jobs in ("1", "2", "3"):
        table = tmp_path / jobs / "games.csv"
        table.parent.mkdir()
        command = [*COMMAND, *SMALL, "--jobs", jobs, "--out", str(table)]
        outputs.append(subprocess.run(command, capture_output=True, text=True, timeout=120))
        tables.append(table.read_bytes())
    assert [done.returncode for done in outputs] == [0, 0, 0], outputs[0].stderr
    reports = [done.stdout.rsplit("All games are in", 1)[0] for done in outputs]
    assert reports[0] == reports[1] == reports[2]
    assert tables[0] == tables[1] == tables[2]
    assert "5 short games of 15 trips on Fumbling-on-the-Dawdle" in outputs[0].stdout


def test_another_seed_is_another_output(capsys):
    assert simulate.run([*SMALL, "--jobs", "1"]) == 0
    first = capsys.readouterr().out
    assert simulate.run([*SMALL[:-1], "6", "--jobs", "1"]) == 0
    assert capsys.readouterr().out != first


def test_house_rules_change_the_games(capsys):
    assert simulate.run([*SMALL, "--jobs", "1", "--option", "plate_price=5000", "--option", "zero_move=allowed"]) == 0
    out = capsys.readouterr().out
    assert "House rules: plate_price 5000, zero_move allowed" in out
    assert simulate.run([*SMALL, "--jobs", "1"]) == 0
    assert capsys.readouterr().out != out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--players", "1"], "must be 2 to 6 for taxi, not 1"),
        (["--players", "seven"], "'seven' is no whole number"),
        (["--games", "0"], "must be 1 to"),
        (["--game", "chess"], "no game 'chess'; there are: "),
        (["--board", "atlantis"], "no board 'atlantis' for taxi; there are: fumbling"),
        (["--bots", "random,clever"], "no bot 'clever'; there are: greedy, random, strong"),
        (["--option", "colour=red"], "no house rule 'colour'; write NAME=VALUE, with one of: barrier_extent"),
        (["--option", "trading"], "no house rule 'trading'; write NAME=VALUE"),
        (["--option", "trading=theft"], "trading is one of: none, tablets, tablets_and_money, all; not 'theft'"),
        (["--option", "trading=" + "[" * 100_000], "trading is one of: "),
        (["--option", "plate_price=" + "9" * 5000], "plate_price is one of: "),
        (["--option", "plate_price=NaN"], "plate_price is one of: "),
        (["--option", "plate_price=7"], "plate_price is one of: a positive multiple of 10; not '7'"),
        (["tournament", "--bots", "greedy"], "a tournament needs two different bots at least"),
        (["--report", "page.pdf"], "the report is an .html file"),
        (["--jobs", "0"], "must be 1 to"),
        (["--speed", "11"], "unrecognized arguments: --speed 11"),
    ],
)
def test_bad_arguments_are_said_in_a_line(arguments, said, capsys):
    with pytest.raises(SystemExit) as end:
        simulate.run(arguments)
    assert end.value.code == 2
    assert said in capsys.readouterr().err


@pytest.mark.parametrize(
    ("file", "said"),
    [("games.xlsx", "the table is a .csv or a .parquet file"), ("nowhere/games.csv", "is no folder; make it first")],
)
def test_a_file_that_cannot_be_written_is_said_before_anything_is_played(file, said, tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(simulate, "play_all", None)
    assert simulate.run([*SMALL, "--out", str(tmp_path / file)]) == 1
    assert said in capsys.readouterr().err


@pytest.mark.parametrize(
    ("option", "file", "said"),
    [
        ("--out", "games.html", "the table is a .csv or a .parquet file"),
        ("--out", "folder.csv", "is a folder"),
        ("--report", "folder.html", "is a folder"),
        ("--report", "nowhere/report.html", "is no folder; make it first"),
        ("--report", "/proc/report.html", "cannot be written"),
    ],
)
def test_neither_table_nor_report_fails_after_hours(option, file, said, tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(simulate, "play_all", None)
    (tmp_path / "folder.csv").mkdir()
    (tmp_path / "folder.html").mkdir()
    assert simulate.run([*SMALL, option, str(tmp_path / file)]) == 1
    assert said in capsys.readouterr().err


def test_a_tournament_lets_all_meet(tmp_path, capsys):
    table = tmp_path / "games.csv"
    command = ["tournament", "--games", "4", "--jobs", "1", "--bots", "random,greedy,strong", "--out", str(table)]
    assert simulate.run(command) == 0
    out = capsys.readouterr().out
    assert "Round robin, 3 pairs" in out
    assert "Strengths" in out
    with table.open() as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 12
    assert {frozenset((row["bot_1"], row["bot_2"])) for row in rows} == {
        frozenset(pair) for pair in (("random", "greedy"), ("random", "strong"), ("greedy", "strong"))
    }


def test_a_game_that_fails_says_how_to_see_it_again(monkeypatch, capsys):
    monkeypatch.setattr(taxi, "MOST_ROUNDS", 1)
    arguments = ["--players", "2", "--games", "40", "--jobs", "1", "--seed", "9", "--option", "trading=all"]
    assert simulate.run(arguments) == 1
    said = capsys.readouterr()
    assert said.out == ""
    assert "round 2" in said.err
    again = (
        "cabstand simulate --game taxi --players 2 --seed 9 --board fumbling --bots random --option trading=all"
    )
    assert again in said.err


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
