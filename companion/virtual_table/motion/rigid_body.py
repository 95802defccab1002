"""Many dice at once as rigid bodies that bounce, rub, roll and settle, for the simulated throws.

Contacts are springs with dampers at the corners, and friction is a spring along the surface that slips at Coulomb's
limit, so that a die which leans on something stays where it is. Every force that is added to the springs takes energy
away. Steps are 0.1 ms, semi-implicit Euler; arrays hold one die a column. Results do not depend on how many dice are
simulated together: nothing is summed across dice, and no function whose last bit depends on its place in an array.

A surface is a plane (corners touch it) or a point that sticks out (faces touch it, as they touch the edge of a thing
that lies about).
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from companion.virtual_table.motion.dodecahedron import (
    CIRCUMRADIUS,
    INRADIUS,
    NORMALS,
    SHAPE_INERTIA,
    VERTICES,
    Floats,
)

STEP_S = 1e-4
STEPS_PER_SAMPLE = 10
SAMPLE_RATE = 1000
GRAVITY = 9.80665
STILL = 0.002  # m/s; so slow a die for so many samples moves no more
STILL_SAMPLES = 250
TIDY_EACH = 50
PIVOT_RADIUS = 0.0004  # m; how wide a corner touches, which brakes a die that spins on it
SLOW_PIVOT = 2.0  # rad/s, below which that brake fades


@dataclass
class Die:
    """One die and how it starts: SI units, the world's z axis up, `attitude` a matrix from die to world."""

    mass: float
    centre: Floats  # of mass, from the middle, in the die's axes
    inertia: Floats  # about its three axes, divided by that of a perfect die
    chip: Floats  # where the accelerometer sits, from the middle, in the die's axes
    position: Floats  # of the centre of mass
    velocity: Floats
    attitude: Floats
    spin: Floats  # in the die's axes


@dataclass
class Surroundings:
    """What one die may hit. All dice of one simulation have as many planes and points."""

    planes: Floats  # (n, 4): unit normal and distance from the origin; what is below is inside
    points: Floats = field(default_factory=lambda: np.zeros((0, 3)))
    contact_s: float = 0.001  # how long a corner touches when the die falls on it
    damping: float = 0.25  # of critical: 0.1 bounces well, 0.5 hardly
    friction: float = 0.4
    gone_s: float = float("inf")  # when plane 0 is pulled away,
    gone_by: float = 0.0  # leaving one that is so much lower, m


@dataclass
class Paths:
    """What became of the dice, a sample each millisecond. `force` is what the chip feels, in m/s² and its axes."""

    force: NDArray[np.float32]  # (samples, dice, 3), the mean over the millisecond
    speed: NDArray[np.float32]  # (samples, dice): the most that any corner moves at, m/s
    up: NDArray[np.float32]  # (samples, dice, 3): the world's z axis in the die's axes
    energy: NDArray[np.float32]  # (samples, dice), J, springs included
    depth: NDArray[np.float32]  # (samples, dice), m, the deepest that any corner is inside anything


class _Contacts:
    """The state of everything that may touch: which does, and how far its friction spring is stretched."""

    def __init__(self, kinds: int) -> None:
        self.touching = np.zeros(0, dtype=np.int64)
        self.was = np.zeros(kinds, dtype=bool)
        self.stretch = np.zeros((3, kinds))

    def keep(self, stay: NDArray[np.bool_]) -> None:
        """Forgets the contacts of the dice that do not stay."""
        self.was = self.was.reshape(-1, len(stay))[:, stay].ravel()
        self.stretch = np.ascontiguousarray(self.stretch.reshape(3, -1, len(stay))[..., stay].reshape(3, -1))
        self.touching = np.flatnonzero(self.was)

    def begin(self, touching: NDArray[np.int64]) -> Floats:
        """The stretch of the springs that touch now; those that have just come are slack."""
        fresh = touching[~self.was[touching]]
        self.stretch[:, fresh] = 0.0
        self.was[self.touching] = False
        self.was[touching] = True
        self.touching = touching
        return np.ascontiguousarray(self.stretch[:, touching])


