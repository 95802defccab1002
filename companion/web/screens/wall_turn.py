"""The upper part of the wall screen: whose turn it is, what was thrown, where the taxi goes, what everybody must
know."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from markupsafe import Markup

from companion.web.screens.choices import Odd
from companion.web.screens.seats import Goal, Screen, Seat
from companion.web.texts import Texts


@dataclass(frozen=True)
class WallTurn:
    """`throws` are the dice of the turn, (die, face); `notice` is a sentence for all, `covered` a card face down beside
    it. Without a notice `goal` is shown with `words` and `chips` (icon, number)."""

    who: Seat
    headline: Markup
    throws: Sequence[tuple[str, Any]] = ()
    notice: Markup | str | None = None
    covered: bool = False
    goal: Goal | None = None
    words: Sequence[Markup | str] = ()
    chips: Sequence[tuple[str, int]] = ()
    odds: Sequence[Odd] = ()


def on_wall(screen: Screen) -> Seat:
    """Whose name stands there: who is on turn, at the end the winner."""
    winners = (screen.result or {}).get("winners") or [screen.turn]
    return screen.on_turn or screen.by_seat[winners[0]]


def headline(screen: Screen, t: Texts) -> Markup:
    """What the seat on turn does, in two words."""
    return t("wall.winner") if screen.over else t.first(f"wall.head.{screen.phase}", "wall.head")


def how_it_ended(screen: Screen, t: Texts) -> Markup | None:
    """Why the game is over; None while it is not."""
    return t(f"over.{screen.result['reason']}") if screen.over and screen.result else None
