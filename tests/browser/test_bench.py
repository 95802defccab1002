"""The virtual table under the hands: real firmware sees a taxi that is dragged and a die that is flicked, and the
game goes on.
"""

from typing import Any

import pytest
from running_companion import RunningCompanion, Visit, flick, spot

pytestmark = pytest.mark.browser


def drag(page: Any, selector: str, to: tuple[float, float]) -> None:
    page.mouse.move(*spot(page, selector))
    page.mouse.down()
    page.mouse.move(*to, steps=8)
    page.mouse.up()


def test_a_turn_with_the_hands(visit_virtual: Visit, virtual: RunningCompanion) -> None:
    virtual.evening("Ann", "Bo", dice="table")
    bench, wall = visit_virtual.bank("/bench"), visit_virtual.wall()
    bench.get_by_text("table listening").wait_for()
    bench.locator(".tagrows li", has_text="Ann").get_by_text("on reader").wait_for()
    # A flick of the die: the firmware tumbles it, the companion hears its face.
    flick(bench, "#pad")
    wall.locator("#turn .die").wait_for()
    face = wall.locator("#turn .die").get_attribute("aria-label")
    bench.locator(f"#shown .die[aria-label='{face}']").wait_for()
    assert bench.locator("#whose").inner_text().strip() == "Ann – On the road"
    virtual.command(
        do="correct", seat=0, set={"d6": 6, "players": [{"seat": 1, "green": 5}]}, why="far enough for the test"
    )
    goal = virtual.reachable_socket()
    drag(bench, "#hold-taxi-red", spot(bench, f".sock[data-socket='{goal}']"))
    bench.get_by_text("Ann drives").first.wait_for()
    bench.locator(".tagrows li", has_text="Ann").get_by_text(f"on reader {goal}").wait_for()
    assert virtual.table.view("bank")["players"][0]["at"] == virtual.place_of(goal)


def test_the_same_without_dragging_and_a_link_that_drops(visit_virtual: Visit, virtual: RunningCompanion) -> None:
    virtual.evening("Carla", "Dev", dice="table")
    bench, tablet = visit_virtual.bank("/bench"), visit_virtual.bank()
    bench.get_by_text("table listening").wait_for()
    bench.get_by_role("button", name="Drop the link").click()
    bench.locator("#live .link", has_text="table listening").wait_for()
    bench.get_by_role("button", name="Press the die").click()
    tablet.locator("#dec .q", has_text="Carla threw").wait_for()
    bench.get_by_label("Piece").select_option(label="Carla’s taxi")
    bench.get_by_role("button", name="Lift it off").click()
    tablet.get_by_text("Where did Carla stop?").wait_for()
    # A place where no rule can have it: the table explains, the banker overrules.
    far = virtual.unreachable_socket()
    bench.get_by_label("Reader").first.select_option(value=str(far))
    bench.get_by_role("button", name="Put it there").click()
    tablet.locator(".ask").first.wait_for()
    tablet.get_by_role("button", name="It is right as it lies").click()
    tablet.locator("#dec .q", has_text="Carla throws the twelve-sider").wait_for()
    assert virtual.table.view("bank")["players"][0]["at"] == virtual.place_of(far)


def on_readers(virtual: RunningCompanion) -> dict[str, int]:
    """Tag → reader, as the virtual table has them."""
    seen: dict[str, int] = dict(virtual.application.bench.tags_seen)  # type: ignore[union-attr]
    return seen


def test_another_game_finds_no_piece_of_the_last_one_on_the_readers(
    visit_virtual: Visit, virtual: RunningCompanion
) -> None:
    virtual.evening("Ann", "Bo", "Carla", "Dev", game="taxi_over", dice="digital")
    earlier = on_readers(virtual)
    virtual.evening("Edie", "Finn", dice="digital")
    own = set(virtual.table.setup["tags"].values())
    assert not set(earlier) <= own, "the two games share not all of their pieces"
    assert set(on_readers(virtual)) == own
    bench, tablet = visit_virtual.bank("/bench"), visit_virtual.bank()
    bench.locator(".tagrows li", has_text="Edie").get_by_text("on reader").wait_for()
    # A strange tag is asked about; to put all where the game has it takes it off.
    base = on_readers(virtual)
    virtual.do(virtual.application.bench.place_tag("04ffffff", virtual.unreachable_socket()))
    tablet.get_by_text("A tag that is nobody’s lies at").wait_for()
    bench.get_by_role("button", name="Put all taxis where the game has them").click()
    tablet.get_by_text("A tag that is nobody’s lies at").wait_for(state="detached")
    assert on_readers(virtual) == base


def test_a_taxi_gripped_in_its_middle_takes_its_driver_along(visit_virtual: Visit, virtual: RunningCompanion) -> None:
    virtual.evening("Ann", "Bo", game="taxi_over", dice="digital")
    bench = visit_virtual.bank("/bench")
    taxi, driver = (bench.locator(".tagrows li", has_text=name) for name in ("Ann’s taxi", "Ann’s driver"))
    driver.get_by_text("on reader").wait_for()
    for goal in (5, 9):
        drag(bench, "#hold-taxi-1 .grab", spot(bench, f".sock[data-socket='{goal}']"))
        for row in (taxi, driver):
            row.get_by_text(f"on reader {goal}", exact=True).wait_for()
        bench.wait_for_timeout(300)  # the pieces glide to where they lie
    drag(bench, "#hold-taxi-1 .grab", spot(bench, "#box"))
    for row in (taxi, driver):
        row.get_by_text("off the readers").wait_for()
    bench.wait_for_timeout(300)
    drag(bench, "#hold-taxi-1 .grab", spot(bench, ".sock[data-socket='5']"))
    for row in (taxi, driver):
        row.get_by_text("on reader 5", exact=True).wait_for()


def test_a_drag_beside_a_taxi_selects_no_words(visit_virtual: Visit, virtual: RunningCompanion) -> None:
    virtual.evening("Ann", "Bo", dice="digital")
    bench = visit_virtual.bank("/bench")
    bench.locator(".tagrows li", has_text="Ann").get_by_text("on reader").wait_for()
    box = bench.locator(".board").bounding_box()
    bench.mouse.move(box["x"] + 10, box["y"] + 10)
    bench.mouse.down()
    bench.mouse.move(box["x"] + box["width"] - 10, box["y"] + box["height"] - 10, steps=6)
    bench.mouse.up()
    assert bench.evaluate("getSelection().toString()") == ""