class DiceInMotion:
    """Simulates dice of which each has its own surroundings."""

    def __init__(self, dice: list[Die], around: list[Surroundings]) -> None:
        self.count = len(dice)
        self.mass = np.array([die.mass for die in dice])
        self.inertia = np.array([die.inertia for die in dice]).T * SHAPE_INERTIA * self.mass
        self.centre = np.array([die.centre for die in dice]).T.copy()
        self.arm = np.array([die.chip for die in dice]).T - self.centre
        self.place = np.array([die.position for die in dice]).T.copy()
        self.velocity = np.array([die.velocity for die in dice]).T.copy()
        self.spin = np.array([die.spin for die in dice]).T.copy()
        self.turn = np.array([die.attitude for die in dice]).transpose(1, 2, 0).copy()
        self.planes = np.array([one.planes for one in around]).transpose(1, 2, 0).copy()
        self.points = np.array([one.points for one in around]).transpose(1, 2, 0).copy()
        self.friction = np.array([one.friction for one in around])
        self.gone = np.array([one.gone_s for one in around])
        self.gone_by = np.array([one.gone_by for one in around])
        pace = np.pi / np.array([one.contact_s for one in around])
        corner_mass = 0.45 * self.mass  # what a corner has behind it when the die hits askew
        self.stiffness = corner_mass * pace**2
        self.damper = 2 * np.array([one.damping for one in around]) * corner_mass * pace
        self.time = 0.0
        self._corners = _Contacts(len(self.planes) * self.count * 20)
        self._tips = _Contacts(len(self.points) * self.count)
        self._stored = np.zeros(self.count)
        self._deepest = np.zeros(self.count)

    def run(self, seconds: float, *, until_still: bool = True) -> Paths:
        """Goes on for so long, or until all dice have lain still for a quarter of a second.

        Whichever has is left out of what follows: its last sample stands for the rest.
        """
        samples, dice = int(seconds * SAMPLE_RATE), self.count
        force = np.zeros((samples, dice, 3), dtype=np.float32)
        speed = np.zeros((samples, dice), dtype=np.float32)
        up = np.zeros((samples, dice, 3), dtype=np.float32)
        energy = np.zeros((samples, dice), dtype=np.float32)
        depth = np.zeros((samples, dice), dtype=np.float32)
        kept: tuple[NDArray[np.float32], ...] = (force, speed, up, energy, depth)
        moving = np.arange(dice)  # which die each column is
        calm = np.zeros(dice, dtype=np.int64)
        ends = np.full(dice, samples)
        done = 0
        while done < samples and len(moving):
            felt = np.zeros((3, self.count))
            for _ in range(STEPS_PER_SAMPLE):
                felt += self._step()
            fastest = np.sqrt(_dot(self.velocity, self.velocity)) + np.sqrt(_dot(self.spin, self.spin)) * CIRCUMRADIUS
            force[done, moving] = (felt / STEPS_PER_SAMPLE).T
            speed[done, moving] = fastest
            up[done, moving] = self.turn[2].T
            energy[done, moving] = self._energy()
            depth[done, moving] = self._deepest
            done += 1
            still = (fastest < STILL) & ((self.time > self.gone) | (self.gone == np.inf))
            calm = np.where(still, calm + 1, 0)
            if until_still and done % TIDY_EACH == 0 and calm.max() >= STILL_SAMPLES:
                stay = calm < STILL_SAMPLES
                ends[moving[~stay]] = done
                self._keep(stay)
                moving, calm = moving[stay], calm[stay]
        for die, end in enumerate(ends):
            for array in kept:
                array[end:done, die] = array[end - 1, die]
        return Paths(*(array[:done] for array in kept))

    def _keep(self, stay: NDArray[np.bool_]) -> None:
        """Leaves the dice out that lie still."""
        for name in ("mass", "inertia", "centre", "arm", "place", "velocity", "spin", "turn", "planes", "points"):
            setattr(self, name, np.ascontiguousarray(getattr(self, name)[..., stay]))
        for name in ("friction", "gone", "gone_by", "stiffness", "damper", "_stored", "_deepest"):
            setattr(self, name, getattr(self, name)[stay])
        for contacts in (self._corners, self._tips):
            contacts.keep(stay)
        self.count = int(stay.sum())

    def _energy(self) -> Floats:
        moving = 0.5 * self.mass * _dot(self.velocity, self.velocity) + 0.5 * _dot(self.inertia, self.spin**2)
        return moving + self.mass * GRAVITY * self.place[2] + self._stored  # type: ignore[no-any-return]

    def _step(self) -> Floats:
        """One step; what the chips felt in it."""
        push = np.zeros((3, self.count))
        twist = np.zeros((3, self.count))
        self._stored[:] = 0.0
        self._deepest[:] = 0.0
        self._touch_planes(push, twist)
        if len(self.points):
            self._touch_points(push, twist)
        turn, spin, inertia = self.turn, self.spin, self.inertia
        # Euler's equations in the die's axes.
        torque = _into(turn, twist)
        change = (torque - _cross(spin, inertia * spin)) / inertia
        felt = _into(turn, push / self.mass) + _cross(change, self.arm) + _cross(spin, _cross(spin, self.arm))
        self.velocity += push * (STEP_S / self.mass)
        self.velocity[2] -= GRAVITY * STEP_S
        self.spin += change * STEP_S
        self.place += self.velocity * STEP_S
        self._rotate()
        self.time += STEP_S
        return felt

    def _touch_planes(self, push: Floats, twist: Floats) -> None:
        turn, place, centre = self.turn, self.place, self.centre
        heights = []
        for n, plane in enumerate(self.planes):
            normal = _into(turn, plane[:3])  # in the die's axes
            base = _dot(plane[:3], place) - plane[3] - _dot(normal, centre)
            if n == 0:
                base = base + np.where(self.time >= self.gone, self.gone_by, 0.0)
            if base.min() > CIRCUMRADIUS:
                heights.append(np.ones((20, self.count)))
                continue
            height = base + normal[0] * VERTICES[:, 0, None]
            height += normal[1] * VERTICES[:, 1, None]
            height += normal[2] * VERTICES[:, 2, None]
            heights.append(height)
        height = np.concatenate(heights).ravel() if len(heights) > 1 else heights[0].ravel()
        touching = np.flatnonzero(height < 0)
        if not len(touching) and not len(self._corners.touching):
            return
        who = touching % self.count
        corner = touching // self.count % 20
        plane_of = touching // self.count // 20
        arm_in = VERTICES[corner].T - centre[:, who]
        arm = _out(turn[:, :, who], arm_in)
        normal = self.planes[plane_of, :3, who].T
        self._push(self._corners, touching, who, arm, normal, -height[touching], push, twist)

    def _touch_points(self, push: Floats, twist: Floats) -> None:
        turn, place, centre = self.turn, self.place, self.centre
        inside = []
        for point in self.points:
            where = _into(turn, point - place) + centre
            far = NORMALS[:, 0, None] * where[0] + NORMALS[:, 1, None] * where[1]
            far += NORMALS[:, 2, None] * where[2]
            inside.append(far)
        distance = np.array(inside)  # point, face, die
        face = distance.argmax(1)
        height = (distance.max(1) - INRADIUS).ravel()
        touching = np.flatnonzero(height < 0)
        if not len(touching) and not len(self._tips.touching):
            return
        who = touching % self.count
        point_of = touching // self.count
        arm = self.points[point_of, :, who].T - place[:, who]
        # The die is pushed against the normal of the face that the point has entered.
        normal = -_out(turn[:, :, who], NORMALS[face.ravel()[touching]].T)
        self._push(self._tips, touching, who, arm, normal, -height[touching], push, twist)

    def _push(
        self,
        contacts: _Contacts,
        touching: NDArray[np.int64],
        who: NDArray[np.int64],
        arm: Floats,
        normal: Floats,
        depth: Floats,
        push: Floats,
        twist: Floats,
    ) -> None:
        """Adds what springs, dampers and friction do at these contacts to the forces on the dice."""
        stretch = contacts.begin(touching)
        if not len(touching):
            return
        spin = _out(self.turn[:, :, who], self.spin[:, who])
        speed = self.velocity[:, who] + _cross(spin, arm)
        along = _dot(speed, normal)
        stiffness, damper = self.stiffness[who], self.damper[who]
        lift = np.maximum(stiffness * depth - damper * along, 0.0)
        slide = speed - along * normal
        stretch += slide * STEP_S
        stretch -= _dot(stretch, normal) * normal
        rub = -0.7 * (stiffness * stretch + damper * slide)
        size = np.sqrt(_dot(rub, rub))
        most = self.friction[who] * lift
        slips = size > most
        rub *= np.where(slips, most / np.maximum(size, 1e-12), 1.0)
        # A spring that has slipped holds no more than friction can: shortened, never stretched, so no energy is made.
        held = 0.7 * stiffness * np.sqrt(_dot(stretch, stretch))
        stretch *= np.where(held > most, most / np.maximum(held, 1e-12), 1.0)
        contacts.stretch[:, touching] = stretch
        force = lift * normal + rub
        pivot = _dot(spin, normal)
        brake = self.friction[who] * lift * PIVOT_RADIUS * pivot / (np.abs(pivot) + SLOW_PIVOT)
        torque = _cross(arm, force) - brake * normal
        for n in range(3):
            push[n] += np.bincount(who, force[n], self.count)
            twist[n] += np.bincount(who, torque[n], self.count)
        kept = 0.5 * stiffness * (depth**2 + 0.7 * _dot(stretch, stretch))
        self._stored += np.bincount(who, kept, self.count)
        np.maximum.at(self._deepest, who, depth)

    def _rotate(self) -> None:
        """Turns by the spin of one step: exact to second order, brought back to a rotation each step."""
        turn = self.turn
        x, y, z = turn[:, 0], turn[:, 1], turn[:, 2]
        a, b, c = self.spin * STEP_S
        first = x + y * c - z * b - 0.5 * (x * (b * b + c * c) - y * a * b - z * a * c)
        second = y + z * a - x * c - 0.5 * (y * (a * a + c * c) - x * a * b - z * b * c)
        second -= first * _dot(first, second)
        first *= 1.5 - 0.5 * _dot(first, first)
        second *= 1.5 - 0.5 * _dot(second, second)
        turn[:, 0], turn[:, 1] = first, second
        turn[:, 2] = _cross(first, second)


def _dot(a: Floats, b: Floats) -> Floats:
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]  # type: ignore[no-any-return]


def _cross(a: Floats, b: Floats) -> Floats:
    return np.array([a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]])


def _out(turn: Floats, a: Floats) -> Floats:
    """From the axes of the dice to the world's."""
    return turn[:, 0] * a[0] + turn[:, 1] * a[1] + turn[:, 2] * a[2]  # type: ignore[no-any-return]


def _into(turn: Floats, a: Floats) -> Floats:
    """From the world's axes to those of the dice."""
    return turn[0] * a[0] + turn[1] * a[1] + turn[2] * a[2]  # type: ignore[no-any-return]
