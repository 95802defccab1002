"""Thousands of simulated throws and an hour of handling, against the roll detector; none of them was seen in tuning.

`python -m tests.proofs.rolls --write` writes docs/proofs/rolls.md; `--throws N`, `--leaning N`, `--minutes N`,
`--first SEED`. The detector was tuned on seeds 0 to 2,999 only.
"""

from __future__ import annotations

import argparse
import platform
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

import numpy as np

from companion.virtual_table import motion
from companion.virtual_table.motion.scenes import LEANING, THROWS
from companion.virtual_table.motion.sensor import Sensor, ordinary
from companion.virtual_table.motion.trace import COCKED_DEGREES, FLAT_DEGREES, LONGEST_PAUSE, Motion, Truth
from firmware.die.calibration import Calibration, SphereFit
from firmware.die.roll_detector import REST_MS, RollDetector

ROOT = Path(__file__).parents[2]
REPORT = ROOT / "docs" / "proofs" / "rolls.md"
FIRST_UNSEEN = 10_000
LATEST_MS = 300
WINDOWS = (150, 175, 200, 225, 250)
SENSORS = ((100.0, True, WINDOWS), (50.0, True, (REST_MS,)), (104.0, True, (REST_MS,)), (100.0, False, (REST_MS,)))
MEASURED = ("firmware/die", "companion/virtual_table/motion", "tests/proofs/rolls.py")
_AT_ONCE = 400
MIXTURE = (
    (motion.wobble, 0.2, "held still, on a corner, turned, passed on"),
    (motion.handled, 0.3, "shaken, tossed and caught, laid down, turned over, pushed"),
    (motion.car, 0.2, "in a car"),
    (motion.pocket, 0.1, "in a pocket"),
    (motion.knocked, 0.2, "on a table that is knocked and drummed on"),
)


Reading = tuple[int, int, int, int]
Said = tuple[float, tuple[object, ...]]


@dataclass
class Tally:
    """What became of many throws. `outcomes` counts right, missed, wrong face, twice, settled, cocked, late."""

    outcomes: Counter[str] = field(default_factory=Counter)
    latencies: list[float] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)

    @property
    def judged(self) -> int:
        """How many were judged."""
        return sum(self.outcomes.values()) - self.outcomes["late"]

    def share(self) -> float:
        """The part that was right, in per cent."""
        return 100 * self.outcomes["right"] / self.judged if self.judged else 100.0

    def late(self) -> str:
        """Median, 99th percentile and the worst latency in ms."""
        if not self.latencies:
            return "– / – / –"
        return " / ".join(f"{value:.0f}" for value in np.percentile(self.latencies, [50, 99, 100]))


def calibrated(sensor: Sensor, seed: int) -> Calibration:
    """The calibration that twelve faces of that sensor's die give."""
    fit = SphereFit()
    for reading in sensor.face_readings(seed):
        fit.add(*reading)
    return fit.solve()


def felt(one: Motion, seed: int, rate: float, calibrate: bool) -> tuple[Sensor, Calibration, list[Reading]]:
    """An ordinary sensor, its calibration, and all that it reads of a motion."""
    sensor = ordinary(seed, rate)
    return sensor, calibrated(sensor, seed) if calibrate else Calibration(), sensor.readings(one, seed)


def answers(sensor: Sensor, calibration: Calibration, readings: list[Reading], rest_ms: int) -> list[Said]:
    """What the detector says of these readings, with true times in ms."""
    detector = RollDetector(calibration, rest_ms)
    said: list[Said] = []
    for t_ms, x, y, z in readings:
        answer = detector.feed(t_ms, x, y, z)
        if answer:
            said.append((t_ms / sensor.pace, answer))
    return said


def counts(truth: Truth) -> bool:
    """Whether a simulated throw is one by the house's definition, and the only one."""
    return truth.thrown and truth.rested and truth.pause <= LONGEST_PAUSE


