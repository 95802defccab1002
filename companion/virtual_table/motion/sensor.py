"""What an accelerometer without a bus makes of a motion: for tuning and proving the roll detector in bulk.

The chips of the virtual table make the same errors behind their registers; here they are a formula, so that thousands
of throws take seconds.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from companion.virtual_table.motion.dodecahedron import NORMALS, Floats
from companion.virtual_table.motion.hand_signals import rotated, unit
from companion.virtual_table.motion.trace import Motion

STILL_SAMPLES = 20  # averaged for one reading of a calibration


@dataclass(frozen=True)
class Sensor:
    """One chip with its errors; `rate` in samples a second as it says, `pace` how fast its clock really runs."""

    offsets: Floats  # mg
    scales: Floats
    mounting: Floats  # a small turn, as a vector in radians
    noise: float = 1.5  # mg rms
    step: float = 2.0  # mg a count
    range_mg: float = 4000.0
    rate: float = 100.0
    pace: float = 1.0

    def readings(self, motion: Motion, seed: int) -> list[tuple[int, int, int, int]]:
        """All samples of a motion as (t_ms, x, y, z), times as the firmware believes them to be."""
        rng = np.random.default_rng([seed, 31])
        period = 1e6 / (self.rate * self.pace)
        count = int(motion.seconds * 1e6 / period)
        times = (np.arange(count, dtype=np.float64) + float(rng.random())) * period
        values = self.measured(motion.at(times), rng)
        stamps = np.floor(np.arange(count) * (1000 / self.rate)).astype(int)
        return [(int(t), int(x), int(y), int(z)) for t, (x, y, z) in zip(stamps, values, strict=True)]

    def measured(self, force: Floats, rng: np.random.Generator) -> Floats:
        """Counts in mg of a force in g."""
        angle = float(np.linalg.norm(self.mounting))
        if angle:
            force = rotated(force, self.mounting / angle, np.full(len(force), angle))
        value = force * 1000 * self.scales + self.offsets + rng.normal(size=force.shape) * self.noise
        return np.clip(np.round(value / self.step) * self.step, -self.range_mg, self.range_mg)

    def face_readings(self, seed: int, faces: range = range(1, 13)) -> list[tuple[int, int, int]]:
        """The averaged readings of a die that is laid on one face after another, for a calibration."""
        rng = np.random.default_rng([seed, 32])
        found = []
        for face in faces:
            x, y, z = self.measured(np.repeat(NORMALS[None, face - 1], STILL_SAMPLES, 0), rng).mean(0).round()
            found.append((int(x), int(y), int(z)))
        return found


def ordinary(seed: int, rate: float = 100.0) -> Sensor:
    """A chip as data sheets let it be: offsets to 40 mg, scales to 1 %, mounted to a degree, its clock to 5 %."""
    rng = np.random.default_rng([seed, 30])
    return Sensor(
        offsets=rng.uniform(-40, 40, 3),
        scales=1 + rng.uniform(-0.01, 0.01, 3),
        mounting=unit(rng.normal(size=3)) * np.radians(rng.uniform(0, 1)),
        noise=float(rng.uniform(1.0, 2.0)),
        rate=rate,
        pace=float(rng.uniform(0.95, 1.05)),
    )
