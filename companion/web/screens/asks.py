"""What the table itself asks about: a taxi where the rules cannot have it, one that left its socket, pieces to be put
elsewhere.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from markupsafe import Markup

from companion.tables.receipts import Json
from companion.tables.table_actor import TableActor
from companion.web.screens.choices import Choice
from companion.web.screens.seats import Screen
from companion.web.texts import Texts


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
        ask = Ask(_sentence(explained, screen, t), _needs(explained, t))
        put_right = {"id": explained["id"], "verdict": "put_right"}
        ask.choices.append(Choice(t("explain.put_right"), t("explain.put_right.small"), put_right, guarded=False))
        if explained["can_overrule"]:
            right = {"id": explained["id"], "verdict": "right"}
            ask.choices.append(Choice(t("explain.right"), t("explain.right.small"), right, guarded=False))
        found.append(ask)
    if table.on_road is not None:
        found.append(Ask(table.on_road["sentence"], t("explain.on_road")))
    return found


def to_put_right(table: TableActor, screen: Screen, t: Texts) -> list[Markup]:
    """Where taxis are to be put, while the table has readers: one sentence each."""
    return [
        t("explain.put", name=screen.name(row["seat"]), place=_place(row["expected"], screen))
        for row in table.misplaced
    ]


def alarms(table: TableActor, screen: Screen) -> list[Json]:
    """What the map marks: a taxi that lies where it cannot, with the place where it should."""
    explained = table.pending_explanation
    if explained is None or explained["kind"] not in ("wrong_place", "unreachable", "confirm_move"):
        return []
    seat = screen.by_seat.get(explained["seat"] or 0)
    if seat is None or not explained.get("seen"):
        return []
    return [{"colour": seat.colour, "seen": explained["seen"], "expected": explained.get("expected")}]


def _place(place: Any, screen: Screen) -> str:
    try:
        return screen.town.place(str(place))
    except KeyError:
        return str(place)


def _sentence(explained: Json, screen: Screen, t: Texts) -> Markup | str:
    """The explanation with names as the pages use them; the table's own words for what is about no place."""
    key = f"explain.{explained['kind']}"
    if explained["seat"] not in screen.by_seat or not t.has(key):
        return str(explained["sentence"])
    places = {name: _place(explained[name], screen) for name in ("seen", "expected") if explained.get(name)}
    return t(key, name=screen.name(explained["seat"]), **places)


def _needs(explained: Json, t: Texts) -> Markup | str:
    needs = explained.get("needs") or []
    if not isinstance(needs, list) or not needs:
        return ""
    ways = []
    for streets, green, white in needs[:2]:
        parts = [t("cost.streets", n=streets)]
        if green:
            parts.append(t("cost.green", n=green))
        if white:
            parts.append(t("cost.white", n=white))
        ways.append(Markup(", ").join(parts))
    return t("explain.needs", ways=(Markup(" ") + t("or") + Markup(" ")).join(ways))
