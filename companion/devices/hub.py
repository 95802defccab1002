"""All devices of one companion: finds them, keeps a link to each, numbers controllers, hands facts on with the layout's
numbers, and sends lights and invitations where they belong.

hub = DeviceHub(settings, sink, registry, link)
await hub.open()                         # remembers what was met before; then hub.run(), until cancelled
"""

from __future__ import annotations

import asyncio
import dataclasses
import logging
import random
from collections.abc import Callable, Coroutine, Sequence
from contextlib import suppress
from typing import Any

from bleak.backends.device import BLEDevice

from companion.devices import facts
from companion.devices.ble_link import BleLink
from companion.devices.device_desk import DeviceDesk
from companion.devices.device_state import SOCKETS_EACH, DeviceState
from companion.devices.dialogue import Dialogue, Sink
from companion.devices.facts import Fact, TableSnapshot
from companion.devices.known_device import Cable, KnownDevice, remembered
from companion.devices.link_state import LinkState
from companion.devices.noticed import notice
from companion.devices.radio import Radio
from companion.devices.reconnect import NotWantedError
from companion.devices.registry import Registry
from companion.devices.serial_link import SerialLink
from companion.devices.serial_port import ANY, usb_ports
from companion.devices.strangers import Strangers
from companion.devices.sum_of_links import sum_up
from companion.devices.table_output import TableOutput
from companion.errors import StorageError
from companion.event_log.store import InboxMark
from companion.settings import Settings
from shared_rules.wire.messages import Message

logger = logging.getLogger(__name__)

PORTS_SECONDS = 2.0
"""How often new ports are looked for, where all of them are used."""
NEWS_SECONDS = 1.0
"""`on_news` is told at most this often."""
GOODBYE_SECONDS = 0.6
"""How long a companion that goes may take to switch off the lights of its game."""
LATELY = 60.0
"""How long a device that was lost is searched for without a break."""
FIRST_CALL = 10.0
"""How long a device that was lost has the radio before anybody who is not known."""
OTHER_WAY_SECONDS = 3.0
MOST_SHOWN = 8
"""Devices that said what they are, but never took part: more are not shown."""


