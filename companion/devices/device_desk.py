"""What people can do with a device from its page: see it, make it show itself, pair, name, number, calibrate, put to
sleep, restart, read its fault, forget it. Every refusal is a `DeviceError` that says what to do.
"""

from __future__ import annotations

import asyncio
import itertools
from abc import ABC, abstractmethod
from collections.abc import Mapping
from contextlib import suppress

from bleak.exc import BleakError

from companion.devices import pairing
from companion.devices.device_notes import notes_of
from companion.devices.device_state import DeviceError, DeviceNote, DeviceState
from companion.devices.dialogue import DONE, NO_ANSWER, Dialogue
from companion.devices.known_device import KnownDevice
from companion.devices.registry import Registry
from companion.settings import Settings
from shared_rules.wire.message_table import rows
from shared_rules.wire.messages import (
    CALIBRATION_FORGET,
    CALIBRATION_START,
    CALIBRATION_STOP,
    MODE_NORMAL,
    MODE_SAFE,
    NOT_NOW,
    NOT_PAIRED,
    UNKNOWN_COMMAND,
)

IDENTIFY_SECONDS = 10
CALIBRATIONS = {"start": CALIBRATION_START, "stop": CALIBRATION_STOP, "forget": CALIBRATION_FORGET}
LONGEST_NAME = 40
MOST_CONTROLLERS = 8
KINDS_OF_COMMANDS = {row[1]: row[0] for row in rows()}
KEY_CHANGES = ("PAIR", "UNPAIR")
"""A device takes a few of them in a minute, since they wear its flash."""
WORKS_IN_SAFE_MODE = ("PAIR", "UNPAIR", "READ_LOG", "RESTART")
FOR_ITS_OWN = ("CALIBRATE_DIE", "RESTART")
"""What a device does for the companion alone that it is paired with."""
ENDING_SECONDS = 3.0
PAIRED_SECONDS = 10.0
PAIRED_LOOK_SECONDS = 0.1


