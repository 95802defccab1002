"""A device of a later minor version: what this companion does not know yet costs nothing of what it does know."""

import asyncio

from paper_companion import in_virtual_time, met, numbers
from paper_devices import PaperDevice, table_of

from companion.devices import facts
from shared_rules.wire.messages import seal

FUTURE = "AN EVENT OF THE FUTURE"


class LaterTable(PaperDevice):
    def say(self, name, fields=None, seq=None, ref=0):
        if name == FUTURE:
            if self.speak is not None:
                self.speak(seal(0xC7, 0, seq & 0xFFFF, ref, b"\x01\x02\x03"))
        else:
            super().say(name, fields, seq, ref)


def test_events_of_an_unknown_kind_are_passed_over_and_the_game_goes_on():
    """They have numbers like all others: asked for again and again, they would stop everything behind them."""

    async def work():
        table = LaterTable(table_of(1).id)
        async with met(table) as companion:
            table.place("04a1b2c3", 5)
            table.report(FUTURE, {})
            table.report(FUTURE, {})
            table.place("04d4e5f6", 6)
            await companion.until(lambda: len(companion.desk.of(facts.TagAppeared)) == 2, 10)
            await companion.until(lambda: not table.events, 10)
            table.report(FUTURE, {})
            await companion.until(lambda: not table.events, 10)
            table.lift("04d4e5f6", 6)
            await companion.reconnected(table)
            await asyncio.sleep(2)
            return companion.desk, table, companion.hub.devices()[0].counters

    desk, table, counters = in_virtual_time(work)
    assert numbers(desk.taken, table) == [1, 2, 3, 4, 5, 6]
    assert [type(fact) for fact in desk.taken[1:3]] == [facts.OtherEvent] * 2
    assert counters["unknown"] >= 3
    assert table.acked == 6
