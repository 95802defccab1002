"""The bank of readers on 32 modelled sockets: how fast, one field at a time, what goes wrong and heals."""

import random
import sys
from pathlib import Path

import pytest

from firmware import pins
from firmware.table import reader_bank
from shared_rules.wire.messages import READER_MFRC522, READER_NONE, READER_PN5180, SOCKET_MUTE, SOCKET_SEVERAL

sys.path.insert(0, str(Path(__file__).parent))
from reader_table import Bench

RED, BLUE, GREEN = "04a1b2c3", "04a1b2c4", "04112233445566"
SLIX, SLIX2 = "e004015012345678", "e004015087654321"
ALL_PN5180 = dict.fromkeys(range(pins.SOCKETS), "pn5180")
MIXED = dict.fromkeys(range(0, pins.SOCKETS, 3), "pn5180") | {4: "none", 5: "none", 6: "clone_b2", 7: "clone_12"}
TABLES = {"mfrc522": {}, "pn5180": ALL_PN5180, "mixed": MIXED}


@pytest.fixture(params=TABLES)
def kind(request):
    return request.param


def settled(kind, *placed):
    """A bench that has swept a while, with tags on it; what was told about that is forgotten."""
    bench = Bench(TABLES[kind])
    for socket, *uids in placed:
        bench.place(socket, *uids)
    bench.live(3_000)
    return bench


def check(bench):
    assert bench.complaints() == []
    assert bench.hardware.counters.most_fields_on <= 1
    assert bench.fields_on() == []


def test_a_sweep_takes_no_longer_than_it_may(kind):
    bench = settled(kind, (0, RED, BLUE), (9, GREEN), (12, "04112233445567"), (31, "0811223344556677889a"))
    for _ in range(10):
        bench.live(1)
        assert bench.bank.sweep_ms <= 600
    check(bench)


def test_six_vicinity_tags_at_the_start_fit_into_a_sweep():
    rng = random.Random(3)
    bench = settled("pn5180", (0, *[f"e0040150{rng.getrandbits(32):08x}" for _ in range(6)]))
    assert len(bench.told("TAG_APPEARED")) == 6
    assert bench.bank.sweep_ms <= 600
    check(bench)


def test_a_moved_taxi_is_told_within_a_second(kind):
    rng = random.Random(1)
    crowd = [f"e0040150{rng.getrandbits(32):08x}" for _ in range(6)] if kind == "pn5180" else [BLUE, GREEN]
    bench = settled(kind, (0, RED), (2, *crowd))
    bench.told()
    at = 0
    for _ in range(15):
        at, last = rng.choice([s for s in range(pins.SOCKETS) if s not in (4, 5, at)]), at
        delay = rng.uniform(0, 700)
        bench.at(delay, lambda at=at: bench.place(at, RED))
        moved = bench.now / 1000 + delay
        bench.live(2_500)
        gone, came = bench.events
        assert gone[1:] == ("TAG_GONE", {"socket": last, "uid": RED})
        assert came[1:] == ("TAG_APPEARED", {"socket": at, "uid": RED})
        assert came[0] - moved <= 1_000
        bench.told()
    check(bench)


@pytest.mark.parametrize("begin", range(0, 500, 60))
@pytest.mark.parametrize("rest", [200, 266])
def test_a_taxi_slid_over_four_antennas_in_800_ms_is_one_move(kind, rest, begin):
    bench = settled(kind, (8, RED))
    bench.told()
    for n in range(3):
        bench.at(begin + rest * n, lambda n=n: bench.place(9 + n, RED))
    bench.live(3_000)
    assert bench.told() == [("TAG_GONE", 8, RED), ("TAG_APPEARED", 11, RED)]
    check(bench)


@pytest.mark.parametrize("uid", [RED, GREEN, "0811223344556677889a"])
def test_place_lift_place_are_three_events(kind, uid):
    bench = settled(kind)
    bench.told()
    bench.place(3, uid)
    bench.live(2_500)
    bench.lift(uid)
    bench.live(2_500)
    bench.place(3, uid)
    bench.live(2_500)
    assert bench.told() == [("TAG_APPEARED", 3, uid), ("TAG_GONE", 3, uid), ("TAG_APPEARED", 3, uid)]
    check(bench)


@pytest.mark.parametrize("flicker", ["10", "100", "110"])
def test_a_tag_at_the_edge_of_the_field_is_placed_once(kind, flicker):
    bench = Bench(TABLES[kind])
    bench.place(3, RED, flicker=flicker)
    bench.live(20_000)
    assert bench.told("TAG_APPEARED", "TAG_GONE") == [("TAG_APPEARED", 3, RED)]


@pytest.mark.parametrize("socket", [0, 1])
def test_two_taxis_at_the_start_are_both_told(socket):
    bench = settled("mixed", (socket, RED, GREEN))
    assert sorted(bench.told("TAG_APPEARED")) == [("TAG_APPEARED", socket, GREEN), ("TAG_APPEARED", socket, RED)]


