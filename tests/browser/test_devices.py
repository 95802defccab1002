"""The devices page beside a table and a handheld die whose firmware runs: what is opened stays open while figures come,
pairing is for good, and a die that leans asks again.
"""

import importlib.util
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from running_companion import RunningCompanion, Visit
from test_for_everybody import complaints, small_targets

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def two_devices(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningCompanion]:
    """A companion with a virtual table and a virtual handheld die."""
    if importlib.util.find_spec("bumble") is None:
        if os.environ.get("CI"):
            pytest.fail("The virtual table's parts are missing: pip install -e '.[virtual,dev]'")
        pytest.skip("The virtual table's parts are not installed: pip install -e '.[virtual,dev]'")
    with RunningCompanion(Path(tmp_path_factory.mktemp("devices")), table="virtual:table+die") as running:
        yield running


@pytest.fixture
def look(chromium: object, two_devices: RunningCompanion) -> Iterator[Visit]:
    with Visit(chromium, two_devices) as opened:
        yield opened


def test_what_is_opened_stays_open_and_a_die_is_paired(look: Visit, two_devices: RunningCompanion) -> None:
    two_devices.evening("Ann", "Bo", dice="table")
    page = look.bank("/devices")
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


def test_a_die_that_leans_asks_again(look: Visit, two_devices: RunningCompanion) -> None:
    bench = look.bank("/bench")
    bench.get_by_label("Throw of die").select_option("in a fold")
    bench.get_by_role("button", name="Throw it", exact=True).click()
    bench.locator(".devs li", has_text="leans, no face").wait_for(timeout=30_000)
    look.bank("/devices").locator(".dev", has_text="leans, no face").wait_for(timeout=30_000)


def test_the_pages_are_for_everybody(look: Visit, two_devices: RunningCompanion) -> None:
    for path in ("/devices", "/bench"):
        page = look.bank(path)
        page.locator(".link").first.wait_for()
        for summary in page.locator(".dev summary").all():
            summary.click()
        assert complaints(page) == []
        assert small_targets(page) == []
