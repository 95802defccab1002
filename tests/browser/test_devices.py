"""The devices page beside a table and a handheld die whose firmware runs: what is opened stays open while figures come,
pairing is for good, and a die that leans asks again.
"""

import pytest
from running_companion import RunningCompanion, Visit
from test_for_everybody import complaints, small_targets

pytestmark = pytest.mark.browser
TABLE = "virtual:table+die"


def test_what_is_opened_stays_open_and_a_die_is_paired(visit_virtual: Visit, virtual: RunningCompanion) -> None:
    virtual.evening("Ann", "Bo", dice="table")
    page = visit_virtual.bank("/devices")
    die = page.locator(".dev", has_text="Handheld die")
    die.get_by_text("connected by air").wait_for()
    die.locator("summary").click()
    name = die.get_by_label("Name")
    name.fill("Red di")
    for _ in range(3):
        before = page.locator(".dev", has_text="Table controller").inner_text()
        page.wait_for_function(
            "before => document.querySelector('.dev').innerText !== before", arg=before, timeout=20_000
        )  # figures have come
    assert die.locator("details").get_attribute("open") is not None
    assert name.input_value() == "Red di"
    name.fill("Red die")
    die.get_by_role("button", name="Rename").click()
    red = page.locator(".dev", has=page.get_by_role("heading", name="Red die"))
    red.wait_for()
    red.get_by_role("button", name="Pair with this companion").click()
    red.get_by_role("button", name="Unpair").wait_for()
    assert "paired" in red.locator(".what").inner_text()
    assert red.get_by_role("button", name="Calibrate", exact=True).count() == 1


def test_a_die_that_leans_asks_again(visit_virtual: Visit, virtual: RunningCompanion) -> None:
    bench = visit_virtual.bank("/bench")
    bench.get_by_label("Throw of die").select_option("in a fold")
    bench.get_by_role("button", name="Throw it", exact=True).click()
    bench.locator(".devs li", has_text="leans, no face").wait_for(timeout=30_000)
    visit_virtual.bank("/devices").locator(".dev", has_text="leans, no face").wait_for(timeout=30_000)


def test_the_pages_are_for_everybody(visit_virtual: Visit, virtual: RunningCompanion) -> None:
    for path in ("/devices", "/bench"):
        page = visit_virtual.bank(path)
        page.locator(".link").first.wait_for()
        for summary in page.locator(".dev summary").all():
            summary.click()
        assert complaints(page) == []
        assert small_targets(page) == []
