"""London's seats on the pages: money, fuel, the driving licence with its four sections, log book, Turbo, and the cards
in one's own hand with their fares."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from companion.tables.receipts import Json
from companion.titles.destination_london import money
from companion.web.screens.narration import card_words
from companion.web.screens.places import Places, places_of
from companion.web.screens.seats import Amount, Bar, Count, Goal, HandCard, Number, ScreenOf, Seat
from companion.web.texts import Texts, texts
from shared_rules import library
from shared_rules.games.destination_london import meta

GAME = meta.NAME
FULL_BAR = 900
POINTS = 3
"""Penalty points of a turned licence section (L-044)."""


@dataclass(kw_only=True)
class LondonSeat(Seat):
    """A seat with what the decisions about it must know. `cards` is None for everybody but the seat itself."""

    cash: int
    fuel: int
    total_fuel: int
    cards: Sequence[str] | None
    held: Sequence[Json | str]
    loan: bool
    bound_home: bool


@dataclass(kw_only=True)
class LondonScreen(ScreenOf[LondonSeat]):
    """The screen of a game of Destination London."""

    dice: Sequence[int]
    moves: int


def screen_of(view: Json, title: str, language: str = "en") -> LondonScreen:
    """The screen of a view."""
    board, t = view["board"], texts(language, GAME)
    places = places_of(GAME, board)
    over, pile = view["phase"] == "over", int(view["pile"])
    line = t("line", n=pile) if pile else t("line.race")
    return LondonScreen(
        game=GAME,
        title=title,
        line=line,
        short=t("short", n=pile) if pile else t("short.race"),
        number=Number(t("wall.pile"), pile, t("wall.of"), len(places.board["cards"])),
        phase=view["phase"],
        turn=view["turn"],
        seats=[_seat(player, view, places, over, t) for player in view["players"]],
        places=places,
        view=view,
        over=over,
        result=view.get("result"),
        full=FULL_BAR,
        dice=view["dice"],
        moves=view["moves"][0] if view["moves"] else 0,
    )


def card_place(places: Places, card: str) -> tuple[str, str, int]:
    """(attraction, square, fare) of a Destination Card."""
    entry = places.board["cards"][card]
    attraction = places.board["attractions"][entry["attraction"]]
    return str(attraction["name"]), str(attraction["square"]), int(entry["fare"])


def picture_of(places: Places, card: str) -> str:
    """The emblem of a Destination Card's attraction."""
    return str(places.board["cards"][card]["attraction"])


def light_title(card: Json | str, language: str) -> str:
    """A traffic light card's title: of the shipped card that it is, or its own."""
    if isinstance(card, str):
        return card_words(GAME, {"card": card, "deck": meta.LIGHTS}, language)[0] or card
    return str(card.get("title", ""))


def _seat(player: Json, view: Json, places: Places, over: bool, t: Texts) -> LondonSeat:
    hand = player["hand"]
    cards = None if isinstance(hand, int) else [str(card) for card in hand]
    many = hand if cards is None else len(cards)
    out = player["status"] == "out"
    bound = not out and not many and not view["pile"] and not view["deals"]
    goal = _home(places, t) if bound and not over else None
    return LondonSeat(
        seat=player["seat"],
        name=player["name"],
        colour=player["colour"],
        out=out,
        now=not over and view["turn"] == player["seat"],
        at=player["at"],
        amount=Amount(player["cash"], money.amount(player["cash"]), money.SIGN, money.PLACES, plain=True),
        counts=_counts(player, many, t),
        goal=goal,
        line=t("seat.out") if out else t("seat.home") if goal else _where(player, places, t),
        ref="" if out else places.ref(goal.place if goal else player["at"]),
        note=t("seat.loan") if player["loan"] and not out else "",
        worth=t("seat.worth", sum=money.amount(_worth(player))),
        bars=_bars(player),
        hand=_hand(cards or (), player, places, t),
        player=player,
        cash=player["cash"],
        fuel=player["fuel"],
        total_fuel=player["total_fuel"],
        cards=cards,
        held=player["held"],
        loan=player["loan"],
        bound_home=bound,
    )


def _home(places: Places, t: Texts) -> Goal:
    base = str(places.board["base"])
    return Goal(t("base"), places.ref(base), base, "base")


def _where(player: Json, places: Places, t: Texts) -> str:
    at = player["at"]
    return t("seat.at", place=places.place(at)) if at else ""


def _counts(player: Json, many: int, t: Texts) -> list[Count]:
    points = POINTS * player["sections"]
    return [
        Count("fuel", player["total_fuel"], t("count.fuel", n=player["total_fuel"])),
        Count(f"licence{player['sections']}", points, t("count.points", n=points)),
        Count("hand", many, t("count.hand", n=many)),
        Count("turbo" if player["turbo"] else "taxi", 2 if player["turbo"] else 1, t(
            "count.turbo" if player["turbo"] else "count.taxi"
        )),
        Count("held", len(player["held"]), t("count.held", n=len(player["held"])), top=False),
    ]  # fmt: skip


def _worth(player: Json) -> int:
    worth: int = player["cash"] - (meta.LOAN if player["loan"] else 0)
    return worth


def _bars(player: Json) -> list[Bar]:
    """Money, and the part of it that a log book owes."""
    owed = min(meta.LOAN, player["cash"]) if player["loan"] else 0
    bars = [Bar("cash", player["cash"] - owed)] if player["cash"] > owed else []
    return bars + ([Bar("owed", owed)] if owed else [])


def _kept_for(card: Json | str, t: Texts) -> str:
    """What a kept traffic light card will do."""
    if isinstance(card, str):
        found = next(entry for entry in library.deck(GAME, meta.LIGHTS) if entry["id"] == card)
        verb: Sequence[Any] = found["do"][0]
    else:
        verb = card["do"][0]
    name = f"{verb[0]}.{verb[1]}" if verb[0] == "next_fare" else str(verb[0])
    return t.first(f"kept.{name}", "card.kept")


def _hand(cards: Sequence[str], player: Json, places: Places, t: Texts) -> list[HandCard]:
    found = []
    for card in sorted(cards, key=lambda card: (-card_place(places, card)[2], card)):
        name, square, fare = card_place(places, card)
        place = places.place(square)
        key = "card.fare.here" if place == name else "card.fare"
        small = t(key, sum=money.amount(fare), place=place, ref=places.ref(square))
        found.append(HandCard(name, small, picture_of(places, card)))
    for kept in [*player["held"], *player["bonus_fuel"]]:
        found.append(HandCard(light_title(kept, t.language), _kept_for(kept, t), "light"))
    return found
