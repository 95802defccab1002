"""What a decision is made of: its buttons, the odds beside it, and the panels that need more than buttons."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from markupsafe import Markup


@dataclass
class Choice:
    """One button: what it says, what follows (`small`), the command it sends (`fields`) or the sheet it opens."""

    label: Markup | str
    small: Markup | str = ""
    fields: dict[str, Any] = field(default_factory=dict)
    sheet: str = ""
    icon: str = ""
    go: bool = False
    guarded: bool = True
    """Whether it belongs to exactly this state of the game (`expected_seq`); sealed answers do not: others answer at
    the same time.
    """
    action: str = ""
    """Where it is sent; empty: to where its page acts."""


@dataclass(frozen=True)
class Odd:
    """One chance, exactly: `n` of `d`."""

    words: Markup | str
    n: int
    d: int

    @property
    def percent(self) -> str:
        """As a percentage: "15 %", "<1 %" for what is possible after all."""
        if not self.n:
            return "0 %"
        share = 100 * self.n / self.d
        if share < 1:
            return "<1 %"
        return f"{min(99, round(share)) if self.n < self.d else 100} %"


@dataclass
class Decision:
    """What waits. `seat` owns the edge, `panels` name further parts of the page (see docs/companion.md), `data` is for
    them.
    """

    key: str
    seat: int
    colour: str
    question: Markup | str
    why: Markup | str = ""
    quote: str = ""
    rules: Sequence[str] = ()
    choices: list[Choice] = field(default_factory=list)
    odds: list[Odd] = field(default_factory=list)
    panels: list[str] = field(default_factory=list)
    data: dict[str, Any] = field(default_factory=dict)
    mine: bool = True
