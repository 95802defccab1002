"""Sheets that only London has: what a seat sees behind the hand on the tablet, cards of paper; the correction's and the
stock's numbers."""

from __future__ import annotations

from companion.tables.receipts import Json
from companion.titles.destination_london import money
from companion.titles.destination_london.decisions import Decisions
from companion.titles.destination_london.seats import card_place, light_title
from companion.titles.destination_london.typed_cards import SIDES, TYPED_VERBS
from companion.web.context import web_of
from companion.web.pages.sheets import Asked
from companion.web.pages.table_page import screen_for
from companion.web.screens.decisions import SEAT as PHONE
from companion.web.screens.seats import Count, Screen
from companion.web.texts import Texts
from shared_rules import library
from shared_rules.games.destination_london import meta

CORRECT = {"cash": (meta.SMALLEST_NOTE, 0), "fuel": (1, 0), "sections": (1, 0)}


def stock(screen: Screen, t: Texts) -> Json:
    """What lies beside the board: fuel, the bank's money, the piles."""
    view = screen.view
    taken: int = view["bank"]["cash"]
    key = "stock.paid" if taken < 0 else "stock.took"
    lights = view["lights"]
    counts = [_many(lights["pile"]), _many(lights["returned"])]
    return {
        "counts": [Count("fuel", view["fuel_bank"], t("stock.fuel"))],
        "words": [t(key, sum=money.amount(abs(taken)))],
        "decks": [
            (view["pile"], t("deck.destinations"), len(view["gone"])),
            (counts[0], t("deck.lights"), counts[1]),
        ],
    }


def _many(given: int | list[str]) -> int:
    return given if isinstance(given, int) else len(given)


def whisper(asked: Asked) -> Json | None:
    """A seat's own cards and buttons, on the tablet, behind the hand: only for a seat without a phone of its own, and
    for a bot's while bots hold still and people may play for it: nobody is to look into a bot's hand meanwhile."""
    seat = asked.seat
    if not seat or asked.screen.by_seat[seat].out:
        return None
    web = web_of(asked.request)
    about = asked.screen.by_seat[seat]
    if any(visitor.seat == seat for visitor in web.doors.sessions(asked.table.table_id)):
        return {"about": about, "kept": "phone"}
    if about.bot and not asked.table.bots_hold:
        return {"about": about, "kept": "bot"}
    own = screen_for(web, asked.table, seat, asked.t.language)
    decision = Decisions(own, asked.table.setup, asked.t, base=PHONE).for_seat(seat, own.view["prompts"])
    return {"about": own.by_seat[seat], "kept": "", "d": decision}


def light(asked: Asked) -> Json | None:
    """The traffic light card that was drawn from a deck of paper."""
    if not asked.seat:
        return None
    cards = sorted(
        (light_title(str(card["id"]), asked.t.language), str(card["id"]))
        for card in library.deck(meta.NAME, meta.LIGHTS)
    )
    return {"seat": asked.seat, "cards": cards, "verbs": list(TYPED_VERBS), "sides": SIDES}


def deal(asked: Asked) -> Json | None:
    """The Destination Card that a seat has picked up from a pile of paper; it may be any that is not out of the
    game, since the tablet knows no hand."""
    if not asked.seat:
        return None
    places, gone = asked.screen.places, set(asked.screen.view["gone"])
    cards = sorted((*card_place(places, card), card) for card in places.board["cards"] if card not in gone)
    named = [(card, name, money.amount(fare)) for name, _, fare, card in cards]
    return {"about": asked.screen.by_seat[asked.seat], "cards": named}


BANK = {"whisper": whisper, "light": light, "deal": deal}
SEAT = {"light": light}
