"""A fault script at a real table: a person does what is printed and presses Enter; the table is heard over the air, or
over cables. What no hand can do is said before anything begins.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Awaitable, Callable
from typing import Any

from companion.devices.hardware import Hardware, parse_table, start_hardware
from companion.fault_scripts.keyboard import Keyboard
from companion.fault_scripts.person_words import about, cannot, fact_in_words, is_work, told
from companion.fault_scripts.script import Pattern, Script
from companion.fault_scripts.targets import CannotError, RefusedError, TargetError
from companion.fault_scripts.vocabulary import BY_CHANCE
from companion.fault_scripts.watcher import Heard, Watcher
from companion.settings import Settings

Ask = Callable[[str], Awaitable[str]]
SHINES, DARK = [[1, 1, 1]], [[0, 0, 0]]


class PersonTarget:
    """`say(text)` shows a line, `ask(text)` shows one and waits for Enter. `table` is what --table says, `settings` of
    tests bring a radio of their own."""

    name = "person"
    patience = 5.0
    waits_for_people = True

    def __init__(
        self,
        say: Callable[[str], None] | None = None,
        ask: Ask | None = None,
        *,
        table: str = "ble",
        settings: Settings | None = None,
    ) -> None:
        keyboard = Keyboard()
        self._say = say or keyboard.say
        self._ask = ask or keyboard.line
        self._settings = settings or Settings(table=table)
        self._hardware: Hardware | None = None
        self._number = self._of = 0
        self._taxis: dict[str, str] = {}
        """A real tag's UID → that of the script which it stands for."""
        self._expected_at: dict[int, str] = {}
        """Socket → the script's UID of the taxi that was put there, and of which no real UID is known yet."""

    async def open(self, script: Script) -> Watcher:
        wanted = parse_table(self._settings.table)
        if wanted.base == "virtual":
            raise TargetError("A virtual table has hands of its own: use --target process, or give a real table.")
        if wanted.base == "none" and not wanted.ports and self._settings.scanner_backend is None:
            raise TargetError("Say with --table where the table is: ble, or serial:PORT.")
        self._check(script, bool(wanted.ports))
        self._of = sum(step.times for step in script.steps if step.verb == "do" and is_work(step.name))
        for line in about(script, self._of):
            self._say(line)
        self._hardware = await start_hardware(self._settings)
        if self._hardware.trouble:
            raise TargetError(self._hardware.trouble)
        self.tell("Looking for the devices, for a minute at most …")
        hardware = self._hardware
        watcher = Watcher(hardware.settings, {}, radio=hardware.has_radio, ports=hardware.ports)
        watcher.seen_as = self._as_in_the_script
        alone = len(script.devices) == 1
        watcher.on_heard = lambda fact: self.tell(fact_in_words(fact, alone))
        return watcher

    def adapted(self, script: Script) -> Script:
        """No person throws the same throw again."""

        def loose(pattern: Pattern) -> Pattern:
            chance = BY_CHANCE.get(pattern.fact, set())
            return Pattern(pattern.fact, {k: v for k, v in pattern.values.items() if k not in chance})

        return dataclasses.replace(
            script,
            steps=tuple(dataclasses.replace(s, pattern=s.pattern and loose(s.pattern)) for s in script.steps),
            expected=tuple(dataclasses.replace(one, pattern=loose(one.pattern)) for one in script.expected),
            never=tuple(loose(one) for one in script.never),
            counts=tuple(dataclasses.replace(one, pattern=loose(one.pattern)) for one in script.counts),
        )

    def tell(self, text: str) -> None:
        self._say(f"      {text}")

    async def do(self, hand: str, arguments: dict[str, Any]) -> Any:
        if hand == "lights":
            strip = arguments.get("strip", "board")
            self._number += 1
            question = f"Look at the lights ({strip}): does any of them shine? y or n, then Enter: "
            while (answer := (await self._prompt(question)).lower()[:1]) not in ("y", "n"):
                if answer == "s":
                    raise CannotError("lights: the person left it out")
                self.tell("Please answer y or n (s leaves it out).")
            return SHINES if answer == "y" else DARK
        if not is_work(hand):
            return None
        if hand == "place_tag" and arguments["uid"].lower() not in self._taxis.values():
            self._expected_at[arguments["socket"]] = arguments["uid"].lower()
        self._number += 1
        if (await self._prompt(f"{told(hand, arguments)} Then press Enter: ")).lower() == "s":
            raise CannotError(f"{hand}: the person left it out")
        return None

    async def complaints(self, *, of_chips: bool) -> list[str]:
        return []

    async def close(self) -> None:
        if self._hardware is not None:
            await self._hardware.close()

    async def _prompt(self, text: str) -> str:
        return (await self._ask(f"{self._number:2} of {self._of}  {text}")).strip()

    def _check(self, script: Script, has_cable: bool) -> None:
        reasons = {why for step in script.steps if step.verb == "do" and (why := cannot(step.name, step.arguments))}
        if reasons:
            raise RefusedError(f"No person can {', nor '.join(sorted(reasons))}. Play it with --target virtual.")
        if script.cables and not has_cable:
            devices = ", ".join(script.cables)
            raise RefusedError(f"It needs a cable to {devices}: name its port, as in --table ble,serial:/dev/ttyUSB0.")

    def _as_in_the_script(self, fact: Heard) -> Heard:
        """A person's taxis have tags of their own: which one stands for which is known from its first placing on."""
        uid = str(fact.get("uid", "")).lower()
        if not uid:
            return fact
        if uid not in self._taxis and fact["fact"] == "tag_appeared" and fact["socket"] in self._expected_at:
            self._taxis[uid] = self._expected_at.pop(fact["socket"])
        return {**fact, "uid": self._taxis.get(uid, uid)}
