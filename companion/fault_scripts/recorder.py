"""Writes down what hands do on the bench and what the companion tells the table, with the times, as a fault script that
every target can play.

recorder = Recorder(name, devices, clock, lead_ms=LEAD_MS)
recorder.found("place_tag", uid="04a1b2c3", socket=7)      # how it is when the recording begins
recorder.shows(show)                                       # what the table should look like, then whenever it changes
recorder.hand("lift_tag", uid="04a1b2c3")
recorder.heard({"fact": "tag_gone", "device": "table", "uid": "04a1b2c3", "socket": 7})
text = recorder.toml()
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from companion.devices.table_output import DARK, Show
from companion.fault_scripts.judging import WINDOW_SECONDS
from companion.fault_scripts.script import FORMAT, LONGEST_MS

MOST_STEPS = 2_000
WINDOW_MS = round(WINDOW_SECONDS * 1000)
LEAD_MS = 3_000
"""How long a table that is laid out as it was found has until the first recorded hand."""
BECAUSE_MS = 1_000
"""What the companion tells the table this soon after a fact follows from it."""

_KEPT: dict[str, tuple[str, ...]] = {
    "tag_appeared": ("socket", "uid"),
    "tag_gone": ("socket", "uid"),
    "socket_trouble": ("socket", "state"),
    "die_started": (),
    "die_settled": (),
    "die_cocked": (),
    "die_refused": ("reason",),
    "die_placed": ("face",),
    "battery_changed": ("level",),
}
"""Facts that hands cause, and those of their fields that are the same in every run. All others come when they like."""
_ON_DICE = {"press_button", "throw_die", "handle_die", "bring_die", "place_die"}
_LAID = {"bring_die", "place_die"}

Ask = tuple[str, dict[str, Any]]


class Recorder:
    """One recording, from its making on. `clock` gives seconds; `lead_ms` after the script's start is when it was made.
    What is done after `MOST_STEPS` steps is not kept; `full` says so."""

    def __init__(
        self,
        name: str,
        devices: Sequence[str],
        clock: Callable[[], float],
        *,
        title: str = "Recorded on the bench",
        source: str = "bench",
        seed: int = 1,
        lead_ms: int = 0,
    ) -> None:
        self.name, self.title = name, title
        self._head: dict[str, Any] = {"format": FORMAT, "name": name, "title": title, "source": source}
        self._head |= {"devices": list(devices), "seed": seed, "order": "loose"}
        self._clock = clock
        self._began = clock() - lead_ms / 1000
        self._steps: list[dict[str, Any]] = []
        self._heard: list[dict[str, Any]] = []
        self._lead_ms = self._last_ms = lead_ms
        self._show: Show | None = None
        self._because: dict[str, Any] | None = None
        self._uids: set[str] = set()
        self._lay: set[tuple[str, int]] = set()
        self._on_die: dict[str | None, str] = {}
        self._charged = False

    @property
    def full(self) -> bool:
        """Whether nothing more is written down."""
        return len(self._steps) >= MOST_STEPS

    @property
    def steps(self) -> int:
        return len(self._steps)

    def found(self, name: str, **arguments: Any) -> None:
        """A hand that makes the table as it is when the recording begins."""
        self._step("do", name, arguments, 0)

    def hand(self, name: str, **arguments: Any) -> None:
        """A hand of `companion.virtual_table.control.HANDS` did something."""
        self._step("do", name, arguments, self._now_ms())

    def ask(self, name: str, **arguments: Any) -> None:
        """The companion was asked for something, see `vocabulary.ASKS`."""
        self._step("ask", name, arguments, self._now_ms())

    def shows(self, show: Show) -> None:
        """What the table should look like from now on. The first time it is how the recording found it; later it waits
        for the fact that it follows from, if there was one just now."""
        first, before, self._show = self._show is None, self._show or Show(), show
        told = differences(before, show)
        if not told:
            return
        now = 0 if first else self._now_ms()
        cause, self._because = self._because, None
        if cause is not None and not self.full and now - cause["about_ms"] <= BECAUSE_MS:
            named = {key: one for key, one in cause.items() if key not in ("fact", "about_ms")}
            wait = {"at_ms": cause["about_ms"], "wait": cause["fact"], **named, "within_ms": WINDOW_MS}
            self._steps.append(wait)
        for name, arguments in told:
            self._step("ask", name, arguments, now)

    def heard(self, fact: Mapping[str, Any]) -> None:
        """A fact came; it becomes one that must come if a hand of this script is its cause. `device` is the name of the
        one that said it. What differs from run to run is left out."""
        if self.full or not self._is_caused(fact):
            return
        kept = ("device", *_KEPT[fact["fact"]])
        if fact["fact"] == "die_settled" and self._hand_on(fact) == "throw_die":
            kept = (*kept, "face")  # the same throw ends on the same face; a button die draws another
        about = self._now_ms()
        row = {"fact": fact["fact"], **{name: fact[name] for name in kept if fact.get(name) is not None}}
        self._because = {**row, "about_ms": about}
        self._heard.append(self._because)
        self._last_ms = max(self._last_ms, about)

    def toml(self) -> str:
        """The script so far. One that did nothing and heard nothing cannot be played, and says so when it is read."""
        lasts = min(self._last_ms + WINDOW_MS, LONGEST_MS)
        lines = [f"{name} = {value(one)}" for name, one in {**self._head, "lasts_ms": lasts}.items()]
        for kind, rows in (("steps", self._steps), ("expect", self._heard)):
            for row in rows:
                lines += ["", f"[[{kind}]]", *(f"{name} = {value(one)}" for name, one in row.items())]
        return "\n".join(lines) + "\n"

    def _step(self, verb: str, name: str, arguments: Mapping[str, Any], at_ms: int) -> None:
        if self.full:
            return
        self._last_ms = max(self._last_ms, at_ms)
        given = {key: one for key, one in arguments.items() if one is not None}
        self._steps.append({"at_ms": at_ms, verb: name, **given})
        if verb == "do":
            self._because = None
            self._remember(name, given, at_ms < self._lead_ms)

    def _remember(self, hand: str, given: Mapping[str, Any], found: bool) -> None:
        if "uid" in given:
            self._uids.add(given["uid"].lower())
            if "socket" in given:
                self._lay.add((given["uid"].lower(), given["socket"]))
        if hand in _ON_DICE and not found:
            self._on_die[given.get("device")] = hand
        self._charged |= hand == "set_battery"

    def _hand_on(self, fact: Mapping[str, Any]) -> str:
        """Which hand was on that die last; empty for none."""
        return self._on_die.get(fact.get("device")) or self._on_die.get(None) or ""

    def _is_caused(self, fact: Mapping[str, Any]) -> bool:
        name = fact["fact"]
        if name not in _KEPT:
            return False
        if name.startswith("tag_"):
            lay = (fact["uid"].lower(), fact["socket"])
            if name == "tag_appeared" and lay[0] in self._uids:
                self._lay.add(lay)
            return lay in self._lay
        if name == "die_placed":  # before a throw it is how the hand took the die up
            return self._hand_on(fact) in _LAID
        if name.startswith("die_"):
            return self._hand_on(fact) != ""
        return name != "battery_changed" or self._charged

    def _now_ms(self) -> int:
        return min(round((self._clock() - self._began) * 1000), LONGEST_MS)


def differences(before: Show, after: Show) -> list[Ask]:
    """What the companion has to be asked for so that a table that shows `before` shows `after`."""
    asks: list[Ask] = [
        ("faces", {"map_id": one.map_id, "style": one.style, "faces": list(one.values)})
        for one in after.maps
        if one not in before.maps
    ]
    if after.invite is None:
        asks += [("rest", {})] if before.invite is not None else []
    elif (after.invite, after.throw, after.seat) != (before.invite, before.throw, before.seat):
        asks.append(("invite", {"map_id": after.invite, "seat": after.seat}))
    changed: dict[int, list[int]] = {}
    for led in sorted(before.rest.keys() | after.rest.keys()):
        look = after.rest.get(led, DARK)
        if look != before.rest.get(led, DARK):
            changed.setdefault(look, []).append(led)
    return asks + [("light", {"look": look, "leds": leds}) for look, leds in sorted(changed.items())]


def value(one: Any) -> str:
    """A text, number, truth or list of them as TOML writes it. `ValueError` for anything else."""
    if isinstance(one, bool):
        return "true" if one else "false"
    if isinstance(one, (int, float)):
        if isinstance(one, float) and not abs(one) < 1e15:
            raise ValueError(f"{one} is no number for a script")
        return repr(one)
    if isinstance(one, str):
        return json.dumps(one, ensure_ascii=False).replace("\x7f", "\\u007F")
    if isinstance(one, (list, tuple)):
        return f"[{', '.join(value(part) for part in one)}]"
    raise ValueError(f"a script holds texts, numbers, true, false and lists, not {one!r}")
