"""One table of several devices: what each says counts once, what one does not know another may, and of two dice that
are thrown for the same throw the first counts."""

import asyncio

from hands_kit import BASE, SOCKETS, TAGS, in_virtual_time, player, reachable, seated
from table_kit import TWO_DICE, opened

from companion.devices import facts
from companion.devices.facts import Origin, TableSnapshot
from companion.tables import lights
from companion.tables.setup import EveningSetup, SeatSetup
from companion.titles.destination_london.table import dice as london_dice
from companion.titles.taxi.table import D6_MAP
from shared_rules import library

THAMES = library.layout("thames")
RED, BLUE = "04aa", "04bb"


class Device:
    """One of several devices of a table: numbers its facts, keeps what was acknowledged."""

    def __init__(self, table, device_id, marks, boot=7):
        self.table, self.id, self.boot, self.seq, self.marks = table, device_id, boot, 1, marks

    def origin(self):
        self.seq += 1
        return Origin(self.id, self.boot, self.seq)

    async def tell(self, kind, *fields, **named):
        await self.table.observe(kind(self.origin(), *fields, **named))

    async def roll(self, face, map_id=D6_MAP, invited_to=None, **receipt):
        await self.tell(facts.DieSettled, face + 1, map_id, face, 9, 900, invited_to=invited_to, **receipt)

    @property
    def acknowledged(self):
        return [mark.seq for mark in self.marks if mark.device_id == self.id]


def devices(table, *names):
    marks = []
    table.on_taken_in = marks.append
    return [Device(table, name, marks) for name in names]


async def london(table):
    """Both taxis learnt and on the base, seen by the first of two controllers."""
    for seat, uid in ((1, RED), (2, BLUE)):
        await table.assign_tag(uid, seat)
    table.controllers({0: True, 1: True})
    base = THAMES["sockets"]["BASE"]
    await table.see(TableSnapshot("one", 7, {RED: base, BLUE: base}))
    await table.see(TableSnapshot("two", 7, covers=range(32, 64)))


async def blue_goes_over(table):
    """As `london`; then blue's taxi goes to a square of the second controller: that square, and its socket."""
    await london(table)
    one, two = devices(table, "one", "two")
    place = next(iter(name for name, given in THAMES["sockets"].items() if isinstance(given, dict)))
    socket = 32 + THAMES["sockets"][place]["socket"]
    await one.tell(facts.TagGone, THAMES["sockets"]["BASE"], BLUE)
    await two.tell(facts.TagAppeared, socket, BLUE)
    return place, socket


def an_evening():
    seats = [SeatSetup("Ann", "red"), SeatSetup("Ben", "blue")]
    return EveningSetup(seats, game="destination_london", position=TWO_DICE)


