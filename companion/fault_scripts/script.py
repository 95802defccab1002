"""Fault scripts as they lie on disk: read, checked to the last field, and never half understood.

`ScriptError` names file, line and field, and says what would fit. docs/fault_scripts.md is the description for people.
"""

from __future__ import annotations

import inspect
import tomllib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NoReturn

from companion.errors import CompanionError
from companion.fault_scripts.lines import line_of
from companion.fault_scripts.vocabulary import ASKS, FACTS, ON_CABLES, OUTCOMES, STATE_FIELDS

FORMAT = "cabstand-fault-script/1"
LONGEST_MS = 12 * 3600 * 1000
MOST_REPEATS = 10_000
Table = dict[str, Any]


class ScriptError(CompanionError):
    """A fault script that cannot be used; the sentence says where and why."""

    code = "fault_script"


@dataclass(frozen=True)
class Pattern:
    """A fact that is looked for: its name (`tag_appeared`), and values that fields must have."""

    fact: str
    values: Table = field(default_factory=dict)

    def fits(self, fact: Table) -> bool:
        """Whether this fact is one."""
        return fact["fact"] == self.fact and all(fact.get(name) == value for name, value in self.values.items())

    def __str__(self) -> str:
        return " ".join([self.fact, *(f"{name}={value}" for name, value in self.values.items())])


@dataclass(frozen=True)
class Step:
    """`verb` is do (a hand), ask (something of the companion) or wait (for `pattern`, at most `within_ms`). It comes
    `after_ms` after the one before, or `at_ms` after the start; `times` times, `every_ms` apart. `shows` is what a look
    at lights must find: dark or lit; `outcome` what must become of what is asked for, see `vocabulary.OUTCOMES`."""

    verb: str
    name: str = ""
    arguments: Table = field(default_factory=dict)
    at_ms: float | None = None
    after_ms: float = 0.0
    times: int = 1
    every_ms: float = 0.0
    label: str = ""
    pattern: Pattern | None = None
    within_ms: float = 0.0
    shows: str = ""
    outcome: str = "works"


@dataclass(frozen=True)
class Expected:
    """One of the facts that must come, in the order of the script: by `by_ms` after the start, or `within_ms` after the
    step `after`; at any time before the end without either. In a script of loose order, about `about_ms` after the
    start."""

    pattern: Pattern
    by_ms: float | None = None
    within_ms: float | None = None
    after: str = ""
    about_ms: float = 0.0


@dataclass(frozen=True)
class Count:
    """How often a fact comes in all."""

    pattern: Pattern
    least: int
    most: int


@dataclass(frozen=True)
class EndState:
    """What the devices page must say of a device in the end: `name` of `DeviceState` is `value`; `socket` for a field
    of one of its readers."""

    device: str
    name: str
    value: Any
    socket: int | None = None


@dataclass(frozen=True)
class Script:
    """A whole script; `source` says who shipped the fault, `cables` which devices are heard over a cable (while it is
    plugged in; over the air else), `allows_complaints` that chips may suffer in it, `loose`
    that what must come is a recording: see `companion.fault_scripts.judging`."""

    name: str
    title: str
    source: str
    devices: tuple[str, ...]
    seed: int
    lasts_ms: float
    steps: tuple[Step, ...]
    expected: tuple[Expected, ...]
    never: tuple[Pattern, ...]
    counts: tuple[Count, ...]
    states: tuple[EndState, ...]
    file: str = ""
    may_lose: bool = False
    allows_complaints: bool = False
    loose: bool = False
    cables: tuple[str, ...] = ()

    @property
    def cuts_power(self) -> bool:
        """Whether it needs flash that can be torn in the middle of a write."""
        return any(step.name == "power_cut" for step in self.steps)


def read_script(path: Path) -> Script:
    """The script in a file. `ScriptError`."""
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError as error:
        raise ScriptError(f"There is no file or folder {path}. Name a fault script, or a folder of them.") from error
    except OSError as error:
        raise ScriptError(f"{path} cannot be read ({error.strerror}).") from error
    except UnicodeDecodeError as error:
        raise ScriptError(f"{path} is no text, so it is no fault script.") from error
    return parse_script(text, path.name)


def parse_script(text: str, file: str = "script") -> Script:
    """The script in a text; `file` is its name in complaints. `ScriptError`."""
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ScriptError(f"{file}: this is no TOML: {error}.") from error
    return _Reader(file, text).script(data)


def hand_arguments() -> dict[str, tuple[set[str], set[str]]] | None:
    """Hand → (arguments it needs, arguments it may have); None where no virtual table is installed to ask."""
    from companion.virtual_table import missing

    if missing() is not None:
        return None
    from companion.virtual_table.control import HANDS

    found = {}
    for name, hand in HANDS.items():
        given = list(inspect.signature(hand).parameters.values())[1:]
        needed = {one.name for one in given if one.default is inspect.Parameter.empty}
        found[name] = (needed, {one.name for one in given} - needed)
    return found


