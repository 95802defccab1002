"""Plays one fault script on one target and judges what came. The same for every target: only hands and time differ."""

from __future__ import annotations

import asyncio
import math
from dataclasses import dataclass, field

from companion.errors import CompanionError
from companion.fault_scripts.judging import WINDOW_SECONDS, never_came
from companion.fault_scripts.person_words import asked, duration, waiting
from companion.fault_scripts.script import Expected, Script, Step
from companion.fault_scripts.targets import CannotError, Target, TargetError
from companion.fault_scripts.watcher import Heard, Watcher

READY_SECONDS = 60.0
LAST_LOOK_SECONDS = 5.0
"""How long a table is watched after a person's last step, at least."""
WORTH_SAYING_SECONDS = 2.0
SIMULATED = ("throw_die", "handle_die", "bring_die")
"""Hands whose motion is worked out first, which takes real seconds; the script's clock stands still meanwhile."""


@dataclass
class Verdict:
    """How it went. `wrong` are sentences, empty when all came as it must; `left_out` what the target has no hand for;
    `heard` every fact, with its time."""

    script: Script
    target: str
    wrong: list[str] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)
    heard: list[Heard] = field(default_factory=list)
    seconds: float = 0.0
    done: int = 0
    """Steps that were played."""

    @property
    def passed(self) -> bool:
        return not self.wrong


async def play(script: Script, target: Target, verdict: Verdict | None = None) -> Verdict:
    """Plays `script`; the target is opened and closed here. `CompanionError` when the target cannot be had at all.
    `verdict` is filled also when it is broken off."""
    verdict = Verdict(script, target.name) if verdict is None else verdict
    script = target.adapted(script)
    watcher = await target.open(script)
    try:
        await watcher.start()
        if not await watcher.until(lambda: _all_there(script, watcher), READY_SECONDS):
            states = _how_they_are(script, watcher)
            verdict.wrong.append(f"not every device was there after {READY_SECONDS:.0f} s: {states}")
            verdict.wrong += watcher.hub.troubles()
            if target.waits_for_people:  # nor will the next script find them
                raise TargetError(" ".join([f"N{verdict.wrong[0][1:]}.", *verdict.wrong[1:]]))
            return verdict
        target.tell(f"All are there: {_how_they_are(script, watcher)}. It begins.")
        await watcher.number(script.devices)
        watcher.begin()
        await _Playing(script, target, watcher, verdict).run()
    finally:
        verdict.heard = watcher.heard
        verdict.seconds = watcher.now if watcher.begun else 0.0
        watcher.on_heard = lambda fact: None
        await watcher.close()
        await target.close()
    return verdict


def _how_they_are(script: Script, watcher: Watcher) -> str:
    states = ((name, watcher.state(name)) for name in script.devices)
    return ", ".join(
        f"{name} ({'not found' if one is None else f'over the {one.way}' if one.way else one.error or one.state})"
        for name, one in states
    )


def _all_there(script: Script, watcher: Watcher) -> bool:
    states = [watcher.state(name) for name in script.devices]
    snapshots = {fact["device"] for fact in watcher.heard if fact["fact"] == "snapshot"}
    ways = {name: one.way for name, one in zip(script.devices, states, strict=True) if one and one.state == "connected"}
    on_cables = all(ways.get(name) == "cable" for name in script.cables)
    return on_cables and set(ways) == set(script.devices) <= snapshots


