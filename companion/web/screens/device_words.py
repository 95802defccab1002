"""One card a device for the devices page: what it is, how it is, in words; figures with their units."""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import dataclass, field

from markupsafe import Markup

from companion.devices.device_desk import MOST_CONTROLLERS
from companion.devices.device_state import DeviceNote, DeviceState, SocketState
from companion.web.texts import Texts

BADGES = {"connected": "on", "safe": "off", "asleep": "none", "searching": "none", "lost": "off", "refused": "off"}
GRAVE = ("refused", "safe_mode", "access")
UNDERSTOOD = ("access", "crosstalk")
"""Kinds of notes that go away when somebody has understood them."""
MARKS = {"ok": "", "several": "2+", "mute": "×", "none": "–"}
"""What a socket shows beside its number: never its colour alone."""


@dataclass(frozen=True)
class SocketCell:
    """One socket in the grid: `state` ok, several, mute or none (no reader), `title` its figures."""

    number: int
    state: str
    mark: str
    title: str


@dataclass
class DeviceCard:
    """Everything that the page shows of one device: `figures` for all, `upkeep` for whoever looks for a fault."""

    id: str
    kind: str
    kind_words: Markup
    name: str
    short_id: str
    state: str
    badge: str
    state_words: Markup
    device: DeviceState
    figures: list[tuple[Markup, str]] = field(default_factory=list)
    upkeep: list[tuple[Markup, str]] = field(default_factory=list)
    sockets: list[SocketCell] = field(default_factory=list)
    readers_words: str = ""
    legend: list[tuple[str, str]] = field(default_factory=list)
    """(state, mark) of the sockets that are not well; with none of them nothing needs explaining."""
    calibrating: bool = False
    """Whether it is being calibrated now."""
    unheard_words: str = ""
    """How many of its readers have not told yet how they are; empty when all have."""
    notes: list[tuple[str, Markup, str]] = field(default_factory=list)
    """(class: stop, warn or plain; sentence; the kind of a note that can be understood, else empty)"""

    @property
    def connected(self) -> bool:
        """Whether something can be asked of it."""
        return self.state == "connected"

    @property
    def failed(self) -> bool:
        """Whether it has said that it failed, whatever its log says."""
        return self.device.faults > 0 or self.device.reset_cause in ("watchdog", "fault")


def cards(
    devices: Sequence[DeviceState], notes: Sequence[DeviceNote], t: Texts, calibrating: Container[str] = ()
) -> list[DeviceCard]:
    """The cards, in the devices' order; `calibrating` are the ids of dice that are being calibrated."""
    found = [card_of(one, [note for note in notes if note.id == one.id], t) for one in devices]
    for card in found:
        card.calibrating = card.connected and card.id in calibrating
    return found


def numbers_for(shown: Sequence[DeviceCard]) -> int:
    """How many numbers a controller can be given: one for each controller, two at least, and those that are in use."""
    controllers = [one.device for one in shown if one.kind == "table"]
    used = max((one.number for one in controllers if one.number is not None), default=0)
    return min(max(2, len(controllers), used + 1), MOST_CONTROLLERS)


def card_of(device: DeviceState, notes: Sequence[DeviceNote], t: Texts) -> DeviceCard:
    """One device's card."""
    shown = "safe" if device.state == "connected" and device.mode == "safe" else device.state
    way = f".{device.way}" if shown == "connected" and device.way else ""
    card = DeviceCard(
        id=device.id,
        kind=device.kind,
        kind_words=t(f"device.kind.{device.kind}"),
        name=device.name or t(f"device.kind.{device.kind}"),
        short_id=device.id[-4:].upper(),
        state=device.state,
        badge=BADGES.get(shown, "none"),
        state_words=t(f"device.state.{shown}{way}"),
        device=device,
    )
    card.figures = _figures(device, t)
    card.upkeep = _upkeep(device, t)
    card.notes = _notes(device, notes, t)
    if device.kind == "table" and device.socket_count:
        card.sockets = [_cell(one, t) for one in device.sockets]
        card.readers_words = _readers(device, t)
        there = {cell.state for cell in card.sockets}
        card.legend = [(state, mark) for state, mark in MARKS.items() if mark and state in there]
        if device.state == "connected" and device.unheard:
            card.unheard_words = t("device.unheard", n=device.unheard)
    return card


