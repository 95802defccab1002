"""Rules of the die and the drivers' odd cases under MicroPython: it says what Python says, and what it should."""

import asyncio
import importlib.util
import json
import sys
from pathlib import Path

import pytest

from shared_rules.wire.messages import (
    BAD_FIELD,
    BATTERY_CRITICAL,
    BATTERY_GOOD,
    BATTERY_LOW,
    CALIBRATION_DONE,
    CALIBRATION_FAILED,
    CALIBRATION_STOPPED,
    DONE,
    NOT_NOW,
)

DEVICE = Path(__file__).parent / "device"
CLEAR, UNREADABLE, MUTE = 0, 1, 2


@pytest.fixture(scope="module")
def rules(micropython):
    """What both Pythons say of the die's rules, once they have said the same."""
    spec = importlib.util.spec_from_file_location("die_rules", DEVICE / "die_rules.py")
    here = importlib.util.module_from_spec(spec)
    sys.modules.setdefault("die_rules", here)
    spec.loader.exec_module(here)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(asyncio, "sleep_ms", lambda _ms: asyncio.sleep(0), raising=False)
        ours = json.loads(json.dumps(here.all_of()))
    theirs = micropython("die_rules")
    for what in ours:
        assert theirs[what] == ours[what], what
    return theirs


@pytest.mark.parametrize(
    ("story", "results"),
    [
        ("all faces", [CALIBRATION_DONE]),
        ("ended after 5", [CALIBRATION_STOPPED]),
        ("ended after 8", [CALIBRATION_DONE]),
        ("one face twice, one too short", []),
        ("crooked", [CALIBRATION_FAILED]),
        ("nobody there", [CALIBRATION_STOPPED]),
    ],
)
def test_calibrations_by_hand(rules, story, results):
    told, kept, offsets, _progress = rules["calibrations"][story]
    done = results == [CALIBRATION_DONE]
    assert [result for _name, result, _faces, _ref in told] in (results, [CALIBRATION_STOPPED])
    assert len(kept) == done
    assert (offsets != [0, 0, 0]) == done


def test_a_full_flash_and_a_calibration_that_is_forgotten(rules):
    forgotten, (told, kept, offsets, _progress) = rules["calibrations"]["full flash"]
    assert (forgotten, [one[1] for one in told], kept, offsets) == (False, [CALIBRATION_FAILED], [], [0, 0, 0])
    assert rules["calibrations"]["forgotten"] == [True, [[], [""], [0, 0, 0], -1]]


def test_fits_and_what_they_refuse(rules):
    fits = rules["fits"]
    assert all(abs(found - true) <= 4 for found, true in zip(fits["six"], (25, -18, 40), strict=True))
    assert fits["kept"] == fits["six"]
    assert "more faces" in fits["five"]
    assert "others" in fits["too close"]
    assert "do not fit" in fits["moved"]
    assert "does not exist" in fits["no such sensor"]
    assert all(isinstance(said, str) for said in fits["spoilt"])
    assert fits["put right"] == [1000, 500, 250]


def test_faces_digests_and_cells(rules):
    faces, nowhere = rules["faces"]
    assert faces == [[face, 0, 63.4] for face in range(1, 13)]
    assert nowhere == 180
    assert len(set(rules["digests"])) == 4  # two are of nothing
    percent, levels, charging, _state = rules["cells"]
    assert percent == sorted(percent)
    assert [level for level, _ in levels] == [BATTERY_LOW, BATTERY_CRITICAL, BATTERY_LOW, BATTERY_GOOD]
    assert charging


def test_commands_at_the_wrong_time(rules):
    said, told = rules["commands"]
    bad_seat, bad_map = [BAD_FIELD, 2], [BAD_FIELD, 1]
    assert said == [bad_map, bad_seat, [DONE, 0], DONE, [NOT_NOW, 0], NOT_NOW, [NOT_NOW, 0]]
    assert [name for name, _ref in told] == ["DIE_ARMED", "ROLL_STARTED", "ROLL_SETTLED"]  # once: quiet is quiet


