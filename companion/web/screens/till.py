"""The till: which notes change hands for what just happened. For tables that play with paper money beside the
ledger.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from companion import titles
from companion.tables.receipts import Json, LogRow
from companion.web.screens.notes import fewest, hand_over
from companion.web.screens.seats import Screen
from companion.web.texts import Texts

MOST = 4


@dataclass
class NotesToMove:
    """One hand-over: "Finn hands over" and [(500, 1)]."""

    label: Markup
    notes: list[tuple[int, int]]


def till_of(rows: Sequence[LogRow], screen: Screen, setup: Json, t: Texts) -> list[NotesToMove]:
    """The notes of the newest command that moved money, at most `MOST` hand-overs; none where the table keeps the
    money.
    """
    money = titles.find(screen.game).money
    if setup["money"] != "by_hand" or not money.NOTES:
        return []
    newest = next((row for row in rows if row.kind == "play" and not row.undone), None)
    if newest is None:
        return []
    notes = sorted(money.NOTES, reverse=True)
    found: list[NotesToMove] = []
    for payer, payee, amount in money.moves(newest.events):
        who, to = screen.name(payer) or t("bank.the"), screen.name(payee) or t("bank.the")
        if payer == 0:
            found.append(NotesToMove(t("till.you_give", name=to), fewest(amount, notes)))
            continue
        given, back = hand_over(amount, notes)
        found.append(NotesToMove(t("till.gives", name=who, to=to), given))
        if back:
            found.append(NotesToMove(t("till.back", name=to), back))
    return found[:MOST]
