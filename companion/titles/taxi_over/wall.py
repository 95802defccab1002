"""The wall's turn in Taxi Over: dice against the limit, what stopping here does, how sure the next intersection is;
violations and falls as news for all."""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup

from companion.tables.receipts import LogRow
from companion.titles.taxi_over import words
from companion.titles.taxi_over.map.moments import moment_of
from companion.titles.taxi_over.outlook import Outlook, outlook_of
from companion.titles.taxi_over.seats import RingScreen
from companion.web.screens.choices import Odd
from companion.web.screens.seats import Screen
from companion.web.screens.wall_turn import WallTurn, headline, how_it_ended, on_wall
from companion.web.texts import Texts


def turn(screen: RingScreen, bank: Screen, rows: Sequence[LogRow], t: Texts) -> WallTurn:
    """Whose turn it is and what lies before it."""
    outlook = None if screen.over else outlook_of(screen.view)
    said: list[Markup | str] = []
    odds: list[Odd] = []
    notice = how_it_ended(screen, t) or _what_happened(screen, rows, t)
    if notice is None and outlook is not None:
        said = _said(screen, outlook, t)
        odds = _odds(screen, outlook, t)
    return WallTurn(who=on_wall(screen), headline=_headline(screen, t), notice=notice, words=said, odds=odds)


def _headline(screen: RingScreen, t: Texts) -> Markup:
    if screen.phase == "roll" and screen.dice:
        return t("wall.head.decide")
    return headline(screen, t)


def _said(screen: RingScreen, outlook: Outlook, t: Texts) -> list[Markup | str]:
    cross = screen.places.place(outlook.cross).split(", ")[-1]
    stop = outlook.stop
    if not outlook.dice or stop is None:
        return [t("wall.ahead", n=outlook.ahead, cross=cross)]
    place = screen.places.place(stop.to)
    told = words.consequences(screen, stop, t)
    return [t("wall.stop", n=stop.distance, place=place), *([words.joined(told)] if told else [])]


def _odds(screen: RingScreen, outlook: Outlook, t: Texts) -> list[Odd]:
    cross = screen.places.place(outlook.cross).split(", ")[-1]
    rows = []
    if outlook.dice:
        rows.append(Odd(t("wall.risk"), *outlook.risk_next))
    if not outlook.stop_reaches:
        rows += [Odd(t("wall.reach", cross=cross, n=dice), n, d) for dice, n, d in outlook.reach]
    return rows


def _what_happened(screen: RingScreen, rows: Sequence[LogRow], t: Texts) -> Markup | None:
    """A violation, a fall, the box taken: until somebody throws the next die."""
    if screen.dice:
        return None
    moment = moment_of(rows)
    parts: list[Markup] = []
    for event in moment.events:
        if event["event"] == "speeding_violation":
            parts.append(t("wall.violation", name=screen.name(event["seat"]), sum=event["sum"]))
    for taxi, pit in moment.fell:
        rider = next(
            (event["seat"] for event in moment.events if event.get("taxi") == taxi and event["event"] == "fell"), 0
        )
        name = screen.name(rider)
        key = "wall.fell.rider" if name else "wall.fell.empty"
        parts.append(t(key, name=name, pit=screen.places.place(pit)))
    for seat, tokens in moment.taken.items():
        parts.append(t("wall.taken", name=screen.name(seat), n=tokens))
    return Markup(" ").join(parts) if parts else None