class _Playing:
    def __init__(self, script: Script, target: Target, watcher: Watcher, verdict: Verdict) -> None:
        self._script = script
        self._target = target
        self._watcher = watcher
        self._verdict = verdict
        self._done_at: dict[str, float] = {}
        self._waited_for: set[int] = set()

    async def run(self) -> None:
        people = self._target.waits_for_people
        planned = previous = 0.0
        for number, step in enumerate(self._script.steps):
            before = planned if people else previous
            due = step.at_ms / 1000 if step.at_ms is not None else before + step.after_ms / 1000
            for turn in range(step.times):
                at = due + turn * step.every_ms / 1000
                if people:
                    await self._pause(at - planned)
                else:
                    await self._sleep_until(at)
                planned = max(planned, at)
                await self._step(number, step)
            previous = self._watcher.now
            self._verdict.done += 1
            if step.label:
                self._done_at[step.label] = previous
        lasts = self._script.lasts_ms / 1000
        if people:
            await self._pause(max(LAST_LOOK_SECONDS, lasts - planned))
        else:
            await self._sleep_until(lasts)
        await self._judge()

    async def _pause(self, seconds: float) -> None:
        """A person is slower than a script: the time between two steps is kept, not the time from the start."""
        if seconds >= WORTH_SAYING_SECONDS:
            self._target.tell(f"Leave everything as it is for {duration(seconds)}; it is watched.")
        await asyncio.sleep(max(0.0, seconds))

    async def _sleep_until(self, seconds: float) -> None:
        left = seconds - self._watcher.now
        if left > 0:
            await asyncio.sleep(left)

    async def _step(self, number: int, step: Step) -> None:
        where = f"step {number + 1} ({step.verb} {step.name or step.pattern})"
        if step.pattern is not None:
            within = step.within_ms / 1000 * self._target.patience
            self._target.tell(waiting(step, within))
            if not await self._watcher.until(lambda: self._next(step) is not None, within):
                self._wrong(f"{where}: nothing within {step.within_ms / 1000:g} s")
            elif (found := self._next(step)) is not None:
                self._waited_for.add(found)
            return
        try:
            if step.verb == "ask":
                await self._ask(where, step)
                return
            began = self._watcher.now
            result = await self._target.do(step.name, step.arguments)
            if step.name in SIMULATED and not self._target.waits_for_people:
                self._watcher.stood_still(self._watcher.now - began)
        except CannotError as cannot:
            if str(cannot) not in self._verdict.left_out:
                self._verdict.left_out.append(str(cannot))
            return
        except (CompanionError, ValueError) as error:
            self._wrong(f"{where}: {error}")
            return
        if step.shows and result is not None:
            lit = any(any(light) for light in result)
            if lit != (step.shows == "lit"):
                self._wrong(f"{where}: the lights are {'lit' if lit else 'dark'}, and should be {step.shows}")

    async def _ask(self, where: str, step: Step) -> None:
        self._target.tell(asked(step))
        try:
            await self._watcher.ask(step.name, step.arguments)
        except CompanionError as error:
            if step.outcome == "works":
                self._wrong(f"{where}: {error}")
        else:
            if step.outcome == "fails":
                self._wrong(f"{where}: it was done, and must be refused")

    def _next(self, step: Step) -> int | None:
        """Which fact a waiting step has waited for: after all that were waited for before; in a loose order one that
        nobody has waited for, and not one of long ago."""
        heard, loose, pattern = self._watcher.heard, self._script.loose, step.pattern
        assert pattern is not None
        oldest = (step.at_ms or 0) / 1000 - WINDOW_SECONDS * self._target.patience if loose else 0.0
        start = 0 if loose else max(self._waited_for, default=-1) + 1
        for i in range(start, len(heard)):
            if i not in self._waited_for and heard[i]["at"] >= oldest and pattern.fits(heard[i]):
                return i
        return None

    def _wrong(self, sentence: str) -> None:
        self._verdict.wrong.append(sentence)

    async def _judge(self) -> None:
        script, heard = self._script, self._watcher.heard
        at = 0
        if script.loose:
            patience = math.inf if self._target.waits_for_people else self._target.patience
            self._verdict.wrong += never_came(script.expected, heard, patience)
        for expected in () if script.loose else script.expected:
            found = next((i for i in range(at, len(heard)) if expected.pattern.fits(heard[i])), None)
            if found is None:
                self._wrong(f"{expected.pattern} never came{' in its order' if at else ''}")
                continue
            at = found + 1
            limit = self._limit(expected)
            if limit is not None and heard[found]["at"] > limit:
                self._wrong(f"{expected.pattern} came at {heard[found]['at']:.2f} s, the limit was {limit:.2f} s")
        for pattern in script.never:
            for fact in heard:
                if pattern.fits(fact):
                    self._wrong(f"{pattern} came at {fact['at']:.2f} s, and must never come")
                    break
        for count in script.counts:
            n = sum(count.pattern.fits(fact) for fact in heard)
            if not count.least <= n <= count.most:
                wanted = str(count.least) if count.least == count.most else f"{count.least} to {count.most}"
                self._wrong(f"{count.pattern} came {n} times, and must come {wanted} times")
        self._states()
        self._verdict.wrong += self._watcher.faults
        if self._watcher.lost and not script.may_lose:
            self._wrong(f"{self._watcher.lost} events were lost")
        self._verdict.wrong += await self._target.complaints(of_chips=not script.allows_complaints)

    def _limit(self, expected: Expected) -> float | None:
        if self._target.waits_for_people:
            return None
        if expected.by_ms is not None:
            return expected.by_ms / 1000 * self._target.patience
        if expected.within_ms is not None:
            return self._done_at.get(expected.after, 0.0) + expected.within_ms / 1000 * self._target.patience
        return None

    def _states(self) -> None:
        for wanted in self._script.states:
            state = self._watcher.state(wanted.device)
            if state is None:
                self._wrong(f"{wanted.device} is not known in the end")
                continue
            what: object = state
            if wanted.socket is not None:
                what = next((one for one in state.sockets if one.socket == wanted.socket), None)
            found = getattr(what, wanted.name, None)
            if found != wanted.value:
                self._wrong(f"{wanted.device}: {wanted.name} is {found!r} in the end, and must be {wanted.value!r}")
