"""Two dice with one electronic die: the first throw waits in the log, over a restart too, and how many dice are thrown
is chosen."""

from hands_kit import Hands, in_virtual_time
from table_kit import TWO_DICE, command_id, opened

from companion.tables.setup import EveningSetup, SeatSetup
from companion.titles.destination_london.table import dice


def an_evening():
    return EveningSetup(
        [SeatSetup("Ann", "red"), SeatSetup("Ben", "blue")], game="destination_london", position=TWO_DICE
    )


def one_die(table):
    (found,) = dice(table.explanations.glance.position).values()
    return found.map_id


async def settle(hands, table, face):
    await hands.roll(face, one_die(table))


def thrown(table):
    return table.explanations.glance.position["dice"]


def test_two_throws_make_one(tmp_path):
    async def work():
        async with opened(tmp_path, evening=an_evening()) as (_, table):
            hands = Hands(table)
            await settle(hands, table, 4)
            half = thrown(table), table.throw_wanted().faces, table.log(1)[0]
            await settle(hands, table, 3)
            return half, thrown(table), table.log(1)[0], table.check(), hands.acknowledged

    (before, faces, note), after, row, found, acknowledged = in_virtual_time(work)
    assert (before, faces, note.kind, note.do) == ([], (4,), "note", "first_throw")
    assert after == [4, 3]
    assert (row.do, row.evidence, row.actor) == ("roll", "die", "device:table")
    assert found == []
    assert acknowledged == [2, 3]


def test_the_first_throw_survives_a_restart(tmp_path):
    async def first():
        async with opened(tmp_path, evening=an_evening()) as (_, table):
            await settle(Hands(table), table, 6)

    async def second():
        async with opened(tmp_path) as (_, table):
            await settle(Hands(table, first=3), table, 1)
            return thrown(table)

    in_virtual_time(first)
    assert in_virtual_time(second) == [6, 1]


def test_one_die_is_enough_where_that_was_chosen(tmp_path):
    async def work():
        async with opened(tmp_path, evening=an_evening()) as (_, table):
            hands = Hands(table)
            await settle(hands, table, 5)
            too_many = await table.choose_dice(3, seat=1, command_id=command_id(), actor="seat:1")
            chosen = await table.choose_dice(1, seat=1, command_id="one", actor="seat:1")
            again = await table.choose_dice(1, seat=1, command_id="one", actor="seat:1")
            await settle(hands, table, 2)
            return too_many, chosen, again, thrown(table)

    too_many, chosen, again, lies = in_virtual_time(work)
    assert too_many.refusal.code == "not_allowed"
    assert chosen.accepted
    assert again.repeated
    assert lies == [2]


def test_a_throw_of_two_that_was_undone_comes_again(tmp_path):
    async def work():
        async with opened(tmp_path, evening=an_evening()) as (_, table):
            hands = Hands(table)
            await settle(hands, table, 4)
            await settle(hands, table, 3)
            assert (await table.undo("bank", "a slip", True, command_id=command_id())).accepted
            kept = table.kept_outcome
            await settle(hands, table, 6)
            await settle(hands, table, 6)
            return kept, thrown(table)

    kept, lies = in_virtual_time(work)
    assert kept == {"faces": [4, 3]}
    assert lies == [4, 3]
