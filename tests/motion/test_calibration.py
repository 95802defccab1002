"""The sphere fit finds what a sensor is off by, and refuses what no sensor would give."""

import numpy as np
import pytest

from companion.virtual_table.motion.sensor import ordinary
from firmware.die import calibration
from firmware.die.calibration import BadCalibrationError, Calibration, SphereFit, from_bytes
from firmware.die.face_normals import FACES, margin, normal, tilt_from, top_face

SIX = (1, 3, 5, 12, 10, 8)


def fitted(readings):
    fit = SphereFit()
    for reading in readings:
        fit.add(*reading)
    return fit, fit.solve()


@pytest.mark.parametrize(("faces", "offset", "scale"), [(range(1, 13), 2, 0.003), (SIX, 5, 0.007)])
def test_offsets_and_scales_are_found(faces, offset, scale):
    for seed in range(30):
        sensor = ordinary(seed)
        fit, found = fitted(sensor.face_readings(seed, faces))
        assert np.abs(np.array(found.offsets) - sensor.offsets).max() < offset
        assert np.abs(np.array(found.scales) / calibration.ONE * sensor.scales - 1).max() < scale
        assert fit.residual <= 2
        assert fit.count() == len(faces)


def test_too_few_or_too_close_faces_are_refused():
    readings = ordinary(1).face_readings(1)
    with pytest.raises(BadCalibrationError, match="more faces"):
        fitted(readings[:5])
    with pytest.raises(BadCalibrationError, match="others"):
        fitted([readings[face - 1] for face in (1, 2, 11, 12, 3, 10)])


def test_a_die_that_moved_or_a_broken_chip_is_refused():
    readings = ordinary(2).face_readings(2)
    moved = [(x + 60 * (n % 2), y, z) for n, (x, y, z) in enumerate(readings)]
    with pytest.raises(BadCalibrationError, match="do not fit"):
        fitted(moved)
    with pytest.raises(BadCalibrationError, match="does not exist"):
        fitted([(x + 300, y, z) for x, y, z in readings])


def test_a_calibration_keeps_its_twelve_bytes():
    _, found = fitted(ordinary(3).face_readings(3))
    again = from_bytes(found.to_bytes())
    assert (again.offsets, again.scales) == (found.offsets, found.scales)
    for spoilt in (b"", found.to_bytes()[:-1], b"\xff\x7f" * 6):
        with pytest.raises(BadCalibrationError):
            from_bytes(spoilt)


def test_a_reading_is_put_right():
    assert Calibration((10, -20, 0), (4096, 4096, 2048)).apply(1010, 480, 500) == (1000, 500, 250)


@pytest.mark.parametrize("face", range(1, FACES + 1))
def test_faces_and_tilts(face):
    up = normal(face)
    assert top_face(*up) == face
    assert normal(13 - face) == tuple(-part for part in up)
    assert tilt_from(face, *up) == pytest.approx(0, abs=0.1)
    assert margin(face, *up) == pytest.approx(63.43, abs=0.1)
