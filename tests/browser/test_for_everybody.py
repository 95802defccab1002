"""Every page for everybody: axe finds nothing in either look, 200 % zoom loses nothing, targets are as large as a
thumb.
"""

from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from running_companion import RunningCompanion, Visit

pytestmark = pytest.mark.browser

SHEETS = ("stock", "correct", "seat?seat=2", "more", "log", "phones", "card?deck=journey&seat=1")


def complaints(page: Any, look: str = "day") -> list[str]:
    """What axe finds: rule and the first place. The night differs in its colours only."""
    options = {} if look == "day" else {"runOnly": ["color-contrast"]}
    found = Axe().run(page, options=options).response["violations"]
    return [f"{page.url}: {v['id']} at {v['nodes'][0]['target']} ({len(v['nodes'])})" for v in found]


def small_targets(page: Any) -> list[str]:
    """Buttons, links and fields whose pressable box is under 44 pixels high or wide, with what they say."""
    found: list[str] = page.evaluate(
        """() => [...document.querySelectorAll(
          'button, a[href], select, input:not([type=hidden]), summary'
        )].filter((e) => {
          if (!e.checkVisibility() || e.closest('.skip')) return false;
          const box = (e.matches('input') && e.closest('label') || e).getBoundingClientRect();
          const after = getComputedStyle(e, '::after');
          const grown = after.content !== 'none' && after.position === 'absolute' ? 26 : 0;
          return box.height + grown < 43.5 || box.width + (grown ? 16 : 0) < 43.5;
        }).map((e) => e.outerHTML.slice(0, 120))"""
    )
    return found


@pytest.mark.parametrize("look", ["day", "night"])
def test_axe_finds_nothing(visit: Visit, companion: RunningCompanion, look: str) -> None:
    companion.evening("Ann", "Bo", "Carla", "Dev", "Edie", "Finn", cards="paper")
    companion.command(do="roll", seat=1, die="d6", face=2)
    tablet, wall, phone = visit.bank(), visit.wall(), visit.phone(1)
    other = visit.phone(2)
    found: list[str] = []
    for page in (tablet, wall, phone, other):
        page.context.add_cookies([{"name": "look", "value": look, "url": companion.url}])
        page.reload()
        page.locator(".seat").first.wait_for()
        found += complaints(page, look)
    for sheet in SHEETS if look == "day" else SHEETS[:3]:
        tablet.evaluate(
            "(path) => htmx.ajax('GET', path, {target: '#sheet', swap: 'innerHTML'})", f"/tablet/sheet/{sheet}"
        )
        tablet.locator("#sheet[open] h2").wait_for()
        found += complaints(tablet, look)
        tablet.keyboard.press("Escape")
        tablet.locator("#sheet[open]").wait_for(state="hidden")
    for path in ("/", "/ready", "/bench", "/rules/T-033"):
        tablet.goto(companion.url + path)
        found += complaints(tablet, look)
    companion.command(do="correct", seat=0, set={"d6": None, "phase": "card_choice"}, why="for the gamble")
    companion.command(do="draw_card", seat=1, deck="journey", card=companion.gamble_card("money"))
    other.locator("#bet-q").wait_for()
    found += complaints(other, look)
    stranger = visit.browser()
    visit.expected += ["403", "404"]
    for path in ("/", "/join", "/nowhere"):
        stranger.goto(companion.url + path)
        found += complaints(stranger, look)
    assert found == []


def test_it_is_night_where_the_system_is_dark_unless_somebody_chose(visit: Visit, companion: RunningCompanion) -> None:
    companion.evening("Ann", "Bo")
    page = visit.browser(color_scheme="dark")
    page.goto(companion.start_url())

    def look() -> str:
        return str(page.evaluate("document.documentElement.dataset.theme + getComputedStyle(document.body).color"))

    night = look()
    assert night.startswith("night")
    found = [one for path in ("/", "/devices", "/bench") if page.goto(companion.url + path) for one in complaints(page)]
    assert found == []
    page.emulate_media(color_scheme="light")  # the sun comes up while a page is open
    page.locator("[data-theme=day]").wait_for()
    assert look() != night
    page.emulate_media(color_scheme="dark")
    page.locator("[data-theme=night]").wait_for()
    page.goto(companion.url + "/")
    # The page offers the other look, and what was chosen stays whatever the system has.
    page.get_by_role("button", name="Day", exact=True).click()
    page.locator("[data-theme=day]").wait_for()
    assert page.get_by_role("button", name="Night", exact=True).count() == 1
    page.reload()
    assert look().startswith("day")
    page.goto(companion.url + "/tablet")
    page.evaluate("htmx.ajax('GET', '/tablet/sheet/more', {target: '#sheet', swap: 'innerHTML'})")
    page.get_by_role("button", name="As this device has it").click()
    page.locator("[data-theme=night]").wait_for()


def test_targets_fit_a_thumb(visit: Visit, companion: RunningCompanion) -> None:
    companion.evening("Ann", "Bo", "Carla")
    pages = [visit.bank(), visit.bank("/"), visit.bank("/ready"), visit.phone(1)]
    assert [small for page in pages for small in small_targets(page)] == []


@pytest.mark.parametrize(("width", "height"), [(640, 400), (360, 740)])
def test_nothing_is_lost_sideways(visit: Visit, companion: RunningCompanion, width: int, height: int) -> None:
    """1280 pixels at 200 % are 640: pages may grow longer, never wider than the window."""
    companion.evening("Ann", "Bo", "Carla", "Dev", "Edie", "Finn")
    page = visit.bank(width=width, height=height)
    for path in ("/tablet", "/wall", "/bench", "/", "/ready"):
        page.goto(companion.url + path)
        page.locator("h1").first.wait_for()
        over = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        assert over <= 0, f"{path} is {over} pixels too wide"


def test_moves_and_money_are_announced(visit: Visit, companion: RunningCompanion) -> None:
    companion.evening("Ann", "Bo")
    phone, wall, tablet = visit.phone(2), visit.wall(), visit.bank()
    companion.command(do="roll", seat=1, die="d6", face=4)
    for page in (phone, wall, tablet):
        page.locator("[role=log][aria-live=polite] li", has_text="throws 4").first.wait_for(state="attached")
