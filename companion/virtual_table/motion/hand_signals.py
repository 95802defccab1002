"""What a die feels in a hand, a pocket or a car, made from its pieces: holding, turning, shaking, laying down.

Everything is in the axes of the die and in g, a sample each millisecond. A die that is not thrown is described by where
up is (`pose`, a unit vector that wanders) plus what its bearer's movements add.
"""

from __future__ import annotations

import numpy as np

from companion.virtual_table.motion.dodecahedron import NORMALS, VERTICES, Floats

RATE = 1000


def tremor(rng: np.random.Generator, samples: int, sd_mg: float) -> Floats:
    """The unrest of a hand, three axes of `sd_mg` each.

    Two fifths are slow drift below 3 Hz, nearly half is physiological tremor around 7 to 11 Hz, the rest is broad.
    """
    frequency = np.fft.rfftfreq(samples, 1 / RATE)
    peak = rng.uniform(7, 11)
    drift = ((frequency > 0.2) & (frequency < 3)) / np.maximum(frequency, 0.2)
    shake = np.exp(-0.5 * ((frequency - peak) / 1.5) ** 2)
    broad = ((frequency > 3) & (frequency < 25)).astype(float)
    total = np.zeros((samples, 3))
    for shape, share in ((drift, 0.4), (shake, 0.45), (broad, 0.15)):
        total += np.sqrt(share) * _shaped(rng, samples, shape)
    return total * sd_mg / 1000


def vibration(rng: np.random.Generator, samples: int, rms_mg: float, low_hz: float, high_hz: float) -> Floats:
    """Noise of a vehicle or a table between two frequencies, three axes of `rms_mg` each."""
    frequency = np.fft.rfftfreq(samples, 1 / RATE)
    return _shaped(rng, samples, ((frequency > low_hz) & (frequency < high_hz)).astype(float)) * rms_mg / 1000


def jolt(rng: np.random.Generator, samples: int, at: int, peak_mg: float, pose: Floats) -> Floats:
    """A blow that rings down within some hundredths of a second, mostly along `pose`."""
    signal = np.zeros((samples, 3))
    n = min(samples - at, 300)
    if n <= 0:
        return signal
    time = np.arange(n) / RATE
    ring = np.exp(-time / rng.uniform(0.006, 0.03)) * np.sin(2 * np.pi * rng.uniform(18, 90) * time)
    way = pose + 0.5 * rng.normal(size=3)
    signal[at : at + n] = ring[:, None] * way / np.linalg.norm(way) * peak_mg / 1000
    return signal


