"""Writes down what hands do on the bench, with the times, as a fault script that every target can play.

recorder = Recorder(name, devices, clock)
recorder.hand("place_tag", uid="04a1b2c3", socket=7)
recorder.heard({"fact": "tag_appeared", "uid": "04a1b2c3", "socket": 7})
text = recorder.toml()
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from companion.fault_scripts.script import FORMAT, LONGEST_MS
from companion.fault_scripts.vocabulary import FACTS

MOST_STEPS = 2_000
LONGER_MS = 3_000
"""How long a recorded script goes on after the last thing that was done or heard."""


class Recorder:
    """One recording, from its making on. `clock` gives seconds. What is done after `MOST_STEPS` steps is not kept;
    `full` says so."""

    def __init__(
        self,
        name: str,
        devices: Sequence[str],
        clock: Callable[[], float],
        *,
        title: str = "Recorded on the bench",
        source: str = "bench",
        seed: int = 1,
    ) -> None:
        self.name, self.title = name, title
        self._head: dict[str, Any] = {"format": FORMAT, "name": name, "title": title, "source": source}
        self._head |= {"devices": list(devices), "seed": seed}
        self._clock = clock
        self._began = clock()
        self._steps: list[dict[str, Any]] = []
        self._heard: list[dict[str, Any]] = []
        self._last_ms = 0

    @property
    def full(self) -> bool:
        """Whether nothing more is written down."""
        return len(self._steps) >= MOST_STEPS

    @property
    def steps(self) -> int:
        return len(self._steps)

    def hand(self, name: str, **arguments: Any) -> None:
        """A hand of `companion.virtual_table.control.HANDS` did something."""
        self._step("do", name, arguments)

    def ask(self, name: str, **arguments: Any) -> None:
        """The companion was asked for something, see `vocabulary.ASKS`."""
        self._step("ask", name, arguments)

    def heard(self, fact: Mapping[str, Any]) -> None:
        """A fact came; it becomes one that must come. What differs from run to run is left out."""
        if self.full or fact["fact"] not in FACTS:
            return
        kept = {"tag_appeared": ("socket", "uid"), "tag_gone": ("socket", "uid"), "socket_trouble": ("socket", "state")}
        names = kept.get(fact["fact"], ())
        self._heard.append({"fact": fact["fact"], **{name: fact[name] for name in names if name in fact}})
        self._last_ms = self._now_ms()

    def toml(self) -> str:
        """The script so far. One that did nothing and heard nothing cannot be played, and says so when it is read."""
        lasts = min(self._last_ms + LONGER_MS, LONGEST_MS)
        lines = [f"{name} = {value(one)}" for name, one in {**self._head, "lasts_ms": lasts}.items()]
        for kind, rows in (("steps", self._steps), ("expect", self._heard)):
            for row in rows:
                lines += ["", f"[[{kind}]]", *(f"{name} = {value(one)}" for name, one in row.items())]
        return "\n".join(lines) + "\n"

    def _step(self, verb: str, name: str, arguments: Mapping[str, Any]) -> None:
        if self.full:
            return
        self._last_ms = self._now_ms()
        given = {key: one for key, one in arguments.items() if one is not None}
        self._steps.append({"at_ms": self._last_ms, verb: name, **given})

    def _now_ms(self) -> int:
        return min(round((self._clock() - self._began) * 1000), LONGEST_MS)


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