def test_more_taxis_than_a_coil_bears_are_several_and_nobody_is_gone():
    bench = settled("mfrc522", (0, RED, BLUE))
    bench.told()
    bench.hardware.tag_field(0, 2)
    bench.place(0, GREEN)
    bench.live(5_000)
    assert [name for name, *_ in bench.told()] == ["SEVERAL_UNREADABLE"]
    health = bench.bank.socket_health(0)
    assert health["state"] == SOCKET_SEVERAL
    assert health["corrupt"] >= 3
    bench.lift(GREEN)
    bench.live(4_000)
    assert bench.told() == [("SEVERAL_RESOLVED", 0)]
    assert sorted(bench.presence.tags(0)) == sorted([bytes.fromhex(RED), bytes.fromhex(BLUE)])


def test_crosstalk_is_told_once_and_the_tag_stays(kind):
    bench = settled(kind, (8, RED))
    bench.told()
    bench.hardware.crosstalk(10, 8, 0.9)
    bench.live(20_000)
    assert bench.told() == [("CROSSTALK", 8, 10)]
    assert bench.bank.socket_health(10)["crosstalk"] == 1
    assert bench.presence.tags(8) == [bytes.fromhex(RED)]
    check(bench)


@pytest.mark.parametrize("socket", [0, 1])
def test_a_deaf_reader_is_healed_before_its_tag_is_believed_gone(socket):
    bench = settled("mixed", (socket, RED))
    bench.told()
    bench.hardware.readers[socket].fail("deaf", int(bench.now))
    bench.live(5_000)
    assert bench.told() == []
    assert bench.bank.socket_health(socket)["restarts"] == 1


@pytest.mark.parametrize("trouble", ["empty", "hung"])
@pytest.mark.parametrize("socket", [0, 1])
def test_a_chip_that_answers_nothing_sound_is_set_up_again_and_removes_nobody(socket, trouble):
    bench = settled("mixed", (socket, RED))
    bench.told()
    bench.hardware.readers[socket].fail(trouble, int(bench.now))
    bench.live(40_000)
    assert "TAG_GONE" not in [name for name, *_ in bench.told()]
    health = bench.bank.socket_health(socket)
    assert health["restarts"] >= 1
    assert health["state"] == 0
    polls = health["polls"]
    bench.live(3_000)
    assert bench.bank.socket_health(socket)["polls"] > polls


def test_a_dead_reader_costs_one_common_reset_and_is_told_as_mute(monkeypatch):
    monkeypatch.setattr(reader_bank, "RESET_EVERY_MS", 10_000)
    bench = settled("mixed", (1, RED), (2, GREEN))
    bench.told()
    resets = []
    right = bench.bus.reset

    async def counted():
        resets.append(bench.now)
        return await right()

    bench.bus.reset = counted
    bench.hardware.readers[1].fail("dead", int(bench.now))
    bench.live(120_000)
    assert [name for name, *_ in bench.told()] == ["READER_MUTE"]
    assert bench.bank.socket_health(1)["state"] == SOCKET_MUTE
    assert len(resets) == 1
    bench.hardware.readers[1].repair(int(bench.now))
    bench.live(20_000)
    assert [name for name, *_ in bench.told()] == ["READER_BACK"]


def test_common_resets_are_rare():
    bench = settled("mixed")
    resets = []

    async def counted():
        resets.append(int(bench.now) // 1000)
        return True

    bench.bus.reset = counted
    for socket in (1, 2, 8):
        bench.hardware.readers[socket].fail("dead", int(bench.now))
        bench.live(40_000)
    assert len(resets) == 1


def test_health_knows_what_is_in_each_socket():
    bench = settled("mixed")
    kinds = [bench.bank.socket_health(n)["reader"] for n in range(8)]
    assert kinds == [
        READER_PN5180, READER_MFRC522, READER_MFRC522, READER_PN5180, READER_NONE, READER_NONE, READER_MFRC522,
        READER_MFRC522,
    ]  # fmt: skip
    assert [bench.bank.socket_health(n)["version"] for n in (0, 1, 4, 7)] == [0x40, 0x92, 0, 0x12]
    assert bench.bank.socket_health(4)["state"] == SOCKET_MUTE
    assert bench.bank.socket_health(0)["polls"] == bench.bank.sweeps


def test_empty_sockets_cost_next_to_nothing():
    bench = Bench(rest="none")
    bench.live(3_000)
    sweeps, transfers = bench.bank.sweeps, bench.bus.transfers
    bench.live(16_000)
    assert (bench.bus.transfers - transfers) / (bench.bank.sweeps - sweeps) <= 3 * 2 + 1
    assert bench.bank.sweep_ms <= 8


def test_readers_may_be_changed_while_it_runs():
    bench = settled("mfrc522")
    bench.told()
    bench.hardware.set_reader(7, "pn5180")
    bench.place(7, SLIX, SLIX2)
    bench.live(20_000)
    assert sorted(bench.told("TAG_APPEARED")) == [("TAG_APPEARED", 7, SLIX), ("TAG_APPEARED", 7, SLIX2)]
    assert bench.bank.socket_health(7)["reader"] == READER_PN5180
