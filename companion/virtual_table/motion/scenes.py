"""How dice are thrown, dropped and left leaning: starts and surroundings for the rigid body, one function a kind.

A scene depends on its kind and seed only. Lengths in metres, the table at height 0.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from companion.virtual_table.motion.dodecahedron import CIRCUMRADIUS, INRADIUS, VERTICES, Floats
from companion.virtual_table.motion.hand_signals import unit
from companion.virtual_table.motion.rigid_body import Die, Surroundings


@dataclass(frozen=True)
class Scene:
    """One die to simulate. `from_rest` says that it lies on the table before somebody takes it."""

    kind: str
    seed: int
    die: Die
    around: Surroundings
    seconds: float
    from_rest: bool


def scene(kind: str, seed: int) -> Scene:
    """The scene of that kind and seed; KeyError for an unknown kind."""
    rng = np.random.default_rng([seed, sum(kind.encode()), 12])
    die, around, seconds = KINDS[kind](rng)
    return Scene(kind, seed, die, around, seconds, bool(rng.random() < 0.4))


def _die(rng: np.random.Generator, height: float, velocity: Floats, spin: float) -> Die:
    """A die of 20 to 30 g, its mass up to a millimetre off centre, the chip up to two and a half."""
    return Die(
        mass=rng.uniform(0.020, 0.030),
        centre=unit(rng.normal(size=3)) * rng.uniform(0, 0.001),
        inertia=rng.uniform(0.92, 1.08, 3),
        chip=unit(rng.normal(size=3)) * rng.uniform(0.0003, 0.0025),
        position=np.array([0.0, 0.0, CIRCUMRADIUS + 0.001 + height]),
        velocity=velocity,
        attitude=_attitude(rng),
        spin=unit(rng.normal(size=3)) * spin,
    )


def _attitude(rng: np.random.Generator) -> Floats:
    """Any attitude, all equally likely."""
    w, x, y, z = unit(rng.normal(size=4))
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )


def _standing(rng: np.random.Generator, direction: Floats) -> Floats:
    """An attitude in which `direction` of the die points up."""
    side = unit(np.cross(direction, rng.normal(size=3)))
    return np.array([side, np.cross(direction, side), direction])


def _floor(rng: np.random.Generator, *, slope: float = 1.5) -> Floats:
    lean = np.radians(rng.uniform(0, slope))
    way = rng.uniform(0, 2 * np.pi)
    return np.array([[np.sin(lean) * np.cos(way), np.sin(lean) * np.sin(way), np.cos(lean), 0.0]])


def _hard(rng: np.random.Generator, planes: Floats) -> Surroundings:
    """Wood, glass, a printed board: short contacts, bouncy to dull."""
    return Surroundings(
        planes,
        contact_s=rng.uniform(0.0008, 0.002),
        damping=rng.uniform(0.08, 0.4),
        friction=rng.uniform(0.15, 0.5),
    )


def _table(rng: np.random.Generator) -> tuple[Die, Surroundings, float]:
    """Thrown over a bare table."""
    velocity = np.array([rng.uniform(0.3, 2.0), rng.uniform(-0.3, 0.3), rng.uniform(-1.0, 0.8)])
    return _die(rng, rng.uniform(0.04, 0.35), velocity, rng.uniform(5, 45)), _hard(rng, _floor(rng)), 5.0


def _tray(rng: np.random.Generator) -> tuple[Die, Surroundings, float]:
    """Into a dice tray: felt, four walls."""
    half = rng.uniform(0.09, 0.16)
    walls = [[1, 0, 0, -half], [-1, 0, 0, -half], [0, 1, 0, -half], [0, -1, 0, -half]]
    velocity = np.array([rng.uniform(-1.2, 1.2), rng.uniform(-1.2, 1.2), rng.uniform(-1.5, 0.3)])
    around = Surroundings(
        np.concatenate([_floor(rng), np.array(walls)]),
        contact_s=rng.uniform(0.002, 0.005),
        damping=rng.uniform(0.2, 0.5),
        friction=rng.uniform(0.25, 0.5),
    )
    return _die(rng, rng.uniform(0.03, 0.25), velocity, rng.uniform(5, 40)), around, 4.0


def _cushion(rng: np.random.Generator) -> tuple[Die, Surroundings, float]:
    """Onto a cushion, a folded cloth, a thick carpet."""
    around = Surroundings(
        _floor(rng, slope=4),
        contact_s=rng.uniform(0.008, 0.022),
        damping=rng.uniform(0.25, 0.6),
        friction=rng.uniform(0.4, 0.8),
    )
    velocity = np.array([rng.uniform(0, 0.8), 0.0, rng.uniform(-0.8, 0.3)])
    return _die(rng, rng.uniform(0.03, 0.25), velocity, rng.uniform(3, 30)), around, 3.0


def _short(rng: np.random.Generator) -> tuple[Die, Surroundings, float]:
    """Rolled out of the fingers just above the table."""
    speed = rng.uniform(0.15, 0.6)
    die = _die(rng, rng.uniform(0, 0.02), np.array([speed, 0.0, rng.uniform(-0.2, 0.1)]), 0.0)
    forward = np.array([rng.normal() * 0.2, 1.0, rng.normal() * 0.2])
    rolling = unit(forward) * speed / INRADIUS * rng.uniform(0.5, 1.2)
    return replace(die, spin=die.attitude.T @ rolling), _hard(rng, _floor(rng)), 3.0


def _drop(rng: np.random.Generator) -> tuple[Die, Surroundings, float]:
    """Let fall, nearly without a spin."""
    velocity = np.array([rng.uniform(-0.1, 0.1), 0.0, 0.0])
    return _die(rng, rng.uniform(0.03, 0.40), velocity, rng.uniform(0, 4)), _hard(rng, _floor(rng)), 4.0


def _spin(rng: np.random.Generator) -> tuple[Die, Surroundings, float]:
    """Twirled on a corner like a top."""
    die = _die(rng, 0.0, np.array([rng.uniform(-0.1, 0.1), rng.uniform(-0.1, 0.1), 0.0]), 0.0)
    corner = unit(VERTICES[rng.integers(20)])
    lean = unit(corner + np.tan(np.radians(rng.uniform(0, 8))) * unit(np.cross(corner, rng.normal(size=3))))
    attitude = _standing(rng, lean)
    die = replace(die, attitude=attitude, position=np.array([0.0, 0.0, CIRCUMRADIUS + 0.0005]))
    twirl = np.array([rng.normal() * 3, rng.normal() * 3, rng.uniform(35, 100) * rng.choice([-1, 1])])
    return replace(die, spin=attitude.T @ twirl), _hard(rng, _floor(rng)), 9.0


def _twice(rng: np.random.Generator) -> tuple[Die, Surroundings, float]:
    """Falls on something that does not stay, and from there onto the table: one throw."""
    die, around, _ = (_tray, _table, _drop)[rng.integers(3)](rng)
    around = replace(around, planes=around.planes[:1], gone_s=rng.uniform(0.12, 1.3), gone_by=rng.uniform(0.03, 0.5))
    return die, around, 5.0


def _against_a_wall(rng: np.random.Generator) -> tuple[Die, Surroundings, float]:
    """Falls beside a wall that it may lean on."""
    lean = np.radians(rng.uniform(-12, 4))
    gap = CIRCUMRADIUS + rng.uniform(0.002, 0.02) + max(0.0, -0.25 * np.sin(lean))
    planes = np.concatenate([_floor(rng), [[np.cos(lean), 0.0, np.sin(lean), -gap]]])
    velocity = np.array([rng.uniform(-0.8, 0), rng.uniform(-0.2, 0.2), rng.uniform(-0.5, 0.2)])
    return _die(rng, rng.uniform(0.03, 0.2), velocity, rng.uniform(2, 20)), _rough(rng, planes), 4.0


def _in_a_fold(rng: np.random.Generator) -> tuple[Die, Surroundings, float]:
    """Falls into a fold of the cloth or between two things."""
    left, right = np.radians(rng.uniform(16, 50, 2))
    planes = np.array([[np.sin(left), 0, np.cos(left), 0.0], [-np.sin(right), 0, np.cos(right), 0.0]])
    velocity = np.array([rng.uniform(-0.3, 0.3), rng.uniform(-0.3, 0.3), rng.uniform(-0.5, 0.2)])
    return _die(rng, rng.uniform(0.03, 0.2), velocity, rng.uniform(2, 25)), _rough(rng, planes), 4.0


def _on_a_piece(rng: np.random.Generator) -> tuple[Die, Surroundings, float]:
    """Falls onto the edge of a taxi or another die that stands near a wall."""
    height, along = rng.uniform(0.005, 0.016), np.arange(-0.018, 0.019, 0.003)
    points = [[x, y, height] for x in (0.0, rng.uniform(0.006, 0.016)) for y in along]
    walls = [[-1.0, 0.0, 0.0, -rng.uniform(0.027, 0.04)], [1.0, 0.0, 0.0, -rng.uniform(0.04, 0.055)]]
    velocity = np.array([rng.uniform(-0.15, 0.15), rng.uniform(-0.1, 0.1), rng.uniform(-0.3, 0.1)])
    die = _die(rng, rng.uniform(0.03, 0.12), velocity, rng.uniform(0, 10))
    die.position[0] = rng.uniform(-0.012, 0.0)
    planes = np.concatenate([_floor(rng), np.array(walls)])
    return die, replace(_rough(rng, planes), points=np.array(points)), 4.0


def _on_a_slope(rng: np.random.Generator) -> tuple[Die, Surroundings, float]:
    """Falls onto something aslant with a ledge below: an open book, a rule sheet that leans on a box."""
    left, right = np.radians(rng.uniform(15, 26)), np.radians(rng.uniform(55, 85))
    planes = np.array([[np.sin(left), 0, np.cos(left), 0.0], [-np.sin(right), 0, np.cos(right), 0.0]])
    die = _die(rng, rng.uniform(0.05, 0.12), np.array([0.0, 0.0, 0.0]), rng.uniform(0, 10))
    die.position[2] = (CIRCUMRADIUS + 0.002) / np.cos(right) if right < np.radians(70) else die.position[2]
    die.position[0] = -0.09 if right >= np.radians(70) else 0.0
    die.position[2] += max(0.0, -die.position[0] * np.tan(left))
    return die, _rough(rng, planes), 4.0


def _wedged(rng: np.random.Generator) -> tuple[Die, Surroundings, float]:
    """Falls between two steep sides and sticks."""
    left, right = np.radians(rng.uniform(50, 72, 2))
    planes = np.array([[np.sin(left), 0, np.cos(left), 0.0], [-np.sin(right), 0, np.cos(right), 0.0]])
    velocity = np.array([rng.uniform(-0.1, 0.1), rng.uniform(-0.3, 0.3), rng.uniform(-0.5, 0.0)])
    die = _die(rng, rng.uniform(0.0, 0.1), velocity, rng.uniform(0, 15))
    die.position[2] += CIRCUMRADIUS / np.cos(max(left, right))
    return die, _rough(rng, planes), 4.0


def _rough(rng: np.random.Generator, planes: Floats) -> Surroundings:
    return Surroundings(
        planes,
        contact_s=rng.uniform(0.0015, 0.004),
        damping=rng.uniform(0.25, 0.5),
        friction=rng.uniform(0.5, 0.95),
    )


THROWS = ("table", "tray", "cushion", "short", "drop", "spin", "twice")
LEANING = ("against a wall", "in a fold", "on a piece", "on a slope", "wedged")
# fmt: off
KNOWN_TO_LEAN = {
    "against a wall": (
        5014, 5016, 5228, 5241, 5349, 5371, 5524, 5628, 5634, 5853, 5930, 6082, 6119, 6300, 6500, 6566, 6664, 6679,
        6713, 6792, 6827, 6951, 7138, 7232, 7238, 7263, 7378, 7421, 7865, 7876, 7900, 7913, 8092, 8153, 8154, 8365,
        8750, 8926, 9122, 9171, 9411, 9543, 9581, 9604, 9610, 9709, 9885, 9907, 10037, 10150, 10396, 10413, 10533,
    ),
}
# fmt: on
"""Seeds that ended leaning, of kinds in which only one of a hundred does: whoever wants one need not search."""
KINDS: dict[str, Callable[[np.random.Generator], tuple[Die, Surroundings, float]]] = {
    "table": _table,
    "tray": _tray,
    "cushion": _cushion,
    "short": _short,
    "drop": _drop,
    "spin": _spin,
    "twice": _twice,
    "against a wall": _against_a_wall,
    "in a fold": _in_a_fold,
    "on a piece": _on_a_piece,
    "on a slope": _on_a_slope,
    "wedged": _wedged,
}
