"""Facts become commands where they fit; where they do not they are explained, change nothing, and can be overruled."""

import asyncio
import sqlite3

import pytest
from hands_kit import BASE, SOCKETS, TAGS, Hands, in_virtual_time, player, reachable, seated, unreachable
from table_kit import command_id, opened

from companion.devices.facts import TableSnapshot
from companion.event_log.database import FILE_NAME
from companion.titles.taxi.table import D12_MAP
from shared_rules.engine import game


def test_a_turn_is_played_by_facts_alone(tmp_path):
    async def work():
        async with opened(tmp_path) as (_, table):
            hands = await seated(table)
            await hands.roll(6)
            assert table.view("bank")["phase"] == "move"
            to = reachable(table)[0]
            await hands.lift(1, BASE, 1)
            assert table.on_road == {"seat": 1, "sentence": "Where did Ann stop?"}
            await hands.put(1, to)
            assert table.on_road is None
            assert player(table, 1)["at"] == to
            await hands.roll("green", D12_MAP)
            assert player(table, 1)["green"] == 1
            rows = table.log(3)
            return table.view("bank")["turn"], [(row.do, row.evidence, row.actor) for row in rows], hands.acknowledged

    turn, rows, acknowledged = in_virtual_time(work)
    assert turn == 2
    assert rows == [
        ("roll", "die", "device:table"),
        ("move", "tag", "device:table"),
        ("roll", "die", "device:table"),
    ]
    assert acknowledged == [2, 3, 4, 5]


def test_sliding_over_sockets_is_one_move(tmp_path):
    async def work():
        async with opened(tmp_path) as (_, table):
            hands = await seated(table)
            await hands.roll(6)
            near = reachable(table)[:4]
            await hands.slide(1, BASE, *near)
            return near[-1], player(table, 1)["at"], [row.do for row in table.log(5)], hands.acknowledged

    last, at, rows, acknowledged = in_virtual_time(work)
    assert at == last
    assert rows == ["move", "roll"]
    assert acknowledged[-1] == 2 + 2 * 4


def test_a_throw_decides_a_move_at_once(tmp_path):
    async def work():
        async with opened(tmp_path) as (_, table):
            hands = await seated(table)
            await hands.roll(6)
            to = reachable(table)[0]
            await hands.lift(1, BASE)
            await hands.put(1, to, wait=0)
            assert table.view("bank")["phase"] == "move"
            await hands.roll("white", D12_MAP)
            return to, player(table, 1), table.view("bank")["turn"]

    to, player_1, turn = in_virtual_time(work)
    assert (player_1["at"], player_1["white"], turn) == (to, 1, 2)


def test_a_move_that_costs_too_much_is_explained_and_put_back(tmp_path):
    async def work():
        async with opened(tmp_path) as (_, table):
            hands = await seated(table)
            await hands.roll(1)
            before = game.state_hash(table.state)
            far = unreachable(table)[0]
            await hands.lift(1, BASE)
            await hands.put(1, far)
            case = table.pending_explanation
            assert game.state_hash(table.state) == before
            await hands.lift(1, far)
            await hands.put(1, BASE)
            return far, case, table.pending_explanation, table.view("bank")["phase"]

    far, case, after, phase = in_virtual_time(work)
    assert (case["kind"], case["seat"], case["seen"], case["expected"]) == ("unreachable", 1, far, BASE)
    assert case["needs"]
    assert all(len(need) == 3 and need[0] > 1 or need[1] or need[2] for need in case["needs"])
    assert "that takes" in case["sentence"]
    assert case["sentence"].endswith("Ann has 1 street.")
    assert after is None
    assert phase == "move"


def test_the_banker_may_overrule_with_a_reason(tmp_path):
    async def work():
        async with opened(tmp_path) as (_, table):
            hands = await seated(table)
            await hands.roll(1)
            far = unreachable(table)[0]
            await hands.lift(1, BASE)
            await hands.put(1, far)
            case = table.pending_explanation["id"]
            silent = await table.overrule(case, " ", command_id=command_id(), actor="bank")
            seat = await table.overrule(case, "I want to", command_id=command_id(), actor="seat:1")
            gone = await table.overrule("move:1:elsewhere:2", "so", command_id=command_id(), actor="bank")
            done = await table.overrule(case, "we play that kerbs are streets", command_id="over", actor="bank")
            again = await table.overrule(case, "we play that kerbs are streets", command_id="over", actor="bank")
            view = table.view("bank")
            return far, [silent, seat, gone], done, again, view, table.log(2), table.pending_explanation

    far, refused, done, again, view, rows, after = in_virtual_time(work)
    assert [receipt.refusal.code for receipt in refused] == ["why_missing", "not_yours", "stale"]
    assert done.accepted
    assert again.repeated
    assert view["players"][0]["at"] == far
    assert view["phase"] == "tablet_die"
    assert [(row.do, row.reason) for row in rows] == [("move", ""), ("correct", "we play that kerbs are streets")]
    assert after is None


