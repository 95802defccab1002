"""A whole game of Taxi Over with fingers: tablet and two phones before a wall, with violations, a fall and the end; for
everybody's eyes; and with hands at the virtual table."""

import random
from typing import Any

import pytest
from running_companion import RunningCompanion, Visit, flick, spot
from test_for_everybody import complaints, small_targets

pytestmark = pytest.mark.browser

GOLDEN = [2, 2, 2, 3, 1, 3, 2, 3, 2, 3, 3, 2, 3, 1, 1, 1, 2, 2, 1, 1, 1]
"""The dice of the rules' own worked game: eleven turns, four violations, one fall, one homecoming of all."""


MOVING = "document.querySelectorAll('#taxi-T1, #taxi-T2, #driver-red, #driver-blue')"
# Looked at from within, and from before they move: on a busy machine a look from outside would come too late.
WATCH = f"""() => {{ window.hidden = new Promise((done) => {{
  let left = 3600;
  const look = () => {{
    if ([...{MOVING}].every((e) => e.getAnimations().length))
      done(document.querySelector("#taxi-T2 > g").getAnimations().length);
    else if (left--) requestAnimationFrame(look);
    else done("they did not move");
  }};
  look();
}}); }}"""


class Dice(random.Random):
    """Chance that throws what it is told."""

    def __init__(self, faces: list[int]) -> None:
        super().__init__(1)
        self.faces = list(faces)

    def randrange(self, *args: Any, **kwargs: Any) -> int:
        """The place of the next face among 1, 1, 2, 2, 3, 3."""
        return 2 * (self.faces.pop(0) - 1)


def asked(page: Any, text: str) -> None:
    """Waits until a page asks this."""
    page.locator("#dec .q, #do .q", has_text=text).first.wait_for()


def press(page: Any, *labels: str) -> None:
    """Presses buttons one after another."""
    for label in labels:
        page.locator("#dec, #do").get_by_role("button", name=label).click()


def on_map(page: Any, group: str, text: str) -> None:
    """Waits until the map says this."""
    page.locator(f"svg.map #{group}", has_text=text).first.wait_for()


def has_tokens(page: Any, seat: int, text: str) -> None:
    """Waits until a seat's meter on the tablet shows this."""
    page.locator(f"#st{seat} .meter[aria-label='{text}']").wait_for()


def until(page: Any, expression: str) -> None:
    """Waits until something is so on a page; its own policy lets it evaluate nothing by itself."""
    for _ in range(1200):
        if page.evaluate(expression):
            return
        page.wait_for_timeout(25)
    raise AssertionError(expression)


