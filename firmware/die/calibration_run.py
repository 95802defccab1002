"""A calibration of the handheld die, for the command CALIBRATE_DIE: people lay it on one face after another.

Each face on which it lies still is taken once; with all twelve, or when a companion ends it and six are done, the
readings are solved, and what comes out is kept in flash and used at once. Nothing changes when that fails.
"""

from firmware.die.calibration import FEWEST_FACES, BadCalibrationError, Calibration, SphereFit
from firmware.die.face_normals import FACES, top_face
from firmware.supervision.two_slot_file import TwoSlotFile
from shared_rules.wire.messages import CALIBRATION_DONE, CALIBRATION_FAILED, CALIBRATION_STOPPED

PATIENCE_MS = 180000  # without a new face for so long: nobody is there any more

_STEADY_MS = 500  # before a reading is taken: whoever has laid it down has let go


class CalibrationRun:
    """`detector` is the `RollDetector` whose calibration is made, `file` the `TwoSlotFile` that keeps it;
    `report(name, fields, ref)` is called with each face that is done, and at the end.

    `progress` is how many faces are done, -1 while none goes on. `since(later, earlier)` as for `PowerPolicy`.
    """

    def __init__(self, detector, file: TwoSlotFile, report, since) -> None:
        self._detector = detector
        self._file = file
        self._report = report
        self._since = since
        self._fit: SphereFit | None = None
        self._ref = 0
        self._still_since = -1
        self._newest_at = 0
        self.progress = -1

    def begin(self, now, ref: int) -> None:
        """Starts anew; `ref` is the number of the command."""
        self._fit = SphereFit()
        self._ref = ref
        self._still_since = -1
        self._newest_at = now
        self.progress = 0

    def end(self) -> None:
        """Somebody has had enough: what is there is used if it suffices."""
        if self._fit is not None:
            if self._fit.count() >= FEWEST_FACES:
                self._solve(self._fit)
            else:
                self._told(self._fit, CALIBRATION_STOPPED)

    def forget(self) -> bool:
        """Takes the calibration out of flash and out of use. False when the flash refuses."""
        if not self._keep(b""):
            return False
        self._detector.calibration = Calibration()
        return True

    def look(self, now) -> None:
        """Takes a reading when the die lies still on a face that is not done. Call it after each batch of samples."""
        fit = self._fit
        if fit is None:
            return
        if self._since(now, self._newest_at) >= PATIENCE_MS:
            self.end()
            return
        reading = self._detector.rest()
        if reading is None:
            self._still_since = -1
        elif self._still_since < 0:
            self._still_since = now
        elif self._since(now, self._still_since) >= _STEADY_MS:
            face = top_face(*reading)
            if not fit.faces >> (face - 1) & 1:
                fit.add(*reading)
                self._newest_at = now
                self.progress = fit.count()
                self._report("FACE_MEASURED", {"face": face, "faces": fit.faces}, self._ref)
                if self.progress == FACES:
                    self._solve(fit)

    def _solve(self, fit: SphereFit) -> None:
        try:
            found = fit.solve()
        except BadCalibrationError:
            self._told(fit, CALIBRATION_FAILED)
            return
        if self._keep(found.to_bytes()):
            self._detector.calibration = found
            self._told(fit, CALIBRATION_DONE)
        else:
            self._told(fit, CALIBRATION_FAILED)

    def _told(self, fit: SphereFit, result: int) -> None:
        self._fit = None
        self.progress = -1
        fields = {"result": result, "residual": min(int(fit.residual + 0.5), 0xFFFF), "faces": fit.faces}
        self._report("DIE_CALIBRATED", fields, self._ref)

    def _keep(self, data: bytes) -> bool:
        try:
            self._file.write(data)
        except OSError:
            return False
        return True
