"""The shape of the handheld die, for the simulated throws.

A regular dodecahedron with its faces numbered as `firmware.die.face_normals` has them; metres, kilograms.
"""

from __future__ import annotations

from itertools import product

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

INRADIUS = 0.020
GOLDEN = (1 + 5**0.5) / 2
EDGE = 2 * INRADIUS * (3 - GOLDEN) ** 0.5 / GOLDEN**2
SHAPE_INERTIA = (39 * GOLDEN + 28) / 150 * EDGE**2
"""Moment of inertia of a solid one divided by its mass, the same about every axis through its centre."""


def _normals() -> Floats:
    short, long = np.array([1.0, GOLDEN]) / np.hypot(1.0, GOLDEN)
    half = [(0, short, long), (0, -short, long), (long, 0, short)]
    half += [(long, 0, -short), (short, long, 0), (-short, long, 0)]
    return np.array(half + [(-x, -y, -z) for x, y, z in reversed(half)])


def _vertices() -> Floats:
    """Twenty corners: each is where three neighbouring faces meet."""
    corners: list[tuple[float, ...]] = [*product((-1.0, 1.0), repeat=3)]
    for a, b in product((-1.0, 1.0), repeat=2):
        corners += [(0, a * GOLDEN, b / GOLDEN), (a * GOLDEN, b / GOLDEN, 0), (a / GOLDEN, 0, b * GOLDEN)]
    found = np.array(corners)
    scaled: Floats = found * INRADIUS / (found @ NORMALS.T).max()
    return scaled


NORMALS = _normals()
VERTICES = _vertices()
CIRCUMRADIUS = float(np.linalg.norm(VERTICES[0]))


def top_face(up: Floats) -> tuple[int, float]:
    """The face from 1 to 12 whose normal lies nearest to `up` (in the die's axes), and degrees between the two."""
    cosines = NORMALS @ up / np.linalg.norm(up)
    return int(cosines.argmax()) + 1, float(np.degrees(np.arccos(min(1.0, cosines.max()))))