def band(truth: Truth) -> str:
    """flat, cocked, or slanting: between the two, where people would argue."""
    return "flat" if truth.tilt <= FLAT_DEGREES else "cocked" if truth.tilt >= COCKED_DEGREES else "slanting"


def judge(tally: Tally, truth: Truth, seed: int, said: list[Said]) -> None:
    """Adds one throw to the tally."""
    ends = [(at, answer) for at, answer in said if answer[0] in ("settled", "cocked")]
    kind = band(truth)
    if not ends:
        outcome = "missed"
    elif len(ends) > 1:
        outcome = "twice"
    elif kind != "slanting" and (ends[0][1][0] == "settled") != (kind == "flat"):
        outcome = str(ends[0][1][0])
    elif ends[0][1][0] == "settled" and ends[0][1][1] != truth.face:
        outcome = "wrong face"
    else:
        outcome = "right"
        latency = ends[0][0] - truth.last_motion
        if ends[0][1][0] == "settled":
            tally.latencies.append(latency)
            tally.outcomes["late"] += latency > LATEST_MS
    tally.outcomes[outcome] += 1
    if outcome != "right":
        tally.wrong.append(f"{truth.kind} {seed}: {outcome}")


def thrown(seeds: range, kinds: tuple[str, ...], jobs: int) -> Iterator[tuple[int, Motion]]:
    """Simulates some hundreds at a time, in so many processes."""
    parts = [range(start, min(start + _AT_ONCE, seeds.stop)) for start in range(seeds.start, seeds.stop, _AT_ONCE)]
    if jobs < 2:
        for part in parts:
            yield from zip(part, motion.throws(part, kinds), strict=True)
        return
    with ProcessPoolExecutor(jobs) as pool:
        for part, motions in zip(parts, pool.map(motion.throws, parts, [kinds] * len(parts)), strict=True):
            yield from zip(part, motions, strict=True)


@dataclass
class Throws:
    """Tallies of one set of throws under several conditions, by (rest window, rate, calibrated) and band."""

    tallies: dict[tuple[int, float, bool, str], Tally] = field(default_factory=dict)
    kinds: Counter[str] = field(default_factory=Counter)
    left_out: Counter[str] = field(default_factory=Counter)

    def run(self, motions: Iterable[tuple[int, Motion]]) -> None:
        """Judges each under each rest window, and every fourth with other sensors, too."""
        for seed, one in motions:
            if not counts(one.truth):
                self.left_out["too short" if not one.truth.thrown else "two throws or none"] += 1
                continue
            self.kinds[one.truth.kind] += 1
            for rate, calibrate, windows in SENSORS if seed % 4 == 0 else SENSORS[:1]:
                what = felt(one, seed, rate, calibrate)
                for rest_ms in windows:
                    tally = self.of(rest_ms, rate, calibrate, band(one.truth))
                    judge(tally, one.truth, seed, answers(*what, rest_ms))

    def of(self, rest_ms: int, rate: float, calibrate: bool, kind: str) -> Tally:
        """One of the tallies."""
        return self.tallies.setdefault((rest_ms, rate, calibrate, kind), Tally())


Hour = dict[int, dict[str, Counter[str]]]  # by rest window and what was done: how often the detector said what


def handling(seeds: range, minutes: float) -> Hour:
    """What the detector says in so many minutes of mixed handling."""
    hour: Hour = {window: {words: Counter() for _, _, words in MIXTURE} for window in WINDOWS}
    for make, share, words in MIXTURE:
        for seed in seeds:
            what = felt(make(seed, 60 * minutes * share / len(seeds)), seed, 100.0, True)
            for window in WINDOWS:
                hour[window][words].update(str(answer[0]) for _, answer in answers(*what, window))
    return hour