class _Reader:
    def __init__(self, file: str, text: str) -> None:
        self._file = file
        self._text = text
        self._hands = hand_arguments()

    def script(self, data: Table) -> Script:
        given = dict(data)
        if given.pop("format", None) != FORMAT:
            self._no("format", f'the first line must be format = "{FORMAT}"')
        name = self._take(given, "name", str, "top")
        title = self._take(given, "title", str, "top")
        source = self._take(given, "source", str, "top")
        devices = tuple(self._take(given, "devices", list, "top", ["table"]))
        self._check_devices(devices)
        cables = tuple(self._take(given, "cables", list, "top", []))
        if not set(cables) <= set(devices):
            self._no("cables", f"devices of the script that are on a cable; it has {', '.join(devices)}")
        seed = self._take(given, "seed", int, "top", 1)
        order = self._take(given, "order", str, "top", "all")
        if order not in ("all", "loose"):
            self._no("order", "all (the order of the script) or loose (a recording: about the same time)")
        lasts = self._time(given, "lasts_ms", "top")
        if lasts is None:
            self._no("lasts_ms", "say how long the script lasts, in milliseconds")
        steps = [self._step(i, step) for i, step in enumerate(self._tables(given, "steps"))]
        for i, step in enumerate(steps):
            if step.name in ON_CABLES and step.arguments.get("device", devices[0]) not in cables:
                self._no(f"steps[{i}].do", "that device is on no cable: name it in cables")
        labels = {step.label for step in steps if step.label}
        expected = [self._expected(i, one, labels, order) for i, one in enumerate(self._tables(given, "expect"))]
        never = [self._pattern(f"never[{i}]", one) for i, one in enumerate(self._tables(given, "never"))]
        counts = [self._count(i, one) for i, one in enumerate(self._tables(given, "count"))]
        states = [self._state(i, one, devices) for i, one in enumerate(self._tables(given, "state"))]
        may_lose = self._take(given, "may_lose_events", bool, "top", False)
        complaints = self._take(given, "chips_may_suffer", bool, "top", False)
        self._rest(given, "top")
        if not steps:
            self._no("steps", "a script has at least one step")
        if not (expected or never or counts or states):
            self._no("expect", "a script that expects nothing proves nothing: add expect, never, count or state")
        if lasts < sum(step.at_ms or 0 for step in steps[-1:]):
            self._no("lasts_ms", "the script ends before its last step")
        return Script(
            name, title, source, devices, seed, lasts, tuple(steps), tuple(expected), tuple(never), tuple(counts),
            tuple(states), self._file, may_lose, complaints, order == "loose", cables,
        )  # fmt: skip

    def _step(self, i: int, given: Table) -> Step:
        where = f"steps[{i}]"
        given = dict(given)
        verbs = [verb for verb in ("do", "ask", "wait") if verb in given]
        if len(verbs) != 1:
            self._no(where, "a step has one of do, ask and wait")
        verb = verbs[0]
        at = self._time(given, "at_ms", where)
        after = self._time(given, "after_ms", where)
        if at is not None and after is not None:
            self._no(f"{where}.at_ms", "give at_ms or after_ms, not both")
        times = self._take(given, "times", int, where, 1)
        every = self._time(given, "every_ms", where) or 0.0
        if not 1 <= times <= MOST_REPEATS:
            self._no(f"{where}.times", f"from 1 to {MOST_REPEATS}")
        label = self._take(given, "label", str, where, "")
        common: Table = {"at_ms": at, "after_ms": after or 0.0, "times": times, "every_ms": every, "label": label}
        if verb == "wait":
            fact = given.pop("wait")
            within = self._time(given, "within_ms", where)
            if within is None:
                self._no(f"{where}.within_ms", "say how long it may take, in milliseconds")
            return Step("wait", pattern=self._pattern(where, {"fact": fact, **given}), within_ms=within, **common)
        name = self._take(given, verb, str, where)
        shows = self._take(given, "shows", str, where, "")
        if shows and (name != "lights" or shows not in ("dark", "lit")):
            self._no(f"{where}.shows", 'only do = "lights" is looked at: dark or lit')
        outcome = self._take(given, "outcome", str, where, "works")
        if outcome not in OUTCOMES or (outcome != "works" and verb != "ask"):
            self._no(f"{where}.outcome", f"what is asked for {', '.join(OUTCOMES[:-1])} or {OUTCOMES[-1]}")
        known = ASKS if verb == "ask" else self._hands
        if known is not None:
            if name not in known:
                self._no(f"{where}.{verb}", f"there is no {name!r}; there are {', '.join(sorted(known))}")
            needed, possible = known[name]
            for one in sorted(needed - set(given)):
                self._no(f"{where}.{one}", f"{name} needs it")
            for one in sorted(set(given) - needed - possible):
                self._no(f"{where}.{one}", f"{name} has no such argument")
        return Step(verb, name, given, shows=shows, outcome=outcome, **common)

    def _expected(self, i: int, given: Table, labels: set[str], order: str) -> Expected:
        where = f"expect[{i}]"
        given = dict(given)
        if order == "loose":
            about = self._time(given, "about_ms", where)
            if about is None:
                self._no(f"{where}.about_ms", "say when it came, in milliseconds: the order is loose")
            return Expected(self._pattern(where, given), about_ms=about)
        by, within = self._time(given, "by_ms", where), self._time(given, "within_ms", where)
        after = self._take(given, "after", str, where, "")
        if (within is None) != (after == ""):
            self._no(f"{where}.within_ms", "within_ms and after belong together")
        if after and after not in labels:
            self._no(f"{where}.after", f"no step has the label {after!r}")
        return Expected(self._pattern(where, given), by, within, after)

    def _count(self, i: int, given: Table) -> Count:
        where = f"count[{i}]"
        given = dict(given)
        exactly = self._take(given, "exactly", int, where, -1)
        least = self._take(given, "at_least", int, where, -1)
        most = self._take(given, "at_most", int, where, -1)
        if (exactly >= 0) == (least >= 0 or most >= 0):
            self._no(where, "give exactly, or at_least and at_most")
        if exactly >= 0:
            least = most = exactly
        return Count(self._pattern(where, given), max(least, 0), most if most >= 0 else 1 << 30)

    def _state(self, i: int, given: Table, devices: tuple[str, ...]) -> EndState:
        where = f"state[{i}]"
        given = dict(given)
        device = self._take(given, "device", str, where)
        if device not in devices:
            self._no(f"{where}.device", f"the script has the devices {', '.join(devices)}")
        name = self._take(given, "field", str, where)
        socket = self._take(given, "socket", int, where, -1)
        known = STATE_FIELDS["socket" if socket >= 0 else "device"]
        if name not in known:
            self._no(f"{where}.field", f"there is no {name!r}; there are {', '.join(sorted(known))}")
        if "is" not in given:
            self._no(f"{where}.is", "say what it must be")
        value = given.pop("is")
        self._rest(given, where)
        return EndState(device, name, value, socket if socket >= 0 else None)

    def _pattern(self, where: str, given: Table) -> Pattern:
        given = dict(given)
        fact = self._take(given, "fact", str, where)
        if fact not in FACTS:
            self._no(f"{where}.fact", f"there is no {fact!r}; there are {', '.join(sorted(FACTS))}")
        for name in given:
            if name not in FACTS[fact]:
                self._no(f"{where}.{name}", f"{fact} has {', '.join(sorted(FACTS[fact]))}")
        return Pattern(fact, given)

    def _check_devices(self, devices: tuple[Any, ...]) -> None:
        if not all(isinstance(one, str) for one in devices):
            self._no("devices", "a list of names")
        if self._hands is None:
            return
        from companion.virtual_table.device import check_names

        try:
            check_names(devices)
        except ValueError as error:
            self._no("devices", str(error))

    def _tables(self, given: Table, name: str) -> list[Table]:
        found = given.pop(name, [])
        if not isinstance(found, list) or not all(isinstance(one, dict) for one in found):
            self._no(name, f"write [[{name}]] before each")
        return list(found)

    def _time(self, given: Table, name: str, where: str) -> float | None:
        if name not in given:
            return None
        value = given.pop(name)
        if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 <= value <= LONGEST_MS:
            self._no(name if where == "top" else f"{where}.{name}", f"milliseconds from 0 to {LONGEST_MS}")
        return float(value)

    def _take(self, given: Table, name: str, kind: type, where: str, default: Any = None) -> Any:
        place = name if where == "top" else f"{where}.{name}"
        if name not in given:
            if default is None:
                self._no(place, "it is missing")
            return default
        value = given.pop(name)
        if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
            self._no(place, f"it must be {_KINDS[kind]}")
        return value

    def _rest(self, given: Table, where: str) -> None:
        for name in sorted(given):
            self._no(name if where == "top" else f"{where}.{name}", "no script has that field")

    def _no(self, place: str, why: str) -> NoReturn:
        line = line_of(self._text, place)
        where = place if line is None else f"line {line}: {place}"
        raise ScriptError(f"{self._file}: {where}: {why}.")


_KINDS: dict[type, str] = {str: "a text", int: "a whole number", list: "a list", bool: "true or false"}
