"""`cabstand odds`: from a file, from standard input, from an evening; a bad file is answered with one sentence."""

import asyncio
import io
import json
import re
import sys

import pytest

from companion import cli
from companion.application import Application
from companion.settings import Settings
from companion.tables.setup import EveningSetup, SeatSetup
from shared_rules import games, library
from shared_rules.engine import game

TAXI = {"game": "taxi", "board": "fumbling", "players": [{"name": "Ann", "green": 2}, {"name": "[b]Ben"}]}


def run(capsys, *arguments):
    status = cli.run(["odds", *arguments])
    said = capsys.readouterr()
    return status, said.out, said.err


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "position.json"
    path.write_text(json.dumps(TAXI))
    return str(path)


def test_odds_for_people(file, capsys):
    status, out, _ = run(capsys, file)
    assert status == 0
    assert "TAXI!, card choice." in out
    assert "Ann (seat 1)" in out
    assert "12.0 %" in out
    assert "6/50" in out


def test_odds_for_programs_are_the_rules_own(file, capsys):
    status, out, _ = run(capsys, file, "--json")
    state = game.load_position(TAXI)
    told = json.loads(out)
    assert status == 0
    assert told["odds"] == {"1": state.title.odds(state, 1)}
    assert told["waiting_for"] == [1]


def test_one_seat(file, capsys):
    assert json.loads(run(capsys, file, "--json", "--seat", "2")[1])["odds"] == {"2": []}
    status, out, _ = run(capsys, file, "--seat", "2")
    assert "[b]Ben (seat 2): nothing here hangs on chance." in out
    status, _, err = run(capsys, file, "--seat", "3")
    assert (status, err) == (1, "cabstand: There is no seat 3; there are 1 to 2.\n")


def test_standard_input_and_the_line_of_the_replay_program(capsys, monkeypatch):
    for given in (TAXI, {"position": TAXI, "commands": []}):
        stream = io.TextIOWrapper(io.BytesIO(json.dumps(given).encode()))
        monkeypatch.setattr(sys, "stdin", stream)
        assert run(capsys, "-", "--json")[0] == 0


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "holds no JSON"),
        (b"{", "holds no JSON"),
        (b"\xff\xfe", "holds no JSON"),
        (b"[" * 100_000, "holds no JSON"),
        (b"[]", "A position is an object."),
        (b'{"game": "chess"}', "at game: There is no game 'chess'."),
        (b'{"game": "taxi", "board": "fumbling", "players": [{"cash": 5}, {}]}', "at players[0].cash"),
    ],
)
def test_a_bad_file_gets_one_sentence(content, said, tmp_path, capsys):
    path = tmp_path / "bad.json"
    path.write_bytes(content)
    status, out, err = run(capsys, str(path))
    assert status == 1
    assert out == ""
    assert said in err
    assert err.count("\n") == 1


def test_names_move_no_cursor(tmp_path, capsys):
    path = tmp_path / "position.json"
    path.write_text(json.dumps({**TAXI, "players": [{"name": "\x1b[2J\x9bAnn\r\u202e", "green": 2}, {}]}))
    status, out, _ = run(capsys, str(path))
    assert status == 0
    assert "Ann" in out
    assert not [sign for sign in "\x1b\x9b\r\u202e" if sign in out]


def test_what_never_ends_is_not_read_to_its_end(capsys, monkeypatch):
    class Endless(io.RawIOBase):
        def readable(self):
            return True

        def readinto(self, room):
            room[:] = b" " * len(room)
            return len(room)

    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BufferedReader(Endless())))
    status, out, err = run(capsys, "-")
    assert (status, out) == (1, "")
    assert err == "cabstand: standard input is larger than any position.\n"


def test_no_file_and_no_evening(tmp_path, capsys):
    status, _, err = run(capsys, "nowhere.json", "--data", str(tmp_path))
    assert status == 1
    assert err == f"cabstand: There is no file 'nowhere.json', and no evening is kept in {tmp_path}.\n"


