"""What goes wrong at a virtual table: links, radios, cables, readers, processors, supplies, flashes."""

from __future__ import annotations

import asyncio

from companion.virtual_table.board import WDT_RESET, Message
from companion.virtual_table.device import VirtualDevice
from companion.virtual_table.die_hands import DieHands
from companion.virtual_table.radio.air import Air
from companion.virtual_table.reader_hands import ReaderHands


class Faults:
    """The part of `table.VirtualTable` that breaks things; it builds the room, this finds the device that is meant."""

    air: Air
    devices: dict[str, VirtualDevice]
    dice: dict[str, DieHands]
    readers: ReaderHands
    _first: VirtualDevice

    def _seen(self, change: Message) -> None:
        """Somebody is told of a change."""

    def device(self, name: str | None = None) -> VirtualDevice:
        """The device of that name, the first one for None."""
        if name is None:
            return self._first
        if name not in self.devices:
            raise ValueError(f"there are the devices {', '.join(self.devices)}, not {name!r}")
        return self.devices[name]

    def _die(self, name: str | None) -> DieHands:
        if name is None and self.dice:
            return next(iter(self.dice.values()))
        device = self.device(name)
        device.need_die()
        return self.dice[device.name]

    def drop_link(self, out_of_range_s: float = 0.0, device: str | None = None) -> None:
        """Both ends lose the connection, as when somebody walks away; for that long nothing is heard. Without a device
        everybody's.
        """
        if device is not None:
            self.device(device).lose_link(out_of_range_s)
            self._note("the link was lost", device)
            return
        self.air.lose_links()
        if out_of_range_s > 0:
            self.air.out_of_range = True
            asyncio.get_running_loop().call_later(out_of_range_s, self._come_back)
        self._note("the link was lost")

    def set_air_time(self, ms: float) -> None:
        """How long a packet is under way."""
        if not 0 <= ms <= 10_000:
            raise ValueError("air time is from 0 to 10,000 ms")
        self.air.air_time_s = ms / 1000

    def notify_enomem(self, count: int, device: str | None = None) -> None:
        """The next `count` notifications of the firmware find no buffer (OSError ENOMEM)."""
        self.device(device).board.radio.enomem_left = count

    def set_notify_spacing(self, ms: float, device: str | None = None) -> None:
        """A radio that is slow: a notification that comes closer than this behind the last one finds no buffer."""
        if not 0 <= ms <= 10_000:
            raise ValueError("the spacing is from 0 to 10,000 ms")
        for one in [self.device(device)] if device is not None else self.devices.values():
            one.board.radio.spacing_us = round(ms * 1000)

    def inject_notification(self, packet: bytes, device: str | None = None) -> None:
        """Bytes reach the companion that the firmware never sent."""
        if not self.device(device).board.radio.inject(packet):
            raise ValueError("nobody is connected")

    def force_entropy(self, data: bytes, device: str | None = None) -> None:
        """The next bytes that the firmware's `os.urandom` gives: loaded dice for tests."""
        self.device(device).board.desk.forced_entropy += data

    def serial_noise(self, flips: int, device: str | None = None) -> None:
        """So many of the next bytes on the cable, here and there, have a bit that is turned."""
        if flips < 0:
            raise ValueError("0 flips end the noise, more begin it")
        self.device(device).board.cable.flips_left = flips

    def plug_cable(self, plugged: bool, device: str | None = None) -> None:
        """Pulls the plug of the cable, or puts it back: meanwhile bytes are lost both ways."""
        self.device(device).board.cable.plugged = plugged

    def mute_reader(self, socket: int, trouble: str = "hung") -> None:
        """A reader breaks: dead (until repaired); hung, deaf or empty (until it is reset)."""
        table, own = self.readers.at(socket)
        table.readers[own].fail(trouble, table.now)

    def repair_reader(self, socket: int) -> None:
        table, own = self.readers.at(socket)
        table.readers[own].repair(table.now)

    def mute_accelerometer(self, absent: bool = True, device: str | None = None) -> None:
        """A handheld die's accelerometer does not answer any more, or does again."""
        self._die(device).hardware.absent = absent

    def crash(self, device: str | None = None) -> None:
        """The processor dies in the middle of whatever it does; its watchdog starts it again."""
        self.device(device).board.reset(WDT_RESET, "crash")

    def power_cycle(self, off_s: float = 0.5, device: str | None = None) -> None:
        """The plug is pulled and put back; the flash keeps what was in it, the lights go dark."""
        self.device(device).board.power_cycle(off_s)

    def brown_out(self, device: str | None = None) -> None:
        """The supply sags for a moment: everything starts again in the middle of whatever it does."""
        self.device(device).board.power_cycle(0.02, "brown-out")

    def power_cut(self, after_writes: int, device: str | None = None) -> None:
        """The power goes in the middle of the flash's next write or erase after so many more, and comes back. Only for
        a board that has `littlefs`.
        """
        flash = self.device(device).board.flash
        if flash is None:
            raise ValueError("this board's flash is a folder: set it up with littlefs to cut its power")
        flash.cut_power_after(after_writes)

    def power_off(self, device: str | None = None) -> None:
        """The plug is pulled, everybody's without a device."""
        for one in [self.device(device)] if device is not None else self.devices.values():
            one.power_off()

    def switch_off(self, device: str) -> None:
        """One device's supply is switched off."""
        self.device(device).power_off()
        self._note("the board was switched off", device)

    def switch_on(self, device: str) -> None:
        """One device's supply is switched on again."""
        self.device(device).board.start()

    # -- inside --------------------------------------------------------------------------------------------------------

    def _come_back(self) -> None:
        self.air.out_of_range = False

    def _note(self, text: str, device: str | None = None) -> None:
        self._seen({"kind": "log", "device": device or self._first.name, "text": text})
