"""What a simulation has to know of each title, one small module a title with the same names in each.

`part(name)` finds the module by the title's name; a title without one is simulated with `plain`. A module offers:

- `UNIT`: what amounts are counted in ("dollars"). `SIDE`: what is dealt to a seat beside its place ("guide", "colour").
- `TURN`: the event with which a turn begins. `MOST_ROUNDS`: more rounds than this are a fault, not a game.
- `LONG`: whether there is a long game. `about(plan)`: the kind of game in words, for one and for many.
- `deal(plan, deal)`: (a new game's position, the side of each seat) from a stream of random numbers.
- `money(event)`: [(reason, amount), …]: what the event brought the players together, or cost them if negative; what
  went from one player to another has a reason that begins with `BETWEEN`, and its amount is above 0.
- `lengths(counts)`: further measures of a game's length by name, from how often each event happened.
- `features(state)`: what each seat has now, by name: what may tell at half time who will win.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from importlib.util import find_spec
from random import Random
from typing import Any, Protocol, cast

from companion.simulation.records import Plan

BETWEEN = "between players: "
"""Begins the reasons of money that stayed among the players; it is counted once, as what changed hands."""

Json = dict[str, Any]


class TitlePart(Protocol):
    """The names above."""

    UNIT: str
    SIDE: str
    TURN: str
    MOST_ROUNDS: int
    LONG: bool

    def about(self, plan: Plan) -> tuple[str, str]: ...
    def deal(self, plan: Plan, deal: Random) -> tuple[Json, tuple[str, ...]]: ...
    def money(self, event: Json) -> list[tuple[str, int]]: ...
    def lengths(self, counts: Mapping[str, int]) -> dict[str, float]: ...
    def features(self, state: Any) -> dict[str, tuple[float, ...]]: ...


def part(name: str) -> TitlePart:
    """The module of a title, or the plain one."""
    module = f"{__name__}.{name}"
    return cast(TitlePart, import_module(module if find_spec(module) else f"{__name__}.plain"))