def said_in(hour: Hour, window: int, what: str) -> int:
    """How often the detector said that in the whole hour."""
    return sum(said[what] for said in hour[window].values())


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--throws", type=int, default=2300)
    parser.add_argument("--leaning", type=int, default=2400)
    parser.add_argument("--minutes", type=float, default=60.0)
    parser.add_argument("--first", type=int, default=FIRST_UNSEEN)
    parser.add_argument("--jobs", type=int, default=2, help="processes that simulate")
    parser.add_argument("--write", action="store_true", help=f"write {REPORT.relative_to(ROOT)}")
    asked = parser.parse_args()
    begun = time.monotonic()
    free, leaning = Throws(), Throws()
    free.run(thrown(range(asked.first, asked.first + asked.throws), THROWS, asked.jobs))
    leaning.run(thrown(range(asked.first, asked.first + asked.leaning), LEANING, asked.jobs))
    held = handling(range(asked.first, asked.first + 10), asked.minutes)
    page = report(asked, free, leaning, held, time.monotonic() - begun)
    print(page)
    if asked.write:
        REPORT.write_text(page, encoding="utf-8")
    sys.exit(0 if holds(free, leaning, held) else 1)


def holds(free: Throws, leaning: Throws, held: Hour) -> bool:
    """Whether the figures are what was promised."""
    flat = free.of(REST_MS, 100.0, True, "flat")
    cocked = leaning.of(REST_MS, 100.0, True, "cocked")
    return (
        flat.share() == 100.0
        and not flat.outcomes["late"]
        and cocked.share() >= 99.9
        and not said_in(held, REST_MS, "settled")
        and not said_in(held, REST_MS, "cocked")
    )


