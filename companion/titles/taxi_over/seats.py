"""Taxi Over's seats on the pages: tokens against the target, whose driver sits where."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from companion.tables.receipts import Json
from companion.titles.taxi_over import money
from companion.web.screens.places import Places, places_of
from companion.web.screens.seats import Amount, Bar, Count, Number, ScreenOf, Seat
from companion.web.texts import Texts, texts
from shared_rules.games.taxi_over import meta

GAME = meta.NAME


@dataclass(kw_only=True)
class DriverSeat(Seat):
    """A seat with the taxi that its driver sits in, None for one who is out of it."""

    taxi: str | None
    held: int


@dataclass(kw_only=True)
class RingScreen(ScreenOf[DriverSeat]):
    """The screen of a game of Taxi Over. `riders`: taxi → the seat in it."""

    target: int
    box: int
    dice: Sequence[int]

    @property
    def riders(self) -> Mapping[str, DriverSeat]:
        """Who sits in which taxi."""
        return {seat.taxi: seat for seat in self.seats if seat.taxi is not None}


def screen_of(view: Json, title: str, language: str = "en") -> RingScreen:
    """The screen of a view; nothing of this game is hidden from anybody."""
    board = view["board"]
    places = places_of(GAME, board)
    over = view["phase"] == "over"
    t = texts(language, GAME)
    target, box = int(view["target"]), int(view["box"])
    return RingScreen(
        game=GAME,
        title=title,
        line=t("ring.line", target=target, n=box),
        short=t("ring.short", target=target),
        number=Number(t("wall.first_to"), target),
        phase=view["phase"],
        turn=view["turn"],
        seats=[_seat(player, view, places, over, t) for player in view["players"]],
        places=places,
        view=view,
        over=over,
        result=view.get("result"),
        full=target,
        target=target,
        box=box,
        dice=tuple(view["dice"]),
    )


def _seat(player: Json, view: Json, places: Places, over: bool, t: Texts) -> DriverSeat:
    taxi: str | None = player["driver"]
    at: str | None = view["taxis"][taxi]["at"] if taxi else None
    held, target, out = int(player["held"]), int(view["target"]), player["status"] == "out"
    return DriverSeat(
        seat=player["seat"],
        name=player["name"],
        colour=player["colour"],
        out=out,
        now=not over and view["turn"] == player["seat"],
        at=at,
        amount=Amount(held, t("seat.tokens", n=held, of=target), money.SIGN, money.PLACES, plain=True),
        counts=_counts(player, view, t),
        line=t("seat.out") if out else places.place(at) if at else t("seat.on_foot"),
        ref=places.ref(at) if at and not out else "",
        worth=t("seat.tokens", n=held, of=target),
        bars=_bars(held, target),
        player=player,
        taxi=taxi,
        held=held,
    )


def _counts(player: Json, view: Json, t: Texts) -> list[Count]:
    """Whether the driver sits in a taxi; on the own phone what is to be had besides."""
    seated = player["driver"] is not None
    counts = [Count("cab", 1 if seated else 0, t("count.seated") if seated else t("count.on_foot"))]
    if view["audience"] == player["seat"]:
        held, box = int(player["held"]), int(view["box"])
        counts = [Count("token", held, t("count.tokens", n=held)), Count("box", box, t("count.box")), *counts]
    return counts


def _bars(held: int, target: int) -> list[Bar]:
    """A coin for each token, a hole for each that is still to come."""
    return [Bar("coin", 1)] * held + [Bar("hole", 1)] * max(0, target - held)
