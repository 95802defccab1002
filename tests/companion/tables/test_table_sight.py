"""Tags that are learnt, sockets in trouble, lost events, hands in place of readers, a table that starts anew."""

from hands_kit import BASE, SOCKETS, TAGS, Hands, in_virtual_time, reachable, seated
from table_kit import an_evening, give, opened, throw

from companion.devices import facts
from companion.devices.facts import TableSnapshot


def test_tags_are_learnt_on_the_base_and_known_next_time(tmp_path):
    async def work():
        async with opened(tmp_path) as (application, table):
            hands = Hands(table)
            await table.learn_tag(1)
            elsewhere = next(iter(SOCKETS))
            await hands.put(1, elsewhere)
            assert table.learning == "taxi:1"
            case = table.pending_explanation
            await hands.lift(1, elsewhere)
            await hands.put(1, BASE)
            await hands.put(2, BASE)
            await table.learn_tag(2)  # it lies there already
            tags = [row["tag"] for row in table.setup["seats"]]
            await table.assign_tag(TAGS[2], 1)  # the other way round after all
            swapped = [row["tag"] for row in table.setup["seats"]]
            other = await application.tables.create_evening(an_evening())
            return case, tags, table.learning, swapped, [row["tag"] for row in other.setup["seats"]]

    case, tags, learning, swapped, next_time = in_virtual_time(work)
    assert case["kind"] == "unknown_tag"
    assert case["uid"] == TAGS[1]
    assert tags == [TAGS[1], TAGS[2]]
    assert learning is None
    assert swapped == next_time == [TAGS[2], None]


def test_trouble_at_a_socket_is_said_and_not_taken_for_a_taxi_that_left(tmp_path):
    async def work():
        async with opened(tmp_path) as (_, table):
            hands = await seated(table)
            await table.observe(facts.SocketTrouble(hands.origin(), SOCKETS[BASE], "mute"))
            await hands.lift(2, BASE)
            mute = table.pending_explanation, table.misplaced
            await table.observe(facts.SocketTrouble(hands.origin(), SOCKETS[BASE], "ok"))
            return mute, table.misplaced

    (case, misplaced), after = in_virtual_time(work)
    assert case["kind"] == "reader"
    assert "by hand" in case["sentence"]
    assert misplaced == []
    assert [row["seat"] for row in after] == [2]


def test_a_table_with_many_empty_sockets_says_so_once(tmp_path):
    async def work():
        async with opened(tmp_path) as (_, table):
            hands = await seated(table)
            few = []
            for socket in range(4):
                await table.observe(facts.SocketTrouble(hands.origin(), socket, "mute"))
                few.append(table.pending_explanation["sentence"])
            await table.dismiss(table.pending_explanation["id"])
            return few, table.pending_explanation

    few, after = in_virtual_time(work)
    assert "is silent" in few[2]
    assert few[3] == "At 4 places no reader answers. Tap moves to there by hand; the game goes on."
    assert after is None


def test_lost_events_are_said_openly(tmp_path):
    async def work():
        async with opened(tmp_path) as (_, table):
            hands = await seated(table)
            await table.observe(facts.EventsLost(hands.origin(), 40))
            case = table.pending_explanation
            await table.dismiss(case["id"])
            return case, table.pending_explanation, table.log(1)[0]

    case, after, row = in_virtual_time(work)
    assert case["kind"] == "lost_events"
    assert after is None
    assert (row.kind, row.do, row.asked) == ("note", "events_lost", {"lost": 40})


def test_everything_works_by_hand_and_the_table_catches_up(tmp_path):
    async def work():
        async with opened(tmp_path) as (_, table):
            hands = await seated(table)
            await throw(table, 6)
            to = reachable(table)[0]
            await give(table, "move", 1, to=to)
            told = table.misplaced
            await hands.lift(1, BASE)
            await hands.put(1, to)
            return to, told, table.misplaced, [row.do for row in table.log()]

    to, told, after, rows = in_virtual_time(work)
    assert [(row["seat"], row["expected"]) for row in told] == [(1, to)]
    assert after == []
    assert rows == ["move", "roll"]


def test_a_table_that_starts_anew_tells_what_lay_there_and_plays_nothing(tmp_path):
    """Companion and table both start: the first sightings of a new boot are how it lay, not moves."""

    async def before():
        async with opened(tmp_path) as (_, table):
            await seated(table)
            await throw(table, 6)
            return reachable(table)[0]

    async def after(to):
        async with opened(tmp_path) as (_, table):
            hands = Hands(table, boot=8, first=1)
            await hands.put(1, to)
            await table.see(TableSnapshot("table", 8, {TAGS[1]: SOCKETS[to], TAGS[2]: SOCKETS[BASE]}))
            case = table.pending_explanation
            receipt = await give(table, "move", 1, to=case["seen"])
            return case, receipt

    to = in_virtual_time(before)
    case, receipt = in_virtual_time(lambda: after(to))
    assert case["kind"] == "confirm_move"
    assert case["seen"] == to
    assert receipt.accepted
