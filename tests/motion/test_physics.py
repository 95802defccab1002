"""The simulated die obeys mechanics: no energy from nothing, nothing passes through a table, all faces alike."""

from dataclasses import replace
from importlib import import_module

import numpy as np
import pytest

from companion.virtual_table import motion
from companion.virtual_table.motion import dodecahedron as shape
from companion.virtual_table.motion.lone_die import LoneDie
from companion.virtual_table.motion.rigid_body import GRAVITY, DiceInMotion
from companion.virtual_table.motion.scenes import KINDS, KNOWN_TO_LEAN, LEANING, scene
from companion.virtual_table.motion.throws import simulated
from companion.virtual_table.motion.trace import COCKED_DEGREES

SEEDS = range(5)


@pytest.fixture(scope="module", params=["table", "tray", "cushion", "in a fold"])
def paths(request):
    scenes = [scene(request.param, seed) for seed in SEEDS]
    return DiceInMotion([one.die for one in scenes], [one.around for one in scenes]).run(scenes[0].seconds)


def test_energy_never_grows(paths):
    """Between contacts to a thousandth; within them the springs' share is known to some per cent only."""
    for die in SEEDS:
        energy = paths.energy[:, die].astype(float)
        free = energy[paths.depth[:, die] <= 0]
        assert (free - np.minimum.accumulate(free)).max(initial=0) < 0.001 * energy[0]
        assert (energy - np.minimum.accumulate(energy)).max() < 0.15 * energy[0]


def test_nothing_is_passed_through(paths):
    assert paths.depth.max() < 0.014  # a cushion gives way by a centimetre


def test_at_rest_a_chip_feels_gravity_alone(paths):
    still = paths.speed[-1] < 0.002
    assert still.any()
    assert np.linalg.norm(paths.force[-1, still], axis=1) == pytest.approx(GRAVITY, rel=0.003)


def test_hard_tables_give_way_by_less_than_two_millimetres():
    scenes = [scene("table", seed) for seed in SEEDS]
    paths = DiceInMotion([one.die for one in scenes], [one.around for one in scenes]).run(1.5)
    assert paths.depth.max() < 0.0025


def test_the_shape():
    assert len(shape.VERTICES) == 20
    assert np.allclose((shape.VERTICES @ shape.NORMALS.T).max(0), shape.INRADIUS)
    assert np.allclose(shape.NORMALS + shape.NORMALS[::-1], 0)


def test_all_faces_come_alike_with_a_centred_die():
    """A smoke test of fairness: chi-square with eleven degrees of freedom, 31.3 at a thousandth."""
    scenes = [scene("tray", seed) for seed in range(600)]
    dice = [replace(one.die, centre=np.zeros(3), inertia=np.ones(3)) for one in scenes]
    paths = DiceInMotion(dice, [one.around for one in scenes]).run(2.0)
    faces = [shape.top_face(up.astype(float))[0] for up in paths.up[-1]]
    counts = np.bincount(faces, minlength=13)[1:]
    assert ((counts - 50.0) ** 2 / 50.0).sum() < 31.3


def test_a_motion_depends_on_its_seed_alone(monkeypatch):
    wanted = [("table", 3), ("drop", 4), ("tray", 5)]
    alone = simulated(wanted[:1])[0]
    monkeypatch.setattr(import_module(simulated.__module__), "FEW", 0)
    together = simulated(wanted)[0]
    assert together.truth == alone.truth
    assert np.array_equal(together.force, alone.force)


def test_one_die_by_itself_moves_to_the_last_bit_as_one_of_many():
    alike = {}
    for one in (scene(kind, seed) for kind in KINDS for seed in (20_001, 20_002)):
        alike.setdefault((len(one.around.planes), len(one.around.points)), []).append(one)
    for scenes in alike.values():
        many = DiceInMotion([one.die for one in scenes], [one.around for one in scenes]).run(0.5)
        for die, one in enumerate(scenes):
            alone = LoneDie(one.die, one.around).run(0.5)
            for name in ("force", "speed", "up", "energy", "depth"):
                found = getattr(alone, name)[:, 0]
                assert np.array_equal(found, getattr(many, name)[: len(found), die]), (one.kind, name)


@pytest.mark.parametrize("kind", LEANING)
def test_what_is_asked_to_lean_leans(kind):
    assert motion.cocked(12_345, kind).truth.tilt >= COCKED_DEGREES


@pytest.mark.parametrize("kind", KNOWN_TO_LEAN)
def test_seeds_that_are_known_to_lean_do(kind):
    leaning = simulated((kind, seed) for seed in KNOWN_TO_LEAN[kind][::9])
    assert min(one.truth.tilt for one in leaning) >= COCKED_DEGREES


def test_acceleration_is_asked_for_at_any_time():
    lying = motion.lying(3)
    assert lying.acceleration(-5) == lying.acceleration(10**9)
    assert lying.acceleration(333.3) == pytest.approx(tuple(shape.NORMALS[2]), abs=1e-6)
