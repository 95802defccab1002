"""Finds the companion's part of a title by the name of its folder; its modules are imported when they are first asked
for, so that the tables never load the pages."""

from __future__ import annotations

from functools import cache, cached_property
from importlib import import_module
from pathlib import Path
from typing import Any, cast

from companion.titles import contract
from shared_rules import games

FOLDER = Path(__file__).parent


class Title:
    """One title: `name`, its rules, and one attribute for each of its files (see companion/titles/contract.py)."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.folder = FOLDER / name

    @cached_property
    def rules(self) -> Any:
        """`shared_rules.games.<name>.title`: faces, odds, bots, meta …"""
        return games.find(self.name)

    @cached_property
    def meta(self) -> Any:
        """`shared_rules.games.<name>.meta`: TITLE, PLAYERS, MINUTES, COLOURS, OPTIONS …"""
        return import_module(f"shared_rules.games.{self.name}.meta")

    @cached_property
    def setup(self) -> contract.SetupPart:
        """Which questions the set-up page asks, and the position that a new game begins with."""
        return cast(contract.SetupPart, self._part("setup"))

    @cached_property
    def table(self) -> contract.TablePart:
        """Pieces with tags, what facts mean, the die, the lights, undo."""
        return cast(contract.TablePart, self._part("table"))

    @cached_property
    def explanations(self) -> contract.ExplanationsPart:
        """Sentences about what the table saw and the rules cannot explain."""
        return cast(contract.ExplanationsPart, self._part("explanations"))

    @cached_property
    def money(self) -> contract.MoneyPart:
        """How amounts are written, which notes there are, what moved."""
        return cast(contract.MoneyPart, self._part("money"))

    @cached_property
    def house_rules(self) -> contract.HouseRulesPart:
        """Which house rules are asked first."""
        return cast(contract.HouseRulesPart, self._part("house_rules"))

    @cached_property
    def seats(self) -> contract.SeatsPart:
        """The screen of a view: header, seats, goals."""
        return cast(contract.SeatsPart, self._part("seats"))

    @cached_property
    def choices(self) -> contract.ChoicesPart:
        """The verbs that a form may send."""
        return cast(contract.ChoicesPart, self._part("choices"))

    @cached_property
    def decisions(self) -> contract.DecisionsPart:
        """What waits, with its buttons."""
        return cast(contract.DecisionsPart, self._part("decisions"))

    @cached_property
    def narration(self) -> contract.NarrationPart:
        """The log in sentences."""
        return cast(contract.NarrationPart, self._part("narration"))

    @cached_property
    def sheets(self) -> contract.SheetsPart:
        """Sheets that only this game has, and what the generic ones show of it."""
        return cast(contract.SheetsPart, self._part("sheets"))

    @cached_property
    def wall(self) -> contract.WallPart:
        """The wall's turn."""
        return cast(contract.WallPart, self._part("wall"))

    @cached_property
    def icons(self) -> contract.IconsPart:
        """Small drawn parts."""
        return cast(contract.IconsPart, self._part("icons"))

    @cached_property
    def map(self) -> contract.MapPart:
        """The drawing of its boards (`map/draw.py`)."""
        return cast(contract.MapPart, self._part("map.draw"))

    def _part(self, part: str) -> Any:
        return import_module(f"companion.titles.{self.name}.{part}")


@cache
def names() -> tuple[str, ...]:
    """The titles that can be played here: those with rules and with a folder of their own, in the rules' order."""
    return tuple(name for name in games.names() if (FOLDER / name / "setup.py").is_file())


@cache
def shown() -> tuple[str, ...]:
    """Their names in the order in which set-up shows them; the first is what is played when nothing else is said."""
    return tuple(sorted(names(), key=lambda name: (find(name).setup.SHOWN, name)))


@cache
def find(name: str) -> Title:
    """The title of this name. KeyError for one that the companion has no part for."""
    if name not in names():
        raise KeyError(name)
    return Title(name)
