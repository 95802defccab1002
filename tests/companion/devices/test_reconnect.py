"""Waits grow to a limit and start again; every error of a radio is a sentence that says what to do."""

import pytest
from bleak.exc import (
    BleakBluetoothNotAvailableError,
    BleakBluetoothNotAvailableReason,
    BleakDBusError,
    BleakDeviceNotFoundError,
    BleakError,
)

from companion.devices.reconnect import LONGEST_WAIT, Backoff, BusyError, WrongTableError, explain


def test_waits_double_to_a_limit_and_start_again():
    backoff = Backoff()
    waits = [backoff.wait() for _ in range(8)]
    assert waits[:5] == [0.25, 0.5, 1, 2, 4]
    assert waits[5:] == [LONGEST_WAIT] * 3
    backoff.reset()
    assert backoff.wait() == 0.25


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (BleakBluetoothNotAvailableError("off", BleakBluetoothNotAvailableReason.POWERED_OFF), "Bluetooth is off"),
        (FileNotFoundError(2, "no D-Bus"), "service does not run"),
        (BleakDBusError("org.freedesktop.DBus.Error.ServiceUnknown", ["org.bluez"]), "service does not run"),
        (BleakDeviceNotFoundError("F0:CA:B0:7A:B1:E0"), "not in sight any more"),
        (BleakError("org.bluez.Error.InProgress"), "Another program"),
        (BleakError("le-connection-abort-by-local"), "tried again by itself"),
        (TimeoutError(), "does not answer"),
        (ConnectionResetError(), "tried again by itself"),
        (BusyError(3), "another companion"),
        (WrongTableError("Update its firmware."), "Update its firmware."),
    ],
)
def test_errors_are_sentences(error, words):
    text = explain(error)
    assert words in text
    assert text[-1] in ".?"
    assert "Error" not in text
