"""Whatever happens to a die that is not a throw: hands, jolts, laying down, a car, a pocket."""

from __future__ import annotations

import numpy as np

from companion.virtual_table.motion.dodecahedron import NORMALS, Floats
from companion.virtual_table.motion.hand_signals import RATE, Handling, jolt, tilted, turned, unit, vibration
from companion.virtual_table.motion.trace import Motion, Truth

_PIECE_S = 20.0


def wobble(seed: int, seconds: float) -> Motion:
    """Held in a hand all the time: still, on a corner, turned slowly, passed between hands."""
    rng = np.random.default_rng([seed, 21])
    hand = Handling(rng)
    while hand.seconds() < seconds:
        what = rng.integers(4)
        if what == 0:
            hand.hold(rng.uniform(1, 6))
        elif what == 1:
            hand.hold_on_a_corner(rng.uniform(1, 8))
        elif what == 2:
            hand.turn_anywhere(rng.uniform(0.5, 4))
        else:
            hand.pass_on()
    return _cut(hand.force(), seconds, "wobble")


def handled(seed: int, seconds: float) -> Motion:
    """An evening in small: held, turned, shaken, tossed and caught, laid down, knocked, pushed, turned over."""
    rng = np.random.default_rng([seed, 22])
    hand = Handling(rng)
    hand.lay_down()
    while hand.seconds() < seconds:
        hand.lie(rng.uniform(0.5, 4), jolts=int(rng.integers(4)))
        what = rng.integers(8)
        if what == 0:
            hand.drum(rng.uniform(0.5, 3))
            continue
        if what == 1:
            hand.slide()
            continue
        if what == 2:
            hand.topple()
            continue
        hand.turn_anywhere(rng.uniform(0.25, 1.5))
        for _ in range(rng.integers(1, 4)):
            inside = rng.integers(6)
            if inside == 0:
                hand.hold(rng.uniform(0.5, 4))
            elif inside == 1:
                hand.hold_on_a_corner(rng.uniform(1, 4))
            elif inside == 2:
                hand.pass_on()
            elif inside == 3:
                hand.turn_anywhere(rng.uniform(0.3, 2))
            elif inside == 4:
                hand.shake(rng.uniform(0.5, 3))
            else:
                hand.toss_and_catch()
        hand.lay_down(rng.uniform(15, 35) if rng.random() < 0.1 else 0.0)
    return _cut(hand.force(), seconds, "handled")


def car(seed: int, seconds: float) -> Motion:
    """In a box or a bag in a car: the engine, the road, holes in it, curves, red lights."""
    rng = np.random.default_rng([seed, 23])
    pose = unit(rng.normal(size=3)) if rng.random() < 0.5 else NORMALS[rng.integers(12)]
    pieces: list[Floats] = []
    length = 0
    while length < seconds * RATE:
        samples = int(RATE * rng.uniform(5, _PIECE_S))
        after = tilted(rng, pose, rng.uniform(0, 4))
        signal = turned(pose, after, samples)
        if rng.random() < 0.25:  # a red light
            signal = signal + vibration(rng, samples, rng.uniform(0, 6), 8, 40)
        else:
            sway = vibration(rng, samples, rng.uniform(10, 80), 0.1, 1.5)
            signal = signal + sway + vibration(rng, samples, rng.uniform(8, 150), 4, 60)
            for _ in range(rng.poisson(samples / RATE / 4)):
                signal += jolt(rng, samples, int(rng.integers(samples)), 10 ** rng.uniform(2.2, 3.3), pose)
        pieces.append(signal)
        length += samples
        pose = after
        if rng.random() < 0.4:  # the load slips
            slip = int(RATE * rng.uniform(0.1, 0.5))
            after = tilted(rng, pose, rng.uniform(10, 100))
            fallen = turned(pose, after, slip) + vibration(rng, slip, rng.uniform(30, 250), 5, 60)
            pieces.append(fallen + jolt(rng, slip, slip // 2, rng.uniform(200, 1500), after))
            length += slip
            pose = after
            braking = int(RATE * rng.uniform(1, 3))  # what made it slip goes on for a while
            rough = vibration(rng, braking, rng.uniform(8, 150), 4, 60)
            pieces.append(np.repeat(pose[None], braking, 0) + rough + vibration(rng, braking, 40, 0.1, 1.5))
            length += braking
    return _cut(np.concatenate(pieces), seconds, "car")


def pocket(seed: int, seconds: float) -> Motion:
    """In the pocket of somebody who walks, sits down, stands and walks on."""
    rng = np.random.default_rng([seed, 24])
    pose = unit(rng.normal(size=3))
    pieces: list[Floats] = []
    length = 0
    while length < seconds * RATE:
        samples = int(RATE * rng.uniform(4, _PIECE_S))
        after = tilted(rng, pose, rng.uniform(5, 90))
        if rng.random() < 0.7:
            time = np.arange(samples) / RATE
            pace = rng.uniform(1.5, 2.3)
            swing = np.sin(2 * np.pi * pace / 2 * time)[:, None] * unit(rng.normal(size=3)) * rng.uniform(0.05, 0.3)
            lift = np.sin(2 * np.pi * pace * time)[:, None] * pose * rng.uniform(0.1, 0.4)
            signal = turned(pose, after, samples) + swing + lift + vibration(rng, samples, 25, 3, 40)
            for step in np.arange(0, samples, RATE / pace):
                signal += jolt(rng, samples, int(step), rng.uniform(100, 900), pose)
        else:
            signal = turned(pose, after, samples) + vibration(rng, samples, rng.uniform(5, 15), 0.3, 12)
        pieces.append(signal)
        length += samples
        pose = after
    return _cut(np.concatenate(pieces), seconds, "pocket")


def knocked(seed: int, seconds: float) -> Motion:
    """On the table: people tap, drum, bump against it and put taxis down beside the die."""
    rng = np.random.default_rng([seed, 25])
    hand = Handling(rng, tilted(rng, NORMALS[rng.integers(12)], rng.uniform(0, 2)))
    while hand.seconds() < seconds:
        hand.lie(rng.uniform(2, 10), jolts=int(rng.integers(12)))
        if rng.random() < 0.3:
            hand.drum(rng.uniform(0.5, 4))
        if rng.random() < 0.2:
            hand.slide()
    return _cut(hand.force(), seconds, "knocked")


def placed(face: int, seed: int = 0) -> Motion:
    """Brought in a hand and laid down with that face on top."""
    rng = np.random.default_rng([seed, face, 26])
    hand = Handling(rng)
    hand.hold(1.0)
    hand.lay_down(face=face)
    hand.lie(2.0)
    return Motion(hand.force().astype(np.float32), Truth("placed", thrown=False, face=face))


def lying(face: int, seconds: float = 1.0) -> Motion:
    """Level and still with that face on top."""
    force = np.repeat(NORMALS[None, face - 1], max(2, int(seconds * RATE)), 0)
    return Motion(force.astype(np.float32), Truth("lying", thrown=False, face=face))


def _cut(force: Floats, seconds: float, kind: str) -> Motion:
    return Motion(force[: int(seconds * RATE)].astype(np.float32), Truth(kind, thrown=False))
