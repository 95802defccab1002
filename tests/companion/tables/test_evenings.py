"""The list of evenings: set up, resume, rename, forget, delete, back up, restore."""

import os
import sqlite3

import pytest
from table_kit import an_evening, opened, run, settings, throw

from companion.application import Application
from companion.errors import SetupError, StorageError, TamperedLogError, UnknownEveningError
from companion.event_log.database import FILE_NAME
from companion.tables.setup import EveningSetup, SeatSetup
from shared_rules.engine import game


def seats(*pairs):
    return [SeatSetup(name, colour) for name, colour in pairs]


TWO = seats(("Ann", "red"), ("Ben", "blue"))


@pytest.mark.parametrize(
    ("setup", "field"),
    [
        (EveningSetup(seats(("Ann", "red"))), "seats"),
        (EveningSetup(seats(*[(f"P{n}", "red") for n in range(7)])), "seats"),
        (EveningSetup(seats(("Ann", "red"), (" ", "blue"))), "seats[1].name"),
        (EveningSetup(seats(("Ann", "red"), ("x" * 25, "blue"))), "seats[1].name"),
        (EveningSetup(seats(("Ann", "red"), ("Ben", "pink"))), "seats[1].colour"),
        (EveningSetup(seats(("Ann", "red"), ("Ben", "red"))), "seats[1].colour"),
        (EveningSetup(TWO, length="endless"), "length"),
        (EveningSetup(TWO, cards="stone"), "cards"),
        (EveningSetup(TWO, game="chess"), "game"),
        (EveningSetup(TWO, board="nowhere"), "board"),
        (EveningSetup(TWO, options={"no_such_rule": 1}), "options.no_such_rule"),
        (EveningSetup(TWO, options={"card_draw": "seven"}), "options.card_draw"),
        (EveningSetup(TWO, position=["no", "position"]), "position"),
        (EveningSetup(TWO, position={"game": "taxi", "board": "fumbling", "players": [{}]}), "seats"),
        (EveningSetup(TWO, position={"game": "taxi", "board": "fumbling", "players": [{"cash": 5}, {}]}), None),
    ],
)
def test_what_cannot_be_is_said_with_its_field_and_nothing_is_made(tmp_path, setup, field):
    async def work():
        application = await Application.start(settings(tmp_path))
        try:
            with pytest.raises(SetupError) as caught:
                await application.tables.create_evening(setup)
            return caught.value, await application.tables.list_evenings()
        finally:
            await application.close()

    error, evenings = run(work())
    assert str(error)
    if field is not None:
        assert error.field == field
    assert evenings == []


def test_short_and_long_games_and_a_game_in_progress(tmp_path):
    async def work():
        application = await Application.start(settings(tmp_path))
        found = []
        for setup in (
            an_evening(),
            an_evening(length="long"),
            an_evening(options={"card_draw": "mandatory_one"}),
            an_evening(
                position={
                    "game": "taxi",
                    "board": "fumbling",
                    "trip": 3,
                    "players": [{"cash": 20000}, {"cash": 100, "plates": 2}],
                }
            ),
        ):
            table = await application.tables.create_evening(setup)
            view = table.view("spectator")
            found.append((view["trips"], view["trip"], view["options"], [p["cash"] for p in view["players"]]))
        listed = await application.tables.list_evenings()
        await application.close()
        return found, listed

    found, listed = run(work())
    assert found[0] == (15, 1, {}, [9340, 9340])
    assert found[1][0] == 30
    assert found[2][2] == {"card_draw": "mandatory_one"}
    assert found[3][1] == 3
    assert found[3][3] == [20000, 100]
    assert len(listed) == 4
    assert [row["name"] for row in listed[0]["seats"]] == ["Ann", "Ben"]


def test_the_evening_that_was_going_on_goes_on(tmp_path):
    async def first():
        async with opened(tmp_path) as (application, table):
            await application.tables.create_evening(an_evening(3))
            await throw(application.current, 5)
            return application.current.table_id, game.state_hash(application.current.state)

    async def second():
        application = await Application.start(settings(tmp_path))
        current = application.current
        await application.close()
        without = await Application.start(settings(tmp_path, resume=False))
        none = without.current
        await without.close()
        return current.table_id, game.state_hash(current.state), none

    expected = run(first())
    assert run(second()) == (*expected, None)