class DeviceDesk(ABC):
    """`known` are all devices by id, those that were forgotten too. The hub is one of these."""

    def __init__(self, settings: Settings, registry: Registry) -> None:
        self.settings = settings
        self.registry = registry
        self.known: dict[str, KnownDevice] = {}
        self.own_numbers: Mapping[str, int] = {}

    # To see

    def devices(self) -> list[DeviceState]:
        """All that were met and not forgotten: controllers by number, then dice by name."""
        found = [device.state for device in self.known.values() if not device.forgotten and device.state.name]
        return sorted(found, key=_order)

    def forgotten(self) -> list[DeviceState]:
        """Those that are left alone until they are `remembered`."""
        return sorted((device.state for device in self.known.values() if device.forgotten), key=_order)

    def notes(self) -> list[DeviceNote]:
        """What people should know, quietly: an empty battery, a device that is refused or in safe mode, somebody who
        tried to get at one, fields that reach into one another, a table with an unlikely number."""
        found = []
        for state in self.devices():
            device = self.known[state.id]
            found += notes_of(device)
            if state.number and state.state == "connected" and not self._has_table(0):
                text = (
                    f"{state.name} is controller {state.number + 1}, and controller 1 is not here. If it is the only "
                    "controller of this table, give it number 1."
                )
                found.append(DeviceNote(state.id, "number", text))
        return found

    def understood(self, device_id: str, kind: str) -> None:
        """A note of kind access or crosstalk was read; it comes back when it happens again."""
        device = self._device(device_id)
        if kind == "access":
            device.access_refused = ""
        elif kind == "crosstalk":
            device.crosstalk = ""
        self.changed()

    # To do

    async def identify(self, device_id: str) -> None:
        """Its lights blink for ten seconds."""
        await self._ask(device_id, "IDENTIFY", {"seconds": IDENTIFY_SECONDS})

    async def pair(self, device_id: str) -> None:
        """From now on the device talks to this companion alone. The key is on disk before the device has it. One that
        is refused, since a key is lost, gets a new one over its cable."""
        device = self._device(device_id)
        if device.lead is not None and device.state.state == "refused":
            await self._pair_anew(device)
            return
        self._connected(device)
        if device.state.paired:
            raise DeviceError(f"{device.state.name} is paired already.")
        # One that was offered already may have been taken: another key now would lock the device out.
        device.key = device.key or pairing.new_key()
        await self.registry.save(device.row())
        await self._ask(device_id, "PAIR", {"key": device.key})
        device.state.paired = True
        await self._kept(device)

    async def _pair_anew(self, device: KnownDevice) -> None:
        assert device.lead is not None
        device.key, device.state.paired = pairing.new_key(), False
        await self.registry.save(device.row())
        device.lead.pair_anew()
        try:
            async with asyncio.timeout(PAIRED_SECONDS):
                while not (device.state.state == "connected" and device.state.paired):
                    await asyncio.sleep(PAIRED_LOOK_SECONDS)
        except TimeoutError:
            raise DeviceError(
                f"{device.state.name} did not take a new key. Plug its cable in anew, and try again."
            ) from None
        self.changed()

    async def unpair(self, device_id: str) -> None:
        """From now on the device talks to any companion."""
        device = self._device(device_id)
        self._connected(device)
        if not device.state.paired:
            raise DeviceError(f"{device.state.name} is not paired.")
        # Whatever becomes of the answer: from here on it may prove itself, and need not.
        device.state.paired = False
        await self.registry.save(device.row())
        try:
            await self._ask(device_id, "UNPAIR", {})
        except DeviceError as error:
            if error.code == "refused":
                device.state.paired = True
                await self._kept(device)
            raise
        device.key = b""
        await self._kept(device)

    async def forget(self, device_id: str) -> None:
        """The device is unpaired and left alone, its number is gone. `remember` takes it back. One that is away may
        still have its key: that is kept, as one that was only offered, else nobody could talk to it again."""
        device = self._device(device_id)
        if device.state.state == "connected" and device.state.paired:
            with suppress(DeviceError):
                await self.unpair(device_id)
        device.forgotten = True
        await self._end(device)
        device.state.paired = False
        device.readers.clear()
        device.state.number, device.state.error = None, ""
        device.state.state = "searching"
        device.access_refused = device.crosstalk = ""
        await self._kept(device)

    async def remember(self, device_id: str) -> None:
        """A forgotten device may be used again, as one that is new."""
        device = self._device(device_id)
        device.forgotten = False
        await self._kept(device)
        self.start_links(device)

    async def rename(self, device_id: str, name: str) -> None:
        """What people call it."""
        device = self._device(device_id)
        name = " ".join(name.split())
        if not 0 < len(name) <= LONGEST_NAME or not name.isprintable():
            raise DeviceError(f"A name has 1 to {LONGEST_NAME} letters.")
        device.state.name = name
        await self._kept(device)

    async def set_number(self, device_id: str, number: int) -> None:
        """Which part of a layout a controller serves; whichever had that number gets this one's."""
        device = self._device(device_id)
        if device.state.kind != "table":
            raise DeviceError(f"{device.state.name} is a die; only table controllers have numbers.")
        if not 0 <= number < MOST_CONTROLLERS:
            raise DeviceError(f"A controller's number is from 1 to {MOST_CONTROLLERS}.")
        if device.state.number == number:
            return
        other = next((one for one in self.known.values() if one.state.number == number), None)
        if other is not None:
            other.state.number = device.state.number
            other.state.sockets = []
        device.state.number = number
        device.state.sockets = []
        if other is not None:
            await self.registry.save(other.row())
        await self._kept(device)
        for one in (device, other):
            if one is not None:
                self.renumbered(one)
        await self.ask_snapshots()

    async def calibrate(self, device_id: str, action: str) -> None:
        """`start`, `stop` or `forget` the calibration of a handheld die; how it went is told by `calibration`. While it
        is being calibrated it is invited to no throw."""
        device = self._device(device_id)
        if device.state.kind != "handheld_die":
            raise DeviceError(f"{device.state.name} has nothing to calibrate; only a die that is thrown has.")
        if action not in CALIBRATIONS:
            raise DeviceError(f"A calibration can be started, stopped or forgotten, not “{action[:20]}”.")
        self._may(device, "CALIBRATE_DIE")
        if action == "start":
            await self._start_calibration(device)
            self.changed()
            return
        said = device.state.calibration
        if action == "stop" and not device.calibrating:  # if one was, all the same, the device tells how it ended
            device.state.calibration = "No calibration was running. Nothing has changed."
        try:
            await self._ask(device_id, "CALIBRATE_DIE", {"action": CALIBRATIONS[action]})
        except DeviceError:
            device.state.calibration = said
            raise
        if action == "forget":
            device.state.calibration = "The calibration is forgotten."
        if action == "stop" or not device.calibrating:
            device.calibrating = False
            self.hold(device, False)
        self.changed()

    async def _start_calibration(self, device: KnownDevice) -> None:
        name, said = device.state.name, device.state.calibration
        self.hold(device, True)
        try:
            try:
                await self._ask(device.id, "DISARM_DIE", {})
            except DeviceError as error:
                if error.status == NOT_NOW:
                    error = DeviceError(f"{name} is rolling. Wait until it lies still, then calibrate it.")
                raise error from None
            device.state.uninvited()
            device.calibrating = True
            device.state.calibration = "0 of 12 faces are done. Lay the die on each of them for a second."
            await self._ask(device.id, "CALIBRATE_DIE", {"action": CALIBRATION_START})
        except BaseException:
            device.calibrating, device.state.calibration = False, said
            self.hold(device, False)
            raise

    async def sleep(self, device_id: str) -> None:
        """Puts a handheld die to sleep; moving it wakes it."""
        device = self._device(device_id)
        if device.state.kind != "handheld_die":
            raise DeviceError(f"{device.state.name} never sleeps; only a die with a battery does.")
        await self._ask(device_id, "SLEEP_DIE", {})

    async def restart(self, device_id: str, safe: bool = False) -> None:
        """Restarts it; in safe mode only its link works, for reading its fault and giving it new firmware."""
        device = self._device(device_id)
        self._may(device, "RESTART")
        before = device.safe_since
        if safe:
            device.safe_since = device.state.boot_id
        try:
            await self._ask(device_id, "RESTART", {"mode": MODE_SAFE if safe else MODE_NORMAL})
        except DeviceError as error:
            if error.code == "refused":
                device.safe_since = before
            raise

    async def read_log(self, device_id: str) -> str:
        """The trace of its last fault; empty if there was none."""
        device = self._device(device_id)
        dialogue = self._connected(device)
        try:
            return await dialogue.read_log()
        except (TimeoutError, BleakError, OSError) as error:
            raise DeviceError(f"{device.state.name} did not send all of its log. Try again.") from error

    # What the hub does with it

    @abstractmethod
    def changed(self) -> None:
        """Something that pages show is another way."""

    @abstractmethod
    def renumbered(self, device: KnownDevice) -> None:
        """A controller has another number now."""

    @abstractmethod
    def hold(self, device: KnownDevice, held: bool) -> None:
        """A die is left without invitations, or gets them again."""

    @abstractmethod
    def start_links(self, device: KnownDevice) -> None:
        """A device that was left alone is wanted again."""

    @abstractmethod
    async def ask_snapshots(self) -> None:
        """Has every device say how it lies now."""

    def free_number(self, device_id: str) -> int:
        """The number that this controller has of its own (`own_numbers`), if no other has it, or the lowest that is
        nobody's."""
        taken = self._numbers()
        others = {number for one, number in self.own_numbers.items() if one != device_id}
        own = self.own_numbers.get(device_id)
        if own is not None and own not in taken:
            return own
        return next(number for number in itertools.count() if number not in taken and number not in others)

    def _numbers(self) -> set[int | None]:
        return {device.state.number for device in self.known.values()}

    def _has_table(self, number: int) -> bool:
        return any(state.number == number and state.state != "searching" for state in self.devices())

    def _device(self, device_id: str) -> KnownDevice:
        device = self.known.get(device_id)
        if device is None:
            raise DeviceError("There is no such device here. Look at the list again.")
        return device

    def _connected(self, device: KnownDevice) -> Dialogue:
        if device.dialogue is None or device.state.state != "connected":
            raise DeviceError(f"{device.state.name} is not connected. Switch it on, bring it near, and try again.")
        return device.dialogue

    def _may(self, device: KnownDevice, command: str) -> Dialogue:
        """The talk with a device that may be asked for this: what it would refuse is not even sent."""
        dialogue, name = self._connected(device), device.state.name
        if device.state.mode == "safe" and command not in WORKS_IN_SAFE_MODE:
            raise DeviceError(f"{name} cannot do that: it is in safe mode. Restart it first.")
        out_of_safe_mode = command == "RESTART" and device.state.mode == "safe"
        if command in FOR_ITS_OWN and not device.state.paired and not out_of_safe_mode:
            raise DeviceError(f"{name} does that only for the companion that it is paired with. Pair it first.")
        return dialogue

    async def _ask(self, device_id: str, command: str, fields: dict[str, object]) -> None:
        device = self._device(device_id)
        dialogue = self._may(device, command)
        name, kind = device.state.name, KINDS_OF_COMMANDS[command]
        device.asked[kind] = asyncio.get_running_loop().time()
        try:
            status = await dialogue.command(command, fields)
        except (BleakError, OSError) as error:
            raise DeviceError(f"The link to {name} broke meanwhile. Try again when it is back.") from error
        if status not in (NOT_PAIRED, NO_ANSWER):  # a refusal that it tells of from now on is somebody else's
            device.asked.pop(kind, None)
        if status in (DONE, NO_ANSWER):
            if status == NO_ANSWER:
                raise DeviceError(f"{name} does not answer. Try again.")
            return
        said = {
            UNKNOWN_COMMAND: f"{name} cannot do that. Update its firmware.",
            NOT_NOW: f"{name} cannot do that now. Try again in {'a minute' if command in KEY_CHANGES else 'a moment'}.",
            NOT_PAIRED: f"{name} does that only for the companion that it is paired with. Pair it first.",
        }
        refused = DeviceError(said.get(status, f"{name} refused that (status {status})."))
        refused.code, refused.status = "refused", status
        raise refused

    async def _end(self, device: KnownDevice) -> None:
        """Ends the link, whichever way it goes."""
        task = device.air
        if task is not None:
            task.cancel()
            await asyncio.wait({task}, timeout=ENDING_SECONDS)
            device.air = None
        if device.cable is not None:
            device.cable.end()

    async def _kept(self, device: KnownDevice) -> None:
        await self.registry.save(device.row())
        self.changed()


def _order(state: DeviceState) -> tuple[bool, int, str]:
    return (state.number is None, state.number or 0, state.name)
