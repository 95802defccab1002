"""Golden games of every title: on both Pythons they give the same positions, refusals and views, and they show it all.

What they have to show is computed from the titles' own lists: each reason for the end, each card, phase, refusal,
value of a house rule, number of players. A gap fails with its name; `golden_make.py` makes games that fill it.
"""

import os
import subprocess
from pathlib import Path

import golden_coverage
import golden_make
import golden_play
import pytest
from taxi_tables import ROOT, need_micropython

from shared_rules import games

HERE = Path(__file__).parent
FILES = [path for name in games.names() for path in golden_make.files(name)]
LEAST = 40


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_the_same_commands_give_the_same_game_refusals_and_views(path):
    try:
        golden_play.play(path.read_text("utf-8"))
    except golden_play.WrongError as error:
        if "views" in str(error) or "saw" in str(error):
            pytest.fail(f"{error}. If what people see was meant to change: golden_make.py {path.parent.name} --views")
        pytest.fail(f"{error}. A change of the rules needs a new revision (docs/records.md)")


@pytest.mark.parametrize("name", games.names())
def test_golden_games_show_all_that_a_title_can_do(name):
    shown = golden_coverage.shown(name, [path.read_text("utf-8") for path in golden_make.files(name)])
    assert sorted(golden_coverage.wanted(name) - shown) == []


def test_there_are_enough():
    assert len(FILES) + len(list((HERE / "golden_games").glob("*.json"))) >= LEAST


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_the_same_on_micropython(path):
    environment = dict(os.environ, MICROPYPATH=str(ROOT))
    command = [need_micropython(), "-X", "heapsize=64m", str(HERE / "golden_play.py"), str(path)]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, timeout=280)
    assert done.returncode == 0, (done.stdout + done.stderr)[-3000:]
    assert done.stdout == f"ok {path.name}\n"


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (lambda lines: lines[:3] + lines[4:], "line"),
        (lambda lines: [lines[0].replace('"views":"', '"views":"0')[:-1] + "}", *lines[1:]], "line 1: views"),
        (lambda lines: [*lines[:-1], lines[-1].replace('"hash":"', '"hash":"0')], "hash is"),
    ],
)
def test_a_golden_game_that_comes_out_otherwise_is_found(spoil, said):
    lines = max(FILES, key=lambda path: path.stat().st_size).read_text("utf-8").splitlines()
    with pytest.raises(golden_play.WrongError, match=said):
        golden_play.play("\n".join(spoil(lines)) + "\n")


def test_making_hashes_of_views_anew_changes_nothing_where_nothing_has_changed():
    path = FILES[0]
    assert golden_make.anew(path.read_text("utf-8")) == path.read_text("utf-8")


def test_games_come_from_their_seeds():
    path = FILES[0]
    name, number = path.parent.name, int(path.stem.rsplit("_", 1)[1])
    missing = golden_coverage.wanted(name)
    made = []
    for _ in range(2):
        candidate = golden_make.Candidate(name, number, missing)
        assert candidate.play()
        made.append(candidate.text("twice"))
    assert made[0] == made[1]
