"""The virtual table: real firmware, chip models and radio in this process, and the hands that move things on it.

    async with VirtualTable(flash, devices=("table", "die")) as table:
        scanner_class, client_class = table.backend()      # for bleak
        table.place_tag("04a1b2c3", 7)
        table.press_button()
        table.place_die(5)

On an ordinary loop it runs in real time; on a `VirtualTimeLoop` in virtual time, the same way in every run for the
same `seed`. UIDs are hex strings; sockets and board lights have the layout's numbers from 0, 32 sockets and 64 lights a
controller. A device is named as `devices` names it; where a hand leaves it out, the first that has such a thing is
meant. Every hand raises `ValueError` for what cannot be done.
"""

from __future__ import annotations

import tempfile
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

from bleak.backends.client import BaseBleakClient
from bleak.backends.scanner import BaseBleakScanner

from companion.virtual_table.board import Board, BoardSetup, Message
from companion.virtual_table.cable import SerialEnd
from companion.virtual_table.chips.table_hardware import TableHardware
from companion.virtual_table.chips.ws2812 import Colour, LedFrame
from companion.virtual_table.device import VirtualDevice, check_names, setup_of
from companion.virtual_table.die_hands import DieHands
from companion.virtual_table.faults import Faults
from companion.virtual_table.interpreter import heap_bytes
from companion.virtual_table.radio.air import Air
from companion.virtual_table.radio.bleak_backend import bleak_backend
from companion.virtual_table.radio.central import Central
from companion.virtual_table.reader_hands import ReaderHands

ADDRESS = "F0:CA:B0:7A:B1:E0"
"""Of the first table controller."""
_LOG_KEPT = 200


