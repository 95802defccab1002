"""The companion's half of a fault script: its real links to all devices, and every fact that they bring, in a list.

Nothing is conclusions here: what is written down is what `companion.devices` hands on. Numbers of events are checked
while they come: within one boot each comes once and none is missing, unless the companion itself says they are lost.
"""

from __future__ import annotations

import asyncio
import dataclasses
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any

from companion.devices import facts
from companion.devices.device_state import DeviceState
from companion.devices.facts import Fact, TableSnapshot
from companion.devices.hub import DeviceHub
from companion.devices.link_state import LinkState
from companion.devices.pairing import new_key
from companion.devices.serial_link import SerialLink
from companion.devices.table_output import FaceTable, Show
from companion.event_log.store import InboxMark
from companion.fault_scripts.vocabulary import LINKED, SNAPSHOT, UNLINKED, snake
from companion.settings import Settings

Heard = dict[str, Any]
CLOSE_SECONDS = 5.0
_OVER = ("lost", "asleep", "refused")


class Watcher:
    """`names`: device id → its name in the script. `heard` are facts with `fact`, `at` (seconds since `begin`),
    `device` and their own fields; `faults` are numbers that came twice or not at all. `ports` are cables as the hub
    names them, `cables` those that a target makes itself. `seen_as` may put a script's names in
    place of a real table's, `on_heard` hears each fact at once, from `begin` on."""

    def __init__(
        self,
        settings: Settings,
        names: Mapping[str, str],
        *,
        radio: bool,
        ports: tuple[str, ...],
        cables: Sequence[Callable[[DeviceHub], SerialLink]] = (),
    ) -> None:
        self.heard: list[Heard] = []
        self.faults: list[str] = []
        self.lost = 0
        self.hub = DeviceHub(settings, self, self, LinkState(), radio=radio, ports=ports)
        self.hub.on_change = self._look
        self.seen_as: Callable[[Heard], Heard] = lambda fact: fact
        self.on_heard: Callable[[Heard], None] = lambda fact: None
        self._names = dict(names)
        self._rows: dict[str, dict[str, Any]] = {}
        self._marks: dict[tuple[str, int], int] = {}
        self._states: dict[str, tuple[str, str, int]] = {}
        self._show = Show()
        self._began = 0.0
        self._cables = tuple(cables)
        self._tasks: set[asyncio.Task[None]] = set()
        self._more = asyncio.Event()

    async def start(self) -> None:
        """Looks for devices from now on."""
        await self.hub.open()
        self._tasks.add(asyncio.create_task(self.hub.run(), name="fault script's links"))
        for cable in self._cables:
            self._tasks.add(asyncio.create_task(cable(self.hub).run(), name="fault script's cable"))

    async def close(self) -> None:
        for task in self._tasks:
            task.cancel()
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=CLOSE_SECONDS)  # a radio may never answer

    def begin(self) -> None:
        """The script begins: what was heard before counts for nothing."""
        self._began = asyncio.get_running_loop().time()
        self.heard.clear()

    async def number(self, devices: Sequence[str]) -> None:
        """Controllers get the numbers of their names, whoever was met first: table is the first of the layout, table2
        the second. Real controllers are called as they were met."""
        for device_id, name in list(self._names.items()):
            if name in devices and name.startswith("table"):
                await self.hub.set_number(device_id, int(name.removeprefix("table") or 1) - 1)

    def stood_still(self, seconds: float) -> None:
        """The clock did not run for that long: something was made ready."""
        self._began += seconds

    @property
    def begun(self) -> bool:
        """Whether the script has begun."""
        return self._began != 0.0

    @property
    def now(self) -> float:
        """Seconds since `begin`."""
        return asyncio.get_running_loop().time() - self._began

    def state(self, name: str) -> DeviceState | None:
        """What pages know of a device."""
        return next((one for one in self.hub.devices() if self.name_of(one.id) == name), None)

    def name_of(self, device_id: str) -> str:
        """A device's name in the script; that of its kind, numbered, where nobody has said."""
        if device_id not in self._names:
            kind = self.hub.known[device_id].state.kind if device_id in self.hub.known else "table"
            base = {"table": "table", "table_die": "ring", "handheld_die": "die"}[kind]
            taken, number = set(self._names.values()), 1
            while (name := base if number == 1 else f"{base}{number}") in taken:
                number += 1
            self._names[device_id] = name
        return self._names[device_id]

    async def until(self, condition: Callable[[], bool], seconds: float) -> bool:
        """Waits until `condition()` holds; whether it did in time."""
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                while not condition():
                    self._more.clear()
                    await self._more.wait()
        return condition()

    async def ask(self, name: str, given: Heard) -> None:
        """What `vocabulary.ASKS` lists. `CompanionError` when a device refuses."""
        hub, show = self.hub, self._show
        if name == "faces":
            table = FaceTable(given["map_id"], given.get("style", 0), tuple(given["faces"]))
            self._show = dataclasses.replace(show, maps=(*(one for one in show.maps if one != table), table)[-4:])
        elif name == "invite":
            throw, seat = show.throw + 1, given.get("seat", 0)
            self._show = dataclasses.replace(show, invite=given["map_id"], throw=throw, seat=seat)
        elif name == "rest":
            self._show = dataclasses.replace(show, invite=None)
        elif name == "light":
            if given.get("seconds"):
                hub.output.flash(given["look"], given["seconds"], given["leds"])
            else:
                look: int = given["look"]
                rest = {**show.rest, **dict.fromkeys(given["leds"], look)}
                self._show = dataclasses.replace(show, rest=rest)
        elif name == "snapshots":
            await hub.ask_snapshots()
        elif name == "forget_events":
            self._marks.clear()
        else:
            await self._ask_device(name, given)
        if self._show is not show:
            hub.output.show(self._show)

    async def _ask_device(self, name: str, given: Heard) -> None:
        hub, device_id = self.hub, self._id(given.get("device"))
        if name == "pair":
            await hub.pair(device_id)
        elif name == "unpair":
            await hub.unpair(device_id)
        elif name == "identify":
            await hub.identify(device_id)
        elif name == "restart":
            await hub.restart(device_id, bool(given.get("safe", False)))
        elif name == "sleep":
            await hub.sleep(device_id)
        elif name == "calibrate":
            await hub.calibrate(device_id, given["action"])
        elif name == "lose_key":  # from the next link on it is a stranger to that device
            hub.known[device_id].key = new_key()

    def _id(self, name: str | None) -> str:
        return next(one.id for one in self.hub.devices() if name is None or self.name_of(one.id) == name)

    # What the hub needs: a sink for facts and a memory of devices

    async def take(self, fact: Fact) -> None:
        """A fact is here, and as good as on disk."""
        origin = fact.origin
        key = (origin.device_id, origin.boot_id)
        last = self._marks.get(key)
        if isinstance(fact, facts.EventsLost):
            self.lost += fact.lost
        elif last is not None and origin.seq != last + 1:
            what = "came twice" if origin.seq <= last else f"came after {last}"
            self.faults.append(f"event {origin.seq} of {self.name_of(origin.device_id)} {what}")
        self._marks[key] = max(origin.seq, last or 0)
        row = dataclasses.asdict(fact)
        del row["origin"]
        self._note(snake(type(fact).__name__), origin.device_id, row)
        self.hub.taken_in(InboxMark(origin.device_id, origin.boot_id, origin.seq))

    async def see(self, snapshot: TableSnapshot) -> None:
        """How a device lies."""
        row = {"tags": len(snapshot.tags), "troubles": len(snapshot.troubles)}
        self._note(SNAPSHOT, snapshot.device_id, {**row, "die": snapshot.die, "die_face": snapshot.die_face})

    async def load(self) -> list[dict[str, Any]]:
        return list(self._rows.values())

    async def save(self, row: dict[str, Any]) -> None:
        self._rows[row["id"]] = row

    async def last_mark(self, device_id: str, boot_id: int) -> int:
        return self._marks.get((device_id, boot_id), 0)

    def _look(self) -> None:
        """A device may have come or gone."""
        for one in self.hub.devices():
            before, way, boot = self._states.get(one.id, ("searching", "", 0))
            moved = one.state == "connected" and one.way != way  # at once, when its cable is plugged in
            if one.state != before or moved:
                self._states[one.id] = (one.state, one.way, one.boot_id)
                if one.state == "connected":
                    row = {"way": one.way, "reset_cause": one.reset_cause, "mode": one.mode}
                    self._note(LINKED, one.id, {**row, "new_boot": one.boot_id != boot})
                elif one.state in _OVER:
                    self._note(UNLINKED, one.id, {"state": one.state})
        self._more.set()

    def _note(self, what: str, device_id: str, row: Heard) -> None:
        fact = self.seen_as({"fact": what, "at": self.now, "device": self.name_of(device_id), **row})
        self.heard.append(fact)
        if self.begun:
            self.on_heard(fact)
        self._more.set()
