"""`cabstand board check`: what people see for a good board, a poor one and none."""

import json

import pytest

from companion import board_report
from shared_rules import library


def test_the_shipped_board_is_good(capsys):
    assert board_report.run("fumbling") == board_report.GOOD
    shown = capsys.readouterr()
    assert "Fumbling-on-the-Dawdle" in shown.out
    assert "25 checks: all that must hold holds." in shown.out
    for check in ("BD-01", "BD-16", "GD-09"):
        assert check in shown.out
    assert shown.err == ""


def test_a_board_of_ones_own_is_told_what_to_put_right(tmp_path, capsys):
    board = json.loads(json.dumps(library.board("fumbling")))
    board["gates"] = board["gates"][1:]
    del board["guides"]
    path = tmp_path / "own.json"
    path.write_text(json.dumps(board))
    assert board_report.run(str(path)) == board_report.BAD
    shown = capsys.readouterr().out
    assert "FAILS" in shown
    assert "BD-05 One can drive onto the freeway at Gate1 without a gate." in shown
    assert "The board has no guides" in shown
    assert "must be put right" in shown


def test_a_broken_file_gives_one_sentence(tmp_path, capsys):
    path = tmp_path / "own.json"
    path.write_text('{"points": {"A": [0, 0]},\n "roads": [{"kind": "minor", "via": ["A", "B"]}]}')
    assert board_report.run(str(path)) == board_report.UNREADABLE
    shown = capsys.readouterr()
    assert shown.out == ""
    assert "own.json, line 2, roads[0].via[1]: There is no point 'B'" in shown.err
    assert shown.err.count("\n") == 1


def test_an_unknown_name_gives_the_known_ones(capsys):
    assert board_report.run("atlantis") == board_report.UNREADABLE
    assert "Shipped boards: carousel, fumbling, thames." in capsys.readouterr().err


def test_a_folder_is_no_board(tmp_path, capsys):
    assert board_report.run(str(tmp_path)) == board_report.UNREADABLE
    assert "no board or file" in capsys.readouterr().err


def test_square_brackets_of_a_title_are_text(tmp_path, capsys):
    path = tmp_path / "own.json"
    path.write_text('{"title": "[bold]Town", "points": {}, "roads": []}')
    board_report.run(str(path))
    assert "[bold]Town" in capsys.readouterr().out


@pytest.mark.parametrize("name", library.board_ids())
def test_nothing_of_a_board_moves_the_terminals_cursor(name, tmp_path, capsys):
    path = tmp_path / "own.json"
    bad = "\x1b[2J\r\x9b31m\u202eTown"
    board = library.board(name)
    key = "base" if name == "fumbling" else next(key for key in sorted(board) if isinstance(board[key], list))
    for changed in ({"title": bad}, {key: [bad]}, {key: bad}):
        path.write_text(json.dumps({**board, **changed}))
        board_report.run(str(path))
        said = capsys.readouterr()
        assert said.out or said.err.count("\n") == 1
        assert not [sign for sign in "\x1b\x9b\r\u202e" if sign in said.out + said.err]


def test_the_layout_beside_a_board_tells_its_size(tmp_path, capsys):
    path = tmp_path / "own.json"
    path.write_text(json.dumps(library.board("fumbling")))
    layout = tmp_path / "own.layout.json"
    layout.write_text('{"block_mm": 30}')
    assert board_report.run(str(path)) == board_report.GOOD
    assert "BD-16 Gate1~Ring" in capsys.readouterr().out.replace("\n", "")
    layout.write_text('{"block_mm": "wide"}')
    assert board_report.run(str(path)) == board_report.UNREADABLE
    assert "own.layout.json, block_mm: a number" in capsys.readouterr().err
    layout.write_text('{"block_mm": }')
    assert board_report.run(str(path)) == board_report.UNREADABLE
    assert "own.layout.json, line 1, column 14: this is no JSON" in capsys.readouterr().err


@pytest.mark.parametrize("name", library.board_ids())
def test_every_shipped_board_is_good(name, capsys):
    assert board_report.run(name) == board_report.GOOD
    assert "all that must hold holds" in capsys.readouterr().out


def test_a_file_is_checked_as_a_board_of_the_game_that_it_looks_like(tmp_path, capsys):
    path = tmp_path / "own.json"
    for name, break_it, said in (
        ("carousel", lambda board: board["intersections"].clear(), "intersection"),
        ("thames", lambda board: board["garages"].clear(), "Garage"),
    ):
        board = json.loads(json.dumps(library.board(name)))
        path.write_text(json.dumps(board))
        assert board_report.run(str(path)) == board_report.GOOD
        assert str(board["title"]) in capsys.readouterr().out
        break_it(board)
        path.write_text(json.dumps(board))
        assert board_report.run(str(path)) in (board_report.BAD, board_report.UNREADABLE)
        shown = capsys.readouterr()
        assert said in shown.out + shown.err