def turned(start: Floats, end: Floats, samples: int) -> Floats:
    """The way of `pose` from one unit vector to another, smoothly."""
    step = np.linspace(0, 1, samples)
    share = (step**3 * (10 - 15 * step + 6 * step**2))[:, None]
    angle = np.arccos(np.clip(start @ end, -1, 1))
    if angle > 3.1:
        middle = unit(np.cross(start, [0.3, 0.5, 0.8]))
        return np.concatenate([turned(start, middle, samples // 2), turned(middle, end, samples - samples // 2)])
    if angle < 1e-6:
        return np.repeat(start[None], samples, 0)
    return np.asarray((np.sin((1 - share) * angle) * start + np.sin(share * angle) * end) / np.sin(angle))


def unit(vector: Floats) -> Floats:
    """The same direction with length 1."""
    return vector / np.linalg.norm(vector)


def tilted(rng: np.random.Generator, pose: Floats, degrees: float) -> Floats:
    """`pose` leaning that far to a random side."""
    side = unit(np.cross(pose, rng.normal(size=3)))
    return np.asarray(np.cos(np.radians(degrees)) * pose + np.sin(np.radians(degrees)) * side)


def rotated(vectors: Floats, axis: Floats, angles: Floats) -> Floats:
    """Each of `vectors` (n, 3) or one vector turned about a unit axis by its own angle (Rodrigues)."""
    vectors = np.broadcast_to(vectors, (len(angles), 3))
    cosine, sine = np.cos(angles)[:, None], np.sin(angles)[:, None]
    along = (vectors @ axis)[:, None] * axis
    return np.asarray(vectors * cosine + np.cross(axis, vectors) * sine + along * (1 - cosine))


class Handling:
    """Strings pieces together; each goes on from the pose that the one before has left."""

    def __init__(self, rng: np.random.Generator, pose: Floats | None = None) -> None:
        self.rng = rng
        self.pose = unit(rng.normal(size=3)) if pose is None else pose
        self.sd_mg = rng.uniform(8, 30)
        self.pieces: list[Floats] = []

    def force(self) -> Floats:
        """Everything so far, (samples, 3) in g."""
        return np.concatenate(self.pieces) if self.pieces else np.zeros((0, 3))

    def seconds(self) -> float:
        """How long that is."""
        return sum(len(piece) for piece in self.pieces) / RATE

    def hold(self, seconds: float) -> None:
        """Held as still as a hand can."""
        samples = _samples(seconds)
        self._add(np.repeat(self.pose[None], samples, 0) + tremor(self.rng, samples, self.sd_mg))

    def hold_on_a_corner(self, seconds: float) -> None:
        """Held, or steadied with a finger, so that a corner points up."""
        corner = unit(VERTICES[self.rng.integers(20)])
        self.turn(tilted(self.rng, corner, self.rng.uniform(0, 4)), self.rng.uniform(0.4, 1.0))
        self.hold(seconds)

    def turn(self, pose: Floats, seconds: float) -> None:
        """Turned over in the hand, with the movement that goes with it."""
        samples = _samples(seconds)
        moved = tremor(self.rng, samples, self.sd_mg)
        moved += vibration(self.rng, samples, self.rng.uniform(20, 120), 0.5, 4) * _bell(samples)
        self._add(turned(self.pose, pose, samples) + moved)
        self.pose = pose

    def turn_anywhere(self, seconds: float) -> None:
        """Turned to any other side."""
        self.turn(unit(self.rng.normal(size=3)), seconds)

    def pass_on(self) -> None:
        """From one hand into another: a swing, a bump when it arrives, another grip."""
        samples = _samples(self.rng.uniform(0.4, 0.9))
        swing = np.sin(np.linspace(0, 2 * np.pi, samples))[:, None] * unit(self.rng.normal(size=3))
        pose = tilted(self.rng, self.pose, self.rng.uniform(10, 100))
        signal = turned(self.pose, pose, samples)
        signal = signal + swing * self.rng.uniform(0.1, 0.5) + tremor(self.rng, samples, self.sd_mg)
        signal += jolt(self.rng, samples, int(samples * 0.7), self.rng.uniform(100, 600), pose)
        self._add(signal)
        self.pose = pose
        self.sd_mg = self.rng.uniform(8, 30)
        self.hold(self.rng.uniform(0.8, 2.5))

    def toss_and_catch(self) -> None:
        """Tossed up a little and caught: it flies, but comes to rest in a hand."""
        flight = self.rng.uniform(0.08, 0.3)
        up, down = _samples(0.15), _samples(self.rng.uniform(0.06, 0.15))
        samples = _samples(flight)
        lift = np.sin(np.linspace(0, np.pi, up))[:, None] * self.pose * flight / 2 / 0.15 * np.pi / 2
        self._add(self.pose + lift + tremor(self.rng, up, self.sd_mg))
        pose = tilted(self.rng, self.pose, self.rng.uniform(5, 150))
        self._add(vibration(self.rng, samples, 25, 1, 20))
        caught = np.sin(np.linspace(0, np.pi, down))[:, None] * pose * flight / 2 / (down / RATE) * np.pi / 2
        self._add(turned(self.pose, pose, samples + down)[samples:] + caught + tremor(self.rng, down, self.sd_mg))
        self.pose = pose
        self.hold(self.rng.uniform(1.0, 2.5))

    def shake(self, seconds: float) -> None:
        """Shaken in the fist; the die rattles between the fingers."""
        samples = _samples(seconds)
        time = np.arange(samples) / RATE
        pace = self.rng.uniform(3, 7) + 0.4 * np.sin(time)
        swing = np.sin(2 * np.pi * pace * time)[:, None] * unit(self.rng.normal(size=3)) * self.rng.uniform(0.6, 2.5)
        sway = np.sin(2 * np.pi * pace * time / 2 + 1)[:, None] * unit(self.rng.normal(size=3)) * 0.4
        ramp = np.minimum(1, np.minimum(time, time[::-1]) / 0.15)[:, None]
        rattle = vibration(self.rng, samples, self.rng.uniform(20, 250), 15, 60)
        axis, turns = unit(self.rng.normal(size=3)), np.sin(2 * np.pi * pace * time / 3) * self.rng.uniform(0.1, 1.2)
        up = rotated(self.pose, axis, turns - turns[0])
        self._add(up + (swing + sway + rattle) * ramp + tremor(self.rng, samples, self.sd_mg))
        self.pose = unit(up[-1])

    def lay_down(self, lean_degrees: float = 0.0, face: int | None = None) -> None:
        """Brought over the table, touched down and let go of, any face on top or `face`."""
        top = NORMALS[self.rng.integers(12) if face is None else face - 1]
        slope = self.rng.uniform(0, 1.5)
        final = tilted(self.rng, top, lean_degrees + slope)
        self.turn(tilted(self.rng, final, self.rng.uniform(1, 14)), self.rng.uniform(0.4, 1.2))
        self.hold(self.rng.uniform(0.1, 0.8))
        samples = _samples(self.rng.uniform(0.06, 0.25))
        signal = turned(self.pose, final, samples)
        for _ in range(self.rng.integers(1, 4)):
            signal = signal + jolt(
                self.rng, samples, int(self.rng.integers(samples)), self.rng.uniform(30, 400), final
            )
        self._add(signal + tremor(self.rng, samples, self.sd_mg))
        self.pose = final
        fading = _samples(self.rng.uniform(0.05, 0.3))  # the fingers leave it
        self._add(final + tremor(self.rng, fading, self.sd_mg * 0.6) * np.linspace(1, 0, fading)[:, None])

    def topple(self) -> None:
        """Lies on the table and is turned to a neighbouring face with a finger: it falls over the edge."""
        face = NORMALS[int((NORMALS @ self.pose).argmax())]
        near = [normal for normal in NORMALS if 0.3 < normal @ face < 0.9]
        final = tilted(self.rng, near[self.rng.integers(len(near))], self.rng.uniform(0, 1.5))
        samples = _samples(self.rng.uniform(0.3, 0.9))
        signal = turned(self.pose, final, samples) + tremor(self.rng, samples, self.sd_mg)
        self._add(signal + vibration(self.rng, samples, 40, 1, 20) * _bell(samples))
        self._add(np.repeat(final[None], 200, 0) + jolt(self.rng, 200, 0, self.rng.uniform(200, 1200), final))
        self.pose = final

    def lie(self, seconds: float, jolts: int = 0) -> None:
        """On the table, while people tap on it and put taxis down beside."""
        samples = _samples(seconds)
        signal = np.repeat(self.pose[None], samples, 0) + vibration(self.rng, samples, self.rng.uniform(0, 1.5), 5, 60)
        for _ in range(jolts):
            strength = 10 ** self.rng.uniform(1.3, 3.1)
            signal += jolt(self.rng, samples, int(self.rng.integers(samples)), strength, self.pose)
        self._add(signal)

    def drum(self, seconds: float) -> None:
        """On the table, while somebody drums on it with the fingers."""
        samples = _samples(seconds)
        signal = np.repeat(self.pose[None], samples, 0)
        at = 0
        while at < samples:
            signal = signal + jolt(self.rng, samples, at, self.rng.uniform(80, 900), self.pose)
            at += int(RATE * self.rng.uniform(0.09, 0.3))
        self._add(signal)

    def slide(self) -> None:
        """Pushed over the table with a finger, flat as it lies."""
        samples = _samples(self.rng.uniform(0.3, 1.2))
        push = np.sin(np.linspace(0, 2 * np.pi, samples))[:, None] * unit(np.cross(self.pose, self.rng.normal(size=3)))
        rough = vibration(self.rng, samples, self.rng.uniform(20, 120), 15, 120) * _bell(samples)
        self._add(self.pose + push * self.rng.uniform(0.05, 0.3) + rough)

    def _add(self, piece: Floats) -> None:
        self.pieces.append(piece)


def _bell(samples: int) -> Floats:
    return np.asarray(np.sin(np.linspace(0, np.pi, samples))[:, None])


def _samples(seconds: float) -> int:
    return max(8, int(seconds * RATE))


def _shaped(rng: np.random.Generator, samples: int, shape: Floats) -> Floats:
    """Gaussian noise with that spectrum, three axes of variance 1."""
    spectrum = np.fft.rfft(rng.normal(size=(samples, 3)), axis=0) * shape[:, None]
    # Divided by what it is expected to be, not by what it is: a short piece of slow drift may well be nearly still.
    power = (shape**2).sum() * 2 / samples
    return np.fft.irfft(spectrum, samples, axis=0) / np.sqrt(power) if power > 0 else np.zeros((samples, 3))