def test_rename_forget_delete(tmp_path):
    async def work():
        async with opened(tmp_path) as (application, table):
            await throw(table, 3)
            await application.tables.rename(table.table_id, "  Our   Friday ")
            assert table.title == "Our Friday"
            with pytest.raises(SetupError):
                await application.tables.rename(table.table_id, " ")
            await table.rename_seat(2, "Benno")
            assert table.view(1)["players"][1]["name"] == "Benno"
            with pytest.raises(SetupError):
                await table.rename_seat(2, "")
            await application.tables.forget_names(table.table_id)
            names = [player["name"] for player in table.view(1)["players"]]
            disk = (tmp_path / FILE_NAME).read_bytes() + (tmp_path / f"{FILE_NAME}-wal").read_bytes()
            assert not any(word in disk for word in (b"Benno", b"Our Friday"))
            await application.tables.leave()
            await application.tables.open(table.table_id)  # the chain still holds
            await application.tables.delete(table.table_id)
            with pytest.raises(UnknownEveningError):
                await application.tables.open(table.table_id)
            with pytest.raises(UnknownEveningError):
                await application.tables.delete(table.table_id)
            with pytest.raises(UnknownEveningError):
                await application.tables.rename(table.table_id, "x")
            return names, await application.tables.list_evenings(), application.current

    names, evenings, current = run(work())
    assert names == ["Red", "Blue"]
    assert evenings == []
    assert current is None


def test_back_up_and_restore(tmp_path):
    data, shelf = tmp_path / "data", tmp_path / "shelf"
    shelf.mkdir()

    async def work():
        async with opened(data) as (application, table):
            await throw(table, 3)
            kept = game.state_hash(table.state)
            copy = await application.tables.backup(shelf)
            with pytest.raises(StorageError, match="exists already"):
                await application.tables.backup(copy)
            with pytest.raises(StorageError, match="does not exist"):
                await application.tables.backup(shelf / "deeper" / "copy.db")
            await table.submit(
                {"do": "move", "seat": 1, "to": table.view(1)["players"][0]["at"]}, command_id="m", actor="bank"
            )
            await application.tables.create_evening(an_evening(4))
            aside = await application.tables.restore(copy)
            assert application.current is None
            (row,) = await application.tables.list_evenings()
            again = await application.tables.open(row["id"])
            assert (await throw(again, 3)).refusal.code == "wrong_phase"
            state = game.state_hash(again.state)
            await application.tables.restore(aside)
            return kept, state, len(await application.tables.list_evenings()), sorted(p.name for p in data.iterdir())

    kept, state, evenings, files = run(work())
    assert state == kept
    assert evenings == 2
    assert not any("part" in name or "restoring" in name for name in files)


def test_what_is_no_back_up_is_refused_and_nothing_changes(tmp_path):
    data = tmp_path / "data"

    async def work():
        async with opened(data) as (application, table):
            await throw(table, 3)
            copy = await application.tables.backup(tmp_path / "copy.db")
            newer, forged, torn = tmp_path / "newer.db", tmp_path / "forged.db", tmp_path / "torn.db"
            for path, statement in (
                (newer, "UPDATE alembic_version SET version_num='0999'"),
                (forged, "UPDATE entries SET actor='seat:1' WHERE seq=2"),
            ):
                path.write_bytes(copy.read_bytes())
                connection = sqlite3.connect(path)
                connection.execute(statement)
                connection.commit()
                connection.close()
            torn.write_bytes(copy.read_bytes()[:9000])
            text = tmp_path / "text.db"
            text.write_text("hello")
            sentences = []
            for path in (newer, forged, torn, text, tmp_path / "nothing.db"):
                with pytest.raises(StorageError) as caught:
                    await application.tables.restore(path)
                sentences.append(str(caught.value))
            assert isinstance(caught.value, StorageError)
            with pytest.raises(TamperedLogError):
                await application.tables.restore(forged)
            assert application.current is table
            return sentences, await table.submit(
                {"do": "move", "seat": 1, "to": table.view(1)["players"][0]["at"]}, command_id="m", actor="bank"
            )

    sentences, receipt = run(work())
    assert "newer Cabstand" in sentences[0]
    assert "changed from outside" in sentences[1]
    assert "damaged" in sentences[2]
    assert "damaged" in sentences[3]
    assert "no file" in sentences[4]
    assert receipt.accepted


def test_a_restore_that_fails_leaves_the_present_evenings_open(tmp_path, monkeypatch):
    async def work():
        async with opened(tmp_path / "data") as (application, table):
            copy = await application.tables.backup(tmp_path / "copy.db")
            await throw(table, 3)

            real = os.replace

            def full(source, target):
                if str(target).endswith(FILE_NAME):
                    raise OSError(28, "No space left on device")
                real(source, target)

            monkeypatch.setattr(os, "replace", full)
            with pytest.raises(StorageError, match="No space left"):
                await application.tables.restore(copy)
            monkeypatch.undo()
            again = await application.tables.open(table.table_id)
            return again.seq, again.check(), (await throw(again, 3)).refusal.code

    assert run(work()) == (2, [], "wrong_phase")