def test_looks_of_the_light(rules):
    looks = rules["looks"]
    good = {name.rsplit(" ", 3)[0]: shown for name, shown in looks.items() if name.endswith("True 0 -1")}
    assert good.pop("dark") == "." * 16
    assert all("x" in shown for shown in good.values())
    assert all(shown == looks["dark True 0 4"] for name, shown in looks.items() if name.endswith(" 4"))


def test_type_a_answers_that_should_not_be(micropython):
    said = micropython("type_a_script")
    assert said.pop("well") == [0x04, 0xA1, 0xB2, 0xC3]
    assert said.pop("seven bytes") == [0x04, 0xA1, 0xB2, 0x04, 0xA1, 0xB2, 0xC3]
    assert said.pop("nobody") == [CLEAR, 0]
    assert said.pop("one") == [CLEAR, 1]
    assert said.pop("a second call is heard") == [UNREADABLE, 1]
    assert said.pop("one that never halts") == [UNREADABLE, 1]
    assert said.pop("a chip that is not well") == [MUTE, 1]
    assert said.pop("a split at every bit") == [False, True]
    assert {what: uid for what, uid in said.items() if uid is not None} == {}
    assert len(said) == 13


def test_vicinity_answers_that_should_not_be(micropython):
    said = micropython("vicinity_script")
    starts, polls, exchanges = said.pop("starts"), said.pop("polls"), said.pop("exchanges")
    assert starts == [False] * 6 + [True] * 2 + [False] * 3  # six frames; two versions; an error that it tells
    assert polls[0] == MUTE
    assert CLEAR in polls  # frames beyond the last
    silence, ok, collision, corrupt, no_end = range(5)
    assert [status for status, _count, _place in exchanges] == [
        *[no_end] * 5,
        silence,
        corrupt,
        no_end,
        *[corrupt] * 2,
        ok,
        no_end,
        *[collision] * 2,
    ]
    assert [place for status, _count, place in exchanges if status == collision] == [9, 4]
    assert all(ended for _result, _count, ended in said.values())
    assert {what: one[:2] for what, one in said.items()} == {
        "nobody": [CLEAR, 0],
        "one": [CLEAR, 1],
        "one that does not stay quiet": [UNREADABLE, 1],
        "a chip that is not well": [MUTE, 0],
        "noise, then nobody": [UNREADABLE, 0],
        "noise for ever": [UNREADABLE, 0],
        "noise, then one by its slot": [CLEAR, 1],
        "one in two slots": [CLEAR, 1],
        "something that is no UID": [UNREADABLE, 0],
        "a crowd": [UNREADABLE, 8],
        "collisions for ever": [UNREADABLE, 0],
        "a collision in the last bit": [CLEAR, 1],
    }


@pytest.mark.parametrize("chip", ["lis2dw12", "lis3dh"])
def test_an_accelerometer_is_the_same_by_both_buses(micropython, chip):
    said = micropython("accelerometer_buses")
    assert said["nobody"]
    assert said["another chip"] == [True, True]
    (name, keeps, (count, samples), carried, *refused), written = said[f"{chip} i2c"]
    assert said[f"{chip} spi"] == said[f"{chip} i2c"]
    assert (name.lower(), keeps, count) == (chip, True, 3)
    assert samples[0] == 50 << 8
    assert carried == [False, True]
    assert refused == ["no such rate or range"] * 2
    assert len(written) > 8


def test_small_parts_where_things_go_wrong(micropython, tmp_path):
    said = micropython("small_parts", str(tmp_path), heap="2M")
    assert said["starts"] == [[2000, 1], [0, 2]]  # a die that was shaken awake does not wait
    too_long, *rest = said["outboxes"]
    assert "too long" in too_long
    assert rest == [0, 0, 0, 0, 0]
    assert all(said["records"])
    assert said["asides"] == [True, 1]
    assert said["frames"] == [[0, 0, 0, 0, 0, 1], True, True]
    assert said["bank"] == [1, True]
    silence, ok, collision, corrupt, no_end = range(5)
    assert said["exchanges"] == [no_end, corrupt, silence, no_end, corrupt, collision, ok]
    assert said["health"] == [0xFFFF, 0xFF]
