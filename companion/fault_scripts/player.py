"""Plays one fault script on one target and judges what came. The same for every target: only hands and time differ."""

from __future__ import annotations

import asyncio
import math
from dataclasses import dataclass, field

from companion.errors import CompanionError
from companion.fault_scripts.judging import WINDOW_SECONDS, never_came
from companion.fault_scripts.script import Expected, Script, Step
from companion.fault_scripts.targets import CannotError, Target
from companion.fault_scripts.watcher import Heard, Watcher

READY_SECONDS = 60.0
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

    @property
    def passed(self) -> bool:
        return not self.wrong


async def play(script: Script, target: Target) -> Verdict:
    """Plays `script`; the target is opened and closed here. `CompanionError` when the target cannot be had at all."""
    verdict = Verdict(script, target.name)
    watcher = await target.open(script)
    try:
        await watcher.start()
        if not await watcher.until(lambda: _all_there(script, watcher), READY_SECONDS):
            verdict.wrong.append(f"not every device was there after {READY_SECONDS:.0f} s: {', '.join(script.devices)}")
            return verdict
        await watcher.number(script.devices)
        watcher.begin()
        await _Playing(script, target, watcher, verdict).run()
    finally:
        await watcher.close()
        await target.close()
    verdict.heard = watcher.heard
    verdict.seconds = watcher.now
    return verdict


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
        previous = 0.0
        for number, step in enumerate(self._script.steps):
            due = step.at_ms / 1000 if step.at_ms is not None else previous + step.after_ms / 1000
            for turn in range(step.times):
                await self._sleep_until(due + turn * step.every_ms / 1000)
                await self._step(number, step)
            previous = self._watcher.now
            if step.label:
                self._done_at[step.label] = previous
        await self._sleep_until(max(self._script.lasts_ms / 1000, previous if self._target.waits_for_people else 0))
        await self._judge()

    async def _sleep_until(self, seconds: float) -> None:
        left = seconds - self._watcher.now
        if left > 0:
            await asyncio.sleep(left)

    async def _step(self, number: int, step: Step) -> None:
        where = f"step {number + 1} ({step.verb} {step.name or step.pattern})"
        if step.pattern is not None:
            within = step.within_ms / 1000 * self._target.patience
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
