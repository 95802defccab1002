"""The real firmware at the virtual table when something goes wrong: lost links, crashes, full radios, readers that
stop, garbage.

Each test looks at the model's complaints, too: what a real chip would have suffered from in silence.
"""

import asyncio
import random

import pytest
from bleak import BleakScanner
from bleak.exc import BleakError
from bumble.core import CommandTimeoutError
from small_board import in_virtual_time
from table_partner import D6, Partner, play

from companion.virtual_table.board import BoardSetup
from companion.virtual_table.radio.bleak_backend import bleak_backend
from companion.virtual_table.radio.central import Central
from companion.virtual_table.table import VirtualTable
from shared_rules.wire.messages import COMMANDS_UUID, encode


def test_a_lost_link_loses_no_event(tmp_path):
    async def work(table, partner):
        await partner.command("SET_FACE_MAP", map_id=1, style=0, faces=D6)
        for i in range(6):
            table.place_tag(f"04a1b2c{i}", i)
            table.drop_link(out_of_range_s=4)
            table.place_tag(f"04a1b2c{i}", i + 10)
            await asyncio.sleep(3)
            table.press_button()
            await asyncio.sleep(9)
        return partner.events, partner.boots, partner.connections

    events, boots, connections = play(tmp_path, work)
    assert connections >= 7
    assert len(boots) == 1
    assert [number for _, number, _, _ in events] == list(range(1, len(events) + 1))
    names = [name for _, _, name, _ in events]
    assert names.count("TAG_APPEARED") == 6
    assert names.count("ROLL_STARTED") == names.count("ROLL_SETTLED") == 6


def test_a_crash_is_a_new_boot_and_a_true_snapshot(tmp_path):
    async def work(table, partner):
        table.place_tag("04a1b2c3", 3)
        await partner.until(lambda: partner.tags())
        table.crash()
        table.place_tag("04a1b2c3", 8)
        await partner.until(lambda: len(partner.boots) == 2)
        heard = len(partner.messages)
        await partner.until(lambda: any(name == "SNAPSHOT_END" for _, name, _ in partner.messages[heard:]))
        snapshot = [fields for _, name, fields in partner.messages[heard:] if name == "SNAPSHOT_TAG"]
        return partner.boots, snapshot, partner.hello.fields["reset_cause"]

    boots, snapshot, cause = play(tmp_path, work)
    assert boots[0] != boots[1]
    assert [(tag["socket"], tag["uid"].hex()) for tag in snapshot] == [(8, "04a1b2c3")]
    assert cause == 3


def test_the_same_boot_id_does_not_come_twice(tmp_path):
    async def work(table, partner):
        for count in range(2, 6):
            table.power_cycle()
            await partner.until(lambda count=count: len(partner.boots) == count, 60)
        return partner.boots

    assert len(set(play(tmp_path, work))) == 5


def test_two_hundred_events_arrive_in_order_through_a_full_radio(tmp_path):
    """ENOMEM at every second, third and then at fifty notifications in a row, while taxis come and go."""

    async def work(table, partner):
        dice = random.Random(4)
        where = {}
        while len(partner.events) < 200:
            uid = f"04a1b2{dice.randrange(12):02x}"
            if uid in where and dice.random() < 0.3:
                table.lift_tag(uid)
                where.pop(uid)
            else:
                where[uid] = dice.randrange(32)
                table.place_tag(uid, where[uid])
            table.notify_enomem(dice.choice((1, 2, 5, 50)))
            await asyncio.sleep(dice.choice((0.3, 0.9, 2.0)))
        table.notify_enomem(0)
        await asyncio.sleep(15)
        return partner.events, where

    events, where = play(tmp_path, work)
    assert [number for _, number, _, _ in events] == list(range(1, len(events) + 1))
    standing = {}
    for _, _, name, fields in events:
        if name == "TAG_APPEARED":
            standing[fields["uid"].hex()] = fields["socket"]
        elif standing.get(fields["uid"].hex()) == fields["socket"]:
            del standing[fields["uid"].hex()]
    assert standing == where


def test_events_wait_for_a_companion_that_does_not_acknowledge(tmp_path):
    async def work(table, partner):
        partner.acknowledging = False
        for i in range(10):
            table.place_tag(f"04a1b2{i:02x}", i)
        await partner.until(lambda: len(partner.events) == 10)
        taken = list(partner.events)
        partner.receiver.last, partner.events = 0, []  # a companion that lost its memory of the evening
        table.drop_link()
        await partner.until(lambda: len(partner.events) == 10)
        return taken, partner.events

    taken, again = play(tmp_path, work)
    assert taken == again


@pytest.mark.parametrize("trouble", ["hung", "deaf"])
def test_a_reader_that_stops_is_noticed_and_set_going_again(tmp_path, trouble):
    async def work(table, partner):
        table.place_tag("04a1b2c3", 3)
        await partner.until(lambda: partner.tags())
        table.mute_reader(3, trouble)
        table.place_tag("04a1b2c4", 3)
        # a deaf chip looks well, so it is found by the round in which each reader is set up afresh
        await partner.until(lambda: "04a1b2c4" in {uid for _, _, uid in partner.tags()}, 330)
        return partner.tags()

    assert ("TAG_APPEARED", 3, "04a1b2c4") in play(tmp_path, work)


