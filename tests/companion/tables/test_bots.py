"""Bots at a live table: they act by themselves, are told as bots, survive a restart, wait after an undo, keep
secrets."""

import asyncio

import pytest
from hands_kit import in_virtual_time
from table_kit import SEATS, command_id, opened

from companion.tables.setup import EveningSetup, SeatSetup


def with_bots(*levels):
    seats = [SeatSetup(name, colour, bot) for (name, colour), bot in zip(SEATS, levels, strict=False)]
    return EveningSetup(seats, title="Friday", game="taxi")


async def until(holds, seconds=120):
    for _ in range(seconds * 10):
        if holds():
            return
        await asyncio.sleep(0.1)
    raise AssertionError("it did not come to that")


def actors(table, limit=400):
    return [row.actor for row in table.log(limit) if row.kind == "play"]


@pytest.mark.parametrize("level", ["random", "greedy", "strong"])
def test_a_bot_plays_its_turn_and_then_waits_for_people(tmp_path, level):
    async def work():
        async with opened(tmp_path, evening=with_bots(level, "")) as (_, table):
            await until(lambda: table.view("bank")["turn"] == 2 and not table.bot_is_waited_for)
            await asyncio.sleep(30)
            return actors(table), table.view("bank")["turn"], table.check()

    played, turn, found = in_virtual_time(work)
    assert len(played) >= 2
    assert set(played) == {"bot:1"}
    assert turn == 2
    assert found == []


def test_a_whole_trip_of_bots_adds_up(tmp_path):
    async def work():
        async with opened(tmp_path, evening=with_bots("greedy", "random", "greedy"), bot_pause=0.2) as (_, table):
            await until(lambda: table.view("bank")["trip"] > 1, 3000)
            return set(actors(table, 10_000)), table.check()

    played, found = in_virtual_time(work)
    assert played == {"bot:1", "bot:2", "bot:3"}
    assert found == []


def test_a_bot_pauses_before_it_acts(tmp_path):
    async def work():
        async with opened(tmp_path, evening=with_bots("greedy", ""), bot_pause=5.0) as (_, table):
            await asyncio.sleep(4.5)
            before = table.seq
            await asyncio.sleep(1.0)
            return before, table.seq

    before, after = in_virtual_time(work)
    assert before == 1
    assert after == 2


def test_a_seat_is_handed_over_and_back(tmp_path):
    async def work():
        async with opened(tmp_path) as (_, table):
            stranger = await table.set_bot(1, "greedy", command_id=command_id(), actor="seat:2")
            unknown = await table.set_bot(1, "divine", command_id=command_id(), actor="bank")
            nobody = await table.set_bot(9, "greedy", command_id=command_id(), actor="bank")
            await asyncio.sleep(10)
            idle = table.seq
            taken = await table.set_bot(1, "greedy", command_id="take", actor="bank")
            again = await table.set_bot(1, "greedy", command_id="take", actor="bank")
            await until(lambda: table.log(1)[0].actor == "bot:1")
            back = await table.set_bot(1, "", command_id=command_id(), actor="seat:1")
            seq = table.seq
            await asyncio.sleep(30)
            rows = [(row.kind, row.do, row.seat) for row in table.log(50) if row.kind == "note"]
            refused = [receipt.refusal.code for receipt in (stranger, unknown, nobody)]
            return refused, idle, taken, again, back, seq == table.seq, rows

    refused, idle, taken, again, back, quiet, rows = in_virtual_time(work)
    assert refused == ["not_yours", "unknown_bot", "unknown_seat"]
    assert idle == 1
    assert taken.accepted
    assert again.repeated
    assert back.accepted
    assert quiet
    assert rows == [("note", "bot_hands_back", 1), ("note", "bot_takes_over", 1)]


