"""What a table says and keeps when the disk is full, the file is locked, changed from outside, or the rules stumble."""

import random
import sqlite3

import pytest
from table_kit import any_step, opened, run, settings, throw

from companion.application import Application
from companion.errors import StorageError, TamperedLogError
from companion.event_log.database import FILE_NAME
from companion.tables import records
from shared_rules.engine import game


def stored_entries(folder):
    connection = sqlite3.connect(folder / FILE_NAME)
    (count,) = connection.execute("SELECT count(*) FROM entries").fetchone()
    connection.close()
    return count


def test_a_full_disk_leaves_nothing_half_done(tmp_path):
    async def work():
        async with opened(tmp_path, seats=3) as (application, table):
            rng = random.Random(3)
            pages = await application.database.run(lambda c: c.exec_driver_sql("PRAGMA page_count").scalar())

            async def room_for(more):
                await application.database.run_outside(lambda c: c.execute(f"PRAGMA max_page_count={pages + more}"))

            await room_for(3)
            refused = None
            while refused is None:
                before = game.state_hash(table.state), table.seq
                receipt = await any_step(table, rng)
                if receipt.refusal is not None and receipt.refusal.code == "storage":
                    refused = receipt
            assert "disk is full" in refused.refusal.message
            assert (game.state_hash(table.state), table.seq) == before
            assert table.seq == stored_entries(tmp_path)
            await room_for(10_000)
            on = [await any_step(table, rng) for _ in range(30)]
            assert all(receipt.accepted for receipt in on)
            return game.state_hash(table.state), records.replay(table.record())

    state, replayed = run(work())
    assert game.state_hash(replayed) == state


def test_a_locked_file_is_said_and_passes(tmp_path):
    async def work():
        async with opened(tmp_path) as (application, table):
            await application.database.run_outside(lambda c: c.execute("PRAGMA busy_timeout=50"))
            other = sqlite3.connect(tmp_path / FILE_NAME, isolation_level=None)
            other.execute("BEGIN IMMEDIATE")
            refused = await throw(table, 2)
            with pytest.raises(StorageError):
                await table.assign_tag("04aa", 1)
            other.execute("ROLLBACK")
            other.close()
            return refused, await throw(table, 2), table.seq

    refused, accepted, seq = run(work())
    assert refused.refusal.code == "storage"
    assert "Another program holds" in refused.refusal.message
    assert accepted.accepted
    assert seq == 2


def test_a_second_writer_is_noticed_and_its_words_are_read(tmp_path):
    async def work():
        async with opened(tmp_path) as (_, one), opened(tmp_path) as (_, two):
            assert one.table_id == two.table_id
            await throw(one, 5)
            refused = await throw(two, 2)
            return (
                refused,
                two.view("spectator")["d6"],
                two.seq,
                game.state_hash(one.state) == game.state_hash(two.state),
            )

    refused, d6, seq, same = run(work())
    assert refused.refusal.code == "storage"
    assert "Another companion" in refused.refusal.message
    assert (d6, seq, same) == (5, 2, True)


def test_rules_that_stumble_leave_the_table_alive(tmp_path, monkeypatch):
    async def work():
        async with opened(tmp_path) as (_, table):
            before = game.state_hash(table.state)
            real = game.play

            def half(state, command):
                real(state, command)
                raise KeyError("a fault of ours")

            monkeypatch.setattr(game, "play", half)
            stumbled = await throw(table, 3)
            monkeypatch.setattr(game, "play", real)
            assert game.state_hash(table.state) == before
            return stumbled, await throw(table, 3)

    stumbled, after = run(work())
    assert stumbled.refusal.code == "internal"
    assert after.accepted


def test_a_tampered_evening_is_not_opened_and_says_where(tmp_path):
    async def play():
        async with opened(tmp_path) as (_, table):
            await throw(table, 3)

    run(play())
    connection = sqlite3.connect(tmp_path / FILE_NAME)
    connection.execute("UPDATE entries SET events=replace(events, '3', '6') WHERE seq=2")
    connection.commit()
    connection.close()

    async def look():

        application = await Application.start(settings(tmp_path))
        rows = await application.tables.list_evenings()
        with pytest.raises(TamperedLogError, match="entry 2"):
            await application.tables.open(rows[0]["id"])
        trouble, current = application.trouble, application.current
        await application.close()
        return trouble, current

    trouble, current = run(look())
    assert "entry 2" in trouble
    assert current is None


def test_a_seat_is_handed_to_a_bot_and_noted_or_neither(tmp_path):
    async def work():
        async with opened(tmp_path) as (application, table):
            for refusing in ("entries", "seats"):
                action = "INSERT" if refusing == "entries" else "UPDATE"
                trigger = f"CREATE TRIGGER no BEFORE {action} ON {refusing} BEGIN SELECT RAISE(ABORT, 'no'); END"
                await application.database.run(lambda c, trigger=trigger: c.exec_driver_sql(trigger))
                before = table.seq
                receipt = await table.set_bot(1, "random", command_id=f"hand-{refusing}", actor="bank")
                assert receipt.refusal.code == "storage"
                assert (table.bot_of(1), table.seq) == ("", before)
                assert stored_entries(tmp_path) == before
                await application.database.run(lambda c: c.exec_driver_sql("DROP TRIGGER no"))
            accepted = await table.set_bot(2, "random", command_id="hand-entries", actor="bank")
            assert accepted.accepted
            assert not accepted.repeated
        async with opened(tmp_path) as (_, table):
            return table.bot_of(1), table.bot_of(2)

    assert run(work()) == ("", "random")