def test_a_dead_reader_keeps_its_taxi_and_costs_no_other(tmp_path):
    async def work(table, partner):
        table.place_tag("04a1b2c3", 3)
        await partner.until(lambda: partner.tags())
        table.mute_reader(3, "dead")
        await partner.until(lambda: "READER_MUTE" in partner.names(), 60)
        table.place_tag("04a1b2c4", 4)
        await partner.until(lambda: len(partner.tags()) == 2)
        gone = [event for event in partner.tags() if event[0] == "TAG_GONE"]
        table.repair_reader(3)
        await partner.until(lambda: "READER_BACK" in partner.names(), 120)
        return gone

    assert play(tmp_path, work) == []


def test_garbage_on_the_link_changes_nothing(tmp_path):
    async def work(table, partner):
        dice = random.Random(11)
        good = encode("SET_LIGHTS", 900, 0, {"look": 1, "seconds": 0, "leds": [7]})
        for _ in range(60):
            kind = dice.randrange(4)
            if kind == 0:
                packet = dice.randbytes(dice.randrange(1, 130))
            elif kind == 1:
                packet = bytearray(good)
                packet[dice.randrange(len(packet))] ^= 1 << dice.randrange(8)
            elif kind == 2:
                packet = good[: dice.randrange(1, len(good))]
            else:
                packet = encode("ARM_DIE", dice.randrange(1000, 60000), 0, {"map_id": 9})
            await partner._client.write_gatt_char(COMMANDS_UUID, bytes(packet), response=True)
        await asyncio.sleep(3)
        assert table.lights()[7] == (0, 0, 0)
        table.place_tag("04a1b2c3", 3)
        await partner.until(lambda: partner.tags())
        return partner.connections, partner.names(), table.board.boots

    assert play(tmp_path, work) == (1, ["TAG_APPEARED"], 1)


def test_a_forged_event_is_no_event(tmp_path):
    """What arrives damaged, from another boot's numbers or from far ahead is counted and dropped, and play goes on."""

    async def work(table, partner):
        table.place_tag("04a1b2c3", 3)
        await partner.until(lambda: partner.tags())
        forged = encode("TAG_APPEARED", 4000, 0, {"socket": 1, "uid": b"\1\2\3\4"})
        for packet in (forged, forged[:-3], b"", bytes(20), forged[:5] + b"\xff" + forged[6:]):
            table.inject_notification(packet)
        await asyncio.sleep(2)
        table.place_tag("04a1b2c4", 4)
        await partner.until(lambda: len(partner.tags()) == 2)
        return [uid for _, _, uid in partner.tags()], partner.garbage

    assert play(tmp_path, work) == (["04a1b2c3", "04a1b2c4"], 4)


def test_a_hundred_abandoned_links_leave_the_table_reachable(tmp_path):
    async def work(table, partner):
        for i in range(100):
            table.drop_link()
            await partner.until(lambda i=i: partner.connections >= i + 2, 60)
        table.place_tag("04a1b2c3", 3)
        await partner.until(lambda: partner.tags())
        return (await table.stats())["heap"]["free_percent"], table.board.boots

    free, boots = play(tmp_path, work)
    assert boots == 1
    assert free >= 25


def test_a_second_companion_is_told_to_wait_and_disturbs_nobody(tmp_path):
    async def work(table, partner):
        second = Partner(bleak_backend(Central.in_process(table.air)), number=78)
        async with second:
            await second.until(lambda: any(name == "BUSY" for _, name, _ in second.messages), 60)
            table.place_tag("04a1b2c3", 3)
            await partner.until(lambda: partner.tags())
        return partner.connections, second.events

    assert play(tmp_path, work) == (1, [])


def test_a_search_that_did_not_start_does_not_keep_the_next_from_starting(tmp_path):
    async def work(table, partner):
        central = Central.in_process(table.air)
        scanner, _ = bleak_backend(central)

        async def fails(**_options):
            raise CommandTimeoutError

        try:
            for _ in range(2):
                (await central.device()).start_scanning = fails
                with pytest.raises(BleakError, match="did not start"):
                    await BleakScanner.discover(timeout=0.1, backend=scanner)
            assert central.scanners == 0
            await BleakScanner.discover(timeout=0.1, backend=scanner)
            return central.scanners
        finally:
            await central.close()

    assert play(tmp_path, work) == 0


def test_links_that_are_lost_the_moment_they_are_made(tmp_path):
    """The firmware hears of the loss before or right after it hears of the connection."""

    async def evening():
        lost = 0
        loop = asyncio.get_running_loop()

        def on_change(change):
            nonlocal lost
            if change == {"kind": "link", "device": "table", "link": "connected"} and lost < 40:
                lost += 1
                loop.call_later(0.0005 * (lost % 8), table.drop_link)

        setup = BoardSetup(tmp_path, seed=5)
        async with VirtualTable(setup=setup, on_change=on_change) as table, Partner(table.backend()) as partner:
            for _ in range(300):
                await asyncio.sleep(1)
                if lost == 40:
                    break
            table.place_tag("04a1b2c3", 3)
            await partner.until(lambda: partner.tags(), 120)
            return lost, table.board.boots

    assert in_virtual_time(evening()) == (40, 1)
