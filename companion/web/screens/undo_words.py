"""What an undo would take back, in words."""

from __future__ import annotations

from markupsafe import Markup

from companion.tables.receipts import Json
from companion.web.screens.seats import Screen
from companion.web.texts import Texts


def undo_in_words(offer: Json | None, screen: Screen, t: Texts) -> Markup:
    """ "This takes back Ann’s move."; empty when there is nothing."""
    if offer is None:
        return Markup("")
    key = f"undo.what.{offer['do']}"
    name = screen.name(offer["seat"]) or t("bank")
    return t("undo.takes_back", what=t(key if t.has(key) else "undo.what.other", name=name))