class VirtualTable(Faults):
    """Devices in one room. `on_change` hears what can be seen of them: dicts with `kind` tags, lights, button, link,
    die or log, and with the `device` where one is meant. `readers` are the hands on readers and fields.

    `flash` is the folder of the first device's flash; the others have theirs beside it, with their name behind its
    name. `setup` is the first device's, and what the others are `setup_of(…, like=…)`; `setups` names others by device.
    `accelerometer` (lis2dw12 or lis3dh) is the chip in the handheld dice.
    """

    def __init__(
        self,
        flash: Path | None = None,
        *,
        devices: tuple[str, ...] = ("table",),
        setup: BoardSetup | None = None,
        setups: Mapping[str, BoardSetup] | None = None,
        accelerometer: str = "lis2dw12",
        air_time_ms: float = 0.0,
        on_change: Callable[[Message], None] = lambda change: None,
    ) -> None:
        names = check_names(tuple(devices))
        self._temporary: tempfile.TemporaryDirectory[str] | None = None
        if flash is None and setup is None:
            self._temporary = tempfile.TemporaryDirectory(prefix="cabstand-flash-")
            flash = Path(self._temporary.name) / "flash"
        if setup is None:
            assert flash is not None
            setup = setup_of(names[0], flash)
        elif flash is not None:
            setup = replace(setup, flash=flash)
        self.setup = setup
        self.on_change = on_change
        self.air = Air(air_time_ms / 1000)
        self.log: deque[str] = deque(maxlen=_LOG_KEPT)
        self.devices: dict[str, VirtualDevice] = {}
        root = setup.flash
        for place, name in enumerate(names):
            own = (setups or {}).get(name)
            if own is None:
                beside = root.with_name(f"{root.name}-{name}")
                own = setup if place == 0 else setup_of(name, beside, place=place, like=setup)
            self.devices[name] = VirtualDevice(name, own, self.air, self._seen, accelerometer)
        self.dice = {name: DieHands(device, self._seen) for name, device in self.devices.items() if device.die}
        self._tables = [device for device in self.devices.values() if device.table is not None]
        self._tables.sort(key=lambda device: device.number)
        self.readers = ReaderHands([d.table for d in self._tables if d.table is not None], self._changed_tags)
        self._first = self.devices[names[0]]
        self._central: Central | None = None

    async def __aenter__(self) -> VirtualTable:
        self.start()
        return self

    async def __aexit__(self, *exc_info: object) -> None:
        await self.close()

    def start(self) -> None:
        """Switches the supply of every device on."""
        for device in self.devices.values():
            device.board.start()

    async def close(self) -> None:
        if self._central is not None:
            await self._central.close()
        for die in self.dice.values():
            die.close()
        for device in self.devices.values():
            device.close()
        if self._temporary is not None:
            self._temporary.cleanup()

    # -- devices ------------------------------------------------------------------------------------------------------

    @property
    def board(self) -> Board:
        """The first device's."""
        return self._first.board

    @property
    def hardware(self) -> TableHardware:
        """The first table controller's."""
        return self.readers.at(0)[0]

    def _with_button(self, name: str | None) -> VirtualDevice:
        if name is None:
            return next((device for device in self.devices.values() if device.has_button), self._first)
        return self.device(name)

    # -- the radio's other end ----------------------------------------------------------------------------------------

    @property
    def central(self) -> Central:
        """The companion's adapter in this process."""
        if self._central is None:
            self._central = Central.in_process(self.air)
        return self._central

    def backend(self) -> tuple[type[BaseBleakScanner], type[BaseBleakClient]]:
        """Scanner and client classes for bleak's `backend=`."""
        return bleak_backend(self.central)

    def serial_pair(self, device: str | None = None) -> SerialEnd:
        """The host's end of a device's cable in this process; it keeps virtual time."""
        return self.device(device).board.cable.open_pair()

    def serial_port(self, device: str | None = None) -> str:
        """The path of a serial port that leads to a device, in real time."""
        return self.device(device).board.cable.open_port()

    # -- hands --------------------------------------------------------------------------------------------------------

    def place_tag(self, uid: str, socket: int) -> None:
        """Puts a taxi's tag on a socket, from wherever it was."""
        self._place(uid, socket)

    def lift_tag(self, uid: str) -> None:
        """Takes a tag off the table; nothing happens when it is not there."""
        if self._lift(_uid(uid)):
            self._changed_tags()

    def flap_tag(self, uid: str, socket: int, pattern: str = "10") -> None:
        """Puts a tag at the edge of a field: at each look the next character says whether it is seen (1) or not (0)."""
        self._place(uid, socket, pattern)

    def tags(self) -> dict[str, int]:
        """UID → socket, with the layout's numbers."""
        found: dict[str, int] = {}
        first = 0
        for device in self._tables:
            assert device.table is not None
            found.update({uid.hex(): first + socket for uid, socket in device.table.tags().items()})
            first += device.table.wiring.sockets
        return found

    def press_button(self, hold_ms: float = 120, device: str | None = None) -> None:
        """Presses a button die's button and lets it go."""
        self._with_button(device).press_button(hold_ms)

    def throw_die(self, kind: str = "table", seed: int = 0, device: str | None = None) -> Message:
        """Throws a handheld die; see `die_hands.DieHands.throw`. Says how it will end: doing, face, seconds."""
        return self._die(device).throw(kind, seed)

    def handle_die(
        self, kind: str = "wobble", seed: int = 0, seconds: float = 5.0, device: str | None = None
    ) -> Message:
        """Moves a handheld die without throwing it; see `die_hands.DieHands.handle`."""
        return self._die(device).handle(kind, seed, seconds)

    def bring_die(self, face: int, seed: int = 0, device: str | None = None) -> Message:
        """A hand brings a handheld die and lays it down with that face up."""
        return self._die(device).bring(face, seed)

    def place_die(self, face: int, device: str | None = None) -> Message:
        """Lays a handheld die down with that face up."""
        return self._die(device).place(face)

    def set_battery(self, millivolts: float, device: str | None = None) -> None:
        """Charges or drains a handheld die's cell until it has that voltage without load."""
        self._die(device).set_battery(millivolts)

    def set_charging(self, charging: bool, device: str | None = None) -> None:
        """Puts a handheld die on its charger, or takes it off."""
        self._die(device).set_charging(charging)

    def lights(self, strip: str = "board", device: str | None = None) -> list[Colour]:
        """What a strip (board or die) shows now: (red, green, blue) each. Without a device, board is all controllers'
        in the layout's order, and die the first that there is.
        """
        if device is not None:
            return list(self.device(device).strip(strip).frame.lights)
        if strip == "board" and self._tables:
            return [light for table in self._tables for light in table.strip("board").frame.lights]
        first = next((d for d in self.devices.values() if strip in d.strips), self._first)
        return list(first.strip(strip).frame.lights)

    def led_frames(self, strip: str = "board", device: str | None = None) -> list[LedFrame]:
        """The newest frames that went out to a strip of a device, at most 2,000."""
        return self.device(device).frames(strip)

    @property
    def link(self) -> str:
        """off, silent, advertising or connected: the first device's."""
        return self._first.link

    def links(self) -> dict[str, str]:
        """The link of each device."""
        return {name: device.link for name, device in self.devices.items()}

    async def stats(self, device: str | None = None) -> Message:
        """Figures of a device's firmware's work; heap in bytes of a 64-bit heap, after a collection, without
        what the shims take.
        """
        one = self.device(device)
        heap: Message = {}
        if one.board.running:
            measured = await one.board.measure_heap()
            size, used = heap_bytes(one.setup.heap), measured["used"] - measured["base"]
            heap = {"size": size, "used": used, "free": size - used, "shims": measured["base"]}
            heap["free_percent"] = round(100 * (size - used) / size, 1)
        figures: Message = {
            "uptime_s": round(one.board.uptime_s, 3),
            "boots": one.board.boots,
            "asleep": one.board.asleep,
            "heap": heap,
            "link": one.link,
            "led_frames": one.led_frames,
            "notifications": one.board.radio.notifications,
            "notifications_refused": one.board.radio.refused,
            "model_errors": one.hardware.model_errors_total,
        }
        if one.table is not None:
            counters = one.table.counters
            figures |= {
                "spi_transfers": counters.spi_transfers,
                "spi_bytes": counters.spi_bytes,
                "sweeps": counters.sweeps,
                "transfers_of_last_sweep": counters.transfers_of_last_sweep,
                "most_fields_on": counters.most_fields_on,
            }
        if one.die is not None:
            figures |= {
                "battery_mv": round(one.die.cell.millivolts),
                "battery_part": round(one.die.cell.part, 4),
                "samples": one.die.accelerometer.samples,
            }
        if one.board.flash is not None:
            figures["flash_operations"] = one.board.flash.operations
        return figures

    def model_errors(self) -> list[str]:
        """What the chips would have suffered from: the first 200 of each device, with the time in seconds."""
        found = []
        for name, device in self.devices.items():
            who = "" if device is self._first else f"{name}: "
            found += [f"{who}{t / 1e6:.6f} {text}" for t, text in device.hardware.model_errors]
        return found

    # -- inside -------------------------------------------------------------------------------------------------------

    def snapshot(self) -> list[Message]:
        """What `on_change` would have said so far, as one change of each kind."""
        changes: list[Message] = [{"kind": "tags", "tags": self.tags()}] if self._tables else []
        for device in self.devices.values():
            changes += device.state()
        return changes + [die.state() for die in self.dice.values()]

    def _place(self, uid: str, socket: int, flicker: str = "") -> None:
        raw = _uid(uid)
        table, own = self.readers.at(socket)
        table.place_tag(raw, own, flicker)
        self._lift(raw, except_at=table)
        self._changed_tags()

    def _lift(self, uid: bytes, except_at: TableHardware | None = None) -> bool:
        tables = [device.table for device in self._tables if device.table is not None]
        return sum(table.lift_tag(uid) for table in tables if table is not except_at) > 0

    def _changed_tags(self) -> None:
        self.on_change({"kind": "tags", "tags": self.tags()})

    def _seen(self, change: Message) -> None:
        if change["kind"] == "log":
            first = not hasattr(self, "_first") or change["device"] == self._first.name
            self.log.append(change["text"] if first else f"{change['device']}: {change['text']}")
        self.on_change(change)


def _uid(text: str) -> bytes:
    try:
        uid = bytes.fromhex(text)
    except ValueError:
        uid = b""
    if len(uid) not in (4, 7, 8, 10):
        raise ValueError(f"a tag's UID is 4, 7, 8 or 10 bytes in hex, not {text!r}")
    return uid
