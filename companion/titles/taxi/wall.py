"""The wall's turn in TAXI!: the character one drives to and what the way takes; a gamble card face down."""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup

from companion.tables.receipts import LogRow
from companion.titles.taxi.bets import is_answered
from companion.titles.taxi.narration import last_throw
from companion.titles.taxi.reach import reach_of, ways_to
from companion.titles.taxi.seats import TaxiScreen
from companion.web.screens.seats import Screen
from companion.web.screens.wall_turn import WallTurn, headline, how_it_ended, on_wall
from companion.web.texts import Texts


def turn(screen: TaxiScreen, bank: Screen, rows: Sequence[LogRow], t: Texts) -> WallTurn:
    """Whose turn it is, with the least that the way to the own destination takes."""
    who = on_wall(screen)
    goal = who.goal
    words: list[Markup | str] = []
    chips: list[tuple[str, int]] = []
    if goal is not None:
        words.append(t("wall.to", name=goal.name, ref=goal.ref))
        ways = ways_to(goal.place, reach_of(bank.view["prompts"], screen.turn) or [])
        if ways:
            _, streets, green, white = ways[0]
            words.append(t("wall.streets", n=streets, of=screen.d6))
            chips = [(icon, n) for icon, n in (("green", green), ("white", white)) if n]
            if chips:
                words.append(t("wall.goes_back"))
    return WallTurn(
        who=who,
        headline=headline(screen, t),
        throws=last_throw(rows),
        notice=_gamble(screen, t) or _revealed(rows, t) or how_it_ended(screen, t),
        covered=bool(screen.view.get("gamble")),
        goal=goal,
        words=words,
        chips=chips,
    )


def _gamble(screen: TaxiScreen, t: Texts) -> Markup | None:
    gamble = screen.view.get("gamble")
    if not gamble:
        return None
    of = sum(1 for s in screen.seats if not s.out and s.seat != gamble["holder"])
    sealed = sum(is_answered(gamble["bets"], s.seat) for s in screen.seats)
    return t("wall.gamble", name=screen.name(gamble["holder"]), n=sealed, of=of)


def _revealed(rows: Sequence[LogRow], t: Texts) -> Markup | None:
    """The word that was just turned, until somebody does the next thing."""
    newest = next((row for row in rows if row.kind == "play"), None)
    for event in newest.events if newest and not newest.undone else ():
        if event and event["event"] == "GambleRevealed":
            return t("event.GambleRevealed", word=t(f"word.{event['word']}"))
    return None
