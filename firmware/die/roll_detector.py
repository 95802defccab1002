"""Tells throws from everything else that happens to the handheld die, from its accelerometer alone.

    detector = RollDetector(Calibration())
    answer = detector.feed(t_ms, x, y, z)       # mg; 50 to 104 samples a second

`feed` answers None or what has just become true:

    ("started",)                                        it flies or tumbles; ("handled",) follows if it was caught
    ("settled", face, tumbles, duration_ms, digest)     a throw has come to rest; the face is on top
    ("cocked", nearest_face, tilt_degrees)              a throw has come to rest and shows no face clearly
    ("placed", face)                                    it lies on a face and was not thrown there
    ("handled",)                                        somebody has it in the hand

How it works. *Rest* is a window of `REST_MS` in which the readings scatter no more than a sensor on a table does; a
hand scatters more, however still. *Thrown* needs flight (all axes near nothing at once), or a hop together with blows
and turns to other faces, and rest that follows without a hand between: what is held shivers between two violent
moments, and rolls on for no more than `_CAUGHT_MS` of that. Ranges up to 8 g; whole numbers of at most 30 bits, and
nothing is allocated while nothing becomes true but a few numbers at each turn. Times may wrap as `time.ticks_ms` does.
The choices, and what they cost, are in docs/decisions/0013-the-roll-detector.md; the figures in docs/proofs/rolls.md.
"""

from array import array
from math import sqrt

from firmware.die.calibration import Calibration
from firmware.die.face_normals import tilt_from, top_face
from firmware.die.motion_trace import MotionTrace

UNKNOWN = 0
ON_FACE = 1
HANDLING = 2
ROLLING = 3
COCKED = 4
ROLLED = 5

REST_MS = 200
WORST_TILT = 10  # degrees; more is cocked

_TICKS = 0x3FFFFFFF  # time.ticks_ms wraps here
_SLOTS = 40
_FEWEST = 6  # samples in a window
_LOST_MS = 120  # so long without a sample: what was before says nothing about now
_LEAP = 250  # mg; a window keeps what lies within that of its newest sample
_SCATTER = 50  # mg squared, the variances of three axes together
_NEAR_1G = 110  # mg
_FALLING = 450 * 450  # mg squared, below which it flies
_FACES = 500 * 500  # and above which the force says where up is
_AIR_MS = 60  # time in the air counts twice, time out of it takes half of itself off: a flight of 30 ms, or hops
_VIOLENT = 250  # mg, by which three axes together change from one sample to the next at 100 samples a second; a hand
_VIOLENT_A_MS = 8  # that holds, turns or carries stays below. So much more a millisecond that samples are further apart
_SHIVER = 30  # mg, three axes together: how far a reading is off the line through those 50 and 100 ms before. What
# rolls on slowly keeps below, a hand does not: everybody trembles at seven to eleven hertz
_CALM_MS = 100  # after a violent moment the line means nothing for so long
_CAUGHT_MS = 450  # so much shivering between two violent moments, or after the last: a hand has it
_PAST = 11
_LAST_TURN_MS = 1350  # the longest that it goes on without turning, flying or creeping
_CREEP = 16  # mg, as `_VIOLENT`; what slides slowly between two sides keeps below, what is driven about does not
_LONGEST_MS = 8000
_HIT_MS = 40  # what a violent moment counts; it wears off with time
_BLOW = 1000  # mg, as `_VIOLENT`; from there on it counts twice. A table hits harder than a hand shakes
_TURN_MS = 200  # what a turn to another face counts
_MOST_MS = 500
_THROWN_MS = 380  # turns, half of the hits and twice the air; without any air a shake or a rough road
_FACING = 2916  # the square of 0.54, the cosine of 57 degrees; further off than at the last turn is another turn
_LIFTED = 200  # mg, by which the slow mean differs from how the die lay
_LIFTED_MS = 150
_RESTLESS_MS = 1500
_LAID_MS = 700  # rest without a throw is believed after that long
_ASLANT_MS = 400


