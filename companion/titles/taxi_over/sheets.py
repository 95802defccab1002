"""Sheets that only Taxi Over has: the road put right; what the correction and the stock show."""

from __future__ import annotations

from companion.tables.receipts import Json
from companion.titles.taxi_over.choices import NOBODY
from companion.titles.taxi_over.map.ring import START
from companion.web.pages.sheets import Asked
from companion.web.screens.seats import Count, Screen
from companion.web.texts import Texts

CORRECT = {"held": (1, 0)}


def stock(screen: Screen, t: Texts) -> Json:
    """What lies in the For Hire box and in the supply."""
    box, supply = int(screen.view["box"]), int(screen.view["supply"])
    return {
        "counts": [Count("box", box, t("stock.box")), Count("token", supply, t("stock.supply"))],
        "words": [t("stock.all")],
        "decks": [],
    }


def road(asked: Asked) -> Json:
    """Where each taxi stands, who sits in it, what lies in the box."""
    screen = asked.screen
    places = [(screen.places.place(place), place) for place in screen.places.stops()]
    taxis = [(name, name[1:], str(entry["at"])) for name, entry in screen.view["taxis"].items()]
    drivers = [(seat, str(seat.player["driver"] or NOBODY)) for seat in screen.seats if not seat.out]
    return {
        "places": places,
        "taxis": taxis,
        "drivers": drivers,
        "nobody": NOBODY,
        "box": int(screen.view["box"]),
        "start": START,
    }


BANK = {"road": road}
SEAT: dict[str, object] = {}