class DeviceHub(DeviceDesk):
    """`radio`: whether there is one; `ports`: cables (paths, serial numbers, or `serial_port.ANY`). `on_change` hears
    that something which every page shows has changed, `on_news` that figures of the devices page have,
    `on_controllers` that controllers came, went or have other numbers. `link` is kept as the sum over all devices;
    `searching` says whether there is any way to one."""

    def __init__(
        self,
        settings: Settings,
        sink: Sink,
        registry: Registry,
        link: LinkState,
        *,
        radio: bool = True,
        ports: Sequence[str] = (),
    ) -> None:
        super().__init__(settings, registry)
        self.link = link
        self.output = TableOutput()
        self.companion_id = random.SystemRandom().getrandbits(32)
        self.heartbeat_timeout = settings.heartbeat_timeout
        self.searching = radio or bool(ports)
        self.on_change: Callable[[], None] = lambda: None
        self.on_news: Callable[[], None] = lambda: None
        self.on_controllers: Callable[[], None] = lambda: None
        self._sink = sink
        self._ports = tuple(ports)
        self._port_says: dict[str, str] = {}
        self._cables: set[str] = set()
        self._radio = Radio(settings) if radio else None
        self._strangers = Strangers(self._try, lambda: not self._lost_within(FIRST_CALL))
        self._radio_says = ""
        self._nothing_in_sight = False
        self._news_at = 0.0
        self._group: asyncio.TaskGroup | None = None
        self._told_controllers: dict[int, bool] = {}

    async def open(self) -> None:
        """Remembers the devices that were met before. `StorageError`."""
        for row in await self.registry.load():
            device = remembered(row)
            if device.state.number is not None and device.state.number in self._numbers():
                # Two changed places when the companion was killed, and one of them was not on disk yet.
                device.state.number = self.free_number(device.id)
            self._add(device)
        self.changed()

    async def run(self) -> None:
        """Links to all devices, until cancelled: then lights and invitations of the game go first."""
        links = asyncio.create_task(self._keep_links(), name="links")
        try:
            await asyncio.shield(links)
        except asyncio.CancelledError:
            await self.output.leave(GOODBYE_SECONDS)
            raise
        finally:
            links.cancel()
            await asyncio.wait({links})

    async def _keep_links(self) -> None:
        async with asyncio.TaskGroup() as group:
            self._group = group
            if self._radio is not None:
                self._radio.on_new = self._in_sight
                self._radio.on_trouble = self._radio_trouble
                self._radio.on_nothing = self._none_in_sight
                self._radio.is_calm = self._is_calm
                for device in self.known.values():
                    self._start_air(device)
                group.create_task(self._radio.run(), name="radio")
            for port in self._ports:
                if port == ANY:
                    group.create_task(self._watch_ports(), name="ports")
                else:
                    group.create_task(SerialLink(self, port).run(), name=f"cable {port}")
            self.changed()

    def taken_in(self, mark: InboxMark) -> None:
        """An event is on disk: it may be acknowledged."""
        device = self.known.get(mark.device_id)
        if device is not None and device.dialogue is not None:
            device.dialogue.taken_in(mark)

    def controllers(self) -> dict[int, bool]:
        """Number → whether it is there and reads its sockets, of all controllers that were met and not forgotten."""
        return {
            device.state.number: device.state.state == "connected" and device.state.mode != "safe"
            for device in self.known.values()
            if device.state.number is not None and not device.forgotten
        }

    @property
    def radio_trouble(self) -> str:
        """Why nothing can be searched for by air, in a sentence; empty while it can."""
        return self._radio_says

    def troubles(self) -> list[str]:
        """Sentences about radio and ports that are about no device."""
        return [sentence for sentence in (self._radio_says, *self._port_says.values()) if sentence]

    async def ask_snapshots(self) -> None:
        """Has every device say how it lies now."""
        for device in self.known.values():
            await self._ask_snapshot(device)

    # For links

    def heard(self, device: KnownDevice) -> None:
        """It told how it is, as it does each second."""
        self._sum_up()
        if device.unsaved and self._group is not None:
            device.unsaved = False
            work = self._save(device)
            try:
                self._group.create_task(work, name=f"save {device.id}")
            except RuntimeError:  # everything is ending
                work.close()
        now = asyncio.get_running_loop().time()
        if now - self._news_at >= NEWS_SECONDS:
            self._news_at = now
            self.on_news()

    async def last_mark(self, device_id: str, boot_id: int) -> int:
        """What is on disk."""
        return await self.registry.last_mark(device_id, boot_id)

    def sink_for(self, device: KnownDevice) -> Sink:
        """Where a device's facts go."""
        return _InLayout(self, device)

    async def joined(self, device: KnownDevice, dialogue: Dialogue) -> Callable[[], Coroutine[Any, Any, None]]:
        """It has resumed, and proved itself if it had to."""
        state = device.state
        device.met = True
        self._strangers.joined(device)
        if dialogue.proved and not state.paired:
            state.paired = True
        elif not dialogue.proved and device.key:
            device.key = b""  # it was offered, and never taken
        state.last_seen = self.settings.now().isoformat(timespec="seconds")
        if state.kind == "table" and state.number is None:
            state.number = self.free_number(device.id)
        await self._save(device)
        teller = self.output.joined(dialogue, state)
        teller.hold(device.calibrating)
        return teller.run

    def left(self, device: KnownDevice, dialogue: Dialogue) -> None:
        """The talk is over."""
        self.output.left(device.id)
        self.changed()

    async def on_cable(self, hello: Message, cable: Cable) -> KnownDevice:
        """A device says hello over a cable: from now on that is the way to it."""
        device_id = bytes(hello.fields["device_id"]).hex()
        device = self.known.get(device_id) or self._add(KnownDevice(DeviceState(device_id)))
        if device.forgotten or device.cable is not None:
            raise NotWantedError
        device.cable = cable
        if device.air is not None:
            device.air.cancel()
            await asyncio.wait({device.air}, timeout=OTHER_WAY_SECONDS)
            device.air = None
        return device

    def off_cable(self, device: KnownDevice) -> None:
        """Its cable is gone; it may be reached over the air."""
        device.cable = None
        self._start_air(device)

    def port_says(self, wanted: str, sentence: str) -> None:
        """What there is to say about a port."""
        if self._port_says.get(wanted, "") != sentence:
            self._port_says[wanted] = sentence
            self.changed()

    # Inside

    async def take_from(self, device: KnownDevice, fact: Fact) -> None:
        """A fact with the device's own numbers."""
        notice(device, fact)
        thrown = isinstance(fact, facts.DieSettled)
        if isinstance(fact, facts.DieSettled):
            fact = dataclasses.replace(fact, invited_to=self.output.invited_to(device.id, fact.invitation))
        elif isinstance(fact, (facts.BatteryChanged, facts.DieSleeps)):
            await self.registry.save(device.row())
        await self._sink.take(facts.in_layout(fact, device.state.first_socket))
        if thrown:
            self.output.thrown(device.id)
        elif isinstance(fact, facts.DieCalibrated):
            self.output.hold(device.id, False)
            await self._ask_snapshot(device)  # it told of no face that was not measured meanwhile
        self.on_change()

    async def see_from(self, device: KnownDevice, snapshot: TableSnapshot) -> None:
        """How it lies, with the device's own numbers."""
        device.state.die, device.state.die_face = snapshot.die, snapshot.die_face
        if snapshot.die in ("at_rest", "invites"):
            device.state.invited = snapshot.die == "invites"
        self.output.seen(device.id)
        first, count = device.state.first_socket, device.state.socket_count
        shifted = dataclasses.replace(
            snapshot,
            tags={uid: socket + first for uid, socket in snapshot.tags.items()},
            troubles={socket + first: state for socket, state in snapshot.troubles.items()},
            covers=range(first, first + (SOCKETS_EACH if count else 0)),
        )
        await self._sink.see(shifted)

    async def _ask_snapshot(self, device: KnownDevice) -> None:
        if device.dialogue is not None and device.state.state == "connected":
            with suppress(Exception):  # a link that breaks now says all of it when it is back
                await device.dialogue.ask_snapshot()

    async def _save(self, device: KnownDevice) -> None:
        """Into the data file; what it does not take now, it gets at the next change or hello."""
        try:
            await self.registry.save(device.row())
        except StorageError as error:
            logger.warning("%s could not be remembered: %s", device.state.name, error)

    def _add(self, device: KnownDevice) -> KnownDevice:
        device.on_change = self.changed
        self.known[device.id] = device
        return device

    def _in_sight(self, device_id: str, seen: BLEDevice) -> None:
        device = self.known.get(device_id)
        if device is None or not (device.met or device.forgotten or device.cable is not None):
            self._strangers.seen(device_id, seen)  # else it has a link of its own, or is not wanted

    def _try(self, device_id: str, seen: BLEDevice) -> KnownDevice:
        device = self.known.get(device_id) or self._add(KnownDevice(DeviceState(device_id)))
        self._start_air(device, seen)
        if device.air is not None:
            device.air.add_done_callback(lambda task: self._was_tried(device, task))
        return device

    def _was_tried(self, device: KnownDevice, task: asyncio.Task[float | None]) -> None:
        self._strangers.tried(device, None if task.cancelled() else task.result())
        if device.met or device.forgotten or device.cable is not None:
            self._strangers.forget(device)
            return
        shown = sum(1 for one in self.known.values() if one.state.name and not one.met)
        if not device.state.name or shown > MOST_SHOWN:
            self.known.pop(device.id, None)
            self.changed()

    def _start_air(self, device: KnownDevice, seen: BLEDevice | None = None) -> None:
        running = device.air is not None and not device.air.done()
        if self._radio is None or self._group is None or device.forgotten or device.cable is not None or running:
            return
        work = BleLink(self, self._radio, device).run(seen)
        try:
            device.air = self._group.create_task(work, name=f"air {device.id}")
        except RuntimeError:  # everything is ending
            work.close()

    def renumbered(self, device: KnownDevice) -> None:
        """Its lights are others now."""
        self.output.renumbered(device.id)

    def hold(self, device: KnownDevice, held: bool) -> None:
        """It is left without invitations, or gets them again."""
        self.output.hold(device.id, held)

    def start_links(self, device: KnownDevice) -> None:
        """A device that was left alone is wanted again."""
        self._start_air(device)

    async def _watch_ports(self) -> None:
        while True:
            for path in await asyncio.to_thread(usb_ports):
                if path not in self._cables and self._group is not None:
                    self._cables.add(path)
                    self._group.create_task(self._use_port(path), name=f"cable {path}")
            await asyncio.sleep(PORTS_SECONDS)

    async def _use_port(self, path: str) -> None:
        """One port until it is gone. One where nobody of ours answers is not tried again before it was unplugged."""
        await SerialLink(self, path, once=True).run()
        while path in await asyncio.to_thread(usb_ports):
            await asyncio.sleep(PORTS_SECONDS)
        self._cables.discard(path)

    def _radio_trouble(self, sentence: str) -> None:
        if sentence != self._radio_says:
            self._radio_says = sentence
            self.changed()

    def _none_in_sight(self) -> None:
        self._nothing_in_sight = True
        self.changed()

    def _is_calm(self) -> bool:
        """Whether a look now and then is enough: somebody is there, and nobody was lost lately."""
        there = any(device.state.state == "connected" for device in self.known.values() if not device.forgotten)
        return there and not self._lost_within(LATELY) and not self._strangers.waiting

    def _lost_within(self, seconds: float) -> bool:
        now = asyncio.get_running_loop().time()
        states = [device.state for device in self.known.values() if device.met and not device.forgotten]
        return any(state.state == "lost" and now - state.since < seconds for state in states)

    def _sum_up(self) -> None:
        wanted = [device.state for device in self.known.values() if not device.forgotten]
        if any(state.state == "connected" for state in wanted):
            self._nothing_in_sight = False
        sum_up(self.link, wanted, self.troubles(), searching=self.searching, nothing=self._nothing_in_sight)

    def changed(self) -> None:
        """Something about a device is another way now."""
        if self._lost_within(FIRST_CALL):
            self._strangers.give_way()
        self._sum_up()
        controllers = self.controllers()
        if controllers != self._told_controllers:
            self._told_controllers = controllers
            self.on_controllers()
        self.on_change()


class _InLayout:
    """Where one device's facts go: to the hub, which knows the layout's numbers."""

    def __init__(self, hub: DeviceHub, device: KnownDevice) -> None:
        self._hub = hub
        self._device = device

    async def take(self, fact: Fact) -> None:
        await self._hub.take_from(self._device, fact)

    async def see(self, snapshot: TableSnapshot) -> None:
        await self._hub.see_from(self._device, snapshot)