def test_another_taxi_is_told_where_it_belongs(tmp_path):
    async def work():
        async with opened(tmp_path) as (_, table):
            hands = await seated(table)
            await hands.roll(3)
            before = game.state_hash(table.state)
            elsewhere = next(iter(SOCKETS))
            await hands.lift(2, BASE)
            lifted = table.misplaced
            await hands.put(2, elsewhere)
            case = table.pending_explanation
            same = game.state_hash(table.state) == before
            await hands.lift(2, elsewhere)
            await hands.put(2, BASE)
            return elsewhere, lifted, case, same, table.pending_explanation, table.misplaced

    elsewhere, lifted, case, same, after, misplaced = in_virtual_time(work)
    sentence = "Put Blue at the base."
    assert lifted == [{"seat": 2, "piece": "taxi:2", "seen": None, "expected": BASE, "sentence": sentence}]
    assert (case["kind"], case["seat"], case["seen"], case["expected"]) == ("wrong_place", 2, elsewhere, BASE)
    assert same
    assert after is None
    assert misplaced == []


def test_a_taxi_that_was_put_down_too_early_is_asked_about(tmp_path):
    async def work():
        async with opened(tmp_path) as (_, table):
            hands = await seated(table)
            early = next(iter(SOCKETS))
            await hands.lift(1, BASE)
            await hands.put(1, early)
            too_early = table.pending_explanation
            await hands.roll(6)
            await asyncio.sleep(2)
            case = table.pending_explanation
            view = table.view("bank")
            return early, early in reachable(table), too_early, case, view

    early, can, too_early, case, view = in_virtual_time(work)
    assert too_early["kind"] == "wrong_place"
    assert view["phase"] == "move"  # never played by itself
    assert view["players"][0]["at"] == BASE
    assert case["kind"] == ("confirm_move" if can else "unreachable")
    assert case["seen"] == early


def test_throws_that_do_not_count_are_logged_and_explained(tmp_path):
    async def work():
        async with opened(tmp_path) as (_, table):
            hands = await seated(table)
            await hands.roll("green", D12_MAP)
            tablets_first = table.pending_explanation
            await hands.roll(4)
            assert table.pending_explanation is None
            await hands.roll(5)
            twice = table.pending_explanation
            await hands.roll("white", D12_MAP)
            before_the_move = table.pending_explanation
            state = table.view("bank")
            rows = table.log(10)
            return (
                tablets_first,
                twice,
                before_the_move,
                state,
                [(row.kind, row.do) for row in rows],
                hands.acknowledged,
            )

    tablets_first, twice, before_the_move, view, rows, acknowledged = in_virtual_time(work)
    assert {case["kind"] for case in (tablets_first, twice, before_the_move)} == {"wrong_throw"}
    assert "Now Ann throws for streets." in tablets_first["sentence"]
    assert "Ann moves first" in before_the_move["sentence"]
    assert view["d6"] == 4
    assert view["players"][0]["white"] == view["players"][0]["green"] == 0
    assert rows == [("note", "void_throw")] * 2 + [("play", "roll"), ("note", "void_throw")]
    assert acknowledged == [2, 3, 4, 5]


def test_a_physical_throw_after_an_undo_keeps_the_outcome(tmp_path):
    async def work():
        async with opened(tmp_path) as (_, table):
            hands = await seated(table)
            await hands.roll(4)
            await table.undo("bank", consent=True, command_id=command_id())
            await hands.roll(6)
            return table.view("bank")["d6"], table.log(1)[0].evidence

    assert in_virtual_time(work) == (4, "kept")


@pytest.mark.parametrize("waiting", [False, True], ids=["on disk", "still settling"])
def test_a_crash_loses_no_fact_and_doubles_none(tmp_path, waiting):
    """What was not acknowledged comes again from the table's memory and is taken in as if for the first time."""

    async def before():
        async with opened(tmp_path) as (application, table):
            hands = await seated(table)
            await hands.roll(6)
            to = reachable(table)[0]
            await hands.lift(1, BASE)
            await hands.put(1, to, wait=0 if waiting else 2)
            # The process ends here: nothing is closed, the file is opened anew.
            for task in application.tasks:
                task.cancel()
            return to, hands.acknowledged[-1]

    async def after(to, acknowledged):
        async with opened(tmp_path) as (_, table):
            hands = Hands(table, first=acknowledged + 1)
            if waiting:
                await hands.put(1, to, wait=0)
            await table.see(TableSnapshot("table", 7, {TAGS[1]: SOCKETS[to], TAGS[2]: SOCKETS[BASE]}))
            await asyncio.sleep(2)
            rows = [row.do for row in table.log()]
            return player(table, 1)["at"], rows, table.pending_explanation

    to, acknowledged = in_virtual_time(before)
    assert acknowledged == (3 if waiting else 4)
    at, rows, case = in_virtual_time(lambda: after(to, acknowledged))
    assert at == to
    assert rows == ["move", "roll"]
    assert case is None


def test_the_inbox_moves_with_the_entry_that_a_fact_caused(tmp_path):
    async def work():
        async with opened(tmp_path) as (_, table):
            hands = await seated(table)
            seen = []

            def look(_events):
                other = sqlite3.connect(tmp_path / FILE_NAME)
                seen.append(
                    (
                        other.execute("SELECT max(seq) FROM entries").fetchone()[0],
                        other.execute("SELECT last_seq FROM inbox WHERE device_id='table'").fetchone()[0],
                    )
                )
                other.close()

            table.on_published = look
            await hands.roll(3)
            return seen

    assert in_virtual_time(work) == [(2, 2)]
