"""What a device's own facts change in what is known of it, before anybody asks what they mean for the game."""

from __future__ import annotations

from companion.devices import facts
from companion.devices.facts import Fact
from companion.devices.known_device import KnownDevice
from shared_rules.wire.message_table import rows
from shared_rules.wire.messages import CALIBRATION_DONE, CALIBRATION_STOPPED

COMMANDS = {row[0]: row[1] for row in rows()}
WORDS = {
    "RESUME": "take it over",
    "PAIR": "pair with it",
    "UNPAIR": "unpair it",
    "CALIBRATE_DIE": "calibrate it",
    "RESTART": "restart it",
}
FACES = 12


def notice(device: KnownDevice, fact: Fact) -> None:
    """Battery, sleep, calibration, faults, refusals, the state of a die. The same fact again changes nothing more."""
    state = device.state
    if isinstance(fact, facts.BatteryChanged):
        state.battery_level, state.battery, state.millivolts = fact.level, fact.percent, fact.millivolts
    elif isinstance(fact, facts.DieSleeps):
        device.asleep = True
    elif isinstance(fact, facts.DieCalibrated):
        state.calibration = _calibration(fact)
    elif isinstance(fact, facts.AccessRefused):
        device.access_refused = WORDS.get(COMMANDS.get(fact.command, ""), "do something with it")
    elif isinstance(fact, facts.Crosstalk):
        one, other = state.first_socket + fact.socket, state.first_socket + fact.other
        device.crosstalk = f"{one} and {other}"
    elif isinstance(fact, facts.DeviceFault):
        state.last_fault = fact.error
    elif isinstance(fact, facts.DieStarted):
        state.die = "tumbles"
    elif isinstance(fact, (facts.DieSettled, facts.DiePlaced)):
        state.die, state.die_face = "at_rest", fact.face
    elif isinstance(fact, facts.DieCocked):
        state.die, state.die_face = "cocked", fact.face


def _calibration(fact: facts.DieCalibrated) -> str:
    if fact.result == CALIBRATION_DONE:
        return f"Calibrated; the measurements lie within {fact.residual} mg."
    if fact.result == CALIBRATION_STOPPED:
        return "The calibration was stopped; the last one counts."
    missing = [str(face) for face in range(1, FACES + 1) if not fact.faces >> (face - 1) & 1]
    if missing:
        return f"The calibration failed. Lay the die on each of its faces for a second; missing: {', '.join(missing)}."
    return (
        f"The calibration failed: its measurements lie {fact.residual} mg off. Lay the die on a firm table, and "
        "repeat it."
    )
