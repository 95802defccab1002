"""Sheets: small pages laid over the tablet or a phone that ask for what a button needs, or show what is looked up now
and then. A title adds sheets of its own (companion/titles/<title>/sheets.py).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from companion.tables.receipts import Json
from companion.tables.table_actor import TableActor
from companion.web.context import visitor_of, web_of
from companion.web.forms import page_mark, seat_number
from companion.web.pages.pairing import invitations
from companion.web.pages.table_page import screen_for
from companion.web.rendering import language_of, texts_of
from companion.web.screens.bot_words import explained
from companion.web.screens.decisions import BANK, SEAT
from companion.web.screens.narration import lines
from companion.web.screens.seats import Screen
from companion.web.screens.undo_words import undo_in_words
from companion.web.texts import Texts

LOG_LINES = 400
WALL = "/wall"
THOUGHTS = 12


@dataclass(frozen=True)
class Asked:
    """A sheet that was asked for: by whom, about which seat (one's own on a phone, the one in the address on the
    tablet; 0 for none), with the address's other words in `query`."""

    request: Request
    table: TableActor
    screen: Screen
    t: Texts
    base: str
    seat: int
    query: Mapping[str, str]

    @property
    def bank(self) -> bool:
        """Whether the banker asks."""
        return self.base == BANK

    def prompts(self, seat: int) -> list[Json]:
        """What a seat may do now, as far as this audience may know it."""
        prompts = self.screen.view["prompts"]
        if isinstance(prompts, list):
            return prompts
        return next((found for key, found in prompts.items() if int(key) == seat), [])

    def decisions(self) -> Any:
        """The title's decisions for this audience."""
        return self.table.game.decisions.Decisions(self.screen, self.table.setup, self.t, base=self.base)


Make = Callable[[Asked], Json | None]


def for_bank(request: Request, table: TableActor, name: str) -> Response:
    """A sheet of the tablet."""
    return _draw(request, table, name, BANK, "bank", BANK_SHEETS, table.game.sheets.BANK)


def for_seat(request: Request, table: TableActor, name: str) -> Response:
    """A sheet of a phone: only what concerns its own seat."""
    return _draw(request, table, name, SEAT, visitor_of(request).seat or 0, SEAT_SHEETS, table.game.sheets.SEAT)


def for_all(request: Request, table: TableActor, name: str) -> Response:
    """A sheet of the wall: nothing secret."""
    return _draw(request, table, name, WALL, "spectator", {"bots": _bots}, {})


def _draw(
    request: Request,
    table: TableActor,
    name: str,
    base: str,
    audience: Any,
    known: Mapping[str, Make],
    of_title: Mapping[str, Make],
) -> Response:
    t, web = texts_of(request), web_of(request)
    screen = screen_for(web, table, audience, language_of(request))
    asked = Asked(request, table, screen, t, base, _asked_seat(request, screen), request.query_params)
    make = known.get(name) or of_title.get(name)
    context = make(asked) if make is not None else None
    if context is None:
        return web.renderer.fragment(request, "say.html", status=404, sentence=t("door.not_found"), good=False)
    template = f"sheet_{name}.html" if name in known else f"{table.game.name}/sheet_{name}.html"
    return web.renderer.fragment(
        request,
        template,
        s=screen,
        seq=page_mark(table, audience),
        base=base,
        action=f"{base}/act",
        setup=table.setup,
        bank=base == BANK,
        **context,
    )


def _asked_seat(request: Request, screen: Screen) -> int:
    own = visitor_of(request).seat
    if own is not None:
        return own
    given = seat_number(request.query_params.get("seat", ""))
    return given if given in screen.by_seat else 0


def _stock(asked: Asked) -> Json:
    notes = sorted(asked.table.game.money.NOTES, reverse=True)
    return {"notes": notes, "stock": asked.table.game.sheets.stock(asked.screen, asked.t)}


def _correct(asked: Asked) -> Json:
    screen = asked.screen
    places = sorted({(screen.places.place(p), p) for p in screen.places.stops()})
    about = screen.by_seat[asked.seat or screen.turn]
    numbers = [
        (name, about.player[name], step, least)
        for name, (step, least) in asked.table.game.sheets.CORRECT.items()
        if isinstance(about.player.get(name), int)
    ]
    return {"about": about, "places": places if "at" in about.player else [], "numbers": numbers}


def _seat(asked: Asked) -> Json | None:
    seat, screen, table = asked.seat, asked.screen, asked.table
    if not seat:
        return None
    me = screen.by_seat[seat]
    prompts = asked.prompts(seat)
    return {
        "about": me,
        "devices": [v for v in web_of(asked.request).doors.sessions(table.table_id) if v.seat == seat],
        "may": {p["do"] for p in prompts} | (set() if screen.over or me.out else {"resign"}),
        "others": [s for s in screen.seats if s.seat != seat and not s.out],
        "asides": asked.decisions().asides(me, prompts),
        "bots": list(table.game.rules.bots()),
        "more": [f"{table.game.name}/seat_more.html"],
    }


def _more(asked: Asked) -> Json:
    web = web_of(asked.request)
    return {
        "devices": web.doors.sessions(asked.table.table_id) if visitor_of(asked.request).seat is None else [],
        "bench": web.application.bench is not None,
        "bots": list(asked.table.game.rules.bots()),
        "me": asked.screen.by_seat.get(asked.seat),
        "any_bot": any(seat.bot for seat in asked.screen.seats),
        "screen_seats": asked.screen.by_seat,
    }


def _log(asked: Asked) -> Json:
    audience = visitor_of(asked.request).audience
    return {"log": lines(asked.table.log(LOG_LINES, audience), asked.screen, asked.t, LOG_LINES)}  # type: ignore[arg-type]


def _bots(asked: Asked) -> Json:
    return {"thoughts": explained(asked.table.bot_thoughts(THOUGHTS), asked.screen, asked.t)}


def _phones(asked: Asked) -> Json:
    web = web_of(asked.request)
    codes = invitations(web, asked.table) if web.application.phones.url else []
    return {"phones": web.application.phones, "codes": codes, "devices": web.doors.sessions(asked.table.table_id)}


def _consent(asked: Asked) -> Json | None:
    offer = asked.table.undo_offer("bank")
    return {"words": undo_in_words(offer, asked.screen, asked.t)} if offer else None


BANK_SHEETS: dict[str, Make] = {
    "stock": _stock,
    "correct": _correct,
    "seat": _seat,
    "more": _more,
    "log": _log,
    "bots": _bots,
    "phones": _phones,
    "consent": _consent,
}
SEAT_SHEETS: dict[str, Make] = {"more": _more, "log": _log, "bots": _bots}
