"""One task owns a table: each command is answered once, confirmed means on disk, a failure leaves nothing half-done."""

import asyncio
import random
import sqlite3

import pytest
from table_kit import any_step, command_id, give, opened, run, throw

from companion.errors import StorageError
from companion.event_log import store
from companion.event_log.database import FILE_NAME
from companion.tables import records
from shared_rules.engine import game


def stored_log(folder):
    connection = sqlite3.connect(folder / FILE_NAME)
    rows = connection.execute("SELECT seq, kind, command_id FROM entries ORDER BY seq").fetchall()
    connection.close()
    return rows


def test_a_command_is_on_disk_before_it_is_shown(tmp_path):
    async def work():
        async with opened(tmp_path) as (_, table):
            seen = []
            table.on_published = lambda events: seen.append((table.seq, len(stored_log(tmp_path))))
            receipt = await throw(table, 4)
            assert receipt.accepted
            assert receipt.seq == table.seq == 2
            assert table.view("spectator")["d6"] == 4
            return seen

    assert run(work()) == [(2, 2)]


def test_a_repeat_gets_the_first_answer(tmp_path):
    async def work():
        async with opened(tmp_path) as (_, table):
            command = {"do": "roll", "seat": 1, "die": "d6", "face": 3}
            first = await table.submit(command, command_id="a", actor="bank")
            await give(table, "move", 1, to=table.view("bank")["players"][0]["at"])
            again = await table.submit(command, command_id="a", actor="bank")
            assert (again.seq, again.events, again.repeated) == (first.seq, first.events, True)
            other = await table.submit({**command, "face": 4}, command_id="a", actor="bank")
            assert other.refusal.code == "command_id_reused"
            no = await table.submit(command, command_id="b", actor="bank")
            no_again = await table.submit(command, command_id="b", actor="bank")
            assert no.refusal == no_again.refusal
            assert (no.repeated, no_again.repeated) == (False, True)
            thrown = await table.throw("d12", seat=1, command_id="c", actor="bank")
            thrown_again = await table.throw("d12", seat=1, command_id="c", actor="bank")
            assert thrown_again.events == thrown.events
            return first, table.seq

    first, seq = run(work())
    assert seq == 4

    async def later():
        async with opened(tmp_path) as (_, table):
            command = {"do": "roll", "seat": 1, "die": "d6", "face": 3}
            return await table.submit(command, command_id="a", actor="bank")

    again = run(later())
    assert (again.seq, again.events, again.repeated) == (first.seq, first.events, True)


def test_posts_that_come_together_are_carried_out_once(tmp_path):
    async def work():
        async with opened(tmp_path) as (_, table):
            command = {"do": "roll", "seat": 1, "die": "d6", "face": 3}
            posts = [table.submit(command, command_id="same", actor="bank") for _ in range(10)]
            posts += [table.submit(command, command_id=f"other-{n}", actor="bank") for n in range(10)]
            receipts = await asyncio.gather(*posts)
            return receipts, table.seq

    receipts, seq = run(work())
    assert seq == 2
    assert sum(receipt.accepted and not receipt.repeated for receipt in receipts) == 1
    assert sum(receipt.repeated for receipt in receipts) == 9
    assert {receipt.refusal.code for receipt in receipts if receipt.refusal} == {"wrong_phase"}


def test_an_old_page_is_refused_but_notes_do_not_age_it(tmp_path):
    async def work():
        async with opened(tmp_path) as (_, table):
            roll = {"do": "roll", "seat": 1, "die": "d6", "face": 3}
            page = table.seq
            assert (await table.submit(roll, command_id="1", actor="bank", expected_seq=page)).accepted
            stay = {"do": "move", "seat": 1, "to": table.view("bank")["players"][0]["at"]}
            old = await table.submit(stay, command_id="2", actor="bank", expected_seq=page)
            future = await table.submit(stay, command_id="3", actor="bank", expected_seq=table.seq + 5)
            page = table.seq
            from companion.devices.facts import DieSettled, Origin

            await table.observe(DieSettled(Origin("d", 1, 1), 1, 1, 1, 9, 900))  # void: it is a move's turn
            assert table.seq == page + 1
            fresh = await table.submit(stay, command_id="4", actor="bank", expected_seq=page)
            return old, future, fresh

    old, future, fresh = run(work())
    assert old.refusal.code == future.refusal.code == "stale"
    assert fresh.accepted


