"""What a hostile or clumsy world does to the companion's half: foreign numbers, lost keys, two tabs at once, forged
advertisements."""

import asyncio

import pytest
from paper_devices import TABLE, Companion, PaperDevice, PaperRadio, in_virtual_time

from companion.devices import facts

MINE = "aaaaaaaaaa01"


def a_table_that_counts(newest, oldest=None):
    """A table whose next event is `newest` + 1 and that answers RESUME as the firmware does."""
    table = PaperDevice(MINE, TABLE)
    table.newest = newest

    def go_on():
        asked, count = table.asked, table.newest & 0xFFFF
        ahead = (count - asked["last_seq"]) & 0xFFFF
        fields = {"boot_id": table.boot, "oldest": min(table.events, default=table.newest + 1) & 0xFFFF}
        fields["newest"] = count
        table.resumed = True
        if asked["boot_id"] == table.boot and ahead < 0x8000:
            table.say("RESUMED", fields)
            lost = (fields["oldest"] - asked["last_seq"] - 1) & 0xFFFF
            if lost:
                table.say("GAP", {"first": (asked["last_seq"] + 1) & 0xFFFF, "lost": lost})
        else:
            table.say("NEW_BOOT", {**fields, "reset_cause": 1})
        table._send_from(0)
        table._snapshot()

    table._go_on = go_on
    return table


@pytest.mark.parametrize("count", [3, 20_000, 40_000, 65_535, 100_000])
def test_a_table_that_has_run_for_long_is_joined_by_a_new_companion(count):
    """Another evening's data file: nothing was lost for it, and what happens now counts."""

    async def work():
        table = a_table_that_counts(count)
        async with Companion(PaperRadio(table)) as companion:
            await companion.until_connected(table)
            table.place("04a1b2c3", 5)
            await companion.until(lambda: companion.desk.of(facts.TagAppeared), 5)
            await companion.until(lambda: not table.events, 5)
            return companion.desk.taken

    (appeared,) = in_virtual_time(work)
    assert (appeared.socket, appeared.uid) == (5, "04a1b2c3")


def test_a_boot_number_that_comes_twice_gives_no_number_twice():
    """The same boot, its count begun anew: its events are not taken for repeats."""

    async def work():
        table = a_table_that_counts(0)
        radio = PaperRadio(table)
        async with Companion(radio) as companion:
            await companion.until_connected(table)
            for socket in range(9):
                table.place(f"04a1b2c{socket}", socket)
            await companion.until(lambda: len(companion.desk.taken) == 9 and not table.events, 5)
            table.newest, table.events, table.tags, table.acked = 0, {}, {}, 0
            radio.drop(MINE)
            await asyncio.sleep(0.2)
            table.place("04ffffff", 20)
            await companion.until(lambda: len(companion.desk.taken) == 10, 20)
            return companion.desk.taken

    taken = in_virtual_time(work)
    assert taken[-1].uid == "04ffffff"
    assert len({fact.origin for fact in taken}) == 10
