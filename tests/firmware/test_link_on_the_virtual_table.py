"""The link of the real firmware on the virtual table: by air and by cable, paired, spoiled, cut, in safe mode."""

import asyncio
import contextlib
import random
import shutil

import pytest
from bleak import BleakClient, BleakScanner

from companion.virtual_table import missing
from shared_rules.wire.messages import COMMANDS_UUID, DONE, MODE_NORMAL, MODE_SAFE, NOT_PAIRED, encode

if missing() is not None:
    pytest.skip(str(missing()), allow_module_level=True)

from companion.virtual_table.radio.bleak_backend import bleak_backend
from companion.virtual_table.radio.central import Central
from tests.firmware.link_companion import KEY, OTHER_KEY, LinkCompanion, play


async def pairing(table):
    ours = LinkCompanion(1)
    first = await ours.by_air(table)
    await ours.resume()
    before = await ours.command("RESTART", mode=0)
    paired = await ours.command("PAIR", key=KEY)
    ours.key = KEY
    await ours.client.disconnect()
    stranger = LinkCompanion(2)
    seen = await stranger.by_air(table)
    await stranger.resume(3)
    table.place_tag("04a1b2c3", 5)
    await asyncio.sleep(4)
    await stranger.client.write_gatt_char(COMMANDS_UUID, encode("RESTART", 1, 0, {"mode": 1}), response=True)
    await asyncio.sleep(0.5)
    status = stranger.results.get(1)
    heard = {message.name for message in stranger.others}
    await stranger.client.disconnect()
    thief = LinkCompanion(3, OTHER_KEY)
    await thief.by_air(table)
    await thief.resume(2)
    refused = {message.name for message in thief.others}
    await thief.client.disconnect()
    table.power_cycle(0.5)
    await asyncio.sleep(4)
    again = await ours.by_air(table)
    await ours.resume(3)
    after = await ours.command("RESTART", mode=0)
    return first, before, paired, seen, status, heard, stranger, refused, again, ours, after


def test_a_paired_table_serves_its_companion_alone(tmp_path, code):
    first, before, paired, seen, status, heard, stranger, refused, again, ours, after = play(pairing, code, tmp_path)
    assert first["paired"] == 0
    assert before == NOT_PAIRED
    assert paired == 0
    assert seen["paired"] == 1
    assert status == NOT_PAIRED
    assert heard == {"CHALLENGE", "RESULT"}
    assert stranger.taken == []
    assert refused == {"CHALLENGE", "REFUSED"}
    assert again["paired"] == 1  # the power was away meanwhile
    assert ours.device_proved is True
    assert ours.fields_of("SNAPSHOT_TAG")[-1]["socket"] == 5
    assert after == 0
    assert "ACCESS_REFUSED" in ours.names()


async def cut_while_pairing(table, writes):
    ours = LinkCompanion(1)
    await ours.by_air(table)
    await ours.resume()
    assert await ours.command("PAIR", key=KEY) == 0
    table.power_cut(writes)
    ours.number += 1
    with contextlib.suppress(Exception):  # the table may be gone before it has answered
        await asyncio.wait_for(ours.say("PAIR", ours.number, key=OTHER_KEY), 2)
    await asyncio.sleep(6)
    with contextlib.suppress(Exception):
        await asyncio.wait_for(ours.client.disconnect(), 2)
    outcomes = []
    for key in (KEY, OTHER_KEY):
        companion = LinkCompanion(1, key)
        hello = await companion.by_air(table)
        await companion.resume(2)
        outcomes.append((hello["paired"], companion.device_proved))
        await companion.client.disconnect()
    return outcomes


@pytest.mark.parametrize("writes", [1, 2, 3, 5, 8])
def test_a_power_cut_while_the_key_is_written_leaves_the_old_or_the_new_one(tmp_path, code, writes):
    old, new = play(lambda table: cut_while_pairing(table, writes), code, tmp_path, littlefs=256 * 4096)
    assert sorted([old, new], key=str) == [(1, None), (1, True)]


