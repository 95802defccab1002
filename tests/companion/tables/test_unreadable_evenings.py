"""Evenings that this program cannot read although their chain holds: a sentence, and all others can be played."""

import asyncio
import json
import random
import sqlite3

import pytest
from table_kit import an_evening, any_step, opened, settings

from companion import cli
from companion.application import Application
from companion.errors import TamperedLogError, UnreadableEveningError
from companion.event_log import hash_chain, store


def evening(folder):
    async def play():
        async with opened(folder) as (_, table):
            for _ in range(4):
                await any_step(table, random.Random(3))
            return table.table_id

    return asyncio.run(play())


def forge(folder, seq, **columns):
    """Other columns for an entry, and the chain made to fit."""
    connection = sqlite3.connect(folder / "cabstand.db")
    connection.row_factory = sqlite3.Row
    last = hash_chain.GENESIS
    for found in connection.execute("SELECT * FROM entries ORDER BY seq").fetchall():
        row = {**found, "prev_hash": last, **(columns if found["seq"] == seq else {})}
        for column in ("command", "events", "evidence"):
            row[f"{column}_text"] = row.pop(column)
        last = hash_chain.digest(hash_chain.Entry(**row))
        connection.execute(
            "UPDATE entries SET kind = ?, command = ?, events = ?, rules_revision = ?, prev_hash = ?, hash = ? "
            "WHERE seq = ?",
            [row[key] for key in ("kind", "command_text", "events_text", "rules_revision", "prev_hash")]
            + [last, found["seq"]],
        )
    connection.execute("DELETE FROM snapshots")
    connection.commit()
    connection.close()


def another_game(folder):
    connection = sqlite3.connect(folder / "cabstand.db")
    connection.execute("UPDATE evenings SET game = 'ludo'")
    connection.commit()
    connection.close()


def other_position(folder):
    forge(folder, 1, command=json.dumps({"do": "start", "seat": 0, "position": {"game": "ludo", "players": []}}))


SPOILT = {
    "a game that is not here": (another_game, "a game that is not installed here"),
    "another game's position": (other_position, "changed from outside"),
    "events that no game makes": (lambda folder: forge(folder, 3, events="[7]"), "changed from outside"),
    "a list for a command": (lambda folder: forge(folder, 1, command="[]"), "changed from outside"),
    "a revision that is none": (lambda folder: forge(folder, 1, rules_revision="x"), "changed from outside"),
}


@pytest.mark.parametrize("what", SPOILT)
def test_the_companion_starts_all_the_same(tmp_path, what, capsys):
    table_id = evening(tmp_path)
    spoil, said = SPOILT[what]
    spoil(tmp_path)

    async def start():
        application = await Application.start(settings(tmp_path))
        try:
            assert application.current is None
            assert said in application.trouble
            async with asyncio.timeout(20):
                table = await application.tables.create_evening(an_evening())
            with pytest.raises(UnreadableEveningError, match=said):
                await application.tables.open(table_id)
            assert application.current is table, "the evening that was open stays open"
            await application.tables.delete(table_id)
            assert [row["id"] for row in await application.tables.list_evenings()] == [table.table_id]
        finally:
            await application.close()

    for command in (["odds"], ["record", "verify"]):
        assert cli.run([*command, table_id, "--data", str(tmp_path)]) == 1
        out, err = capsys.readouterr()
        assert (out, err.count("\n")) == ("", 1)
        assert said in err or "entry 3" in err
    asyncio.run(start())


@pytest.mark.parametrize("setup", ["garbage", "[]", "[" * 5000])
def test_a_setup_that_is_none_can_be_seen_and_deleted(tmp_path, setup):
    table_id = evening(tmp_path)
    connection = sqlite3.connect(tmp_path / "cabstand.db")
    connection.execute("UPDATE evenings SET setup = ?", [setup])
    connection.execute("INSERT INTO presets VALUES ('taxi', 'ours', ?, '')", [setup])
    connection.commit()
    connection.close()

    async def start():
        application = await Application.start(settings(tmp_path))
        try:
            assert "changed from outside" in application.trouble
            with pytest.raises(TamperedLogError):
                await application.database.run(lambda connection: store.load(connection, table_id))
            assert await application.presets.of("taxi") == {"ours": {}}
            await application.tables.delete(table_id)
        finally:
            await application.close()

    asyncio.run(start())
