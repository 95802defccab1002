"""What a hostile or clumsy world does to the companion's half: foreign numbers, lost keys, two tabs at once, forged
advertisements."""

import asyncio

import pytest
from paper_companion import Companion, Desk, cabled, in_virtual_time, met
from paper_devices import DIE, TABLE, PaperDevice
from paper_radio import PaperRadio

from companion.devices import facts
from companion.devices.device_state import DeviceError

MINE, OTHER, THIRD = "aaaaaaaaaa01", "aaaaaaaaaa02", "aaaaaaaaaa03"


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
        async with met(table) as companion:
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
        async with met(table) as companion:
            radio = companion.radio
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


def test_a_key_that_was_offered_is_not_replaced_by_another():
    """The device has taken the key and its answers are lost; somebody presses again, and that does not arrive."""

    async def work():
        die = PaperDevice(MINE, DIE)
        async with met(die) as companion:
            radio = companion.radio
            say = die.say
            die.say = lambda name, *rest, **named: name == "RESULT" or say(name, *rest, **named)
            with pytest.raises(DeviceError):
                await companion.hub.pair(MINE)

            def breaks(step, device):
                if step == "write":
                    radio.fail = lambda step, device: None
                    radio.drop(MINE)

            radio.fail = breaks
            with pytest.raises(DeviceError):
                await companion.hub.pair(MINE)
            die.say = say
            await asyncio.sleep(0.1)
            await companion.until_connected(die)
            return die.key.hex(), companion.desk.rows[MINE]["key"], companion.hub.devices()[0].paired

    theirs, ours, paired = in_virtual_time(work)
    assert theirs == ours != ""
    assert paired


def test_two_tabs_press_pair_and_read_the_log_at_once():
    async def work():
        die = PaperDevice(MINE, DIE)
        die.log = "ValueError: what went wrong\n" * 9
        async with met(die) as companion:
            hub = companion.hub
            pairs = await asyncio.gather(hub.pair(MINE), hub.pair(MINE), return_exceptions=True)
            logs = await asyncio.gather(*(hub.read_log(MINE) for _ in range(3)), return_exceptions=True)
            return die, companion.desk.rows[MINE]["key"], pairs, logs

    die, key, pairs, logs = in_virtual_time(work)
    assert all(one is None or isinstance(one, DeviceError) for one in pairs)
    assert die.key.hex() == key != ""
    assert logs == [die.log] * 3


def test_two_tabs_give_one_number_to_two_controllers():
    class Slow(Desk):
        async def save(self, row):
            await asyncio.sleep(0.05)
            await super().save(row)

    async def work():
        tables = [PaperDevice(name, TABLE) for name in (MINE, OTHER, THIRD)]
        async with Companion(PaperRadio(*tables), Slow()) as companion:
            await companion.until_connected(*tables)
            await asyncio.sleep(1)
            hub = companion.hub
            first = {device.number: device.id for device in hub.devices()}
            await asyncio.gather(hub.set_number(first[0], 2), hub.set_number(first[1], 2))
            return [device.number for device in hub.devices()], [row["number"] for row in companion.desk.rows.values()]

    live, on_disk = in_virtual_time(work)
    assert live == [0, 1, 2]
    assert sorted(on_disk) == [0, 1, 2]


def test_a_companion_killed_while_controllers_change_places_gives_each_a_number_of_its_own():
    async def work():
        tables = [PaperDevice(name, TABLE) for name in (MINE, OTHER)]
        async with met(*tables) as companion:
            radio = companion.radio
            await asyncio.sleep(1)
        for row in companion.desk.rows.values():
            row["number"] = 0
        async with Companion(radio, companion.desk) as later:
            await later.until_connected(*tables)
            return [device.number for device in later.hub.devices()]

    assert in_virtual_time(work) == [0, 1]


@pytest.mark.parametrize("how", ["a companion that has no key", "a data file from before the key", "another device"])
def test_a_lost_key_is_replaced_over_the_cable(tmp_path, how):
    """Who holds the device in their hands has the last word; a device that is plugged in instead gets no key."""

    async def work():
        table = PaperDevice(MINE, TABLE, key=bytes(range(16)))
        desk = Desk()
        async with cabled(table, tmp_path) as cable:
            if how == "a data file from before the key":
                async with Companion(ports=(cable.path,), desk=desk):
                    pass
                desk.rows[MINE] = {
                    "id": MINE,
                    "kind": "table",
                    "name": "Table AA01",
                    "firmware": "",
                    "last_seen": "",
                    "number": 0,
                    "key": bytes(16).hex(),
                    "paired": 1,
                    "battery": None,
                    "battery_level": "good",
                    "forgotten": 0,
                    "readers": "",
                }
            cable.plug()
            async with Companion(ports=(cable.path,), desk=desk) as companion:
                await companion.until(lambda: companion.state(table) == "refused")
                refused = companion.hub.devices()[0]
                offered, sentence = refused.takes_key, refused.error
                if how == "another device":
                    other = cable.device = PaperDevice(OTHER, TABLE)
                    asking = asyncio.create_task(companion.hub.pair(MINE))
                    await companion.until_connected(other)
                    asking.cancel()
                    return offered, sentence, other
                await companion.hub.pair(MINE)
                state = companion.hub.devices()[0]
                told = (state.state, state.paired, state.takes_key, desk.rows[MINE]["key"] == table.key.hex())
                return offered, sentence, table, told

    offered, sentence, device, *told = asyncio.run(work())
    assert offered
    assert "cable" in sentence
    if how == "another device":
        assert device.did("PAIR") == []
    else:
        assert told == [("connected", True, False, True)]
        assert device.proofs == 1


def test_a_flood_of_forged_advertisements_keeps_the_table_in_the_game():
    """Somebody's toy shouts two hundred identities that answer nobody: one at a time is tried, and forgotten."""

    async def work():
        table = PaperDevice(MINE, TABLE)
        forged = [PaperDevice(f"bbbbbbbb{n:04x}", TABLE) for n in range(200)]
        async with met(table) as companion:
            radio = companion.radio
            radio.devices.update({device.id: device for device in forged})
            radio.hang = {device.id for device in forged}
            await asyncio.sleep(60)
            known = len(companion.hub.known)
            radio.drop(MINE)
            await companion.until(lambda: companion.state(table) != "connected")
            begun = asyncio.get_running_loop().time()
            await companion.until_connected(table)
            back = asyncio.get_running_loop().time() - begun
            for device in forged:
                radio.out_of_sight.add(device.id)
            new = radio.devices[OTHER] = PaperDevice(OTHER, TABLE)
            await companion.until(lambda: companion.state(new) == "connected", 300)
            return known, back, len(companion.hub.devices())

    known, back, shown = in_virtual_time(work)
    assert known <= 6
    assert back <= 15
    assert shown == 2
