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
        # Figures come.
        page.wait_for_function("before => document.querySelector('.dev').innerText !== before", arg=before)
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
    bench.locator(".devs li", has_text="leans, no face").wait_for()
    visit_virtual.bank("/devices").locator(".dev", has_text="leans, no face").wait_for()


def test_the_pages_are_for_everybody(visit_virtual: Visit, virtual: RunningCompanion) -> None:
    virtual.evening("Ann", "Bo", dice="table")
    for path in ("/devices", "/bench"):
        page = visit_virtual.bank(path)
        page.locator(".link").first.wait_for()
        for summary in page.locator(".dev summary").all():
            summary.click()
        assert complaints(page) == []
        assert small_targets(page) == []
        page.context.add_cookies([{"name": "look", "value": "night", "url": virtual.url}])
        page.reload()
        page.locator(".link").first.wait_for()
        assert complaints(page, "night") == []


PRESSES = """() => {
  window.told = [];
  const say = document.getElementById("say");
  const mark = () => (say.querySelector(".ok") ? "" : "refused: ");
  const look = () => say.firstElementChild && told.push(mark() + say.textContent.trim());
  new MutationObserver(look).observe(say, { childList: true });
}"""


@pytest.mark.parametrize("size", [(1280, 800), (360, 740)])
def test_every_press_on_the_bench_tells_what_it_did(
    visit_virtual: Visit, virtual: RunningCompanion, size: tuple[int, int]
) -> None:
    virtual.evening("Ann", "Bo", dice="table")
    bench = visit_virtual.bank("/bench", width=size[0], height=size[1])
    bench.locator(".tagrows li", has_text="Ann").get_by_text("on reader").wait_for()
    bench.evaluate(PRESSES)
    told: list[str] = []
    buttons = bench.locator("aside button")
    labels = [button.inner_text().split("\n")[0] for button in buttons.all()]
    assert len(labels) > 18
    for index, label in enumerate(labels):
        buttons.nth(index).click()
        for _ in range(400):
            now = bench.evaluate("told")
            if len(now) > len(told):
                break
            bench.wait_for_timeout(50)
        assert len(now) == len(told) + 1, label
        told = now
    assert len(set(told)) == len(labels), told
    assert [one for one in told if one.startswith("refused")] == []
    if bench.get_by_role("button", name="Discard it").count():
        with bench.expect_download():
            bench.get_by_role("link", name="Save it").click()
        assert "recorded_on_the_bench.toml is with the downloads" in bench.locator("#say").inner_text()
        bench.get_by_role("button", name="Discard it").click()
        bench.locator("#say").get_by_text("The recording is thrown away.").wait_for()
