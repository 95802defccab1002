"""The till: which notes change hands for what just happened. For tables that play with paper money beside the
ledger.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from markupsafe import Markup

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
    if setup["money"] != "by_hand":
        return []
    newest = next((row for row in rows if row.kind == "play" and not row.undone), None)
    if newest is None:
        return []
    found: list[NotesToMove] = []
    for payer, payee, amount in money_moves(newest.events):
        who, to = screen.name(payer) or t("bank.the"), screen.name(payee) or t("bank.the")
        if payer == 0:
            found.append(NotesToMove(t("till.you_give", name=to), fewest(amount)))
            continue
        given, back = hand_over(amount)
        found.append(NotesToMove(t("till.gives", name=who, to=to), given))
        if back:
            found.append(NotesToMove(t("till.back", name=to), back))
    return found[:MOST]


def money_moves(events: Sequence[dict[str, Any] | None]) -> list[tuple[int, int, int]]:
    """(payer, payee, amount) of each transfer of money between seats and the bank; 0 is the bank, which keeps the pot
    too.

    Stakes of bets are not among them: who staked what is nobody's business before the card is turned.
    """
    found = []
    for event in events:
        if event is None or event.get("unit") != "money" or "escrow" in (event["from"], event["to"]):
            continue
        payer, payee = (account if isinstance(account, int) else 0 for account in (event["from"], event["to"]))
        if payer != payee:
            found.append((payer, payee, event["amount"]))
    return found
