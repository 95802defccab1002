"""One die as `rigid_body` moves many, number by number: for somebody who has thrown a die and waits for it.

Arrays of one column cost ten times what plain numbers do, arrays of hundreds a tenth. The sums are those of
`rigid_body` in the same order, so the results are the same to the last bit, and a test holds both to that: whoever
changes the mechanics changes both.
"""

from __future__ import annotations

from math import inf, sqrt

import numpy as np

from companion.virtual_table.motion.dodecahedron import CIRCUMRADIUS, INRADIUS, NORMALS, SHAPE_INERTIA, VERTICES
from companion.virtual_table.motion.rigid_body import (
    GRAVITY,
    PIVOT_RADIUS,
    SAMPLE_RATE,
    SLOW_PIVOT,
    STEP_S,
    STEPS_PER_SAMPLE,
    STILL,
    STILL_SAMPLES,
    TIDY_EACH,
    Die,
    Paths,
    Surroundings,
)

Vector = tuple[float, float, float]

_CORNERS: list[Vector] = [(x, y, z) for x, y, z in VERTICES.tolist()]
_FACES: list[Vector] = [(x, y, z) for x, y, z in NORMALS.tolist()]
_NEAR = (CIRCUMRADIUS * 1.001) ** 2  # what is farther from the middle, squared, is outside all faces
_SLACK: Vector = (0.0, 0.0, 0.0)


