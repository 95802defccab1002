"""The state of all links in one, for the badge on every page: controllers decide while there are any, else dice."""

from __future__ import annotations

from collections.abc import Sequence

from companion.devices.device_state import DeviceState
from companion.devices.link_state import LinkState

NOTHING = "No table is in sight. Is it switched on and near?"
AWAY = ("lost", "refused")


def sum_up(
    link: LinkState, states: Sequence[DeviceState], troubles: Sequence[str], *, searching: bool, nothing: bool
) -> None:
    """Puts into `link` what all devices together are like."""
    known = [state for state in states if state.last_seen]
    states = known or states  # whoever was never met here is a neighbour's, while there is anybody of ours
    tables = [state for state in states if state.kind == "table"]
    met = [state for state in states if state.state != "searching"]
    deciding = [state for state in met if state.kind == "table"] or met
    if not searching:
        link.state = "none"
    elif any(state.state in AWAY for state in deciding):
        link.state = "lost"
    elif any(state.state == "connected" and state.mode == "safe" for state in deciding):
        link.state = "safe"
    elif any(state.state in ("connected", "asleep") for state in deciding):
        link.state = "connected"
    else:
        link.state = "searching"
    said = [_of(state) for state in states if state.error]
    if link.state == "searching" and nothing and not said and not troubles:
        said = [NOTHING]
    link.error = " ".join([*troubles, *said])
    link.since = max((state.since for state in deciding), default=link.since)
    first = next((state for state in tables if state.state == "connected"), tables[0] if tables else None)
    link.device = _device(first) if first is not None and first.boot_id else link.device
    counters: dict[str, int] = {}
    for state in states:
        for name, count in state.counters.items():
            counters[name] = counters.get(name, 0) + count
    link.counters = counters


def _of(state: DeviceState) -> str:
    """The sentence about one device, with its name if that does not stand in it."""
    if not state.name or state.error.startswith(state.name):
        return state.error
    return f"{state.name}: {state.error}"


def _device(state: DeviceState) -> dict[str, object]:
    return {
        "id": state.id,
        "name": state.name,
        "boot_id": state.boot_id,
        "firmware": state.firmware,
        "reset_cause": state.reset_cause,
        "sockets": state.socket_count,
        "leds": state.leds,
        "die_faces": state.die_faces,
        "uptime": state.uptime,
        "heap_free": state.heap_free,
        "waiting": state.waiting,
        "sweep": state.sweep,
    }
