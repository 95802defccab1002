"""A small share of the proof of rolls: throws are found, faces are right, hands and cars are no throws."""

import pytest
from roll_detector_player import play

from companion.virtual_table import motion
from companion.virtual_table.motion.throws import simulated
from companion.virtual_table.motion.trace import COCKED_DEGREES, FLAT_DEGREES
from firmware.die.calibration import Calibration
from firmware.die.motion_trace import digest_of
from firmware.die.roll_detector import REST_MS, RollDetector
from tests.proofs import rolls

UNSEEN = range(20_000, 20_004)


def ends(answer):
    return [said for _, said in answer["said"] if said[0] in ("settled", "cocked")]


def test_each_throw_is_one_roll_with_the_face_on_top(some_throws, as_trace):
    judged = 0
    for seed, one in some_throws:
        if rolls.counts(one.truth) and one.truth.tilt <= FLAT_DEGREES:
            answer = play(as_trace(one, seed))
            assert [said[:2] for said in ends(answer)] == [["settled", one.truth.face]], (seed, one.truth)
            assert answer["state"] == "rolled"
            judged += 1
    assert judged >= 20


def test_it_settles_within_300_ms_of_the_last_motion(some_throws):
    tally = rolls.Tally()
    for seed, one in some_throws:
        if rolls.counts(one.truth):
            rolls.judge(tally, one.truth, seed, rolls.answers(*rolls.felt(one, seed, 100.0, True), rolls.REST_MS))
    assert tally.latencies
    assert max(tally.latencies) <= rolls.LATEST_MS


def test_what_leans_is_cocked_and_counts_anew_when_thrown_again(some_leaning, some_throws, as_trace):
    cocked = [(seed, one) for seed, one in some_leaning if rolls.counts(one.truth) and one.truth.tilt >= COCKED_DEGREES]
    assert len(cocked) >= 5
    again, flat = next((seed, one) for seed, one in some_throws if rolls.counts(one.truth) and one.truth.tilt < 5)
    for seed, one in cocked:
        trace = as_trace(one, seed)
        answer = play(trace)
        assert [said[0] for said in ends(answer)] == ["cocked"]
        assert answer["state"] == "cocked"
        assert abs(ends(answer)[0][2] - one.truth.tilt) < 4
        begun = trace["samples"][-1][0] + 10
        trace["samples"] += [(begun + t, x, y, z) for t, x, y, z in as_trace(flat, seed)["samples"]]
        assert [said[0] for said in ends(play(trace))] == ["cocked", "settled"], (seed, again)


def test_a_short_twirl_and_a_slow_slide_into_a_wedge_are_throws(as_trace):
    seeds = [("spin", 58), ("spin", 304), ("spin", 339), ("spin", 1932), ("wedged", 1311)]
    for (kind, seed), one in zip(seeds, simulated(seeds), strict=True):
        expected = ["cocked"] if kind == "wedged" else ["settled", one.truth.face]
        assert [said[: len(expected)] for said in ends(play(as_trace(one, seed)))] == [expected], (kind, seed)


def test_the_last_bounce_does_not_hold_up_rest():
    detector = RollDetector(Calibration())
    readings = [(900, 0, 0), (248, 0, 968)] + [(-3 if n % 8 == 7 else 0, 0, 1000) for n in range(REST_MS // 10 + 1)]
    for n, reading in enumerate(readings):
        assert not detector.still
        detector.feed(10 * n, *reading)
    assert detector.still


def test_turns_and_blows_without_a_hop_are_no_throw():
    detector = RollDetector(Calibration())
    poses = [(0, 526, 851), (0, -526, 851), (851, 0, 526), (526, 851, 0)]
    turning = [poses[n // 6 % 4] for n in range(100)]
    readings = 100 * poses[:1] + turning + 100 * poses[:1]
    said = [detector.feed(10 * n, *reading) for n, reading in enumerate(readings)]
    assert [answer[0] for answer in said if answer] == ["placed", "handled", "placed"]


@pytest.mark.parametrize("make", [motion.wobble, motion.handled, motion.car, motion.pocket, motion.knocked])
def test_handling_is_no_roll(make, as_trace):
    for seed in UNSEEN:
        assert ends(play(as_trace(make(seed, 60.0), seed))) == []


@pytest.mark.parametrize("face", range(1, 13))
def test_placed_is_not_thrown(face, as_trace):
    answer = play(as_trace(motion.placed(face, 20_000), face))
    assert [said for _, said in answer["said"]][-1] == ["placed", face]
    assert ends(answer) == []


def test_dropped_twice_is_one_roll(as_trace):
    one = motion.dropped_twice(20_006)
    assert [said[0] for said in ends(play(as_trace(one, 20_006)))] == ["settled"]


def test_an_uncalibrated_die_names_its_faces(some_throws, as_trace):
    for seed, one in some_throws[:14]:
        if rolls.counts(one.truth) and one.truth.tilt <= FLAT_DEGREES:
            trace = as_trace(one, seed)
            assert [said[:2] for said in ends(play({**trace, "faces": []}))] == [["settled", one.truth.face]]


def test_the_digest_is_that_of_the_stored_trace(some_throws, as_trace):
    seed, one = some_throws[0]
    trace = as_trace(one, seed)
    said = play(trace)["said"]
    begun = max(t for t, answer in said if answer[0] == "started")
    settled, answer = next((t, answer) for t, answer in said if answer[0] == "settled")
    kept = [sample for sample in trace["samples"] if begun <= sample[0] <= settled]
    assert digest_of(kept) == answer[4]
    kept[3] = (kept[3][0], kept[3][1] + 2, *kept[3][2:])
    assert digest_of(kept) != answer[4]


def test_micropython_gives_the_same_answers(some_throws, some_leaning, as_trace, on_micropython):
    traces = [as_trace(one, seed) for seed, one in [*some_throws, *some_leaning]]
    traces.append(as_trace(motion.handled(20_000, 60.0), 20_000))
    assert on_micropython("play", traces) == [play(trace) for trace in traces]


def test_feeding_allocates_next_to_nothing(as_trace, on_micropython):
    lying, held = motion.lying(4, 10.0), motion.wobble(20_000, 20.0)
    used = on_micropython("allocated", [as_trace(lying, 1), as_trace(held, 1)])
    assert max(used) < 4, used


def test_ticks_may_wrap(some_throws, as_trace):
    seed, one = some_throws[0]
    trace = as_trace(one, seed)
    half = trace["samples"][len(trace["samples"]) // 2][0]
    wrapped = [((t - half) & 0x3FFFFFFF, x, y, z) for t, x, y, z in trace["samples"]]
    said = [answer for _, answer in play(trace)["said"]]
    assert [answer for _, answer in play({**trace, "samples": wrapped})["said"]] == said
