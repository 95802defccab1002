"""What the table itself asks about: a taxi where the rules cannot have it, one that left its socket, pieces to be put
elsewhere.
"""

from __future__ import annotations

from dataclasses import dataclass, field

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
        ask = Ask(explained["sentence"], _needs(explained, t))
        ask.choices.append(
            Choice(
                t("explain.put_right"),
                t("explain.put_right.small"),
                {"id": explained["id"], "verdict": "put_right"},
                guarded=False,
            )
        )
        if explained["can_overrule"]:
            ask.choices.append(
                Choice(
                    t("explain.right"),
                    t("explain.right.small"),
                    {"id": explained["id"], "verdict": "right"},
                    guarded=False,
                )
            )
        found.append(ask)
    if table.on_road is not None:
        found.append(Ask(table.on_road["sentence"], t("explain.on_road")))
    if table.misplaced and explained is None:
        found.append(Ask(t("explain.misplaced"), Markup(" ").join(row["sentence"] for row in table.misplaced)))
    return found


def alarms(table: TableActor, screen: Screen) -> list[Json]:
    """What the map marks: taxis that lie where they should not, with the place where they should."""
    explained = table.pending_explanation
    rows = list(table.misplaced) + (
        [explained] if explained and explained["kind"] in ("wrong_place", "unreachable") else []
    )
    found = []
    for row in rows:
        seat = screen.by_seat.get(row["seat"] or 0)
        if seat is not None and row.get("seen"):
            found.append({"colour": seat.colour, "seen": row["seen"], "expected": row.get("expected")})
    return found


def _needs(explained: dict[str, object], t: Texts) -> Markup | str:
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