class RollDetector:
    """`state` is one of the six above; `face` the one on top, 0 while none is; `still` whether it lies still."""

    def __init__(self, calibration: Calibration, rest_ms: int = REST_MS) -> None:
        self.calibration = calibration
        self.state = UNKNOWN
        self.face = 0
        self.still = False
        self._rest_ms = rest_ms
        self._trace = MotionTrace()
        self._ring = array("h", (0 for _ in range(3 * _SLOTS)))
        self._times = array("i", (0 for _ in range(_SLOTS)))
        self._sums = array("i", (0 for _ in range(4)))  # x, y, z from the anchor; their squares
        self._anchor = array("h", (0, 0, 0))
        self._slow = array("i", (0, 0, 0))  # mean over about eight samples, times eight
        self._lay = array("h", (0, 0, 0))  # how it lay when it last was at rest
        self._past = array("h", (0 for _ in range(3 * _PAST)))
        self._newest = 0
        self._first = 0
        self._count = 0
        self._time = -1
        self._rest_since = 0  # since when it has been still
        self._air_ms = 0
        self._held_ms = 0
        self._violent_at = 0
        self._turned_at = 0
        self._was_held = False
        self._began_at = 0
        self._lifted_ms = 0
        self._restless_ms = 0
        self._facing = (0, 0, 1000)
        self._tumbles = 0
        self._turns_ms = 0
        self._hits_ms = 0

    def rest(self) -> "tuple[int, int, int] | None":
        """The mean of the raw readings while `still`, in mg, for `SphereFit.add`; None while it moves."""
        if not self.still:
            return None
        offsets, scales = self.calibration.offsets, self.calibration.scales
        x, y, z = [(self._anchor[n] + self._sums[n] // self._count) * 4096 // scales[n] + offsets[n] for n in range(3)]
        return x, y, z

    def feed(self, t_ms: int, x: int, y: int, z: int) -> "tuple | None":
        """Takes one sample, in mg as the sensor gives it, taken at `t_ms`."""
        since = (t_ms - self._time) & _TICKS if self._time >= 0 else 0
        self._time = t_ms & _TICKS
        if self.state == ROLLING:
            self._trace.add(since, x, y, z)
        raw_x, raw_y, raw_z = x, y, z
        offsets, scales = self.calibration.offsets, self.calibration.scales
        x = (x - offsets[0]) * scales[0] >> 12
        y = (y - offsets[1]) * scales[1] >> 12
        z = (z - offsets[2]) * scales[2] >> 12
        if since > _LOST_MS:
            self._count = 0
            self._air_ms = 0
        self._watch_window(x, y, z)
        self._watch_motion(since, x, y, z)
        if self.still:
            return self._at_rest()
        if self.state == ROLLING:
            if not self._is_over(self._rest_ms):
                return None
            self.state = HANDLING
            self._forget_motion()
            return ("handled",)
        if self._is_thrown():
            self.state = ROLLING
            self.face = 0
            self._violent_at = self._turned_at = self._time
            self._held_ms = 0
            self._was_held = False
            self._tumbles = 0
            self._trace.begin()
            self._trace.add(0, raw_x, raw_y, raw_z)
            return ("started",)
        if self.state == ON_FACE or self.state == ROLLED or self.state == COCKED:
            return self._maybe_lifted(since)
        return None

    def _watch_window(self, x: int, y: int, z: int) -> None:
        """Keeps the shortest run of samples that spans the rest window, and says whether it is still."""
        ring = self._ring
        sums = self._sums
        anchor = self._anchor
        times = self._times
        # One assignment a line: three at once make a tuple on the device.
        a = x - anchor[0]
        b = y - anchor[1]
        c = z - anchor[2]
        if not self._count or abs(a) > _LEAP or abs(b) > _LEAP or abs(c) > _LEAP:
            self._move_window(a, b, c)
            anchor[0] = x
            anchor[1] = y
            anchor[2] = z
            a = b = c = 0
        while self._count == _SLOTS or (
            self._count > 1 and (self._time - times[(self._first + 1) % _SLOTS]) & _TICKS >= self._rest_ms
        ):
            old = 3 * self._first
            p = ring[old]
            q = ring[old + 1]
            r = ring[old + 2]
            sums[0] -= p
            sums[1] -= q
            sums[2] -= r
            sums[3] -= p * p + q * q + r * r
            self._first = (self._first + 1) % _SLOTS
            self._count -= 1
        slot = (self._first + self._count) % _SLOTS
        times[slot] = self._time
        slot *= 3
        ring[slot] = a
        ring[slot + 1] = b
        ring[slot + 2] = c
        sums[0] += a
        sums[1] += b
        sums[2] += c
        sums[3] += a * a + b * b + c * c
        self._count += 1
        n = self._count
        was = self.still
        self.still = False
        if n >= _FEWEST and (self._time - times[self._first]) & _TICKS >= self._rest_ms:
            spread = n * sums[3] - sums[0] * sums[0] - sums[1] * sums[1] - sums[2] * sums[2]
            if spread <= n * n * _SCATTER:
                a = anchor[0] + sums[0] // n
                b = anchor[1] + sums[1] // n
                c = anchor[2] + sums[2] // n
                length = a * a + b * b + c * c
                self.still = (1000 - _NEAR_1G) * (1000 - _NEAR_1G) < length < (1000 + _NEAR_1G) * (1000 + _NEAR_1G)
        if self.still and not was:
            self._rest_since = times[self._first]

    def _move_window(self, a: int, b: int, c: int) -> None:
        """Anchors the window that much further on, at a new sample, and keeps what is near that, newest first."""
        ring = self._ring
        sums = self._sums
        sums[0] = sums[1] = sums[2] = sums[3] = 0
        left = self._count
        kept = 0
        while left:
            left -= 1
            slot = (self._first + left) % _SLOTS * 3
            p = ring[slot] - a
            q = ring[slot + 1] - b
            r = ring[slot + 2] - c
            if abs(p) > _LEAP or abs(q) > _LEAP or abs(r) > _LEAP:
                left += 1
                break
            ring[slot] = p
            ring[slot + 1] = q
            ring[slot + 2] = r
            sums[0] += p
            sums[1] += q
            sums[2] += r
            sums[3] += p * p + q * q + r * r
            kept += 1
        self._first = (self._first + left) % _SLOTS
        self._count = kept

    def _watch_motion(self, since: int, x: int, y: int, z: int) -> None:
        """Counts flight, violence and turns from face to face."""
        past, slow = self._past, self._slow
        n = 3 * self._newest
        jerk = abs(x - past[n]) + abs(y - past[n + 1]) + abs(z - past[n + 2])
        lag = 5 if since < 15 else 2
        n = (self._newest + 1) % _PAST
        self._newest = n
        a = 3 * ((n - lag) % _PAST)
        b = 3 * ((n - 2 * lag) % _PAST)
        n *= 3
        shiver = abs(x - 2 * past[a] + past[b])
        shiver += abs(y - 2 * past[a + 1] + past[b + 1]) + abs(z - 2 * past[a + 2] + past[b + 2])
        past[n] = x
        past[n + 1] = y
        past[n + 2] = z
        slow[0] += x - (slow[0] >> 3)
        slow[1] += y - (slow[1] >> 3)
        slow[2] += z - (slow[2] >> 3)
        hits = max(0, self._hits_ms - since)
        turns = max(0, self._turns_ms - since)
        length = x * x + y * y + z * z
        if length < _FALLING:
            self._air_ms = min(_MOST_MS, self._air_ms + 2 * since)
            if self._air_ms >= _AIR_MS:
                self._turned_at = self._time
                self._note_violence()
        else:
            self._air_ms = max(0, self._air_ms - (since >> 1))
        if jerk > _VIOLENT + _VIOLENT_A_MS * (since - 10):
            hits = min(_MOST_MS, hits + (_HIT_MS if jerk < _BLOW else 2 * _HIT_MS))
            self._note_violence()
        elif shiver > _SHIVER and (self._time - self._violent_at) & _TICKS > _CALM_MS:
            self._held_ms += since
        elif jerk < _CREEP and (self._time - self._violent_at) & _TICKS > _CALM_MS:
            self._turned_at = (self._turned_at + since) & _TICKS
        if length > _FACES:
            a, b, c = self._facing
            dot = (a * x + b * y + c * z) // 1000
            if dot < 0 or dot * dot < length // 1000 * _FACING // 10:
                size = sqrt(length)
                self._facing = (int(1000 * x / size), int(1000 * y / size), int(1000 * z / size))
                self._tumbles += 1
                self._turned_at = self._time
                turns = min(_MOST_MS, turns + _TURN_MS)
        self._hits_ms = hits
        self._turns_ms = turns

    def _note_violence(self) -> None:
        """A moment that no calm hand makes. When there was much shivering before, a hand must have held the die."""
        if self._held_ms > _CAUGHT_MS:
            self._was_held = True
        self._held_ms = 0
        self._violent_at = self._time

    def _is_thrown(self) -> bool:
        if self._air_ms >= _AIR_MS:
            self._began_at = (self._time - self._air_ms // 2) & _TICKS
            return True
        if not self._air_ms or (self.state != HANDLING and self.state != UNKNOWN):
            return False
        self._began_at = (self._time - self._turns_ms) & _TICKS
        return self._turns_ms + self._hits_ms // 2 + 2 * self._air_ms >= _THROWN_MS

    def _at_rest(self) -> "tuple | None":
        for n in range(3):
            self._slow[n] = 8 * (self._anchor[n] + self._sums[n] // self._count)
        self._lifted_ms = self._restless_ms = 0
        if (self.state == ON_FACE or self.state == ROLLED or self.state == COCKED) and not self._has_turned():
            return None
        x, y, z = self._slow
        face = top_face(x, y, z)
        rested = (self._time - self._rest_since) & _TICKS
        if self.state == ROLLING and self._is_over(rested):
            self.state = HANDLING
            self._forget_motion()
            return ("handled",)
        tilt = tilt_from(face, x, y, z)
        if tilt > WORST_TILT:
            if self.state != ROLLING or rested < _ASLANT_MS:
                return None
            self.state = COCKED
            self._lie(0)
            return ("cocked", face, int(tilt + 0.5))
        if self.state == ROLLING:
            self.state = ROLLED
            tumbles = min(self._tumbles, 255)
            self._lie(face)
            duration = (self._rest_since - self._began_at) & _TICKS
            return ("settled", face, tumbles, min(duration, 65535), self._trace.digest())
        if rested < _LAID_MS and self.state != UNKNOWN:
            return None
        same = face == self.face
        if not same:
            self.state = ON_FACE
        self._lie(face)
        return None if same else ("placed", face)

    def _lie(self, face: int) -> None:
        self.face = face
        for n in range(3):
            self._lay[n] = self._slow[n] >> 3
        self._forget_motion()

    def _has_turned(self) -> bool:
        """Whether it lies differently from when it last was at rest."""
        off = 0
        for n in range(3):
            off += abs((self._slow[n] >> 3) - self._lay[n])
        return off > _LIFTED

    def _maybe_lifted(self, since: int) -> "tuple | None":
        self._restless_ms += since
        self._lifted_ms = self._lifted_ms + since if self._has_turned() else 0
        if self._lifted_ms < _LIFTED_MS and self._restless_ms < _RESTLESS_MS:
            return None
        self.state = HANDLING
        self.face = 0
        return ("handled",)

    def _is_over(self, rested: int) -> bool:
        """Whether a throw was none after all, or goes on in a hand or a car; `rested` ms of it are rest."""
        held = self._was_held or self._held_ms > _CAUGHT_MS
        unturned = ((self._time - self._turned_at) & _TICKS) - rested
        lasted = ((self._time - self._began_at) & _TICKS) - rested
        return held or unturned > _LAST_TURN_MS or lasted > _LONGEST_MS

    def _forget_motion(self) -> None:
        self._turns_ms = self._hits_ms = self._air_ms = 0