@pytest.mark.parametrize("name", games.names())
def test_every_title_has_odds(name, tmp_path, capsys):
    """A new game with a bot's first choices made: whoever is waited for, it is printed."""
    meta = games.meta(name)
    position = {"game": name, "board": library.board_ids(name)[0], "players": [{}] * meta.PLAYERS[0]}
    path = tmp_path / "position.json"
    path.write_text(json.dumps(position))
    status, out, err = run(capsys, str(path))
    assert status == 0, err
    assert meta.TITLE in out


def test_an_evening_is_read_while_it_is_played(tmp_path, capsys):
    async def play():
        application = await Application.start(Settings(data_dir=tmp_path, database_on_loop=True))
        try:
            seats = [SeatSetup("Ann", "red"), SeatSetup("Ben", "blue")]
            table = await application.tables.create_evening(EveningSetup(seats, title="Friday"))
            command = {"do": "roll", "seat": 1, "die": "d6", "face": 6}
            await table.submit(command, command_id="one", actor="bank")
            told = run(capsys, table.table_id, "--json", "--data", str(tmp_path))
            titled = run(capsys, "friday", "--json", "--data", str(tmp_path))
            unknown = run(capsys, "nobody", "--data", str(tmp_path))
            return table.table_id, table.state.title.odds(table.state, 1), told, titled, unknown
        finally:
            await application.close()

    evening, odds, (status, out, _), (_, by_title, _), (failed, _, err) = asyncio.run(play())
    assert status == 0
    assert json.loads(out)["phase"] == "move"
    assert json.loads(out)["odds"] == {"1": odds}
    assert odds
    assert by_title == out
    assert failed == 1
    assert f"There is no file and no evening 'nobody'. Evenings: {evening} “Friday”." in err
    assert json.loads(run(capsys, evening, "--json", "--data", str(tmp_path))[1])["odds"] == {"1": odds}


def test_an_evening_is_told_with_its_peoples_and_places_names(tmp_path, capsys):
    """And while a taxi is to be moved nobody is told what a throw may bring."""

    async def play():
        application = await Application.start(Settings(data_dir=tmp_path, database_on_loop=True))
        try:
            seats = [SeatSetup("Tom & D'Arcy", "red"), SeatSetup("Ben", "blue")]
            table = await application.tables.create_evening(EveningSetup(seats, game="destination_london"))
            told = []
            for seat, face in ((1, 5), (2, 2), (1, 6)):
                command = {"do": "roll", "seat": seat, "die": "d6", "dice": 1, "faces": [face]}
                receipt = await table.submit(command, command_id=f"{seat} {face}", actor="bank")
                assert receipt.accepted, receipt.refusal
                told.append(run(capsys, table.table_id, "--data", str(tmp_path))[1])
            return table, told[1:]
        finally:
            await application.close()

    table, (before, moving) = asyncio.run(play())
    assert table.view("bank")["phase"] == "moving"
    assert "Tom & D'Arcy (seat 1)" in before
    assert "Red (seat" not in before
    assert re.search(r"card D\d+, \w[^()]+ \([A-Z0-9]{3}\), dice 1", before), before
    assert "reach destination" in before
    assert "dice" not in moving
    assert "nice card" in moving


def test_help_knows_ids_and_titles(capsys):
    with pytest.raises(SystemExit, match="0"):
        cli.run(["odds", "--help"])
    assert "an evening by its id or title" in " ".join(capsys.readouterr().out.split())


def test_a_data_file_that_is_none_is_said_in_a_sentence(tmp_path, capsys):
    (tmp_path / "cabstand.db").write_bytes(b"no database" * 100)
    status, _, err = run(capsys, "friday", "--data", str(tmp_path))
    assert status == 1
    assert "is damaged or no Cabstand data" in err
    assert err.count("\n") == 1
