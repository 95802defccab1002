"""What the table itself asks about: a taxi where the rules cannot have it, one that left its socket, pieces to be put
elsewhere.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from markupsafe import Markup

from companion.tables.receipts import Json
from companion.tables.table_actor import TableActor
from companion.titles.contract import Piece
from companion.web.screens.choices import Choice
from companion.web.screens.seats import Screen
from companion.web.texts import Texts

TOLD = frozenset({"wrong_throw", "reader", "lost_events", "access"})
"""Explanations that tell something; nothing can be put right by moving a piece."""


@dataclass
class Ask:
    """A question of the table: what was seen, how to put it right, and the buttons that answer it (sent to
    `action`).
    """

    question: Markup | str
    why: Markup | str = ""
    choices: list[Choice] = field(default_factory=list)
    action: str = "/tablet/explain"


def asks_of(table: TableActor, screen: Screen, t: Texts) -> list[Ask]:
    """The questions of the table, the most urgent first."""
    found: list[Ask] = []
    explained = table.pending_explanation
    if explained is not None:
        ask = Ask(_sentence(table, explained, screen, t), _needs(table, explained, screen, t))
        put_right = {"id": explained["id"], "verdict": "put_right"}
        if explained["kind"] in TOLD:
            ask.choices.append(Choice(t("explain.understood"), "", put_right, guarded=False))
        else:
            small = t("explain.put_right.small")
            ask.choices.append(Choice(t("explain.put_right"), small, put_right, guarded=False))
        if explained["can_overrule"]:
            right = {"id": explained["id"], "verdict": "right"}
            ask.choices.append(Choice(t("explain.right"), t("explain.right.small"), right, guarded=False))
        found.append(ask)
    if table.bots_hold and table.bot_is_waited_for:
        go_on = Choice(t("bot.go_on"), t("bot.go_on.small"), {"do": "go_on"}, guarded=False)
        found.append(Ask(t("bot.held"), choices=[go_on], action="/tablet/bot"))
    if table.on_road is not None:
        found.append(Ask(table.on_road["sentence"], t("explain.on_road")))
    return found


def to_put_right(table: TableActor, screen: Screen, t: Texts) -> list[Markup]:
    """Where taxis are to be put, while the table has readers: one sentence each."""
    return [
        t("explain.put", piece=piece_words(table.piece(row["piece"]), screen, t), place=_place(row["expected"], screen))
        if row["expected"]
        else t("explain.take_off", piece=piece_words(table.piece(row["piece"]), screen, t))
        for row in table.misplaced
    ]


def to_follow(table: TableActor, screen: Screen, t: Texts) -> list[Markup]:
    """The same for all pages, in a game whose pieces follow: what is to be moved on the table now."""
    return to_put_right(table, screen, t) if table.game.table.FOLLOWS else []


def piece_words(piece: Piece, screen: Screen, t: Texts) -> Markup:
    """A piece as people call it: "Ann’s taxi", "taxi 2"."""
    kind = f"piece.{piece.kind}"
    return t.first(kind if piece.seat else f"{kind}.free", kind, name=screen.name(piece.seat), label=piece.label)


def alarms(table: TableActor, screen: Screen) -> list[Json]:
    """What the map marks: a piece that lies where it cannot, with the place where it should."""
    explained = table.pending_explanation
    if explained is None or explained["kind"] not in ("wrong_place", "unreachable", "confirm_move"):
        return []
    if not explained.get("seen"):
        return []
    piece = table.piece(explained["piece"])
    return [
        {
            "piece": piece.id,
            "colour": piece.colour,
            "seen": explained["seen"],
            "expected": explained.get("expected"),
        }
    ]


def _place(place: Any, screen: Screen) -> str:
    return screen.places.place(str(place))


def _sentence(table: TableActor, explained: Json, screen: Screen, t: Texts) -> Markup | str:
    """The explanation with names as the pages use them; the table's own words for what is about no place."""
    key = f"explain.{explained['kind']}"
    if not explained["piece"] or not t.has(key) or not explained.get("seen"):
        return str(explained["sentence"])
    if explained["kind"] == "wrong_place" and not explained["expected"]:
        key = "explain.off_the_board"
    places = {name: _place(explained[name], screen) for name in ("seen", "expected") if explained.get(name)}
    return t(key, piece=piece_words(table.piece(explained["piece"]), screen, t), **places)


def _needs(table: TableActor, explained: Json, screen: Screen, t: Texts) -> Markup | str:
    """What a move to there would take, in the title's words."""
    needs = (explained.get("needs") or [])[:2]
    if not needs:
        return ""
    return table.game.decisions.needs_words(needs, explained["has"], screen.name(explained["seat"]), t)
