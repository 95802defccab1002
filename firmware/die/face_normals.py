"""The twelve faces of the handheld die as the accelerometer sees them, for the roll detector and the calibration.

A regular dodecahedron's normals are (0, +-1, +-f), (+-f, 0, +-1) and (+-1, +-f, 0) with the golden ratio f, divided by
their length; here in the axes of the chip. Opposite faces add up to 13, so six normals are enough: the face on top is
the one whose normal lies nearest to the measured force, which points up in a die at rest. Neighbouring normals are
63.43 degrees apart; a die that stands on an edge is 31.72 degrees off a face, on a corner 37.38.
"""

from math import acos, degrees, sqrt

FACES = 12
SHORT = 526  # 1000 / sqrt(1 + f * f)
LONG = 851  # 1000 * f / sqrt(1 + f * f)


def normal(face: int) -> "tuple[int, int, int]":
    """The normal of a face from 1 to 12, in thousandths."""
    pair = face - 1 if face <= 6 else 12 - face
    sign = 1 if face <= 6 else -1
    minor, major = sign * SHORT, sign * LONG
    if pair & 1:
        minor = -minor
    if pair < 2:
        return 0, minor, major
    if pair < 4:
        return major, 0, minor
    return minor, major, 0


def top_face(x: int, y: int, z: int) -> int:
    """The face that a force of (x, y, z) shows on top, 1 to 12; whole numbers only, nothing is allocated."""
    best = LONG * z + SHORT * y
    face = 1 if best >= 0 else 12
    best = abs(best)
    dot = LONG * z - SHORT * y
    if abs(dot) > best:
        best = abs(dot)
        face = 2 if dot >= 0 else 11
    dot = LONG * x + SHORT * z
    if abs(dot) > best:
        best = abs(dot)
        face = 3 if dot >= 0 else 10
    dot = LONG * x - SHORT * z
    if abs(dot) > best:
        best = abs(dot)
        face = 4 if dot >= 0 else 9
    dot = LONG * y + SHORT * x
    if abs(dot) > best:
        best = abs(dot)
        face = 5 if dot >= 0 else 8
    dot = LONG * y - SHORT * x
    if abs(dot) > best:
        face = 6 if dot >= 0 else 7
    return face


def tilt_from(face: int, x: int, y: int, z: int) -> float:
    """Degrees between a face's normal and a force; 180 for no force at all."""
    length = sqrt(x * x + y * y + z * z)
    if not length:
        return 180.0
    a, b, c = normal(face)
    return degrees(acos(max(-1.0, min(1.0, (a * x + b * y + c * z) / (length * sqrt(SHORT * SHORT + LONG * LONG))))))


def margin(face: int, x: int, y: int, z: int) -> float:
    """Degrees by which a force is nearer to `face` than to the next one; 63.4 when it points straight along it."""
    next_best = 180.0
    for other in range(1, FACES + 1):
        if other != face:
            next_best = min(next_best, tilt_from(other, x, y, z))
    return next_best - tilt_from(face, x, y, z)
