"""TAXI!'s seats on the pages: money, tablets, plates and barriers, the character one drives to and the next."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from companion.tables.receipts import Json
from companion.titles.taxi import money
from companion.web.screens.narration import card_words
from companion.web.screens.places import Places, places_of
from companion.web.screens.seats import Amount, Bar, Count, Goal, HandCard, Number, ScreenOf, Seat
from companion.web.texts import Texts, texts
from shared_rules.games.taxi import meta

BASE = "base"
GAME = meta.NAME
PLATES_DRAWN = 4
FULL_BAR = 40000


@dataclass(kw_only=True)
class TaxiSeat(Seat):
    """A seat with what the decisions about it must know."""

    cash: int
    plates: int
    cards: int
    kept: Sequence[Json]
    arrived: bool
    destination: str | None


@dataclass(kw_only=True)
class TaxiScreen(ScreenOf[TaxiSeat]):
    """The screen of a game of TAXI!."""

    trip: int
    round: int
    d6: int | None


def screen_of(view: Json, title: str, language: str = "en") -> TaxiScreen:
    """The screen of a view; `language` is that of words and of the cards a seat keeps."""
    board = view["board"]
    places = places_of(GAME, board)
    over = view["phase"] == "over"
    t = texts(language, GAME)
    return TaxiScreen(
        game=GAME,
        title=title,
        line=t("trip.line", trip=view["trip"], trips=view["trips"], round=view["round"]),
        short=t("seat.trip", trip=view["trip"], trips=view["trips"]),
        number=Number(t("wall.trip"), view["trip"], t("wall.of"), view["trips"]),
        trip=view["trip"],
        round=view["round"],
        phase=view["phase"],
        turn=view["turn"],
        seats=[_seat(player, view, places, over, t) for player in view["players"]],
        places=places,
        view=view,
        over=over,
        d6=view.get("d6"),
        result=view.get("result"),
        full=FULL_BAR,
    )


def destination_name(places: Places, destination: str | None) -> str:
    """A character's name, or the base's; empty for none."""
    if destination is None:
        return ""
    if destination == BASE:
        return str(places.layout.get("base_name", "the Rank"))
    found = places.board["destinations"].get(destination)
    return str(found["name"]) if found else destination


def destination_at(places: Places, destination: str | None) -> str | None:
    """The point that a destination is reached at."""
    if destination is None:
        return None
    if destination == BASE:
        at: str | None = places.board["base"]
        return at
    found = places.board["destinations"].get(destination)
    return str(found["at"]) if found else None


def goal_of(places: Places, destination: str | None) -> Goal | None:
    """A destination as pages show it."""
    if destination is None:
        return None
    at = destination_at(places, destination)
    return Goal(destination_name(places, destination), places.ref(at), at, destination)


def card_title(card: Json, language: str) -> str:
    """A card's title: its own, or that of the shipped card it is."""
    return str(card.get("title") or "") or card_words(GAME, card, language)[0]


def _seat(player: Json, view: Json, places: Places, over: bool, t: Texts) -> TaxiSeat:
    kept = player.get("kept", [])
    cards = kept if isinstance(kept, int) else len(kept)
    titled = [] if isinstance(kept, int) else [{**card, "title": card_title(card, t.language)} for card in kept]
    out, arrived = player["status"] == "out", bool(player.get("arrived"))
    goal = None if out else goal_of(places, player.get("destination"))
    then = None if out else goal_of(places, player.get("next_destination"))
    counts = [Count(name, player[name], t(f"count.{name}", n=player[name])) for name in COUNTED]
    counts.append(Count("cards", cards, t("count.cards", n=cards), top=False))
    wealth = player.get("wealth", player["cash"] + meta.PLATE_TALLY * player["plates"])
    line = t("seat.out") if out else t("seat.arrived") if arrived else goal.name if goal else ""
    return TaxiSeat(
        seat=player["seat"],
        name=player["name"],
        colour=player["colour"],
        out=out,
        now=not over and view["turn"] == player["seat"],
        at=player.get("at"),
        amount=Amount(player["cash"], money.amount(player["cash"]), money.SIGN, money.PLACES),
        counts=counts,
        goal=goal,
        then=then,
        line=line,
        ref="" if out or arrived or goal is None else goal.ref,
        note=t("seat.skip", n=player["skip"]) if player.get("skip") else "",
        worth=t("seat.wealth", sum=money.amount(wealth)),
        bars=_bars(player),
        hand=[HandCard(card["title"] or t("card.kept"), _keep_words(card, t)) for card in titled],
        player=player,
        cash=player["cash"],
        plates=player["plates"],
        cards=cards,
        kept=titled,
        arrived=arrived,
        destination=None if out else player.get("destination"),
    )


COUNTED = ("green", "white", "plates", "barriers")


def _keep_words(card: Json, t: Texts) -> str:
    key = f"keep.{card.get('keep')}"
    return t(key) if t.has(key) else ""


def _bars(player: Json) -> list[Bar]:
    """Cash, then a plate for each taxi, as far as they fit."""
    bars = [Bar("cash", player["cash"])] if player["cash"] > 0 else []
    bars += [Bar("pl", meta.PLATE_TALLY, "TAXI")] * min(player["plates"], PLATES_DRAWN)
    if player["plates"] > PLATES_DRAWN:
        bars.append(Bar("more", 0, f"+{player['plates'] - PLATES_DRAWN}"))
    return bars
