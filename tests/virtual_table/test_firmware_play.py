"""The real firmware at the virtual table in virtual time: what people do and what the companion hears.

Each test looks at the model's complaints, too: what a real chip would have suffered from in silence.
"""

import asyncio
import hashlib
import json
import random

import pytest
from table_partner import D6, play

from shared_rules.wire.messages import EVENTS_UUID


def test_tags_of_every_length_are_reported_where_they_lie(tmp_path):
    tags = {"04a1b2c3": 0, "5b0c77e1": 31, "04112233445566": 14, "04112233445567": 15, "0811223344556677889a": 28}

    async def work(table, partner):
        for uid, socket in tags.items():
            table.place_tag(uid, socket)
        await partner.until(lambda: len(partner.events) == len(tags))
        await asyncio.sleep(5)
        for uid in tags:
            table.lift_tag(uid)
        await partner.until(lambda: len(partner.events) == 2 * len(tags))
        await asyncio.sleep(5)
        return partner.tags()

    events = play(tmp_path, work)
    assert sorted(events[:5]) == sorted(("TAG_APPEARED", socket, uid) for uid, socket in tags.items())
    assert sorted(events[5:]) == sorted(("TAG_GONE", socket, uid) for uid, socket in tags.items())


@pytest.mark.parametrize(
    "uids",
    [
        ["04a1b2c3", "04a1b2c4"],
        ["04a1b2c3", "04112233445566"],
        ["00000001", "00000002", "00000004", "80000000"],
        ["04112233445566", "04112233445567", "04112233445576", "0c112233445566", "04a1b2c3", "0811223344556677889a"],
    ],
)
def test_taxis_on_one_point_are_all_named(tmp_path, uids):
    async def work(table, partner):
        for uid in uids:
            table.place_tag(uid, 28)
        await partner.until(lambda: len(partner.events) == len(uids))
        await asyncio.sleep(10)
        return partner.tags()

    assert sorted(play(tmp_path, work)) == sorted(("TAG_APPEARED", 28, uid) for uid in uids)


def test_a_taxi_that_slides_over_other_points_is_one_move(tmp_path):
    async def work(table, partner):
        table.place_tag("04a1b2c3", 3)
        await partner.until(lambda: len(partner.events) == 1)
        for socket in (4, 5, 6, 7):
            table.place_tag("04a1b2c3", socket)
            await asyncio.sleep(0.2)
        await partner.until(lambda: len(partner.events) == 3)
        await asyncio.sleep(10)
        return partner.tags()

    assert play(tmp_path, work)[1:] == [("TAG_GONE", 3, "04a1b2c3"), ("TAG_APPEARED", 7, "04a1b2c3")]


def test_a_tag_at_the_edge_of_a_field_does_not_flap(tmp_path):
    async def work(table, partner):
        table.flap_tag("04a1b2c3", 9, "10")
        await asyncio.sleep(60)
        return partner.tags()

    assert play(tmp_path, work) == [("TAG_APPEARED", 9, "04a1b2c3")]


def test_a_press_is_a_roll_by_the_face_map(tmp_path):
    async def work(table, partner):
        assert await partner.command("SET_FACE_MAP", map_id=1, style=0, faces=D6) == 0
        assert await partner.command("ARM_DIE", map_id=1) == 0
        await asyncio.sleep(2)
        frames_before = len(table.led_frames("die"))
        # the number of tumbles, then two bytes that would favour some faces, then face 4
        table.board.desk.forced_entropy += bytes([0, 255, 252, 3])
        table.press_button()
        await partner.until(lambda: "ROLL_SETTLED" in partner.names())
        tumbling = {frame.lights for frame in table.led_frames("die")[frames_before:]}
        return partner.events, tumbling, table.lights("die")

    events, tumbling, shown = play(tmp_path, work)
    assert [name for _, _, name, _ in events] == ["DIE_ARMED", "ROLL_STARTED", "ROLL_SETTLED"]
    assert (events[-1][3]["face"], events[-1][3]["value"]) == (4, 4)
    assert len(tumbling) > 4, "the ring tumbles"
    assert sum(light != (0, 0, 0) for light in shown) == 4, "and shows as many lights as the value"


def test_a_press_without_a_face_map_is_refused(tmp_path):
    async def work(table, partner):
        table.press_button()
        await partner.until(lambda: partner.events)
        return partner.names()

    assert play(tmp_path, work) == ["DIE_REFUSED"]


def test_lights_have_colour_and_rhythm_and_stay_within_the_current(tmp_path):
    async def work(table, partner):
        await partner.command("SET_LIGHTS", look=1, seconds=0, leds=[0, 1, 2])
        await partner.command("SET_LIGHTS", look=3, seconds=0, leds=[5])
        await asyncio.sleep(1)
        steady = table.lights()
        start = len(table.led_frames())
        await partner.command("SET_LIGHTS", look=2, seconds=3, leds=[1])
        await asyncio.sleep(5)
        passing = [frame.lights[1] for frame in table.led_frames()[start:]]
        back = table.lights()[1]
        await partner.command("SET_LIGHTS", look=4, seconds=0, leds=list(range(64)))
        await asyncio.sleep(3)
        return steady, passing, back, max(frame.milliamps for frame in table.led_frames())

    steady, passing, back, most = play(tmp_path, work)
    red = steady[0]
    assert red[0] > 0
    assert red[1] == red[2] == 0
    assert steady[4] == (0, 0, 0)
    assert any(light[1] > light[0] for light in passing), "green while it is passed"
    assert back == red
    assert most <= 1_000


def test_fifteen_milliseconds_of_air_change_nothing_but_time(tmp_path):
    async def work(table, partner):
        for i in range(6):
            table.place_tag(f"04a1b2c{i}", i)
        await partner.until(lambda: len(partner.events) == 6)
        return sorted(partner.tags())

    assert play(tmp_path, work, air_time_ms=15) == [("TAG_APPEARED", i, f"04a1b2c{i}") for i in range(6)]


async def _busy_minute(table, partner):
    dice = random.Random(8)
    await partner.command("SET_FACE_MAP", map_id=1, style=0, faces=D6)
    await partner.command("SET_LIGHTS", look=1, seconds=0, leds=list(range(20)))
    for turn in range(12):
        table.place_tag(f"04a1b2c{turn % 4}", dice.randrange(29))
        table.press_button()
        if turn == 5:
            table.drop_link(out_of_range_s=1)
        if turn == 8:
            table.crash()
        await asyncio.sleep(5)
    frames = [(frame.at_us, frame.lights) for frame in table.led_frames() + table.led_frames("die")]
    stats = await table.stats()
    return partner.raw, frames, stats["spi_transfers"], stats["notifications"]


def test_the_same_evening_twice_is_the_same_to_the_microsecond(tmp_path):
    def trace(name):
        heard = play(tmp_path / name, _busy_minute, seed=3)
        return hashlib.sha256(json.dumps(heard).encode()).hexdigest(), len(heard[0]), len(heard[1])

    first, second = trace("a"), trace("b")
    assert first == second
    assert first[1] > 60, "something was heard"


def test_another_seed_is_another_evening(tmp_path):
    def rolls(seed):
        heard = play(tmp_path / str(seed), _busy_minute, seed=seed)
        return [text for _, text in heard[0]]

    assert rolls(3) != rolls(4)


def test_only_the_three_characteristics_are_there(tmp_path):
    async def work(table, partner):
        services = partner._client.services
        return [c.uuid for s in services for c in s.characteristics if c.uuid.startswith("cab5")]

    assert EVENTS_UUID in play(tmp_path, work)
