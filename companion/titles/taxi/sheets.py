"""Sheets that only TAXI! has: a paper card, a barrier, a whispered bet; what the correction and the stock show."""

from __future__ import annotations

from typing import Any

from companion.tables.receipts import Json
from companion.titles.taxi import money
from companion.titles.taxi.bets import bet_words
from companion.titles.taxi.typed_cards import TYPED_VERBS
from companion.web.pages.sheets import Asked
from companion.web.screens.seats import Count, Screen
from companion.web.texts import Texts
from shared_rules import library
from shared_rules.games.taxi import meta

CORRECT = {
    "cash": (meta.SMALLEST_NOTE, None),
    "green": (1, 0),
    "white": (1, 0),
    "plates": (1, 0),
    "barriers": (1, 0),
    "skip": (1, 0),
}


def stock(screen: Screen, t: Texts) -> Json:
    """What lies at the bank: counted things, sentences about its money, the decks."""
    bank, decks = screen.view["bank"], screen.view["decks"]
    counts = [Count(name, bank[name], t(f"count.{name}", n=bank[name])) for name in meta.UNITS[1:5]]
    counts.append(Count("", bank[meta.OWNERSHIP_CARDS], t("stock.ownership")))
    taken: int = bank["cash"]
    words = [
        t("stock.paid", sum=money.amount(-taken)) if taken < 0 else t("stock.took", sum=money.amount(taken)),
    ]
    if bank["pot"]:
        words.append(t("stock.pot", sum=money.amount(bank["pot"])))
    piles = [(decks[deck]["draw"], t(f"deck.{deck}"), len(decks[deck]["discard"])) for deck in meta.DECKS]
    return {"counts": counts, "words": words, "decks": piles}


def card(asked: Asked) -> Json | None:
    """The card that was drawn from a deck of paper."""
    deck = asked.query.get("deck", "")
    if deck not in meta.DECKS or not asked.seat:
        return None
    # Only what lies face up is left out: leaving out kept cards too would tell everybody which they are.
    gone = set(asked.screen.view["decks"][deck].get("discard") or [])
    cards = [
        (card["id"], library.card_text("taxi", deck, str(card["id"]), asked.t.language)["title"])
        for card in library.deck("taxi", deck)
        if card["id"] not in gone
    ]
    return {"deck": deck, "seat": asked.seat, "cards": cards, "verbs": TYPED_VERBS}


def barrier(asked: Asked) -> Json | None:
    """Where a barrier against the seat on turn goes."""
    prompt = next((p for p in asked.prompts(asked.seat) if p["do"] == "place_barrier"), None)
    if prompt is None:
        return None
    screen = asked.screen
    links = sorted(
        ((screen.places.place(link), screen.places.ref(link), link) for link in prompt["on"]), key=lambda row: row[0]
    )
    return {"about": screen.by_seat[asked.seat], "against": screen.by_seat[screen.turn], "links": links}


def bet(asked: Asked) -> Json | None:
    """A bet that is whispered to the banker."""
    gamble: Any = asked.screen.view.get("gamble")
    if not asked.seat or not gamble:
        return None
    return {
        "about": asked.screen.by_seat[asked.seat],
        "holder": asked.screen.by_seat[gamble["holder"]],
        "words": bet_words(asked.prompts(asked.seat)),
    }


BANK = {"card": card, "barrier": barrier, "bet": bet}
SEAT = {"card": card, "barrier": barrier}
