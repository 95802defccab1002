"""`cabstand record` on files and evenings: what it prints and writes, and what it says to everything that is wrong."""

import asyncio
import json
import random
import sqlite3

import pytest
from record_games import FILES, record_of
from table_kit import any_step, command_id, opened

from companion import cli
from shared_rules import games
from shared_rules.engine import game
from shared_rules.records import jsonl, notation, player

BY_TITLE = {name: next(path for path in FILES if path.parent.name == name) for name in games.names()}


@pytest.fixture
def record(capsys, tmp_path):
    """Runs `cabstand record …`: (status, what it printed, what it complained of)."""

    def run(*arguments):
        status = cli.run(["record", *map(str, arguments), "--data", str(tmp_path / "data")])
        said = capsys.readouterr()
        return status, said.out, said.err

    return run


@pytest.fixture
def file(tmp_path):
    """A record's file of some game."""

    def made(name="taxi", count=None, form="jsonl"):
        path = tmp_path / f"{name}.{form}"
        writer = jsonl.write if form == "jsonl" else notation.write
        path.write_text(writer(record_of(BY_TITLE[name], count, [(2, "Well played.")])), "utf-8")
        return path

    return made


def evening(folder, steps=40, undo=True):
    """An evening of some steps in the data folder; its id, title, position."""

    async def play():
        async with opened(folder, 3) as (_, table):
            chance = random.Random(4)
            for _ in range(steps):
                await any_step(table, chance)
                if undo and chance.random() < 0.15:
                    await table.undo(command_id=command_id(), actor="bank", consent=True)
            return table.table_id, table.title, game.dump_position(table.state)

    return asyncio.run(play())


@pytest.mark.parametrize("name", games.names())
@pytest.mark.parametrize("form", ["jsonl", "txt"])
def test_every_part_works_on_a_file_of_every_title(record, file, name, form, tmp_path):
    path = file(name, form=form)
    for part, wanted in (("show", "Seats: "), ("verify", "commands hold"), ("story", "Turning points")):
        status, out, err = record(part, path)
        assert (status, err) == (0, "")
        assert wanted in out
    status, out, _ = record("replay", path)
    assert json.loads(out)["game"] == name
    status, out, _ = record("story", path, "--html", tmp_path / "story.html")
    page = (tmp_path / "story.html").read_text("utf-8")
    assert status == 0
    assert "<svg" in page
    assert "http" not in page.replace("http://www.w3.org", "")


def test_the_two_forms_turn_into_one_another(record, file, tmp_path):
    path = file()
    text = path.read_text("utf-8")
    assert record("export", path, "-o", tmp_path / "game.txt")[0] == 0
    assert (tmp_path / "game.txt").read_text("utf-8").startswith("[Record 1]")
    assert record("export", tmp_path / "game.txt", "--as", "jsonl")[1] == text
    status, _, err = record("export", path, "-o", tmp_path / "game.txt")
    assert (status, "is there already" in err) == (1, True)
    assert record("export", path, "-o", tmp_path / "game.txt", "--force", "--date", "2026-12-24")[0] == 0
    assert '[Date "2026-12-24"]' in (tmp_path / "game.txt").read_text("utf-8")
    assert not [name for name in tmp_path.iterdir() if name.name.startswith(".game")]


def test_replay_shows_each_position(record, file):
    path = file(count=6)
    _, out, _ = record("replay", path, "--steps")
    positions = [json.loads(line) for line in out.splitlines()]
    assert len(positions) == 8
    for at in (0, 3, 7):
        assert json.loads(record("replay", path, "--at", at)[1]) == positions[at]
    status, _, err = record("replay", path, "--at", 8)
    assert status == 1
    assert "There is no entry 8" in err


def test_standard_input(record, file, monkeypatch):
    path = file(count=6)
    with path.open("rb") as stdin:
        monkeypatch.setattr("sys.stdin", type("Stdin", (), {"buffer": stdin})())
        status, out, _ = record("verify", "-")
    assert status == 0
    assert "6 commands hold" in out


def test_an_evening_is_a_record_and_a_record_an_evening(record, tmp_path):
    data = tmp_path / "data"
    table_id, title, position = evening(data)
    assert record("verify", table_id)[0] == 0
    status, out, _ = record("export", title, "--as", "jsonl")
    assert status == 0
    assert "Ann" not in out
    assert title not in out
    clean = jsonl.read(out)
    assert {kind for kind, _ in clean.entries} == {"play"}
    assert game.dump_position(player.verify(clean)) == position
    kept = tmp_path / "evening.txt"
    assert record("export", table_id, "--undone", "--names", "-o", kept)[0] == 0
    text = kept.read_text("utf-8")
    assert "undo! " in text
    assert '"Ann"' in text
    status, out, _ = record("import", kept, "--title", "Again")
    assert status == 0
    assert record("verify", "Again")[0] == 0
    assert record("export", "Again", "--undone", "--names")[1].split("\n\n")[1:] == text.split("\n\n")[1:]

    async def newest():
        async with opened(data) as (application, _):
            rows = [row for row in await application.tables.list_evenings() if row["title"] == "Again"]
            table = await application.tables.open(rows[0]["id"])
            return table.check(), game.dump_position(table.state)

    assert asyncio.run(newest()) == ([], position)