async def evening_by_cable(table):
    ours = LinkCompanion(7)
    hello = await ours.by_cable(table)
    await ours.resume()
    await ours.command("SET_FACE_MAP", map_id=1, style=0, faces=[1, 2, 3, 4, 5, 6] * 2)
    uids = ["04a1b2c3", "04a1b2c4", "04112233445566"]
    for turn in range(40):
        if turn % 4 == 0:
            table.serial_noise(30)
        if turn % 10 == 5:
            table.plug_cable(False)
        if turn % 10 == 7:
            table.plug_cable(True)
            await ours.resume()
        table.place_tag(uids[turn % 3], turn % 28)
        await asyncio.sleep(3)
    table.serial_noise(0)
    await ours.resume(3)
    await asyncio.sleep(5)
    return hello, ours, table.tags()


def test_an_evening_over_a_noisy_cable_loses_nothing(tmp_path, code):
    hello, ours, tags = play(evening_by_cable, code, tmp_path)
    assert hello["sockets"] == 32
    assert ours.frames.damaged > 0
    assert ours.spoiled == 0
    on = {}
    for name, fields in ours.taken:
        if name == "TAG_APPEARED":
            on[fields["uid"].hex()] = fields["socket"]
        elif name == "TAG_GONE" and on.get(fields["uid"].hex()) == fields["socket"]:
            del on[fields["uid"].hex()]
    assert on == tags
    assert ours.names().count("TAG_APPEARED") - ours.names().count("TAG_GONE") == 3
    assert len(ours.taken) == ours.receiver.last
    assert ours.fields_of("HEARTBEAT")[-1]["waiting"] == 0
    assert len({health["socket"] for health in ours.fields_of("SOCKET_HEALTH")}) >= 16  # some went with the noise
    telemetry = ours.fields_of("TELEMETRY")[-1]
    assert telemetry["faults"] == 0
    assert telemetry["lost_writes"] > 0  # frames that the noise has spoiled
    assert 0 < telemetry["heap_low"] <= ours.fields_of("HEARTBEAT")[0]["heap_free"] + 20_000
    assert telemetry["battery"] == 255


async def from_the_air_to_the_cable(table):
    ours = LinkCompanion(7)
    await ours.by_air(table)
    await ours.resume()
    table.place_tag("04a1b2c3", 4)
    await asyncio.sleep(3)
    air = ours.client
    other = LinkCompanion(8)
    await other.by_cable(table)
    await other.resume()
    busy = other.fields_of("BUSY")
    ours.others.clear()
    other.companion_id = 7  # the same companion, whose radio has become bad
    other.receiver = ours.receiver
    await other.resume(2)
    return busy, air.is_connected, other


def test_the_same_companion_may_move_to_the_cable_another_is_told_to_wait(tmp_path, code):
    busy, still, other = play(from_the_air_to_the_cable, code, tmp_path)
    assert busy == [{"retry_after": 3}]
    assert still is False
    assert [message.name for message in other.others if message.name in ("RESUMED", "NEW_BOOT")] == ["RESUMED"]


async def forced_drops(table, drops):
    """Every drop comes at another moment of a roll; a roll is three events."""
    chance = random.Random(drops)
    ours = LinkCompanion(7)
    noticed = []
    for turn in range(drops):
        begun = asyncio.get_running_loop().time()
        await ours.by_air(table)
        await ours.resume(0.6)
        if turn == 0:
            await ours.command("SET_FACE_MAP", map_id=1, style=0, faces=[1, 2, 3, 4, 5, 6] * 2)
        ours.number += 1
        await ours.say("ARM_DIE", ours.number, map_id=1)
        table.press_button()
        await asyncio.sleep(chance.uniform(0.1, 3))
        table.drop_link()
        await asyncio.sleep(0.3)
        noticed.append(table.links()["table"] == "advertising")
        with contextlib.suppress(Exception):
            await asyncio.wait_for(ours.client.disconnect(), 2)
        await asyncio.sleep(0.2 + max(0.0, 4 - asyncio.get_running_loop().time() + begun))
    await ours.by_air(table)
    await ours.resume(6)
    return ours, noticed


def check_drops(ours, noticed, drops):
    assert all(noticed)
    rolls = [fields["roll"] for name, fields in ours.taken if name == "ROLL_SETTLED"]
    assert rolls == list(range(1, len(rolls) + 1))
    assert len(rolls) >= drops * 0.9  # a press while the ring tumbles is none
    assert ours.names().count("ROLL_STARTED") == len(rolls)
    assert len(ours.taken) == ours.receiver.last
    assert ours.fields_of("GAP") == []
    assert len(ours.fields_of("NEW_BOOT")) == 1
    assert ours.fields_of("HEARTBEAT")[-1]["waiting"] == 0


