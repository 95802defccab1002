"""London for everybody: at each kind of question axe finds nothing on tablet, phones and wall, in either look; targets
are as large as a thumb; nothing is lost sideways."""

from __future__ import annotations

from typing import Any

import pytest
from running_companion import RunningCompanion, Visit
from test_for_everybody import complaints, small_targets
from test_london_claim import BOARD, begin

from shared_rules import library

pytestmark = pytest.mark.browser

SHEETS = ("stock", "correct", "seat?seat=2", "more", "log", "whisper?seat=2", "light?seat=1", "deal?seat=1")


def a_card(verb: list[Any]) -> str:
    """A shipped traffic light card that does this."""
    return next(str(card["id"]) for card in library.deck("destination_london", "lights") if card["do"] == [verb])


def set_turn(companion: RunningCompanion, **player: Any) -> None:
    """The first seat begins its turn again, with something changed."""
    companion.command(do="correct", seat=0, why="for the test", set={"players": [{"seat": 1, **player}], "turn": 1})


@pytest.mark.parametrize("look", ["day", "night"])
def test_axe_finds_nothing(visit: Visit, companion: RunningCompanion, look: str) -> None:
    _, square, _ = begin(companion, holder=3)
    pages = {"tablet": visit.bank(), "wall": visit.wall(), "own": visit.phone(1), "other": visit.phone(3)}
    found: list[str] = []

    def check(moment: str, *names: str) -> None:
        """All pages show this moment."""
        for name in names or pages:
            page = pages[name]
            page.goto(page.url)
            page.locator("#dec .q, #do .q, #turn").first.wait_for()
            found.extend(f"{moment}: {complaint}" for complaint in complaints(page, look))

    for page in pages.values():
        page.context.add_cookies([{"name": "look", "value": look, "url": companion.url}])
    check("a throw")
    tablet = pages["tablet"]
    for sheet in SHEETS if look == "day" else SHEETS[-3:]:
        address = f"/tablet/sheet/{sheet}"
        tablet.evaluate("(path) => htmx.ajax('GET', path, {target: '#sheet', swap: 'innerHTML'})", address)
        tablet.locator("#sheet[open] h2").wait_for()
        found += complaints(tablet, look)
        tablet.keyboard.press("Escape")
        tablet.locator("#sheet[open]").wait_for(state="hidden")
    companion.command(do="roll", seat=1, faces=[1])
    check("where to", "tablet", "own")
    companion.command(do="move", seat=1, to=square)
    check("a fare", "own")
    companion.command(do="keep_quiet", seat=1)
    companion.command(do="pass", seat=2)
    check("a claim", "tablet", "wall", "other")
    # A Turbo at lights with a fine that the cash does not cover; then without any fuel; then home.
    set_turn(companion, at=_before(_lights()), cash=10, turbo=True, fuel=2)
    check("two dice", "tablet", "own")
    companion.command(do="roll", seat=1, faces=[1])
    companion.command(do="move", seat=1, to=_lights())
    check("the lights", "own")
    companion.command(do="draw_light", seat=1, card=a_card(["pay_fine", 60]))
    check("a debt", "tablet", "own")
    companion.command(do="take_loan", seat=1)
    set_turn(companion, at=BOARD["garages"][0], cash=100, fuel=1)
    check("fuel", "own")
    set_turn(companion, at=_before(_lights()), fuel=0)
    companion.command(do="ask_fuel", seat=1, of=2)
    check("an offer", "tablet", "wall")
    companion.command(do="resign", seat=2)
    companion.command(do="resign", seat=3)
    check("the end", "tablet", "wall", "own")
    assert found == []


def test_targets_fit_a_thumb_and_pages_their_window(visit: Visit, companion: RunningCompanion) -> None:
    begin(companion, holder=3)
    set_turn(companion, turbo=True)
    pages = [visit.bank(), visit.phone(1), visit.bank(width=360, height=740), visit.bank(width=640, height=400)]
    for page in pages:
        page.locator("#dec .q, #do .q").first.wait_for()
        assert small_targets(page) == []
        over = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        assert over <= 0, f"{page.url} is {over} pixels too wide"


def _lights() -> str:
    """Lights without an attraction."""
    sights = {row["square"] for row in BOARD["attractions"].values()}
    return next(str(square) for square in BOARD["lights"] if square not in sights)


def _before(square: str) -> str:
    """A square from which one step leads there."""
    for road in BOARD["roads"]:
        for here, there in zip(road["via"], road["via"][1:], strict=False):
            if there == square and here not in BOARD["garages"]:
                return str(here)
    raise AssertionError("nothing leads there")
