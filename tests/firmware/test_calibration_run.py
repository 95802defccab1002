"""A calibration by hand: a reading a face, what comes out is kept and used; nothing changes when it fails."""

import pytest

from firmware.die.calibration import Calibration, from_bytes
from firmware.die.calibration_run import PATIENCE_MS, CalibrationRun
from firmware.die.face_normals import normal
from shared_rules.wire.messages import CALIBRATION_DONE, CALIBRATION_FAILED, CALIBRATION_STOPPED, encode

OFFSETS, SCALES = (25, -18, 40), (1.01, 0.985, 1.005)


class Rig:
    """A detector that says how the die lies, a file, and what is reported."""

    def __init__(self):
        self.calibration = Calibration()
        self.reading = None
        self.kept = []
        self.full = False
        self.told, self.measured = [], []
        self.now = 0
        self.run = CalibrationRun(self, self, self.report, lambda later, earlier: later - earlier)

    def rest(self):
        return self.reading

    def write(self, data):
        if self.full:
            raise OSError(28)
        self.kept.append(bytes(data))

    def report(self, name, fields, ref):
        encode(name, 1, ref, fields)
        (self.measured if name == "FACE_MEASURED" else self.told).append((name, fields, ref))

    def lay(self, face, ms=900, crooked=0):
        """Moves it, then lets it lie."""
        self.reading = None
        self.run.look(self.now)
        force = [n / 1000 / 1.0004 for n in normal(face)]
        axes = zip(force, SCALES, OFFSETS, strict=True)
        self.reading = tuple(round(1000 * f / scale + offset) + crooked * (face % 3) for f, scale, offset in axes)
        for _ in range(ms // 30):
            self.now += 30
            self.run.look(self.now)


@pytest.fixture
def rig():
    rig = Rig()
    rig.run.begin(0, 12)
    return rig


def test_all_twelve_faces(rig):
    for face in range(1, 13):
        assert rig.run.progress == face - 1
        rig.lay(face)
    ((name, fields, ref),) = rig.told
    assert (name, fields["result"], fields["faces"], ref) == ("DIE_CALIBRATED", CALIBRATION_DONE, 0xFFF, 12)
    assert rig.run.progress == -1
    assert [(fields["face"], fields["faces"]) for _, fields, _ in rig.measured] == [
        (face, (1 << face) - 1) for face in range(1, 13)
    ]
    assert {ref for _, _, ref in rig.measured} == {12}
    assert all(abs(found - true) <= 4 for found, true in zip(rig.calibration.offsets, OFFSETS, strict=True))
    (kept,) = rig.kept
    assert from_bytes(kept).offsets == rig.calibration.offsets


def test_a_face_counts_once_and_only_when_it_lies(rig):
    rig.lay(3)
    rig.lay(3)
    assert rig.run.progress == 1
    rig.lay(4, ms=300)
    assert rig.run.progress == 1
    rig.lay(4)
    assert rig.run.progress == 2


@pytest.mark.parametrize(("faces", "result"), [(5, CALIBRATION_STOPPED), (8, CALIBRATION_DONE)])
def test_ended_before_all_faces(rig, faces, result):
    for face in range(1, faces + 1):
        rig.lay(face)
    rig.run.end()
    assert [fields["result"] for _name, fields, _ref in rig.told] == [result]
    assert len(rig.kept) == (result == CALIBRATION_DONE)


def test_readings_that_do_not_fit_change_nothing(rig):
    before = rig.calibration
    for face in range(1, 13):
        rig.lay(face, crooked=90)
    assert [fields["result"] for _name, fields, _ref in rig.told] == [CALIBRATION_FAILED]
    assert rig.told[0][1]["residual"] > 12
    assert rig.calibration is before
    assert rig.kept == []


def test_a_flash_that_is_full_changes_nothing(rig):
    before = rig.calibration
    rig.full = True
    for face in range(1, 13):
        rig.lay(face)
    assert [fields["result"] for _name, fields, _ref in rig.told] == [CALIBRATION_FAILED]
    assert rig.calibration is before
    assert rig.run.forget() is False


def test_nobody_there_any_more(rig):
    rig.lay(1)
    rig.reading = None
    rig.now += PATIENCE_MS
    rig.run.look(rig.now)
    assert [fields["result"] for _name, fields, _ref in rig.told] == [CALIBRATION_STOPPED]


def test_it_can_be_forgotten(rig):
    rig.calibration = Calibration((9, 9, 9))
    assert rig.run.forget() is True
    assert rig.calibration.offsets == (0, 0, 0)
    assert rig.kept == [b""]


def test_without_a_beginning_nothing_happens():
    rig = Rig()
    rig.lay(1)
    rig.run.end()
    assert (rig.told, rig.run.progress) == ([], -1)
