"""Sheets: small pages laid over the tablet or a phone that ask for what a button needs, or show what is looked up now
and then.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from companion.tables.table_actor import TableActor
from companion.web.context import visitor_of, web_of
from companion.web.forms import page_mark, seat_number
from companion.web.pages.pairing import invitations
from companion.web.pages.typed_cards import TYPED_VERBS
from companion.web.rendering import language_of, texts_of
from companion.web.screens.bets import bet_words
from companion.web.screens.narration import lines
from companion.web.screens.notes import NOTES
from companion.web.screens.seats import Screen, screen_of
from companion.web.screens.undo_words import undo_in_words
from shared_rules import library

LOG_LINES = 400
DECKS = ("journey", "passenger", "expense")


def for_bank(request: Request, table: TableActor, name: str) -> Response:
    """A sheet of the tablet."""
    return _draw(request, table, name, "/tablet", "bank", BANK_SHEETS)


def for_seat(request: Request, table: TableActor, name: str) -> Response:
    """A sheet of a phone: only what concerns its own seat."""
    return _draw(request, table, name, "/seat", visitor_of(request).seat or 0, SEAT_SHEETS)


Make = Callable[[Request, TableActor, Screen], dict[str, Any] | None]


def _draw(request: Request, table: TableActor, name: str, base: str, audience: Any, known: dict[str, Make]) -> Response:
    t, web = texts_of(request), web_of(request)
    screen = screen_of(table.view(audience), table.title)
    context = known[name](request, table, screen) if name in known else None
    if context is None:
        return web.renderer.fragment(request, "say.html", status=404, sentence=t("door.not_found"), good=False)
    return web.renderer.fragment(
        request,
        f"sheet_{name}.html",
        s=screen,
        seq=page_mark(table, audience),
        base=base,
        action=f"{base}/act",
        setup=table.setup,
        bank=base == "/tablet",
        **context,
    )


def _asked_seat(request: Request, screen: Screen) -> int:
    """The seat that a sheet is about: one's own on a phone, the one in the address on the tablet; 0 for none."""
    own = visitor_of(request).seat
    if own is not None:
        return own
    given = seat_number(request.query_params.get("seat", ""))
    return given if given in screen.by_seat else 0


def _prompts(screen: Screen, seat: int) -> list[dict[str, Any]]:
    prompts = screen.view["prompts"]
    if isinstance(prompts, list):
        return prompts
    return next((found for key, found in prompts.items() if int(key) == seat), [])


def _stock(request: Request, table: TableActor, screen: Screen) -> dict[str, Any]:
    return {"notes": NOTES, "decks": [(deck, screen.decks[deck]) for deck in DECKS]}


def _correct(request: Request, table: TableActor, screen: Screen) -> dict[str, Any]:
    seat = _asked_seat(request, screen) or screen.turn
    places = sorted({(screen.town.place(p), p) for p in screen.town.stops()})
    return {"about": screen.by_seat[seat], "places": places}


def _seat(request: Request, table: TableActor, screen: Screen) -> dict[str, Any] | None:
    seat = _asked_seat(request, screen)
    if not seat:
        return None
    devices = [v for v in web_of(request).doors.sessions(table.table_id) if v.seat == seat]
    tag = next((s.get("tag") for s in table.setup["seats"] if s["seat"] == seat), None)
    may = {p["do"] for p in _prompts(screen, seat)} | (set() if screen.over or screen.by_seat[seat].out else {"resign"})
    return {
        "about": screen.by_seat[seat],
        "devices": devices,
        "tag": tag,
        "may": may,
        "others": [s for s in screen.seats if s.seat != seat and not s.out],
    }


def _more(request: Request, table: TableActor, screen: Screen) -> dict[str, Any]:
    web = web_of(request)
    return {
        "devices": web.doors.sessions(table.table_id) if visitor_of(request).seat is None else [],
        "bench": web.application.bench is not None,
        "screen_seats": screen.by_seat,
    }


def _log(request: Request, table: TableActor, screen: Screen) -> dict[str, Any]:
    audience = visitor_of(request).audience
    return {"log": lines(table.log(LOG_LINES, audience), screen, texts_of(request), LOG_LINES)}  # type: ignore[arg-type]


def _card(request: Request, table: TableActor, screen: Screen) -> dict[str, Any] | None:
    deck, seat = request.query_params.get("deck", ""), _asked_seat(request, screen)
    if deck not in DECKS or not seat:
        return None
    # Only what lies face up is left out: leaving out kept cards too would tell everybody which they are.
    gone = set(screen.decks[deck].get("discard") or [])
    language = language_of(request)
    cards = [
        (card["id"], library.card_text("taxi", deck, str(card["id"]), language)["title"])
        for card in library.deck("taxi", deck)
        if card["id"] not in gone
    ]
    return {"deck": deck, "seat": seat, "cards": cards, "verbs": TYPED_VERBS}


def _barrier(request: Request, table: TableActor, screen: Screen) -> dict[str, Any] | None:
    seat = _asked_seat(request, screen)
    prompt = next((p for p in _prompts(screen, seat) if p["do"] == "place_barrier"), None)
    if prompt is None:
        return None
    links = sorted(
        ((screen.town.place(link), screen.town.ref(link), link) for link in prompt["on"]), key=lambda row: row[0]
    )
    return {"about": screen.by_seat[seat], "against": screen.by_seat[screen.turn], "links": links}


def _bet(request: Request, table: TableActor, screen: Screen) -> dict[str, Any] | None:
    seat = _asked_seat(request, screen)
    gamble = screen.view.get("gamble")
    if not seat or not gamble:
        return None
    return {
        "about": screen.by_seat[seat],
        "holder": screen.by_seat[gamble["holder"]],
        "words": bet_words(_prompts(screen, seat)),
    }


def _phones(request: Request, table: TableActor, screen: Screen) -> dict[str, Any]:
    web = web_of(request)
    codes = invitations(web, table) if web.application.phones.url else []
    return {"phones": web.application.phones, "codes": codes, "devices": web.doors.sessions(table.table_id)}


def _consent(request: Request, table: TableActor, screen: Screen) -> dict[str, Any] | None:
    offer = table.undo_offer("bank")
    return {"words": undo_in_words(offer, screen, texts_of(request))} if offer else None


BANK_SHEETS: dict[str, Make] = {
    "stock": _stock,
    "correct": _correct,
    "seat": _seat,
    "more": _more,
    "log": _log,
    "card": _card,
    "barrier": _barrier,
    "bet": _bet,
    "phones": _phones,
    "consent": _consent,
}
SEAT_SHEETS: dict[str, Make] = {"more": _more, "card": _card, "barrier": _barrier, "log": _log}
