"""Undo: one's own slip is free, the rest needs the table, chance gives no second chance, and history leaves no
trace in the state."""

import random

import pytest
from table_kit import any_step, command_id, give, opened, run, throw

from companion.tables import records
from shared_rules import library
from shared_rules.engine import game


async def undo(table, actor="bank", consent=False):
    return await table.undo(actor, "a slip", consent, command_id=command_id())


def test_ones_own_slip_is_free_while_nobody_acted_on_it(tmp_path):
    async def work():
        async with opened(tmp_path) as (_, table):
            await table.throw("d6", seat=1, command_id="1", actor="seat:1")
            at = table.view(1)["players"][0]["at"]
            before = game.state_hash(table.state)
            await table.submit({"do": "move", "seat": 1, "to": at}, command_id="2", actor="seat:1")
            other = await undo(table, "seat:2")
            bank = await undo(table, "bank")
            offer = table.undo_offer("seat:1")
            own = await undo(table, "seat:1")
            return before == game.state_hash(table.state), other, bank, offer, own

    same, other, bank, offer, own = run(work())
    assert other.refusal.code == bank.refusal.code == "consent_needed"
    assert offer == {"seq": 3, "do": "move", "seat": 1, "free": True, "chance": False}
    assert own.accepted
    assert same


def test_what_others_built_on_needs_the_table(tmp_path):
    async def work():
        async with opened(tmp_path) as (_, table):
            await throw(table, 3)
            await give(table, "move", 1, to=table.view(1)["players"][0]["at"])
            await table.throw("d12", seat=1, command_id="d", actor="seat:1")
            return await undo(table, "seat:1"), await undo(table, "bank"), await undo(table, "bank", consent=True)

    seat, bank, agreed = run(work())
    assert seat.refusal.code == bank.refusal.code == "consent_needed"
    assert agreed.accepted


def test_a_seat_cannot_give_the_tables_consent(tmp_path):
    async def work():
        async with opened(tmp_path) as (_, table):
            await table.throw("d6", seat=1, command_id="1", actor="seat:1")
            return await undo(table, "seat:1", consent=True)

    assert run(work()).refusal.code == "consent_needed"


def test_what_all_have_seen_is_not_taken_back_by_one(tmp_path):
    gamble = next(card["id"] for card in library.deck("taxi", "journey") if card["do"][0][0] == "gamble")

    async def work():
        async with opened(tmp_path) as (_, table):
            card = {"do": "draw_card", "seat": 1, "deck": "journey", "card": gamble}
            assert (await table.submit(card, command_id="card", actor="bank")).accepted
            for seat in range(2, len(table.setup["seats"]) + 1):
                await table.submit({"do": "pass_bet", "seat": seat}, command_id=f"pass-{seat}", actor=f"seat:{seat}")
            shown = await table.submit({"do": "reveal_card", "seat": 1}, command_id="show", actor="seat:1")
            assert shown.accepted, shown.refusal
            offer = table.undo_offer("seat:1")
            return offer, await undo(table, "seat:1"), await undo(table, "bank", consent=True)

    offer, own, agreed = run(work())
    assert not offer["free"]
    assert own.refusal.code == "consent_needed"
    assert "Everybody has seen it" in own.refusal.message
    assert agreed.accepted


def test_nothing_to_undo(tmp_path):
    async def work():
        async with opened(tmp_path) as (_, table):
            return await undo(table), table.undo_offer("bank")

    receipt, offer = run(work())
    assert receipt.refusal.code == "nothing_to_undo"
    assert offer is None


@pytest.mark.parametrize("kind", ["rng", "die"])
def test_a_throw_keeps_its_outcome(tmp_path, kind):
    async def work():
        async with opened(tmp_path) as (_, table):
            if kind == "rng":
                await table.throw("d6", seat=1, command_id="1", actor="bank")
            else:
                await throw(table, 2, evidence={"kind": "die", "device": "d", "boot": 1, "event": 4})
            face = table.view(1)["d6"]
            await undo(table, consent=True)
            assert table.kept_outcome == {"face": face}
            other = await throw(table, face % 6 + 1)
            again = await table.throw("d6", seat=1, command_id="2", actor="seat:1")
            return face, other, again, table.view(1)["d6"], table.log(1)[0].evidence

    face, other, again, now, evidence = run(work())
    assert other.refusal.code == "outcome_kept"
    assert again.accepted
    assert now == face
    assert evidence == "kept"