def test_a_whole_game_with_two_phones(visit: Visit, companion: RunningCompanion) -> None:
    companion.settings.chance = Dice(GOLDEN)
    companion.evening("Ann", "Bo", game="taxi_over", dice="digital")
    tablet, wall = visit.bank(), visit.wall()
    ann, bo = visit.phone(1), visit.phone(2)
    found: list[str] = []

    asked(tablet, "Ann throws the first die.")
    press(tablet, "Throw the die")
    asked(tablet, "Ann has 2. Throw on, or stop?")
    press(tablet, "Throw a second die")
    asked(tablet, "Ann has 4 with two dice. A third?")
    on_map(wall, "dice", "2 + 2 = 4")
    found += [*complaints(tablet), *complaints(wall), *complaints(ann)]
    press(tablet, "Stop here: 8 spaces")
    wall.get_by_text("Ann takes 1 token from the box.").wait_for()
    has_tokens(tablet, 1, "1 token of 8")

    asked(bo, "Throw the first die, Bo.")
    press(bo, "Throw the die")
    asked(bo, "You have 2.")
    press(bo, "Throw a second die")  # three: a violation
    on_map(wall, "dice", "TOO FAST!")
    wall.get_by_text("5 is too fast! Bo’s driver gets out.").wait_for()
    bo.get_by_text("On foot, until an empty taxi waits at START.").wait_for()
    found += [*complaints(wall), *complaints(bo)]

    asked(ann, "Throw the first die, Ann.")
    press(ann, "Throw the die")
    asked(ann, "You have 1.")
    press(ann, "Throw a second die")
    asked(ann, "You have 4 with two dice.")
    press(ann, "Stop here: 8 spaces")
    # Bo finds no empty taxi at START and is passed over.
    wall.get_by_text("Bo has no taxi to get into.").wait_for()
    asked(tablet, "Ann throws the first die.")
    press(tablet, "Throw the die")
    asked(tablet, "Ann has 2.")
    press(tablet, "Throw a second die")
    wall.get_by_text("Every driver is out: all taxis go back to START.").wait_for()

    asked(bo, "You are on foot. Into a taxi?")
    found += complaints(bo)
    press(bo, "Get into taxi 1")
    asked(bo, "Throw the first die, Bo.")
    press(bo, "Throw the die")
    asked(bo, "You have 2.")
    press(bo, "Throw a second die")

    asked(ann, "You are on foot.")
    press(ann, "Get into taxi 1")
    asked(ann, "Throw the first die, Ann.")
    press(ann, "Throw the die")
    asked(ann, "You have 3.")
    press(ann, "Stop here: 3 spaces")
    asked(bo, "You are on foot.")
    press(bo, "Get into the taxi")
    asked(bo, "Throw the first die, Bo.")
    press(bo, "Throw the die")
    asked(bo, "You have 2.")
    press(bo, "Throw a second die")

    asked(tablet, "Ann throws the first die.")
    tablet.reload()  # in mid-turn
    press(tablet, "Throw the die")
    asked(tablet, "Ann has 1.")
    press(tablet, "Throw a second die")
    asked(tablet, "Ann has 2 with two dice.")
    on_map(tablet, "ahead", "4")
    press(tablet, "Throw a third die")  # nine spaces, sweeping an empty taxi into the hole
    wall.get_by_text("An empty taxi fell into The Hole. Ann takes 4 tokens from the box.").wait_for()
    on_map(wall, "fallen", "gone")
    has_tokens(tablet, 1, "7 tokens of 8")

    asked(bo, "You are on foot.")
    press(bo, "Get into the taxi")
    asked(bo, "Throw the first die, Bo.")
    press(bo, "Throw the die")
    asked(bo, "You have 2.")
    press(bo, "Throw a second die")
    asked(bo, "You have 4")
    press(bo, "Stop here: 8 spaces")
    asked(ann, "Throw the first die, Ann.")
    press(ann, "Throw the die")
    asked(ann, "You have 1.")
    press(ann, "Throw a second die")
    asked(ann, "You have 2")
    press(ann, "Throw a third die")

    for page in (tablet, ann, bo):
        asked(page, "Ann wins.")
    wall.get_by_text("Wins the evening").wait_for()
    wall.get_by_text("Enough tokens are together.").wait_for()
    found += [*complaints(wall), *complaints(tablet), *complaints(bo)]
    view = companion.table.view("bank")
    assert (view["result"]["winners"], view["result"]["reason"]) == ([1], "target")
    assert [player["held"] for player in view["players"]] == [8, 1]
    assert (view["box"], view["supply"]) == (0, 27), "as the rules page has it"
    assert companion.settings.chance.faces == []  # type: ignore[attr-defined]
    assert companion.table.check() == []
    assert found == []


@pytest.mark.parametrize("look", ["day", "night"])
def test_axe_finds_nothing_and_targets_fit_a_thumb(visit: Visit, companion: RunningCompanion, look: str) -> None:
    taxis = {"T1": {"at": "s2"}, "T2": {"at": "s8"}, "T3": {"at": "s12"}}
    players: list[dict[str, Any]] = [{"driver": "T1", "held": 9}, {}, {}, {"driver": None}]
    start = {"game": "taxi_over", "board": "carousel", "players": players, "taxis": taxis, "box": 12}
    companion.evening("Ann", "Bo", "Carla", "Dev", game="taxi_over", position=start)
    companion.command(do="roll", seat=1, face=2)
    companion.command(do="roll", seat=1, face=1)
    tablet, wall, phone, other = visit.bank(), visit.wall(), visit.phone(1), visit.phone(4)
    found: list[str] = []
    for page in (tablet, wall, phone, other):
        page.context.add_cookies([{"name": "look", "value": look, "url": companion.url}])
        page.reload()
        page.locator(".seat").first.wait_for()
        found += complaints(page, look)
    for sheet in ("stock", "correct", "road", "seat?seat=2"):
        tablet.evaluate(
            "(path) => htmx.ajax('GET', path, {target: '#sheet', swap: 'innerHTML'})", f"/tablet/sheet/{sheet}"
        )
        tablet.locator("#sheet[open] h2").wait_for()
        found += complaints(tablet, look)
        tablet.keyboard.press("Escape")
        tablet.locator("#sheet[open]").wait_for(state="hidden")
    assert found == []
    assert [small for page in (tablet, phone, other) for small in small_targets(page)] == []
    for page in (tablet, wall, phone, other):
        over = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        assert over <= 0, page.url