class LoneDie:
    """One die in its surroundings. SI units; vectors of the world unless they are said to be the die's."""

    def __init__(self, die: Die, around: Surroundings) -> None:
        self.mass = float(die.mass)
        self.inertia = _vector(die.inertia * SHAPE_INERTIA * self.mass)
        self.centre = _vector(die.centre)
        self.arm = _vector(die.chip - die.centre)
        self.place = _vector(die.position)
        self.velocity = _vector(die.velocity)
        self.spin = _vector(die.spin)
        self.turn = tuple(_vector(row) for row in die.attitude)  # rows: the world's axes in the die's
        self.planes = [(float(a), float(b), float(c), float(d)) for a, b, c, d in around.planes]
        self.points = [_vector(point) for point in around.points]
        self.friction = float(around.friction)
        self.gone = float(around.gone_s)
        self.gone_by = float(around.gone_by)
        pace = np.pi / around.contact_s
        corner_mass = 0.45 * self.mass
        self.stiffness = float(corner_mass * pace**2)
        self.damper = float(2 * around.damping * corner_mass * pace)
        self.time = 0.0
        self._corners: dict[int, Vector] = {}  # how far the friction springs of those that touch are stretched
        self._tips: dict[int, Vector] = {}
        self._stored = 0.0
        self._deepest = 0.0
        self._push = self._twist = _SLACK

    def run(self, seconds: float) -> Paths:
        """Goes on for so long, or until the die has lain still for a quarter of a second."""
        samples = int(seconds * SAMPLE_RATE)
        kept: list[tuple[float, ...]] = []
        calm = 0
        while len(kept) < samples:
            fx, fy, fz = 0.0, 0.0, 0.0
            for _ in range(STEPS_PER_SAMPLE):
                x, y, z = self._step()
                fx, fy, fz = fx + x, fy + y, fz + z
            fastest = sqrt(_dot(self.velocity, self.velocity)) + sqrt(_dot(self.spin, self.spin)) * CIRCUMRADIUS
            n = STEPS_PER_SAMPLE
            kept.append((fx / n, fy / n, fz / n, fastest, *self.turn[2], self._energy(), self._deepest))
            still = fastest < STILL and (self.time > self.gone or self.gone == inf)
            calm = calm + 1 if still else 0
            if len(kept) % TIDY_EACH == 0 and calm >= STILL_SAMPLES:
                break
        table = np.array(kept).astype(np.float32)[:, None]
        return Paths(table[..., :3], table[..., 3], table[..., 4:7], table[..., 7], table[..., 8])

    def _energy(self) -> float:
        (x, y, z), (i, j, k) = self.spin, self.inertia
        turning = i * (x * x) + j * (y * y) + k * (z * z)
        moving = 0.5 * self.mass * _dot(self.velocity, self.velocity) + 0.5 * turning
        return moving + self.mass * GRAVITY * self.place[2] + self._stored

    def _step(self) -> Vector:
        """One step; what the chip felt in it, in the die's axes."""
        self._stored = self._deepest = 0.0
        self._push = self._twist = _SLACK
        self._touch_planes()
        if self.points:
            self._touch_points()
        mass = self.mass
        (ux, uy, uz), (vx, vy, vz), (wx, wy, wz) = self.turn
        px, py, pz = self._push
        tx, ty, tz = self._twist
        sx, sy, sz = self.spin
        ix, iy, iz = self.inertia
        mx, my, mz = ix * sx, iy * sy, iz * sz
        cx = ((ux * tx + vx * ty + wx * tz) - (sy * mz - sz * my)) / ix
        cy = ((uy * tx + vy * ty + wy * tz) - (sz * mx - sx * mz)) / iy
        cz = ((uz * tx + vz * ty + wz * tz) - (sx * my - sy * mx)) / iz
        ax, ay, az = self.arm
        ox, oy, oz = sy * az - sz * ay, sz * ax - sx * az, sx * ay - sy * ax
        qx, qy, qz = px / mass, py / mass, pz / mass
        felt = (
            (ux * qx + vx * qy + wx * qz) + (cy * az - cz * ay) + (sy * oz - sz * oy),
            (uy * qx + vy * qy + wy * qz) + (cz * ax - cx * az) + (sz * ox - sx * oz),
            (uz * qx + vz * qy + wz * qz) + (cx * ay - cy * ax) + (sx * oy - sy * ox),
        )
        share = STEP_S / mass
        x, y, z = self.velocity
        x, y, z = x + px * share, y + py * share, z + pz * share - GRAVITY * STEP_S
        self.velocity = (x, y, z)
        a, b, c = self.place
        self.place = (a + x * STEP_S, b + y * STEP_S, c + z * STEP_S)
        self.spin = (sx + cx * STEP_S, sy + cy * STEP_S, sz + cz * STEP_S)
        self._rotate()
        self.time += STEP_S
        return felt

    def _touch_planes(self) -> None:
        place, centre = self.place, self.centre
        (ux, uy, uz), (vx, vy, vz), (wx, wy, wz) = self.turn
        before, self._corners = self._corners, {}
        for n, (px, py, pz, far) in enumerate(self.planes):
            nx, ny, nz = ux * px + vx * py + wx * pz, uy * px + vy * py + wy * pz, uz * px + vz * py + wz * pz
            normal = (px, py, pz)
            base = _dot(normal, place) - far - _dot((nx, ny, nz), centre)
            if n == 0 and self.time >= self.gone:
                base += self.gone_by
            if base > CIRCUMRADIUS:
                continue
            for corner, (x, y, z) in enumerate(_CORNERS):
                height = base + nx * x + ny * y + nz * z
                if height < 0:
                    a, b, c = x - centre[0], y - centre[1], z - centre[2]
                    arm = (ux * a + uy * b + uz * c, vx * a + vy * b + vz * c, wx * a + wy * b + wz * c)
                    key = 20 * n + corner
                    self._corners[key] = self._touch(before.get(key, _SLACK), arm, normal, -height)

    def _touch_points(self) -> None:
        (px, py, pz), (a, b, c) = self.place, self.centre
        (ux, uy, uz), (vx, vy, vz), (wx, wy, wz) = self.turn
        before, self._tips = self._tips, {}
        push, twist, stored = self._push, self._twist, self._stored
        self._push, self._twist, self._stored = _SLACK, _SLACK, 0.0
        for key, (x, y, z) in enumerate(self.points):
            dx, dy, dz = x - px, y - py, z - pz
            x = ux * dx + vx * dy + wx * dz + a
            y = uy * dx + vy * dy + wy * dz + b
            z = uz * dx + vz * dy + wz * dz + c
            if x * x + y * y + z * z > _NEAR:
                continue
            distances = [i * x + j * y + k * z for i, j, k in _FACES]
            height = max(distances) - INRADIUS
            if height < 0:
                i, j, k = _FACES[distances.index(max(distances))]
                normal = (-(ux * i + uy * j + uz * k), -(vx * i + vy * j + vz * k), -(wx * i + wy * j + wz * k))
                self._tips[key] = self._touch(before.get(key, _SLACK), (dx, dy, dz), normal, -height)
        # The sums of all tips are added to those of the corners, as arrays add them.
        self._push, self._twist, self._stored = _sum(push, self._push), _sum(twist, self._twist), stored + self._stored

    def _touch(self, stretch: Vector, arm: Vector, normal: Vector, depth: float) -> Vector:
        """Adds what spring, damper and friction of one contact do; how far its friction spring is stretched then."""
        (ux, uy, uz), (vx, vy, vz), (wx, wy, wz) = self.turn
        a, b, c = self.spin
        sx, sy, sz = ux * a + uy * b + uz * c, vx * a + vy * b + vz * c, wx * a + wy * b + wz * c
        ax, ay, az = arm
        nx, ny, nz = normal
        x, y, z = self.velocity
        x, y, z = x + (sy * az - sz * ay), y + (sz * ax - sx * az), z + (sx * ay - sy * ax)
        along = x * nx + y * ny + z * nz
        stiffness, damper = self.stiffness, self.damper
        lift = max(stiffness * depth - damper * along, 0.0)
        x, y, z = x - along * nx, y - along * ny, z - along * nz  # how it slides
        ex, ey, ez = stretch
        ex, ey, ez = ex + x * STEP_S, ey + y * STEP_S, ez + z * STEP_S
        out = ex * nx + ey * ny + ez * nz
        ex, ey, ez = ex - out * nx, ey - out * ny, ez - out * nz
        rx = -0.7 * (stiffness * ex + damper * x)
        ry = -0.7 * (stiffness * ey + damper * y)
        rz = -0.7 * (stiffness * ez + damper * z)
        size, most = sqrt(rx * rx + ry * ry + rz * rz), self.friction * lift
        if size > most:
            part = most / max(size, 1e-12)
            rx, ry, rz = rx * part, ry * part, rz * part
        held = 0.7 * stiffness * sqrt(ex * ex + ey * ey + ez * ez)
        if held > most:
            part = most / max(held, 1e-12)
            ex, ey, ez = ex * part, ey * part, ez * part
        fx, fy, fz = lift * nx + rx, lift * ny + ry, lift * nz + rz
        pivot = sx * nx + sy * ny + sz * nz
        brake = self.friction * lift * PIVOT_RADIUS * pivot / (abs(pivot) + SLOW_PIVOT)
        x, y, z = self._push
        self._push = (x + fx, y + fy, z + fz)
        x, y, z = self._twist
        self._twist = (
            x + ((ay * fz - az * fy) - brake * nx),
            y + ((az * fx - ax * fz) - brake * ny),
            z + ((ax * fy - ay * fx) - brake * nz),
        )
        self._stored += 0.5 * stiffness * (depth * depth + 0.7 * (ex * ex + ey * ey + ez * ez))
        self._deepest = max(self._deepest, depth)
        return ex, ey, ez

    def _rotate(self) -> None:
        x, y, z = self.spin
        a, b, c = x * STEP_S, y * STEP_S, z * STEP_S
        one, two = b * b + c * c, a * a + c * c
        first = []
        second = []
        for x, y, z in self.turn:
            first.append(x + y * c - z * b - 0.5 * (x * one - y * a * b - z * a * c))
            second.append(y + z * a - x * c - 0.5 * (y * two - x * a * b - z * b * c))
        (p, q, r), (s, t, u) = first, second
        askew = p * s + q * t + r * u
        s, t, u = s - p * askew, t - q * askew, u - r * askew
        length = 1.5 - 0.5 * (p * p + q * q + r * r)
        p, q, r = p * length, q * length, r * length
        length = 1.5 - 0.5 * (s * s + t * t + u * u)
        s, t, u = s * length, t * length, u * length
        self.turn = ((p, s, q * u - r * t), (q, t, r * s - p * u), (r, u, p * t - q * s))


def _vector(numbers: object) -> Vector:
    x, y, z = np.asarray(numbers, dtype=np.float64).tolist()
    return x, y, z


def _dot(a: Vector, b: Vector) -> float:
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def _sum(a: Vector, b: Vector) -> Vector:
    return a[0] + b[0], a[1] + b[1], a[2] + b[2]
