"""Offsets and scales of the die's accelerometer, found by laying it on its faces.

At rest the force is 1 g whatever face is on top, so the readings of a perfect sensor lie on a sphere. `SphereFit` takes
one averaged reading a face and finds the offsets and scales that bring them there (Gauss-Newton over six numbers, with
a weak belief that a sensor is roughly right: with six faces there are only as many readings as unknowns).
`Calibration` applies them with whole numbers and fits into twelve bytes.
"""

from array import array
from math import sqrt
from struct import pack, unpack

from firmware.die.face_normals import FACES, top_face

ONE = 4096  # a scale of exactly 1
BYTES = 12
FEWEST_FACES = 6
WORST_OFFSET = 150  # mg; data sheets promise +-40 (LIS3DH) and +-20 (LIS2DW12)
WORST_SCALE = 0.08
WORST_RESIDUAL = 12  # mg rms
_FORMAT = "<3h3H"
_ROUNDS = 5
_PRIOR_OFFSET = 0.08  # g; what a sensor is believed to be off by
_PRIOR_SCALE = 0.03
_READING = 0.003  # g; what an averaged reading is believed to be off by
_WEAKEST = 0.1  # the least pivot of the readings' equations, belief left out; twelve faces have 2, six at best 1


class BadCalibrationError(ValueError):
    """Readings that give no calibration; the text says what to do."""


class Calibration:
    """What has to be done to a reading: `offsets` in mg are taken off, then `scales` in 1/4096 multiplied."""

    def __init__(
        self, offsets: "tuple[int, int, int]" = (0, 0, 0), scales: "tuple[int, int, int]" = (ONE, ONE, ONE)
    ) -> None:
        self.offsets = offsets
        self.scales = scales

    def apply(self, x: int, y: int, z: int) -> "tuple[int, int, int]":
        """A reading in mg as a perfect sensor would have given it."""
        a, b, c = self.offsets
        p, q, r = self.scales
        return (x - a) * p >> 12, (y - b) * q >> 12, (z - c) * r >> 12

    def to_bytes(self) -> bytes:
        """Twelve bytes to keep in flash."""
        return pack(_FORMAT, *self.offsets, *self.scales)


def from_bytes(data: bytes) -> Calibration:
    """What `to_bytes` gave; `BadCalibrationError` for anything that no `SphereFit` would have given."""
    if len(data) != BYTES:
        raise BadCalibrationError("a calibration has twelve bytes")
    numbers = unpack(_FORMAT, data)
    for n in range(3):
        if abs(numbers[n]) > WORST_OFFSET or abs(numbers[n + 3] - ONE) > ONE * WORST_SCALE:
            raise BadCalibrationError("no sensor is off by that much: calibrate again")
    return Calibration(numbers[:3], numbers[3:])


class SphereFit:
    """Collects a reading a face, then solves. `faces` is a set of bits, face 1 the lowest."""

    def __init__(self) -> None:
        self.faces = 0
        self.residual = 0  # mg rms, after `solve`
        self._readings = array("h", (0 for _ in range(3 * FACES)))

    def add(self, x: int, y: int, z: int) -> int:
        """Takes the averaged raw reading of a die at rest, in mg in place of an older one of that face; the face."""
        face = top_face(x, y, z)
        for n, value in enumerate((x, y, z)):
            self._readings[3 * face - 3 + n] = max(-32767, min(32767, value))
        self.faces |= 1 << (face - 1)
        return face

    def count(self) -> int:
        """How many faces have been seen."""
        return sum(self.faces >> n & 1 for n in range(FACES))

    def solve(self) -> Calibration:
        """The calibration; sets `residual`. `BadCalibrationError` when the readings are too few or do not fit."""
        if self.count() < FEWEST_FACES:
            raise BadCalibrationError("lay the die on more faces, one after another: six at least, twelve at best")
        numbers = [0.0, 0.0, 0.0, 1.0, 1.0, 1.0]  # offsets in g, scales
        for _ in range(_ROUNDS):
            self._improve(numbers)
        self.residual = int(1000 * sqrt(self._misfit(numbers) / self.count()) + 0.5)
        for n in range(3):
            if abs(numbers[n]) * 1000 > WORST_OFFSET or abs(numbers[n + 3] - 1) > WORST_SCALE:
                raise BadCalibrationError("the readings ask for a sensor that does not exist: do not touch the die")
        if self.residual > WORST_RESIDUAL:
            raise BadCalibrationError("the readings do not fit together: lay the die on a firm, level table and wait")
        offsets = [int(round(1000 * value)) for value in numbers[:3]]
        scales = [int(round(ONE * value)) for value in numbers[3:]]
        return Calibration((offsets[0], offsets[1], offsets[2]), (scales[0], scales[1], scales[2]))

    def _improve(self, numbers: "list[float]") -> None:
        """One Gauss-Newton step."""
        square = [[0.0] * 7 for _ in range(6)]
        slopes = [0.0] * 6
        for face in range(FACES):
            if self.faces >> face & 1:
                error = self._slopes(face, numbers, slopes)
                for row in range(6):
                    for column in range(6):
                        square[row][column] += slopes[row] * slopes[column]
                    square[row][6] -= slopes[row] * error
        if _eliminated([list(row) for row in square]) < _WEAKEST:
            raise BadCalibrationError("those faces do not tell enough: lay the die on others, too, best on all twelve")
        for n in range(6):
            belief = _PRIOR_OFFSET if n < 3 else _PRIOR_SCALE
            weight = (_READING / belief) ** 2
            square[n][n] += weight
            square[n][6] -= weight * (numbers[n] - (0.0 if n < 3 else 1.0))
        for n, step in enumerate(_solved(square)):
            numbers[n] += step

    def _slopes(self, face: int, numbers: "list[float]", slopes: "list[float]") -> float:
        """By how much a reading is off the sphere, in g, and how that changes with each of the numbers."""
        length = 0.0
        for n in range(3):
            value = self._readings[3 * face + n] / 1000 - numbers[n]
            scaled = numbers[n + 3] * value
            length += scaled * scaled
            slopes[n] = -scaled * numbers[n + 3]
            slopes[n + 3] = scaled * value
        length = sqrt(length) or 1e-6
        for n in range(6):
            slopes[n] /= length
        return length - 1

    def _misfit(self, numbers: "list[float]") -> float:
        slopes = [0.0] * 6
        total = 0.0
        for face in range(FACES):
            if self.faces >> face & 1:
                total += self._slopes(face, numbers, slopes) ** 2
        return total


def _eliminated(rows: "list[list[float]]") -> float:
    """Brings six equations, each with its right side as the seventh number, into steps; answers the least pivot."""
    least = rows[0][0]
    for n in range(6):
        least = min(least, rows[n][n])
        if least <= 0:
            return 0.0
        for row in range(n + 1, 6):
            factor = rows[row][n] / rows[n][n]
            for column in range(n, 7):
                rows[row][column] -= factor * rows[n][column]
    return least


def _solved(rows: "list[list[float]]") -> "list[float]":
    """Gauss elimination of positive definite equations."""
    _eliminated(rows)
    answer = [0.0] * 6
    for n in (5, 4, 3, 2, 1, 0):
        rest = rows[n][6]
        for column in range(n + 1, 6):
            rest -= rows[n][column] * answer[column]
        answer[n] = rest / rows[n][n]
    return answer