def test_buttons_are_in_sight_on_a_phone(visit: Visit, companion: RunningCompanion) -> None:
    companion.evening("Ann", "Bo", game="taxi_over", dice="digital")
    companion.command(do="roll", seat=1, face=2)
    phone = visit.phone(1)
    for label in ("Stop here: 2 spaces", "Throw a second die"):
        box = phone.get_by_role("button", name=label).bounding_box()
        assert box["y"] + box["height"] <= 740, label


def test_taxis_glide_and_fall_where_motion_is_wished(chromium: Any, companion: RunningCompanion) -> None:
    start = {
        "game": "taxi_over", "board": "carousel", "players": [{}, {}],
        "taxis": {"T1": {"at": "s4"}, "T2": {"at": "s8"}}, "dice": [2, 1],
    }  # fmt: skip
    companion.evening("Ann", "Bo", game="taxi_over", position=start)
    context = chromium.new_context(viewport={"width": 1366, "height": 1036}, reduced_motion="no-preference")
    try:
        page = context.new_page()
        page.goto(companion.start_url())
        page.goto(companion.url + "/wall")
        page.locator("#taxi-T2").wait_for()
        page.evaluate(WATCH)
        companion.command(do="stop", seat=1)
        assert page.evaluate("() => window.hidden") == 1, "part of its way is under ground"
        until(page, f"[...{MOVING}].every((e) => !e.getAnimations().length)")
        ends = page.evaluate(f"[...{MOVING}].map((e) => [e.id, new DOMMatrix(getComputedStyle(e).transform)])")
        spots = {name: (round(matrix["e"]), round(matrix["f"]), round(matrix["b"], 1)) for name, matrix in ends}
        assert spots["taxi-T1"][:2] == spots["driver-red"][:2]
        assert spots["taxi-T2"] == (126, 538, 0), "in its bay, nose to the road"
        assert spots["driver-blue"] == spots["taxi-T2"]
    finally:
        context.close()


def drag(page: Any, selector: str, to: tuple[float, float], beside: tuple[float, float] = (0, 0)) -> None:
    """Drags something by a point beside its middle."""
    x, y = spot(page, selector)
    page.mouse.move(x + beside[0], y + beside[1])
    page.mouse.down()
    page.mouse.move(*to, steps=8)
    page.mouse.up()


def test_with_the_hands_on_the_virtual_table(chromium: object, virtual: RunningCompanion) -> None:
    with Visit(chromium, virtual) as visit:
        virtual.evening("Ann", "Bo", game="taxi_over")
        bench, wall, tablet = visit.bank("/bench"), visit.wall(), visit.bank()
        bench.get_by_text("table listening").wait_for()
        bench.locator(".tagrows li", has_text="Bo’s driver").get_by_text("on reader").wait_for()
        flick(bench, "#pad")
        asked(tablet, "Throw on, or stop?")
        (face,) = virtual.table.view("bank")["dice"]
        wall.locator("#dice .die").wait_for()
        # The taxi is put where stopping ends: that is stopping, and the driver has come along.
        drag(bench, "#hold-taxi-1", spot(bench, f".sock[data-socket='{face - 1}']"), (-24, 0))
        bench.get_by_text(f"Ann drives {face} space").first.wait_for()
        assert virtual.table.view("bank")["taxis"]["T1"]["at"] == f"s{face}"
        bench.locator(".tagrows li", has_text="Ann’s driver").get_by_text(f"on reader {face - 1}").wait_for()
        tablet.locator(".tidy").wait_for(state="detached")
        # A driver on foot is set into the taxi at START.
        change = {"players": [{"seat": 2, "driver": None}], "turn": 2}
        virtual.command(do="correct", seat=0, set=change, why="for the test")
        asked(tablet, "Bo is on foot.")
        tablet.locator(".ask", has_text="On the table Bo’s driver stands at START. Was that meant?").wait_for()
        drag(bench, "#hold-driver-blue", spot(bench, "#box"))
        bench.locator(".tagrows li", has_text="Bo’s driver").get_by_text("off the readers").wait_for()
        tablet.locator(".ask").wait_for(state="detached")
        drag(bench, "#hold-driver-blue", spot(bench, ".sock[data-socket='21']"))
        bench.get_by_text("Bo gets into taxi 2").first.wait_for()
        assert virtual.table.view("bank")["players"][1]["driver"] == "T2"