def test_an_evening_that_was_changed_from_outside_is_named_with_its_entry(record, tmp_path):
    table_id, _, _ = evening(tmp_path / "data", steps=12, undo=False)
    with sqlite3.connect(tmp_path / "data" / "cabstand.db") as connection:
        connection.execute("UPDATE entries SET command = replace(command, '{', '{\"more\":1,') WHERE seq = 5")
    connection.close()
    status, out, err = record("verify", table_id)
    assert (status, out) == (1, "")
    assert "at entry 5" in err


@pytest.mark.parametrize("part", ["show", "replay", "export", "import", "verify", "story"])
def test_what_is_no_record_gets_one_sentence(record, file, tmp_path, part):
    path = file(count=8)
    lines = path.read_text("utf-8").splitlines()
    spoiled = {
        "empty": b"",
        "picture": b"\x89PNG\r\n\x1a\n\xff\xfe",
        "words": b"Dear diary,\n",
        "cut": "\n".join(lines[:-1]).encode(),
        "changed": "\n".join(lines).replace('"face":', '"face":1', 1).encode(),
        "json": b'{"game": "taxi"}\n',
        "deep": b"[" * 9000,
    }
    for name, data in spoiled.items():
        wrong = tmp_path / f"{name}.jsonl"
        wrong.write_bytes(data)
        status, out, err = record(part, wrong)
        assert (status, out) == (1, ""), name
        assert err.startswith("cabstand: ")
        assert err.count("\n") == 1
        assert str(wrong) in err
    status, _, err = record(part, tmp_path)
    assert (status, err.count("\n")) == (1, 1)
    status, _, err = record(part, "no such evening")
    assert (status, err.count("\n")) == (1, 1)
    assert "no evening" in err
    assert not (tmp_path / "data").exists(), "nothing is made where nothing can be done"


def test_a_record_that_cannot_be_an_evening_leaves_none(record, tmp_path):
    start = json.loads(BY_TITLE["taxi"].read_text("utf-8").splitlines()[0])["start"]
    board = {
        "id": "OWN", "points": {"O": [0, 0], "E": [1, 0]}, "roads": [{"kind": "minor", "via": ["O", "E"]}],
        "base": "O", "destinations": {"D1": {"at": "E"}},
    }  # fmt: skip
    position = {"game": start["game"], "board": board, "players": [{}, {}]}
    kept = tmp_path / "own.jsonl"
    kept.write_text(jsonl.write(player.recorded("taxi", position, [])), "utf-8")
    status, _, err = record("import", kept)
    assert status == 1
    assert "board of its own" in err
    assert not (tmp_path / "data").exists()


def rechained(path, change):
    """The record's lines changed, and its chain made to fit."""
    lines = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    change(lines)
    chain = jsonl.Chain()
    path.write_text("".join(chain.line({k: v for k, v in line.items() if k != "chain"}) for line in lines), "utf-8")


@pytest.mark.parametrize("part", ["show", "verify", "story", "export"])
@pytest.mark.parametrize(
    "change",
    [
        lambda lines: lines[-1].update(result={"winners": ["Ann"], "reason": 5}),
        lambda lines: lines[-1].update(result={"winners": 7}),
        lambda lines: lines[-1].update(hash="0"),
        lambda lines: lines[0].update(seats=[]),
        lambda lines: lines[0]["seats"][0].update(colour="mauve"),
        lambda lines: lines[0]["start"].update(board=7),
    ],
)
def test_what_a_record_says_of_itself_is_not_believed(record, file, part, change):
    path = file("taxi_over", count=12)
    rechained(path, change)
    status, out, err = record(part, path)
    assert (status, out, err.count("\n")) == (1, "", 1)
    assert str(path) in err


def test_nothing_of_a_record_moves_the_terminals_cursor(record, file, tmp_path):
    path = file("taxi_over", count=12)
    bad = "\x1b[2JAnn\r\n\u202e\x9b31m"

    def change(lines):
        lines[0]["seats"][0]["name"] = bad
        lines[0]["tags"]["event"] = bad
        note = next(line for line in lines if "note" in line)
        note["note"] = bad

    rechained(path, change)
    for part in ("show", "story"):
        status, out, err = record(part, path)
        assert (status, err) == (0, "")
        assert "Ann" in out
        assert not [sign for sign in "\x1b\x9b\r\u202e" if sign in out]
    for source in (bad, str(tmp_path / bad)):
        status, _, err = record("show", source)
        assert (status, err.count("\n")) == (1, 1)
        assert not [sign for sign in "\x1b\x9b\r\u202e" if sign in err]


@pytest.mark.parametrize("part", ["show", "replay", "export", "import", "verify", "story"])
@pytest.mark.parametrize("source", ["", "a" * 5000, "/dev/null/x"])
def test_a_name_that_is_neither_file_nor_evening(record, part, source):
    status, out, err = record(part, source)
    assert (status, out, err.count("\n")) == (1, "", 1)
    assert "There is no file" in err


def test_a_folder_in_the_place_of_the_page_is_said(record, file, tmp_path):
    status, out, err = record("story", file(count=3), "--html", tmp_path, "--force")
    assert (status, out, err.count("\n")) == (1, "", 1)
    assert "cannot be written" in err


def test_wrong_arguments_are_told_by_the_command(capsys):
    for arguments in ([], ["sing"], ["show"], ["replay", "x", "--at", "-1"], ["export", "x", "--as", "pdf"]):
        with pytest.raises(SystemExit) as ended:
            cli.run(["record", *arguments])
        assert ended.value.code in (0, 2)
        assert "Traceback" not in capsys.readouterr().err
