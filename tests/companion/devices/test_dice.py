"""Dice that come and go: all of them are heard, invited and missed rightly; none of their throws is lost."""

import asyncio

from paper_companion import D6, Companion, in_virtual_time, met, numbers
from paper_devices import RING, PaperDevice, dice, table_of
from paper_radio import PaperRadio

from companion.devices import facts
from companion.devices.table_output import RED, Show


def test_a_table_with_three_dice_restored_from_disk_hears_all_of_them():
    """After a restart only one of two dice was listened to."""

    async def work():
        table, three = table_of(1), dice(1, 2, 3)
        radio = PaperRadio(table, *three)
        async with Companion(radio) as first:
            await first.until_connected(table, *three)
        async with Companion(radio, first.desk) as second:
            remembered = {state.id for state in second.hub.devices()}
            await second.until_connected(table, *three)
            for die in three:
                die.roll(3, 1, 3)
            await second.until(lambda: len(second.desk.of(facts.DieSettled)) == 3)
            return remembered, [fact.origin.device_id for fact in second.desk.of(facts.DieSettled)], three, radio

    remembered, thrown, three, radio = in_virtual_time(work)
    assert len(remembered) == 4
    assert sorted(thrown) == sorted(die.id for die in three)
    assert radio.overlaps == []


def test_a_throw_whose_link_drops_while_it_tumbles_counts_once():
    """A roll was lost when the link dropped in the middle of it."""

    async def work():
        (die,) = dice(1)
        radio = PaperRadio(die)
        async with Companion(radio) as companion:
            companion.hub.output.show(Show({}, 1, (D6,)))
            await companion.until(lambda: die.did("ARM_DIE"))
            die.report("ROLL_STARTED", {"roll": 1, "map_id": 1}, die.numbers[-1])
            radio.drop(die.id)
            fields = {"roll": 1, "face": 5, "map_id": 1, "value": 5, "tumbles": 9, "duration": 900, "digest": 1}
            die.report("ROLL_SETTLED", fields, die.numbers[-1])
            await companion.until_connected(die)
            await asyncio.sleep(2)
            await companion.reconnected(die)
            await asyncio.sleep(2)
            return die, companion.desk

    die, desk = in_virtual_time(work)
    (roll,) = desk.of(facts.DieSettled)
    assert (roll.face, roll.origin.device_id, roll.origin.seq, roll.digest) == (5, die.id, 2, 1)
    assert numbers(desk.taken, die) == [1, 2]


def test_a_die_that_says_good_night_is_not_lost():
    async def work():
        table, (die,) = table_of(1), dice(1)
        async with met(table, die) as companion:
            radio = companion.radio
            die.report("DIE_SLEEPS", {"reason": 1})
            await asyncio.sleep(0.5)
            radio.out_of_sight.add(die.id)
            radio.drop(die.id)
            await companion.until(lambda: companion.state(die) == "asleep")
            asleep = companion.hub.devices()[1].error, companion.link.state, companion.link.counters.get("losses", 0)
            await asyncio.sleep(600)
            radio.out_of_sight.clear()  # somebody picks it up
            since = asyncio.get_running_loop().time()
            await companion.until_connected(die)
            return asleep, asyncio.get_running_loop().time() - since

    asleep, woke = in_virtual_time(work)
    assert asleep == ("", "connected", 0)
    assert woke <= 7


def test_a_battery_is_a_quiet_note_that_outlives_a_restart():
    async def work():
        (die,) = dice(1)
        async with met(die) as companion:
            quiet = companion.hub.notes()
            die.report("BATTERY", {"level": 1, "percent": 14, "millivolts": 3500})
            await companion.until(lambda: companion.hub.notes())
        async with Companion(PaperRadio(), companion.desk) as later:
            return quiet, later.hub.notes()

    quiet, (note,) = in_virtual_time(work)
    assert quiet == []
    assert note.kind == "battery"
    assert "14 %" in note.sentence
    assert "Charge it" in note.sentence


def test_every_die_is_invited_and_a_table_without_one_is_not():
    async def work():
        table, ring, (die,) = PaperDevice("000000000001", faces=0), PaperDevice("0000000000aa", RING), dice(1)
        radio = PaperRadio(table, ring, die)
        async with Companion(radio) as companion:
            companion.hub.output.show(Show({2: RED}, 1, (D6,), throw=4, seat=17))
            await companion.until_connected(table, ring, die)
            await asyncio.sleep(1)
            die.roll(6, 1, 6)
            await companion.until(lambda: companion.desk.of(facts.DieSettled))
            companion.hub.output.show(Show({2: RED}, None, (D6,), throw=5))
            await asyncio.sleep(1)
            ring.roll(2, 1, 2)
            await asyncio.sleep(1)
            return table, ring, die, companion.desk.of(facts.DieSettled)

    table, ring, die, thrown = in_virtual_time(work)
    assert table.did("ARM_DIE") == table.did("SET_FACE_MAP") == []
    assert table.did("SET_LIGHTS")
    for one in (ring, die):
        assert one.did("ARM_DIE")[0] == {"map_id": 1, "seat": 17}
        assert one.did("SET_LIGHTS") == []
    assert ring.did("DISARM_DIE")
    assert [fact.invited_to for fact in thrown] == [4, 4]
