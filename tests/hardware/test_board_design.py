"""The tool that designs boards makes boards: compiled, run for a short while, and what it claims counted again."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from hardware.board_design import design
from shared_rules.games.taxi.board import parse_board
from shared_rules.games.taxi.board_checks import BoardJudge
from shared_rules.games.taxi.board_file import read_board_text

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def tools(tmp_path_factory):
    if shutil.which(os.environ.get("CC", "cc")) is None:
        what = "no C compiler: the design tool needs one (install gcc or clang)"
        if os.environ.get("CI") == "true":
            pytest.fail(what)
        pytest.skip(what)
    folder = tmp_path_factory.mktemp("tools")
    return {name: design.compile_tool(name, folder) for name in ("streets_anneal", "guides_anneal")}


@pytest.fixture(scope="module")
def run(tools):
    return subprocess.run([tools["streets_anneal"], "5", "15000"], capture_output=True, text=True, check=True)


@pytest.fixture(scope="module")
def board(run):
    return parse_board(design.build_board(design.Town(run.stdout), "try", "A try", 5))


def test_what_holds_by_construction_holds(board):
    judge = BoardJudge(board)
    for check in (judge.bd_01, judge.bd_02, judge.bd_05, judge.bd_06, judge.bd_07, judge.bd_08, judge.bd_09):
        assert check()[0] == []
    assert judge.bd_14()[0] == []
    assert judge.bd_16()[0] == []


def test_the_tool_and_the_checks_count_alike(run, board):
    """The C program counts over whole streets, the checks over links: two ways to the same figures."""
    words = run.stderr.split()
    claimed = {name: float(words[words.index(name) + 1]) for name in ("BD-10", "BD-11", "bridges")}
    judge = BoardJudge(board)
    assert judge.bd_10()[1] == f"{round(1000 * claimed['BD-10']) / 10} %"
    assert judge.bd_11()[1] == f"{round(1000 * claimed['BD-11']) / 10} %"
    assert judge.bd_15()[1] == str(int(claimed["bridges"]))
    mean, _, most, green = judge.bd_12()[1].split(", ")
    assert float(words[words.index("mean") + 1]) == pytest.approx(float(mean), abs=0.011)
    assert float(words[words.index("max") + 1]) == int(most)
    assert float(words[words.index("green") + 1]) == pytest.approx(float(green), abs=0.011)


def test_guides_are_found_and_hold_every_character(tools, board):
    energy, guides, figures = design.find_guides(tools["guides_anneal"], board, range(1, 2), 3000)
    assert energy >= 0
    assert "inner" in figures
    for guide in guides:
        assert guide[14] == guide[29] == "base"
        assert sorted(name for name in guide if name != "base") == board.destination_ids
    for trip in range(30):
        assert len({guide[trip] for guide in guides}) == (1 if trip % 15 == 14 else 6)


def test_a_written_board_reads_back(board, tmp_path):
    design.write_board(board.dump(), tmp_path / "try.json")
    text = (tmp_path / "try.json").read_text("utf-8")
    assert read_board_text(text).dump() == board.dump()


def test_without_a_compiler_it_says_what_to_do(tmp_path, monkeypatch):
    monkeypatch.setenv("CC", "no-such-compiler")
    with pytest.raises(SystemExit, match="install gcc or clang"):
        design.compile_tool("streets_anneal", tmp_path)


@pytest.mark.parametrize(
    "tool", ["hardware.board_design.thames", "companion.titles.destination_london.map.layout_tool"]
)
def test_a_tool_tells_its_options_also_where_python_has_dropped_its_docstring(tool):
    done = subprocess.run([sys.executable, "-OO", "-m", tool, "--help"], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("usage: ")
