"""Devices that are not known yet: each has its turn, whoever is known comes first; a talk that goes on is kept."""

import asyncio

import pytest
from paper_companion import Companion, in_virtual_time, met
from paper_devices import DIE, TABLE, PaperDevice, table_of
from paper_radio import PaperRadio

from companion.virtual_table.radio.bleak_backend import bleak_backend
from companion.virtual_table.radio.central import Central
from companion.virtual_table.table import VirtualTable

NEW = "cccccccccc01"


def forged(count, first=0):
    return [PaperDevice(f"bbbbbbbb{first + n:04x}", TABLE) for n in range(count)]


def shout(radio, devices):
    """They are in sight, before anybody else, and answer nothing."""
    radio.devices = {**{device.id: device for device in devices}, **radio.devices}
    radio.hang.update(device.id for device in devices)


@pytest.mark.parametrize("count", [1, 10, 40])
def test_a_new_device_is_reached_after_as_many_attempts_as_there_are_others(count):
    async def work():
        table = table_of(1)
        async with met(table) as companion:
            radio = companion.radio
            shout(radio, forged(count))
            await asyncio.sleep(30)
            new = radio.devices[NEW] = PaperDevice(NEW, DIE)
            begun = asyncio.get_running_loop().time()
            await companion.until(lambda: companion.state(new) == "connected", 3600)
            return asyncio.get_running_loop().time() - begun, len(companion.hub.devices()), len(companion.hub.known)

    seconds, shown, known = in_virtual_time(work)
    assert seconds <= 20 + 13 * count  # each has at most the longest attempt, a goodbye and a turn of the search
    assert shown == 2
    assert known <= 3


def test_identities_that_are_always_new_do_not_push_a_real_device_back():
    """A new identity each tenth of a second, none of which is in sight for long."""

    async def work():
        radio = PaperRadio()
        async with Companion(radio) as companion:

            async def toy():
                n = 0
                while True:
                    for device_id in [key for key in radio.devices if key.startswith("bbbb")]:
                        if device_id not in radio.clients and n - int(device_id[8:], 16) > 10:
                            radio.out_of_sight.add(device_id)
                    shout(radio, forged(1, n))
                    n += 1
                    await asyncio.sleep(0.1)

            shouting = asyncio.create_task(toy())
            await asyncio.sleep(20)
            new = radio.devices[NEW] = PaperDevice(NEW, TABLE)
            begun = asyncio.get_running_loop().time()
            await companion.until(lambda: companion.state(new) == "connected", 600)
            shouting.cancel()
            return asyncio.get_running_loop().time() - begun

    assert in_virtual_time(work) <= 60


def test_a_known_device_that_is_lost_waits_for_no_stranger():
    """Lost at any moment of a flood, it is back as if nobody else were there."""

    async def work():
        table = table_of(1)
        async with met(table) as companion:
            radio, loop = companion.radio, asyncio.get_running_loop()
            shout(radio, forged(30))
            waits = []
            for n in range(30):
                await asyncio.sleep(12 + n * 0.37)
                begun = loop.time()
                radio.drop(table.id)
                await companion.until(lambda: companion.state(table) != "connected")
                await companion.until_connected(table)
                waits.append(loop.time() - begun)
            return waits

    waits = in_virtual_time(work)
    assert max(waits) <= 1.5


@pytest.mark.parametrize("where", ["read", "notify", "resume"])
def test_somebody_who_connects_and_then_says_nothing_holds_up_nobody(where):
    """It shouts in our name, lets itself be connected, and answers no read, no subscription or no RESUME."""

    async def work():
        false = [PaperDevice(f"bbbbbbbb{n:04x}", TABLE) for n in range(12)]
        radio = PaperRadio(*false)
        real = radio.client

        async def never():
            await asyncio.sleep(3600)

        class Client(real):
            async def read_gatt_char(self, characteristic, **options):
                if where == "read" and self.device in false:
                    await never()
                return await super().read_gatt_char(characteristic, **options)

            async def start_notify(self, characteristic, callback, **options):
                if where == "notify" and self.device in false:
                    await never()
                await super().start_notify(characteristic, callback, **options)

        radio.client = Client
        for device in false:
            device.deaf = True
        async with Companion(radio) as companion:
            await asyncio.sleep(20)
            new = radio.devices[NEW] = PaperDevice(NEW, TABLE)
            begun = asyncio.get_running_loop().time()
            await companion.until(lambda: companion.state(new) == "connected", 600)
            return asyncio.get_running_loop().time() - begun, len(companion.hub.known), radio.open_handles

    seconds, known, handles = in_virtual_time(work)
    assert seconds <= 20 + 13 * 12
    assert known <= 10
    assert handles <= 2


class Air:
    def __init__(self, central):
        self.scanner, self.client = bleak_backend(central)

    async def hearts(self):
        """The firmware has a heart of its own."""


def test_a_companion_holds_its_table_while_nothing_happens():
    """Nobody moves anything for a while: a second companion, with a radio of its own, is told to wait all the time."""

    async def work():
        async with VirtualTable() as table, Companion(Air(table.central)) as first:
            await first.until(lambda: first.link.state == "connected", 30)
            other = Central.in_process(table.air)
            async with Companion(Air(other)) as second:
                await asyncio.sleep(18)
                told = [device.error for device in second.hub.devices()]
                states = first.link.state, second.link.state, first.link.counters.get("losses", 0)
            await other.close()
            return states, told

    (first, second, losses), told = in_virtual_time(work)
    assert (first, losses) == ("connected", 0)
    assert second != "connected"
    assert any("another companion" in sentence for sentence in told)


def test_whoever_gives_way_leaves_no_connection_open_however_often_that_is_said():
    async def work():
        table = table_of(1)
        async with met(table) as companion:
            radio = companion.radio
            radio.leaving_takes = 0.3
            deaf = PaperDevice(NEW, TABLE)
            deaf.deaf = True
            radio.devices[NEW] = deaf
            await companion.until(lambda: NEW in radio.clients)
            radio.out_of_sight.add(table.id)
            radio.drop(table.id)
            for _ in range(5):
                await asyncio.sleep(0.1)
                companion.hub.changed()
            await asyncio.sleep(3)
            return radio.open_handles, list(radio.clients)

    assert in_virtual_time(work) == (0, [])


@pytest.mark.parametrize("last", [1, 2])
def test_controllers_with_numbers_of_their_own_get_them_whoever_is_met_first(last):
    async def work():
        devices = {number: table_of(number) for number in (1, 2)}
        radio = PaperRadio(*devices.values())
        companion = Companion(radio)
        companion.hub.own_numbers = {device.id: number - 1 for number, device in devices.items()}
        radio.out_of_sight.add(devices[last].id)
        async with companion:
            await companion.until_connected(devices[3 - last])
            radio.out_of_sight.clear()
            await companion.until_connected(*devices.values())
            return [companion.hub.known[device.id].state.number for device in devices.values()]

    assert in_virtual_time(work) == [0, 1]