def test_seats_act_for_themselves(tmp_path):
    async def work():
        async with opened(tmp_path) as (_, table):
            other = await table.submit(
                {"do": "roll", "seat": 1, "die": "d6", "face": 3}, command_id="1", actor="seat:2"
            )
            bank = await table.submit(
                {"do": "correct", "seat": 0, "set": {"turn": 2}, "why": "so"}, command_id="2", actor="seat:2"
            )
            picked = await table.submit(
                {"do": "draw_card", "seat": 1, "deck": "journey", "card": "J01"}, command_id="3", actor="seat:1"
            )
            drawn = await table.draw("journey", seat=1, command_id="4", actor="seat:1")
            return other, bank, picked, drawn

    other, bank, picked, drawn = run(work())
    assert {receipt.refusal.code for receipt in (other, bank, picked)} == {"not_yours"}
    assert drawn.accepted


@pytest.mark.parametrize(
    ("command", "code"),
    [
        ({}, "malformed"),
        ({"do": "fly", "seat": 1}, "unknown_command"),
        ({"do": "roll", "seat": 9, "die": "d6", "face": 1}, "unknown_seat"),
        ({"do": "roll", "seat": 1, "die": "d6", "face": float("nan")}, "malformed"),
        ({"do": "roll", "seat": 1, "die": "d6", "face": {1, 2}}, "malformed"),
        ({"do": "roll", "seat": 1, "die": "d6", "face": 7}, "bad_face"),
        ({"do": "correct", "seat": 0, "set": {"turn": 2}}, "why_missing"),
        ({"do": "correct", "seat": 0, "set": {"players": [{"seat": 1, "name": "Eve"}]}, "why": "x"}, "not_allowed"),
    ],
)
def test_a_refusal_changes_nothing(tmp_path, command, code):
    async def work():
        async with opened(tmp_path) as (_, table):
            before = game.state_hash(table.state)
            receipt = await table.submit(command, command_id="x", actor="bank")
            assert game.state_hash(table.state) == before
            return receipt, table.seq, stored_log(tmp_path)

    receipt, seq, log = run(work())
    assert receipt.refusal.code == code
    assert receipt.refusal.message
    assert seq == len(log) == 1


def test_a_caller_that_goes_away_does_not_tear_a_command(tmp_path):
    async def work():
        async with opened(tmp_path, database_on_loop=False) as (_, table):
            for number in range(20):
                post = asyncio.create_task(table.throw("d6", seat=1, command_id=f"c{number}", actor="bank"))
                await asyncio.sleep(0)
                post.cancel()
            await asyncio.sleep(0.1)
            later = await table.throw("d6", seat=1, command_id="last", actor="bank")
            return later, table.seq, len(stored_log(tmp_path)), game.state_hash(table.state)

    later, seq, stored, state = run(work())
    assert later.refusal.code == "wrong_phase"
    assert seq == stored == 2

    async def again():
        async with opened(tmp_path) as (_, table):
            return game.state_hash(table.state)

    assert run(again()) == state


def test_start_up_is_snapshot_and_tail_and_equals_a_whole_replay(tmp_path):
    async def play(steps, seed):
        async with opened(tmp_path, seats=4, snapshot_every=20) as (_, table):
            rng = random.Random(seed)
            for _ in range(steps):
                await any_step(table, rng)
            return game.state_hash(table.state), table.seq

    async def look():
        async with opened(tmp_path, seats=4, snapshot_every=20) as (application, table):
            shots = await application.database.run(
                lambda c: c.exec_driver_sql("SELECT seq FROM snapshots ORDER BY seq").scalars().all()
            )
            whole = records.replay(table.record())
            return game.state_hash(table.state), game.state_hash(whole), list(shots)

    hashes = [run(play(47, seed)) for seed in range(3)]
    state, whole, shots = run(look())
    assert state == whole == hashes[-1][0]
    assert hashes[-1][1] == 1 + 3 * 47
    assert shots == [20, 40, 60, 80, 100, 120, 140]