def test_two_controllers_serve_every_attraction_square_of_london(tmp_path):
    async def work():
        async with opened(tmp_path, evening=an_evening()) as (_, table):
            plan = table.explanations.plan
            one = dict(plan.sockets)
            table.controllers({0: True, 1: True})
            await table.see(TableSnapshot("two", 7, covers=range(32, 64)))
            both = dict(plan.sockets)
            return plan.board, one, both

    board, one, both = in_virtual_time(work)
    attractions = {attraction["square"] for attraction in board["attractions"].values()}
    assert len(attractions) == 42
    assert max(one) < 32
    assert attractions <= set(both.values())
    assert not attractions <= set(one.values())
    assert {socket // 32 for socket in both} == {0, 1}


def test_a_taxi_is_followed_from_one_controller_to_the_other(tmp_path):
    async def work():
        async with opened(tmp_path, evening=an_evening()) as (_, table):
            place, socket = await blue_goes_over(table)
            (case,) = [row for row in table.explanations.all() if row["piece"] == "taxi:2"]
            # Each tells how its own part lies, in either order: nothing of the other's is forgotten.
            await table.see(TableSnapshot("one", 7, {RED: THAMES["sockets"]["BASE"]}))
            after_one = dict(table.explanations.presence.tags)
            await table.see(TableSnapshot("two", 7, {BLUE: socket}, covers=range(32, 64)))
            return place, socket, case, after_one, dict(table.explanations.presence.tags)

    place, socket, case, after_one, after_both = in_virtual_time(work)
    assert (case["kind"], case["seen"]) == ("wrong_place", place)
    assert after_one == after_both == {RED: THAMES["sockets"]["BASE"], BLUE: socket}


def test_a_controller_that_is_away_leaves_its_sockets_unknown_and_not_empty(tmp_path):
    async def work():
        async with opened(tmp_path, evening=an_evening()) as (_, table):
            _, socket = await blue_goes_over(table)
            there = table.explanations.all()
            table.controllers({0: True, 1: False})
            await table.see(TableSnapshot("one", 7, {RED: THAMES["sockets"]["BASE"]}))
            away = table.explanations.all(), table.misplaced, dict(table.explanations.presence.tags)
            table.controllers({0: True, 1: True})
            await table.see(TableSnapshot("two", 7, {BLUE: socket}, covers=range(32, 64)))
            return there, away, table.explanations.all(), socket

    there, (cases, misplaced, tags), again, socket = in_virtual_time(work)
    assert [case["piece"] for case in there] == ["taxi:2"]
    assert cases == []
    assert misplaced == []
    assert tags[BLUE] == socket
    assert [case["piece"] for case in again] == ["taxi:2"]


def test_each_device_is_acknowledged_for_itself(tmp_path):
    """While a taxi may still be sliding on one controller, the die is acknowledged, and the controller is not."""

    async def work():
        async with opened(tmp_path) as (_, table):
            await seated(table)
            board, die = devices(table, "table", "die")
            await die.roll(6)
            to = reachable(table)[0]
            await board.tell(facts.TagGone, SOCKETS[BASE], TAGS[1])
            await board.tell(facts.TagAppeared, SOCKETS[to], TAGS[1])
            await die.tell(facts.DiePlaced, 3)
            sliding = list(board.acknowledged), list(die.acknowledged)
            await asyncio.sleep(1)
            return sliding, board.acknowledged, die.acknowledged, player(table, 1)["at"] == to

    (board_sliding, die_sliding), board, die, moved = in_virtual_time(work)
    assert die_sliding == die == [2, 3]
    assert board_sliding == [2]
    assert board == [2, 3]
    assert moved


def test_of_two_dice_thrown_at_once_the_first_counts_and_the_other_is_explained(tmp_path):
    async def work():
        async with opened(tmp_path) as (_, table):
            await seated(table)
            one, other = devices(table, "one", "other")
            invited = lights.show(table).throw
            await one.roll(4, invited_to=invited)
            await other.roll(6, invited_to=invited)
            return table.log(3), table.pending_explanation, table.view("bank")["d6"], one, other

    rows, case, shown, one, other = in_virtual_time(work)
    assert [(row.kind, row.do) for row in rows] == [("note", "void_throw"), ("play", "roll")]
    assert case["kind"] == "wrong_throw"
    assert case["sentence"].startswith("Two dice were thrown for the same throw, and the first one counts")
    assert shown == 4
    assert one.acknowledged == [2]
    assert other.acknowledged == [2]


def test_a_die_that_was_invited_to_an_earlier_throw_does_not_answer_the_next_one(tmp_path):
    """The game waits for the same die again at once: what was thrown for the throw before does not count for it."""

    async def work():
        async with opened(tmp_path, evening=an_evening()) as (_, table):
            one, other, third = devices(table, "one", "other", "third")
            ((_, die),) = london_dice(table.explanations.glance.position).items()
            invited = lights.show(table).throw
            await one.roll(4, die.map_id, invited)
            await other.roll(3, die.map_id, invited)  # two dice are wanted: both count
            both = table.explanations.glance.position["dice"], table.explanations.void
            await third.roll(6, die.map_id, invited)
            return both, table.explanations.void, lights.show(table).throw - invited

    (dice, void), late, throws = in_virtual_time(work)
    assert dice == [4, 3]
    assert void is None
    assert late["sentence"].startswith("Two dice")
    assert throws == 1


def test_a_late_throw_is_none_of_the_next_seats(tmp_path):
    """Where the game waits for the same kind of throw again, the second of two dice must not be taken for that one."""

    async def work():
        async with opened(tmp_path) as (_, table):
            await seated(table)
            one, other, board = devices(table, "one", "other", "board")
            first = lights.show(table).throw
            await one.roll(4, invited_to=first)
            await board.tell(facts.TagGone, SOCKETS[BASE], TAGS[1])
            await board.tell(facts.TagAppeared, SOCKETS[reachable(table)[0]], TAGS[1])
            await asyncio.sleep(1)
            for turn in range(3):  # whatever else the first seat has to do
                if lights.show(table).invite == D6_MAP:
                    break
                await table.throw("d12", seat=1, command_id=f"own-{turn}", actor="bank")
            waits = table.throw_wanted()
            await other.roll(6, invited_to=first)
            late = table.explanations.void, table.throw_wanted()
            await other.roll(6, invited_to=lights.show(table).throw)
            return waits, late, table.throw_wanted()

    waits, (void, still), after = in_virtual_time(work)
    assert (waits.die, waits.seat) == ("d6", 2)
    assert void["sentence"].startswith("Two dice")
    assert still == waits
    assert after is None or after != waits


def test_a_throw_without_an_invitation_that_is_known_counts_as_ever(tmp_path):
    async def work():
        async with opened(tmp_path) as (_, table):
            await seated(table)
            (die,) = devices(table, "die")
            await die.roll(5, invited_to=None)
            return table.view("bank")["d6"]

    assert in_virtual_time(work) == 5


def test_the_receipt_of_a_throw_is_its_evidence(tmp_path):
    async def work():
        async with opened(tmp_path) as (_, table):
            await seated(table)
            (die,) = devices(table, "d1ce")
            await die.roll(5, roll=12, digest=0xBEEF)
            return table.record()["entries"][-1]

    evidence = in_virtual_time(work)["evidence"]
    assert evidence["kind"] == "die"
    assert (evidence["device"], evidence["boot"], evidence["event"]) == ("d1ce", 7, 2)
    assert (evidence["roll"], evidence["tumbles"], evidence["ms"], evidence["digest"]) == (12, 9, 900, "0000beef")


def test_a_cocked_die_is_no_throw_and_asks_again(tmp_path):
    async def work():
        async with opened(tmp_path) as (_, table):
            await seated(table)
            (die,) = devices(table, "die")
            await die.tell(facts.DieCocked, D6_MAP, 4, 31)
            cocked = table.pending_explanation, table.log(5)
            await die.tell(facts.DieStarted, D6_MAP)
            rolling = table.pending_explanation
            await die.tell(facts.DieCocked, D6_MAP, 4, 31)
            await die.roll(2)
            await table.see(TableSnapshot("die", 7, covers=range(0), die="cocked"))
            seen = table.pending_explanation
            await die.tell(facts.DiePlaced, 3)
            return cocked, rolling, table.view("bank")["d6"], seen, table.pending_explanation

    (case, rows), rolling, face, seen, at_last = in_virtual_time(work)
    assert case["kind"] == "wrong_throw"
    assert "throw it again" in case["sentence"]
    assert rows == []
    assert rolling is None
    assert face == 2
    assert seen["sentence"] == case["sentence"]
    assert at_last is None


def test_a_stranger_at_a_device_is_told_until_it_was_read(tmp_path):
    async def work():
        async with opened(tmp_path) as (_, table):
            await seated(table)
            (die,) = devices(table, "die")
            await die.tell(facts.AccessRefused, 0x2A)
            case = table.pending_explanation
            await table.dismiss(case["id"])
            return case, table.pending_explanation

    case, later = in_virtual_time(work)
    assert case["kind"] == "access"
    assert "without its key" in case["sentence"]
    assert later is None


def test_a_device_without_sockets_says_nothing_about_where_taxis_lie(tmp_path):
    async def work():
        async with opened(tmp_path) as (_, table):
            await seated(table)
            before = dict(table.explanations.presence.tags)
            await table.see(TableSnapshot("die", 3, covers=range(0)))
            return before, dict(table.explanations.presence.tags), table.misplaced

    before, after, misplaced = in_virtual_time(work)
    assert before == after
    assert misplaced == []