def _figures(device: DeviceState, t: Texts) -> list[tuple[Markup, str]]:
    """What everybody may want to know."""
    rows: list[tuple[Markup, str]] = []
    if device.battery is not None:
        volts = f" · {device.millivolts / 1000:.2f} V" if device.millivolts else ""  # not known after a restart
        rows.append((t("device.battery"), f"{device.battery} %{volts}"))
    if device.firmware:
        rows.append((t("device.firmware"), device.firmware))
    if device.state == "connected":
        rows.append((t("device.uptime"), duration(device.uptime)))
        if device.die_faces and device.die and (device.die_face or device.die != "at_rest"):
            rows.append((t("device.die"), t(f"device.die.{device.die}", face=device.die_face)))
    if device.counters.get("losses"):
        rows.append((t("device.losses"), str(device.counters["losses"])))
    return rows


def _upkeep(device: DeviceState, t: Texts) -> list[tuple[Markup, str]]:
    """What somebody who looks for a fault wants to know."""
    if device.state != "connected":
        return []
    rows = [(t("device.cause"), device.reset_cause)] if device.reset_cause else []
    if device.heap_free:
        rows.append((t("device.heap"), f"{device.heap_free / 1024:.0f} kB"))
    if device.heap_low:
        rows.append((t("device.heap_low"), f"{device.heap_low / 1024:.0f} kB"))
    rows.append((t("device.loop"), f"{device.loop_worst} ms"))
    if device.kind == "table":
        rows.append((t("device.sweep"), f"{device.sweep} ms"))
    rows.append((t("device.waiting"), str(device.waiting)))
    rows.append((t("device.faults"), str(device.faults)))
    return rows


def _notes(device: DeviceState, notes: Sequence[DeviceNote], t: Texts) -> list[tuple[str, Markup, str]]:
    """What is wrong first, then what is good to know."""
    rows = []
    if device.error and not any(note.kind == "refused" for note in notes):
        rows.append(("stop", Markup("{}").format(device.error), ""))
    for note in notes:
        cls = "stop" if note.kind in GRAVE else "warn"
        rows.append((cls, Markup("{}").format(note.sentence), note.kind if note.kind in UNDERSTOOD else ""))
    if device.last_fault:
        rows.append(("warn", t("device.last_fault", error=device.last_fault), ""))
    silent = [str(one.socket) for one in device.sockets if one.state == "mute" and one.reader != "none"]
    if silent and device.state == "connected":
        rows.append(("warn", t("device.silent", n=len(silent), which=", ".join(silent)), ""))
    if device.calibration:
        rows.append(("plain", Markup("{}").format(device.calibration), ""))
    if device.state == "connected" and not device.paired:
        rows.append(("plain", t("device.open"), ""))
    return rows


def _cell(socket: SocketState, t: Texts) -> SocketCell:
    state = "none" if socket.reader == "none" else socket.state
    share = 100 * socket.corrupt / socket.polls if socket.polls else 0.0
    title = t(
        "device.socket_title",
        n=socket.socket,
        what=t(f"device.socket.{state}"),
        reader=t(f"device.reader.{socket.reader}"),
        polls=f"{socket.polls:,}",
        corrupt=f"{share:.1f}",
        restarts=socket.restarts,
    )
    return SocketCell(socket.socket, state, MARKS.get(state, ""), str(title))


def _readers(device: DeviceState, t: Texts) -> str:
    present = [one for one in device.sockets if one.reader != "none"]
    quiet = sum(one.state == "ok" for one in present)
    first = device.first_socket
    last = first + device.socket_count - 1
    if device.state != "connected":
        return t("device.readers.away", first=first, last=last)
    return t("device.readers", first=first, last=last, present=len(present), quiet=quiet)


def duration(seconds: int) -> str:
    """`42 s`, `3 min`, `2 h 05 min`."""
    if seconds < 120:
        return f"{seconds} s"
    minutes = seconds // 60
    return f"{minutes} min" if minutes < 120 else f"{minutes // 60} h {minutes % 60:02d} min"