def test_a_typed_throw_may_have_been_a_slip(tmp_path):
    async def work():
        async with opened(tmp_path) as (_, table):
            await throw(table, 2)
            without = await undo(table)
            await undo(table, consent=True)
            return without, await throw(table, 5), table.view(1)["d6"]

    without, again, face = run(work())
    assert without.refusal.code == "consent_needed"
    assert again.accepted
    assert face == 5


def test_a_card_keeps_lying_on_top(tmp_path):
    async def work():
        async with opened(tmp_path) as (_, table):
            await table.draw("journey", seat=1, command_id="1", actor="bank")
            card = table.record()["entries"][-1]["command"]["card"]
            for _ in range(3):
                await undo(table, consent=True)
                await table.draw("journey", seat=1, command_id=command_id(), actor="bank")
                assert table.record()["entries"][-1]["command"]["card"] == card
            await undo(table, consent=True)
            other = await table.draw("passenger", seat=1, command_id="2", actor="bank")
            return other, table.record()["entries"][-1]

    other, last = run(work())
    assert other.accepted
    assert last["command"]["deck"] == "passenger"
    assert last["evidence"]["kind"] == "rng"


def test_outcomes_stay_kept_over_a_restart(tmp_path):
    async def first():
        async with opened(tmp_path) as (_, table):
            await table.throw("d6", seat=1, command_id="1", actor="bank")
            face = table.view(1)["d6"]
            await undo(table, consent=True)
            return face

    face = run(first())

    async def second():
        async with opened(tmp_path, seed=99) as (_, table):
            await table.throw("d6", seat=1, command_id="2", actor="bank")
            return table.view(1)["d6"]

    assert run(second()) == face


@pytest.mark.parametrize("seed", range(6))
def test_the_state_does_not_know_how_often_it_was_undone(tmp_path, seed):
    """After any play with any undos the state is that of the commands that count, and so it is after a restart."""

    async def work():
        rng = random.Random(seed)
        hashes = {}
        async with opened(tmp_path, seats=3, seed=seed, snapshot_every=7) as (_, table):
            path = [game.state_hash(table.state)]
            for _ in range(80):
                if len(path) > 1 and rng.random() < 0.35:
                    receipt = await undo(table, consent=True)
                    path.pop()
                else:
                    receipt = await any_step(table, rng)
                    path.append(game.state_hash(table.state))
                assert receipt.accepted
                assert game.state_hash(table.state) == path[-1]
            hashes["live"] = game.state_hash(table.state)
            hashes["replayed"] = game.state_hash(records.replay(table.record()))
            hashes["path"] = path[-1]
        async with opened(tmp_path, seats=3, snapshot_every=7) as (_, table):
            hashes["reopened"] = game.state_hash(table.state)
        return hashes

    assert len(set(run(work()).values())) == 1


def test_undone_rows_stay_in_the_log_and_are_marked(tmp_path):
    async def work():
        async with opened(tmp_path) as (_, table):
            await table.throw("d6", seat=1, command_id="1", actor="bank")
            await undo(table, consent=True)
            live = table.log()
        async with opened(tmp_path) as (_, table):
            return live, table.log()

    live, later = run(work())
    assert [(row.kind, row.do, row.undone) for row in live] == [("undo", "undo", False), ("play", "roll", True)]
    assert [(row.kind, row.undone, row.asked) for row in later] == [(row.kind, row.undone, row.asked) for row in live]
    assert live[0].reason == "a slip"
    assert live[0].asked == {"seq": 2}


def test_a_correction_is_seen_by_all_and_can_be_undone(tmp_path):
    async def work():
        async with opened(tmp_path) as (_, table):
            before = game.state_hash(table.state)
            change = {"players": [{"seat": 2, "cash": 9990}]}
            await give(table, "correct", set=change, why="a note slipped off the table")
            corrected = table.view("spectator")
            rows = [table.log(1, audience)[0] for audience in ("spectator", 1, 2, "bank")]
            await undo(table)
            return before == game.state_hash(table.state), corrected, rows

    same, corrected, rows = run(work())
    assert corrected["players"][1]["cash"] == 9990
    assert {row.reason for row in rows} == {"a note slipped off the table"}
    assert same
