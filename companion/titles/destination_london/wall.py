"""The wall's turn in Destination London: what was thrown, where the taxi stands, an open claim window face down."""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup

from companion.tables.receipts import LogRow
from companion.titles.destination_london import money
from companion.titles.destination_london.narration import last_throw
from companion.titles.destination_london.seats import LondonScreen
from companion.web.screens.seats import Goal, Screen
from companion.web.screens.wall_turn import WallTurn, headline, how_it_ended, on_wall
from companion.web.texts import Texts


def turn(screen: LondonScreen, bank: Screen, rows: Sequence[LogRow], t: Texts) -> WallTurn:
    """Whose turn it is, and what everybody may know about it."""
    who = on_wall(screen)
    goal = who.goal
    words: list[Markup | str] = []
    if not screen.over and who.at:
        place = screen.places.place(who.at)
        if goal is None:
            picture = _picture(screen, who.at)
            goal = Goal(place, screen.places.ref(who.at), who.at, picture)
        words.append(t("wall.at", place=place))
        if screen.moves:
            words.append(t("wall.squares", n=screen.moves))
    return WallTurn(
        who=who,
        headline=headline(screen, t),
        throws=last_throw(rows),
        notice=how_it_ended(screen, t) or _claims(screen, t) or _fare(rows, screen, t),
        covered=screen.phase == "claims",
        goal=goal,
        words=words,
    )


def _picture(screen: LondonScreen, square: str) -> str:
    for name, attraction in sorted(screen.places.board["attractions"].items()):
        if attraction["square"] == square:
            return str(name)
    board = screen.places.board
    if square == board["base"]:
        return "base"
    return "garage" if square in board["garages"] else "lights" if square in board["lights"] else "square"


def _claims(screen: LondonScreen, t: Texts) -> Markup | None:
    if screen.phase != "claims":
        return None
    landing = screen.view["arrivals"][-1]
    place = screen.places.place(landing["square"])
    asked = sum(1 for seat in screen.seats if not seat.out and seat.seat != landing["seat"])
    left = len(landing["claims"] or [])
    return t("wall.claims", name=screen.name(landing["seat"]), place=place, n=asked - left, of=asked)


def _fare(rows: Sequence[LogRow], screen: LondonScreen, t: Texts) -> Markup | None:
    """The fare that has just been paid or the landing that has just been claimed, until somebody does the next thing;
    a card that is dealt afterwards by itself is none."""
    newest = next((row for row in rows if row.kind == "play" and row.do != "deal"), None)
    for event in newest.events if newest and not newest.undone else ():
        if event and event["event"] == "LandingClaimed":
            return t("wall.claimed", name=screen.name(event["seat"]), lander=screen.name(event["lander"]))
        if event and event["event"] == "FarePaid":
            return t("wall.fare", name=screen.name(event["to"]), sum=money.amount(event["amount"]))
    return None
