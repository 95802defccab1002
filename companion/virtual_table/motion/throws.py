"""Throws from the hand to rest: the hand's part is put before what the rigid body does."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from companion.virtual_table.motion.dodecahedron import NORMALS, Floats, top_face
from companion.virtual_table.motion.hand_signals import RATE, Handling, rotated, tremor, unit, vibration
from companion.virtual_table.motion.lone_die import LoneDie
from companion.virtual_table.motion.rigid_body import GRAVITY, DiceInMotion, Paths
from companion.virtual_table.motion.scenes import Scene, scene
from companion.virtual_table.motion.trace import Motion, Truth

MOVING = 0.005  # m/s: nobody sees a die move whose fastest corner is slower
REST_AFTER_S = 1.2
FEWEST_TURNS = 2
SHORTEST_FLIGHT = 70
_TOGETHER = 500
FEW = 32  # so many are simulated sooner one by one


def simulated(wanted: Iterable[tuple[str, int]]) -> list[Motion]:
    """The motions of these kinds and seeds, in that order; hundreds at once cost a fifth of what each alone would.

    A motion depends on its own kind and seed only, not on what is simulated with it.
    """
    scenes = [scene(kind, seed) for kind, seed in wanted]
    groups: dict[tuple[int, int], list[int]] = {}
    for n, one in enumerate(scenes):
        groups.setdefault((len(one.around.planes), len(one.around.points)), []).append(n)
    motions: dict[int, Motion] = {}
    for group in groups.values():
        group.sort(key=lambda n: scenes[n].seconds)  # long ones together
        for start in range(0, len(group), _TOGETHER):
            part = group[start : start + _TOGETHER]
            if len(part) <= FEW:
                for n in part:
                    one = scenes[n]
                    motions[n] = _motion(one, LoneDie(one.die, one.around).run(one.seconds), 0)
                continue
            dice = DiceInMotion([scenes[n].die for n in part], [scenes[n].around for n in part])
            paths = dice.run(max(scenes[n].seconds for n in part))
            for column, n in enumerate(part):
                motions[n] = _motion(scenes[n], paths, column)
    return [motions[n] for n in range(len(scenes))]


def _motion(one: Scene, paths: Paths, column: int) -> Motion:
    rng = np.random.default_rng([one.seed, sum(one.kind.encode()), 13])
    moving = np.flatnonzero(paths.speed[:, column] > MOVING)
    last = int(moving.max()) + 1 if len(moving) else 0
    before = _hand(rng, one)
    felt = paths.force[: last + 30, column] / GRAVITY
    up = paths.up[:, column].astype(float)
    face, tilt = top_face(up[-1])
    still = np.repeat(up[None, -1], int(REST_AFTER_S * RATE), 0)
    force = np.concatenate([before, felt, still]).astype(np.float32)
    turns = int(np.count_nonzero(np.diff((up[: last + 1] @ NORMALS.T).argmax(1))))
    flight = _longest(paths.depth[: last + 1, column] <= 0)
    rested = last + 30 < len(paths.speed)
    pause = _longest(paths.speed[: last + 1, column] <= MOVING)
    thrown = turns >= FEWEST_TURNS or flight >= SHORTEST_FLIGHT
    start = len(before)
    return Motion(force, Truth(one.kind, thrown, start, start + last, face, tilt, rested, turns, flight, pause))


def _hand(rng: np.random.Generator, one: Scene) -> Floats:
    """From taking the die to letting it go with the velocity and spin with which the scene begins."""
    die = one.die
    spin = float(np.linalg.norm(die.spin))
    axis = unit(die.spin) if spin else np.array([1.0, 0.0, 0.0])
    samples = int(RATE * rng.uniform(0.09, 0.25))
    ramp = int(min(samples, RATE * rng.uniform(0.05, 0.12)))
    time = np.arange(samples) / RATE
    pace = np.clip(1 - (samples - np.arange(samples)) / ramp, 0, 1) * spin  # grows until it leaves the fingers
    angle = (np.cumsum(pace[::-1])[::-1]) / RATE  # how far it still has to turn
    length = samples / RATE
    bump = np.sin(np.pi * time / length) * np.pi / (2 * length)
    world = np.array([0.0, 0.0, 1.0]) + bump[:, None] * die.velocity / GRAVITY
    force = rotated(world @ die.attitude, axis, angle)
    arm = die.chip - die.centre
    outward = np.cross(die.spin, np.cross(die.spin, arm)) / GRAVITY
    force = force + (pace[:, None] / max(spin, 1e-9)) ** 2 * outward
    fingers = vibration(rng, samples, rng.uniform(10, 120), 10, 80) * (pace[:, None] > 0)
    start = unit(rotated(np.array([0.0, 0.0, 1.0]) @ die.attitude, axis, angle[:1])[0])
    hand = Handling(rng)
    if one.from_rest:
        hand.pose = NORMALS[rng.integers(12)]
        hand.lie(rng.uniform(0.4, 1.0))
    else:
        hand.hold(rng.uniform(0.2, 0.8))
    if rng.random() < 0.5:
        hand.turn_anywhere(rng.uniform(0.2, 0.6))
        hand.shake(rng.uniform(0.3, 1.5))
    hand.turn(start, rng.uniform(0.2, 0.8))
    if rng.random() < 0.5:
        hand.hold(rng.uniform(0.1, 0.8))
    return np.concatenate([hand.force(), force + fingers + tremor(rng, samples, hand.sd_mg)])


def _longest(flags: NDArray[np.bool_]) -> int:
    """The longest run of True."""
    edges = np.flatnonzero(np.diff(np.concatenate([[0], flags.astype(np.int8), [0]])))
    return int((edges[1::2] - edges[::2]).max(initial=0))
