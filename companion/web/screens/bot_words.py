"""What people see of bots: why one did what it did (the command that it chose and its two best alternatives, each with
what speaks for it), and what is left to press while one acts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from markupsafe import Markup

from companion import titles
from companion.tables.receipts import Json
from companion.web.screens.choices import Choice, Decision, Odd
from companion.web.screens.seats import Screen, Seat
from companion.web.texts import Texts

PRESSED = ("where", "rows", "sealed")
"""Panels that ask for something."""


@dataclass(frozen=True)
class Alternative:
    """One command: `because` are (words, value in words)."""

    words: Markup | str
    score: str
    because: Sequence[tuple[Markup | str, str]]
    chosen: bool


@dataclass(frozen=True)
class Explained:
    """What one bot did, and what it thought of."""

    seat: Seat
    level: Markup | str
    words: Markup | str
    unit: Markup | str
    ranked: Sequence[Alternative]


def leave_to_bot(decision: Decision, bot: Seat, screen: Screen, *, does: Markup, digital: bool, t: Texts) -> None:
    """A question that a bot answers in a moment becomes the sentence who acts (`does`). What stays: what people's own
    seats may do meanwhile, the table's real die (not `digital`), and a button that ends the bot's playing."""
    away = (*PRESSED, "faces") if digital else PRESSED
    decision.key = f"bot-{decision.key}"
    decision.question, decision.why, decision.mine = does, t("bot.acts"), False
    decision.panels = [name for name in decision.panels if name not in away]
    decision.choices = [choice for choice in decision.choices if _is_a_persons(choice, screen)]
    fields = {"seat": bot.seat, "level": ""}
    label, small = t("bot.take_over", name=bot.name), t("bot.take_over.small")
    decision.choices.append(Choice(label, small, fields, guarded=False, action="/tablet/bot"))


def _is_a_persons(choice: Choice, screen: Screen) -> bool:
    of_sheet = dict(parse_qsl(urlsplit(choice.sheet).query))
    seat = screen.by_seat.get(int(choice.fields.get("seat") or of_sheet.get("seat") or 0))
    return seat is not None and not seat.bot


def explained(thoughts: Sequence[Json], screen: Screen, t: Texts) -> list[Explained]:
    """`TableActor.bot_thoughts` in words, the newest first; without those of bots that give no reasons."""
    narrator = titles.find(screen.game).narration.Narrator(screen, t)
    found = []
    for thought in thoughts:
        if not thought["ranked"]:
            continue  # this bot gives no reasons
        ranked = [
            Alternative(
                narrator.command(one["command"]),
                _value("score", one["score"], t),
                [(_because(key, t), _value(key, value, t)) for key, value in one["because"]],
                index == 0,
            )
            for index, one in enumerate(thought["ranked"])
        ]
        unit = thought["unit"]
        unit = t(f"unit.{unit}") if t.has(f"unit.{unit}") else unit
        seat = screen.by_seat[thought["seat"]]
        words = narrator.command(thought["command"])
        found.append(Explained(seat, t.first(f"bot.{thought['level']}", "bot.here"), words, unit, ranked))
    return found


def _because(key: str, t: Texts) -> Markup | str:
    return t(f"because.{key}") if t.has(f"because.{key}") else key.replace("_", " ")


def _value(key: str, value: Any, t: Texts) -> str:
    if isinstance(value, list) and len(value) == 2 and all(isinstance(part, int) for part in value):
        return Odd("", *value).percent
    if isinstance(value, float):
        return f"{value:,.2f}".rstrip("0").rstrip(".")
    if isinstance(value, int) and not isinstance(value, bool):
        return f"{value:,}"
    words = str(value)
    return t(f"because.{key}.{words}") if t.has(f"because.{key}.{words}") else words.replace("_", " ")