def test_a_snapshot_that_lies_is_not_believed(tmp_path):
    async def play():
        async with opened(tmp_path, snapshot_every=5) as (_, table):
            rng = random.Random(1)
            for _ in range(12):
                await any_step(table, rng)
            return game.state_hash(table.state)

    state = run(play())
    connection = sqlite3.connect(tmp_path / FILE_NAME)
    connection.execute("UPDATE snapshots SET position=replace(position, '\"cash\":9340', '\"cash\":9350')")
    connection.commit()
    connection.close()

    async def look():
        async with opened(tmp_path) as (_, table):
            return game.state_hash(table.state)

    assert run(look()) == state


def test_listeners_get_the_newest_and_no_queue(tmp_path):
    async def work():
        async with opened(tmp_path) as (_, table):
            fast, slow = [], []

            async def listen(seen, pause):
                async for seq in table.subscribe():
                    seen.append(seq)
                    await pause()

            busy = asyncio.Event()
            listeners = [
                asyncio.create_task(listen(fast, lambda: asyncio.sleep(0))),
                asyncio.create_task(listen(slow, busy.wait)),
            ]
            await asyncio.sleep(0)
            rng = random.Random(1)
            for _ in range(30):
                await any_step(table, rng)
                await asyncio.sleep(0)
            newest = table.seq
            busy.set()
            await asyncio.sleep(0)
            await asyncio.sleep(0)
            await table.close()
            await asyncio.wait_for(asyncio.gather(*listeners), 5)
            return fast, slow, newest

    fast, slow, newest = run(work())
    assert fast[0] == slow[0] == 1
    assert fast[-1] == newest
    assert slow[1] == newest
    assert len(slow) <= 3
    assert fast == sorted(fast)


def test_the_log_of_commands_played_by_the_rules_gives_the_same_position(tmp_path):
    async def work():
        async with opened(tmp_path, seats=4) as (_, table):
            rng = random.Random(9)
            for _ in range(150):
                await any_step(table, rng)
                if rng.random() < 0.1:
                    await table.undo("bank", consent=True, command_id=command_id())
            return table.record(), game.state_hash(table.state)

    record, state = run(work())
    by_commands = game.load_position(record["start"])
    for row in records.that_count(record):
        game.play(by_commands, row["command"])
    assert game.state_hash(by_commands) == state == game.state_hash(records.replay(record))
    assert game.check_invariants(by_commands) == []
    assert any(row["kind"] == "undo" for row in record["entries"])


def test_an_evening_that_was_closed_says_so(tmp_path):
    async def work():
        async with opened(tmp_path) as (application, table):
            await application.tables.leave()
            with pytest.raises(StorageError, match="closed"):
                await throw(table, 1)

    run(work())


def test_ended_evenings_are_marked_and_an_undo_takes_the_end_back(tmp_path):
    async def work():
        async with opened(tmp_path) as (application, table):
            await give(table, "resign", 2)
            ended = (await application.tables.list_evenings())[0]["ended"]
            refused = await throw(table, 3)
            await table.undo("bank", consent=True, command_id=command_id())
            again = (await application.tables.list_evenings())[0]["ended"]
            return ended, refused, again, await throw(table, 3)

    ended, refused, again, on = run(work())
    assert (ended, again) == (True, False)
    assert refused.refusal.code == "game_over"
    assert on.accepted


def test_a_stored_evening_has_no_names_in_its_log(tmp_path):
    async def work():
        async with opened(tmp_path) as (application, table):
            await throw(table, 3)
            log = await application.database.run(lambda c: store.read_log(c, table.table_id))
            return [entry.command_text + entry.events_text for entry in log], table.view(1)["players"]

    texts, players = run(work())
    assert not any("Ann" in text or "Friday" in text for text in texts)
    assert [player["name"] for player in players] == ["Ann", "Ben"]
