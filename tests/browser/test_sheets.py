"""Sheets that are closed stay closed, whatever the stream draws and however often a button was pressed; and the map
keeps a window that it can show.
"""

import pytest
from running_companion import RunningCompanion, Visit

pytestmark = pytest.mark.browser

SWAPPED_WHILE_CLOSING = """() => new Promise((done) => {
  const sheet = document.getElementById("sheet");
  sheet.addEventListener("close", () => setTimeout(() => done([sheet.open, sheet.childElementCount]), 50));
  sheet.close();
  document.dispatchEvent(new CustomEvent("htmx:after:swap", { bubbles: true }));
})"""

FILLED_WHILE_CLOSING = """() => new Promise((done) => {
  const sheet = document.getElementById("sheet");
  sheet.addEventListener("close", () => setTimeout(() => done([sheet.open, sheet.textContent]), 50), { once: true });
  sheet.close();
  sheet.innerHTML = "<h2>another</h2>";
})"""

OLD_FRAMES = """() => {
  const svg = document.querySelector("svg.map"), frames = [], seen = [], real = window.requestAnimationFrame;
  window.requestAnimationFrame = (step) => frames.push(step);
  document.querySelector('[data-map="whole"]').click();
  const at = performance.now();
  for (const late of [-4000, -200, 1000]) {
    for (const step of frames.splice(0)) step(at + late);
    seen.push(svg.getAttribute("viewBox"));
  }
  window.requestAnimationFrame = real;
  return seen;
}"""


def opened(visit: Visit, companion: RunningCompanion) -> object:
    companion.evening("Ann", "Bo")
    page = visit.bank("/tablet")
    page.locator("#dec h2").wait_for()
    return page


def test_a_closed_sheet_stays_closed(visit: Visit, companion: RunningCompanion) -> None:
    page = opened(visit, companion)
    page.get_by_role("link", name="More").first.click()
    page.locator("#sheet[open] h2").wait_for()
    assert page.evaluate(SWAPPED_WHILE_CLOSING) == [False, 0]
    page.get_by_role("link", name="More").first.click()
    page.locator("#sheet[open] h2").wait_for()
    assert page.evaluate(FILLED_WHILE_CLOSING) == [True, "another"]
    page.keyboard.press("Escape")
    page.locator("#sheet[open]").wait_for(state="detached")


def test_a_double_click_opens_one_sheet(visit: Visit, companion: RunningCompanion) -> None:
    page = opened(visit, companion)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url) if "/sheet/" in request.url else None)
    page.get_by_role("link", name="More").first.dblclick()
    page.locator("#sheet[open] h2").wait_for()
    page.keyboard.press("Escape")
    page.locator("#sheet[open]").wait_for(state="detached")
    assert len(asked) == 1
    # And once more by the keyboard, faster than any answer.
    page.get_by_role("link", name="More").first.evaluate("one => { one.click(); one.click(); }")
    page.locator("#sheet[open] h2").wait_for()
    assert len(asked) == 2


def test_the_map_keeps_a_window_that_can_be_shown(visit: Visit, companion: RunningCompanion) -> None:
    page = opened(visit, companion)
    page.emulate_media(reduced_motion="no-preference")
    page.reload()
    page.locator("svg.map").wait_for()
    boxes = page.evaluate(OLD_FRAMES)
    assert boxes[0] != boxes[2]
    assert all(float(size) > 0 for box in boxes for size in box.split()[2:]), boxes
    page.evaluate("document.getElementById('mapbox').style.display = 'none'")
    page.evaluate("document.dispatchEvent(new CustomEvent('mapchanged'))")
    assert "NaN" not in page.locator("svg.map").get_attribute("viewBox")