def test_forced_drops_lose_and_double_nothing(tmp_path, code):
    check_drops(*play(lambda table: forced_drops(table, 30), code, tmp_path), 30)


@pytest.mark.long
@pytest.mark.timeout(1800)
def test_a_thousand_forced_drops_lose_and_double_nothing(tmp_path, code):
    check_drops(*play(lambda table: forced_drops(table, 1000), code, tmp_path), 1000)


async def slow_radio(table):
    ours = LinkCompanion(7)
    await ours.by_air(table)
    await ours.resume()
    await ours.command("SET_FACE_MAP", map_id=1, style=0, faces=[1, 2, 3, 4, 5, 6] * 2)
    table.set_notify_spacing(50)
    numbers = 0
    for _ in range(150):  # an event and a result each
        await ours.say("ARM_DIE", ours.number + 1, map_id=1)
        ours.number += 1
        numbers += 1
        await asyncio.sleep(0.2)
    await asyncio.sleep(1.5)
    return numbers, ours


def test_ten_notifications_a_second_pass_a_radio_that_fails_below_50_ms(tmp_path, code):
    numbers, ours = play(slow_radio, code, tmp_path)
    assert ours.names().count("DIE_ARMED") == numbers
    assert ours.fields_of("HEARTBEAT")[-1]["waiting"] == 0


async def safe_mode(table):
    await asyncio.sleep(8)
    ours = LinkCompanion(7, KEY)
    hello = await ours.by_air(table)
    await ours.resume()
    refused = await ours.command("SET_LIGHTS", look=1, seconds=0, leds=[1])
    await ours.command("READ_LOG", offset=0)
    await asyncio.sleep(3)
    log = "".join(piece["text"] for piece in ours.fields_of("LOG_TEXT"))
    (table.setup.flash / "mended").write_text("yes")
    restarted = [await ours.command("RESTART", mode=0)]  # nobody has paired it
    await asyncio.sleep(5)
    after = await ours.by_air(table)
    await ours.resume(3)
    restarted.append(await ours.command("RESTART", mode=0))
    return hello, refused, log, restarted, after, ours


def test_a_table_that_fails_again_and_again_is_reached_in_safe_mode(tmp_path, code):
    copy = tmp_path / "code"
    shutil.copytree(code, copy)
    (copy / "entries").mkdir()
    (copy / "entries" / "faulty.py").write_text(
        "import os\n"
        "from firmware.table import main as table_main\n"
        "good = table_main.build\n"
        "def build(device):\n"
        "    if 'mended' not in os.listdir('/'):\n"
        "        raise KeyError('a setting that is not there')\n"
        "    return good(device)\n"
        "table_main.build = build\n"
        "main = table_main.main\n"
    )
    flash = tmp_path / "flash"
    flash.mkdir()
    hello, refused, log, restarted, after, ours = play(safe_mode, copy, flash, entry="entries.faulty")
    assert hello["mode"] == MODE_SAFE
    assert refused == 1
    assert log.count("a setting that is not there") == 3
    assert restarted == [0, NOT_PAIRED]  # only out of safe mode
    assert after["mode"] == MODE_NORMAL
    assert after["boot_id"] == hello["boot_id"]
    assert ours.fields_of("SNAPSHOT_END") != []
    assert ours.names()[:3] == ["FAULT"] * 3


async def many_strangers(table):
    ours = LinkCompanion(1)
    await ours.by_air(table)
    await ours.resume()
    scanner, client_backend = bleak_backend(Central.in_process(table.air))
    for _ in range(300):
        found = await BleakScanner.find_device_by_filter(lambda _device, _seen: True, backend=scanner)
        async with BleakClient(found, backend=client_backend):
            pass
        await asyncio.sleep(0.2)
    return await ours.command("IDENTIFY", seconds=1)


def test_strangers_that_come_and_go_take_nobodys_connection(tmp_path, code):
    """More of them than there are numbers of connections."""
    assert play(many_strangers, code, tmp_path) == DONE