def test_a_bot_goes_on_after_a_restart(tmp_path):
    async def work():
        async with opened(tmp_path, bot_pause=60.0) as (_, table):
            await table.set_bot(1, "greedy", command_id=command_id(), actor="bank")
        async with opened(tmp_path) as (_, table):
            assert table.bot_of(1) == "greedy"
            await until(lambda: table.view("bank")["turn"] == 2)
            return set(actors(table))

    assert in_virtual_time(work) == {"bot:1"}


def test_after_an_undo_bots_hold_still_until_somebody_plays_or_lets_them(tmp_path):
    async def work():
        async with opened(tmp_path, evening=with_bots("greedy", "")) as (_, table):
            await until(lambda: len(actors(table)) == 2)
            undone = await table.undo("bank", "a slip", True, command_id=command_id())
            seq = table.seq
            await asyncio.sleep(30)
            held = table.seq == seq and table.bots_hold and table.bot_is_waited_for
            await table.let_bots_go_on(command_id=command_id(), actor="bank")
            await asyncio.sleep(5)
            return undone, held, table.bots_hold, actors(table)

    undone, held, holds, played = in_virtual_time(work)
    assert undone.accepted
    assert held
    assert not holds
    assert len(played) >= 3  # the one that was taken back is shown, too


def test_a_bot_takes_back_nothing_and_acts_for_nobody_else(tmp_path):
    async def work():
        async with opened(tmp_path) as (_, table):
            other = {"do": "roll", "seat": 2, "die": "d6", "face": 1}
            return await table.submit(other, command_id=command_id(), actor="bot:1")

    assert in_virtual_time(work).refusal.code == "not_yours"


def test_a_strong_bot_says_why_with_its_two_best_alternatives(tmp_path):
    async def work():
        async with opened(tmp_path, evening=with_bots("strong", "")) as (_, table):
            await until(lambda: table.view("bank")["turn"] == 2)
            return table.bot_thoughts()

    thoughts = in_virtual_time(work)
    assert thoughts
    for thought in thoughts:
        assert (thought["seat"], thought["level"], thought["unit"]) == (1, "strong", "dollars")
        assert 1 <= len(thought["ranked"]) <= 3
        chosen = thought["ranked"][0]["command"]
        assert chosen.items() <= thought["command"].items()
        scores = [one["score"] for one in thought["ranked"]]
        assert scores == sorted(scores, reverse=True)
    assert any(one["because"] for thought in thoughts for one in thought["ranked"])
    assert [thought["seq"] for thought in thoughts] == sorted((t["seq"] for t in thoughts), reverse=True)


def test_a_bots_bet_is_not_explained_before_the_end(tmp_path):
    gamble = {"title": "", "fine": False, "do": [["gamble", "money"]]}

    async def work():
        async with opened(tmp_path, evening=with_bots("", "strong", "strong")) as (_, table):
            table.setup["cards"] = "paper"
            card = {"do": "draw_card", "seat": 1, "deck": "journey", "card": gamble}
            assert (await table.submit(card, command_id=command_id(), actor="bank")).accepted
            await until(lambda: table.view("bank")["phase"] != "gamble_bets")
            return [row.actor for row in table.log(3) if row.kind == "play"], table.bot_thoughts()

    played, thoughts = in_virtual_time(work)
    assert {"bot:2", "bot:3"} <= set(played)
    assert thoughts == []


def test_a_paper_card_is_drawn_by_people(tmp_path):
    async def work():
        evening = with_bots("greedy", "")
        evening.cards = "paper"
        evening.options = {"card_draw": "mandatory_one"}
        async with opened(tmp_path, evening=evening) as (_, table):
            await asyncio.sleep(30)
            card = {"title": "Sunday", "fine": False, "do": [["nothing"]]}
            drawn = {"do": "draw_card", "seat": 1, "deck": "journey", "card": card}
            before = table.seq
            assert (await table.submit(drawn, command_id=command_id(), actor="bank")).accepted
            await until(lambda: table.view("bank")["turn"] == 2)
            return before, actors(table)

    before, played = in_virtual_time(work)
    assert before == 1
    assert played[-1] == "bank"
    assert set(played[:-1]) == {"bot:1"}