def report(
    asked: argparse.Namespace,
    free: Throws,
    leaning: Throws,
    held: Hour,
    took: float,
) -> str:
    """The page."""
    revision = subprocess.run(
        ["git", "log", "-1", "--format=%h", "--", *MEASURED], cwd=ROOT, capture_output=True, text=True, check=False
    ).stdout.strip()
    flat = free.of(REST_MS, 100.0, True, "flat")
    cocked = leaning.of(REST_MS, 100.0, True, "cocked")
    kinds = ", ".join(f"{name} {number}" for name, number in sorted(free.kinds.items()))
    lean_kinds = ", ".join(f"{name} {number}" for name, number in sorted(leaning.kinds.items()))
    out = [f"{number} {why}" for why, number in sorted((free.left_out + leaning.left_out).items())]
    rolls, slants = said_in(held, REST_MS, "settled"), said_in(held, REST_MS, "cocked")
    lines = [
        "# Rolls of the handheld die",
        "",
        f"{datetime.now(UTC):%Y-%m-%d}, revision `{revision}`, Python {platform.python_version()}, "
        f"NumPy {np.__version__}, {took / 60:.0f} minutes. Written by `python -m tests.proofs.rolls --write`. Seeds "
        f"{asked.first:,} and up; the detector was tuned on seeds 0 to 2,999.",
        "",
        "**These throws are simulated.** A rigid dodecahedron falls, bounces, rubs and settles, and a modelled sensor "
        "(offsets to 40 mg, scales to 1 %, mounted to a degree, noise of 1 to 2 mg, 2 mg a count, a clock off by up to "
        "5 %) feels it. What only real dice can show stands at the end.",
        "",
        "| asked | found | holds |",
        "| --- | --- | --- |",
        f"| missed throws of 2,000: 0 | {flat.judged - flat.outcomes['right']} of {flat.judged:,} missed, doubled or "
        f"with a wrong face | {_yes(flat.share() == 100)} |",
        f"| settled at most {LATEST_MS} ms after the last motion | median / 99 % / worst {flat.late()} ms "
        f"| {_yes(not flat.outcomes['late'])} |",
        f"| false rolls in an hour of handling: 0 | {rolls} rolls and {slants} called cocked in "
        f"{asked.minutes:.0f} minutes | {_yes(not rolls + slants)} |",
        f"| cocked recognised: 99.9 % | {cocked.outcomes['right']:,} of {cocked.judged:,}, {cocked.share():.2f} % "
        f"| {_yes(cocked.share() >= 99.9)} |",
        "",
        f"Thrown: {kinds}. Left leaning: {lean_kinds}. Left out, because they are no single throw by the house's "
        f"definition (two turns or 70 ms of flight at least; at rest when the simulation ends; no standstill over "
        f"{LONGEST_PAUSE} ms between): {', '.join(out) or 'none'}.",
        "",
        "## The rest window",
        "",
        "The same throws and the same hour under each window. *Too soon* is a throw that was called settled or cocked "
        "and then moved on and was called again; *late* is later than 300 ms.",
        "",
        "| window | median / 99 % / worst latency | late | missed | too soon | wrong face | cocked recognised "
        "| false rolls | false cocked |",
        "| --- | --- | --- | --- | --- | --- | --- | --- | --- |",
    ]
    for window in WINDOWS:
        tally, slant = free.of(window, 100.0, True, "flat"), leaning.of(window, 100.0, True, "cocked")
        name = f"**{window} ms**" if window == REST_MS else f"{window} ms"
        lines.append(
            f"| {name} | {tally.late()} ms | {tally.outcomes['late']} | {tally.outcomes['missed']} | "
            f"{tally.outcomes['twice'] + slant.outcomes['twice']} | {tally.outcomes['wrong face']} | "
            f"{slant.share():.2f} % | {said_in(held, window, 'settled')} | {said_in(held, window, 'cocked')} |"
        )
    lines += [
        "",
        "## Other sensors",
        "",
        "| samples a second | calibrated | flat throws right | worst latency | cocked |",
    ]
    lines += ["| --- | --- | --- | --- | --- |"]
    for rate, calibrate in ((50.0, True), (100.0, True), (104.0, True), (100.0, False)):
        tally, slant = free.of(REST_MS, rate, calibrate, "flat"), leaning.of(REST_MS, rate, calibrate, "cocked")
        worst = max(tally.latencies, default=0)
        good = f"{tally.outcomes['right']} of {tally.judged}"
        lines.append(
            f"| {rate:.0f} | {'yes' if calibrate else 'no'} | {good} | {worst:.0f} ms "
            f"| {slant.outcomes['right']} of {slant.judged} |"
        )
    lines += ["", "## The hour", "", "| what | started, then taken back | laid down | rolls | cocked |"]
    lines += ["| --- | --- | --- | --- | --- |"]
    for words, said in held[REST_MS].items():
        lines.append(f"| {words} | {said['started']} | {said['placed']} | {said['settled']} | {said['cocked']} |")
    slanting = Counter[str]()
    for throws in (free, leaning):
        slanting += throws.of(REST_MS, 100.0, True, "slanting").outcomes
    wrong = flat.wrong + cocked.wrong
    lines += [
        "",
        f"Between {FLAT_DEGREES:.0f} and {COCKED_DEGREES:.0f} degrees people would argue; "
        f"{sum(slanting.values())} throws ended there, {slanting['missed']} of them without any answer and "
        f"{slanting['twice']} with two.",
        "",
        f"Not right, to look at again: {'; '.join(wrong[:20]) or 'none'}.",
        "",
        "## What real dice have to confirm",
        "",
        "- How hard, how bouncy and how rough tables, trays and cushions are: the model's ranges are guesses.",
        "- What fingers do in the last tenth of a second, and how still people hold a die: 8 to 30 mg is assumed.",
        "- Whether a chip at its limit (impacts of more than 4 g are cut off) and its filters show what is modelled.",
        "- Tables with a motor, a loudspeaker or dancers beside them: more unrest than some 4 mg is never rest.",
        "- That a die which tips over in a bag and lies still at once is rare: it looks like a short throw.",
        "",
    ]
    return "\n".join(lines)


def _yes(good: bool) -> str:
    return "yes" if good else "**no**"


if __name__ == "__main__":
    main()
