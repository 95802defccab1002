"""What a device's own facts change in what is known of it, before anybody asks what they mean for the game."""

from __future__ import annotations

import asyncio

from companion.devices import facts
from companion.devices.device_state import DeviceState
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
ANSWER_SECONDS = 15.0
"""A device that tells of a refusal within this time after our own command was refused tells of that one."""


def notice(device: KnownDevice, fact: Fact) -> None:
    """Battery, sleep, calibration, faults, refusals, the state of a die. The same fact again changes nothing more."""
    state = device.state
    if isinstance(fact, facts.BatteryChanged):
        state.battery_level, state.battery, state.millivolts = fact.level, fact.percent, fact.millivolts
    elif isinstance(fact, facts.DieSleeps):
        device.asleep = True
    elif isinstance(fact, facts.DieCalibrated):
        device.calibrating = False
        state.calibration = _calibration(fact)
    elif isinstance(fact, facts.FaceMeasured):
        _measured(state, fact)
    elif isinstance(fact, facts.AccessRefused) and _is_answer(device, fact):
        device.asked.pop(fact.command, None)
    elif isinstance(fact, facts.AccessRefused):
        device.access_refused = WORDS.get(COMMANDS.get(fact.command, ""), "do something with it")
    elif isinstance(fact, facts.Crosstalk):
        one, other = state.first_socket + fact.socket, state.first_socket + fact.other
        device.crosstalk = f"{one} and {other}"
    elif isinstance(fact, facts.DeviceFault):
        state.last_fault = fact.error
    elif state.mode != "safe":  # what is told there of a die was so before
        _die(state, fact)


def _die(state: DeviceState, fact: Fact) -> None:
    if isinstance(fact, facts.DieStarted):
        state.die = "tumbles"
    elif isinstance(fact, facts.DieSettled):
        state.die, state.die_face, state.invited = "at_rest", fact.face, False
    elif isinstance(fact, facts.DiePlaced):
        state.die_face = fact.face
        state.lies()
    elif isinstance(fact, facts.DieCocked):
        state.die, state.die_face = "cocked", fact.face
    elif isinstance(fact, facts.OtherEvent) and fact.name == "DIE_ARMED":
        state.invited = True
        if state.die in ("", "at_rest"):
            state.lies()


def _is_answer(device: KnownDevice, fact: facts.AccessRefused) -> bool:
    """Whether it tells of what we have asked it ourselves."""
    asked_at = device.asked.get(fact.command)
    return asked_at is not None and asyncio.get_running_loop().time() - asked_at <= ANSWER_SECONDS


def _measured(state: DeviceState, fact: facts.FaceMeasured) -> None:
    missing = _missing(fact.faces)
    state.calibration = f"{FACES - len(missing)} of {FACES} faces are done."
    if missing:
        state.calibration += f" Still missing: {', '.join(missing)}."
    state.die, state.die_face = "at_rest", fact.face


def _missing(faces: int) -> list[str]:
    return [str(face) for face in range(1, FACES + 1) if not faces >> (face - 1) & 1]


def _calibration(fact: facts.DieCalibrated) -> str:
    if fact.result == CALIBRATION_DONE:
        return f"Calibrated; the measurements lie within {fact.residual} mg."
    if fact.result == CALIBRATION_STOPPED:
        return "The calibration was stopped. Nothing of it counts; the die measures as it did before."
    missing = _missing(fact.faces)
    if missing:
        return f"The calibration failed. Lay the die on each of its faces for a second; missing: {', '.join(missing)}."
    return (
        f"The calibration failed: its measurements lie {fact.residual} mg off. Lay the die on a firm table, and "
        "repeat it."
    )
