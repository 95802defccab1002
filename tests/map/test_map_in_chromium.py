"""The words as a real browser sets them: measured glyph by glyph, they cover nothing either."""

from __future__ import annotations

import os
import shutil
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from companion.titles.destination_london.map import draw as london
from companion.titles.taxi.map.draw import draw_map
from companion.web.map.geometry import Box, overlap
from shared_rules import library

Json = dict[str, Any]
COMPANION = Path(__file__).resolve().parents[2] / "companion"
STATIC = COMPANION / "web" / "static"
LONDON = COMPANION / "titles" / "destination_london"

MEASURE = """
() => {
  const out = [];
  const add = (name, boxes) => out.push([name, boxes]);
  for (const text of document.querySelectorAll('#printed [class^="nm-"] text, .dest text, .sight text')) {
    const style = getComputedStyle(text), size = parseFloat(style.fontSize);
    const print = style.fontFamily.includes('Besley');
    const lower = text.textContent !== text.textContent.toUpperCase();
    const up = size * (print ? 0.75 : 0.7), down = lower ? size * (print ? 0.26 : 0.2) : 0;
    const matrix = text.getScreenCTM(), boxes = [];
    for (let i = 0; i < text.getNumberOfChars(); i++) {
      const a = text.getStartPositionOfChar(i), b = text.getEndPositionOfChar(i);
      const turn = text.getRotationOfChar(i) * Math.PI / 180;
      const corners = [];
      for (const p of [a, b]) for (const rise of [-up, down]) {
        const q = new DOMPoint(p.x - Math.sin(turn) * rise, p.y + Math.cos(turn) * rise).matrixTransform(matrix);
        corners.push([q.x, q.y]);
      }
      const xs = corners.map(c => c[0]), ys = corners.map(c => c[1]);
      boxes.push([Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)]);
    }
    const own = text.closest('.dest, .sight');
    add(own ? own.id : text.textContent, boxes);
  }
  const sign = (selector, name) => document.querySelectorAll(selector).forEach(element => {
    const r = element.getBoundingClientRect();
    add(name(element), [[r.left, r.top, r.right, r.bottom]]);
  });
  sign('.dest .card, .dest .npl, .dest .bl, .sight .card, .sight .npl', e => e.closest('.dest, .sight').id);
  sign('#lights use', e => e.id);
  sign('.dest > use[href="#xmark"]', e => 'X of ' + e.closest('.dest').id);
  const rank = document.querySelector('#rank circle.base0').getBoundingClientRect();
  const [cx, cy, size] = [rank.left + rank.width / 2, rank.top + rank.height / 2, rank.width / 2];
  const within = [[1, 0.38], [0.92, 0.4], [0.7, 0.7], [0.4, 0.92], [0.38, 1]];  // a disc in boxes
  add('the rank', within.map(([w, h]) => [cx - w * size, cy - h * size, cx + w * size, cy + h * size]));
  return [out, document.fonts.check('700 16px "Barlow Condensed"'), document.fonts.check('italic 500 16px Besley')];
}
"""


def measured(drawn: str, css: str, tmp_path: Path) -> list[tuple[str, list[Box]]]:
    """What Chromium sets for a map of 1366 by 1036: every word, letter by letter, and every sign, with their boxes."""
    chromium = shutil.which("chromium")
    if chromium is None:
        if os.environ.get("CI"):
            pytest.fail("chromium is missing; install Debian's package")
        pytest.skip("chromium is not installed")
    from playwright.sync_api import sync_playwright

    tokens = (STATIC / "tokens.css").read_text(encoding="utf-8").replace("url(fonts/", f"url({STATIC.as_uri()}/fonts/")
    css = tokens + (STATIC / "look.css").read_text(encoding="utf-8") + css
    page_file = tmp_path / "map.html"
    page_file.write_text(
        f"<!doctype html><meta charset=utf-8><style>{css} body{{margin:0;width:1366px}}</style>{drawn}",
        encoding="utf-8",
    )
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        page = browser.new_page(viewport={"width": 1366, "height": 1036})
        page.goto(page_file.as_uri())
        page.evaluate("document.fonts.ready.then(() => 1)")
        page.wait_for_function("document.fonts.check('700 16px \"Barlow Condensed\"')")
        found, sign, printed = page.evaluate(MEASURE)
        browser.close()
    assert sign, "the sign font was not loaded: the measures say nothing"
    assert printed, "the print font was not loaded: the measures say nothing"
    return [(name, [(b[0], b[1], b[2], b[3]) for b in boxes]) for name, boxes in found]


def clashes(things: list[tuple[str, list[Box]]]) -> list[str]:
    found = []
    for (one, mine), (other, theirs) in combinations(things, 2):
        if one == other or one.removeprefix("X of ") == other.removeprefix("X of "):
            continue
        worst = max(overlap(a, b) for a in mine for b in theirs)
        if worst > 1.0:  # a stroke's half width
            found.append(f"{one} / {other}: {worst:.1f}")
    return found


@pytest.mark.browser
def test_measured_words_cover_nothing(board: Json, layout: Json, view: Json, tmp_path: Path) -> None:
    things = measured(draw_map(board, layout, view), "", tmp_path)
    assert len(things) > 200
    assert clashes(things) == []


@pytest.mark.browser
def test_measured_words_of_london_cover_nothing(tmp_path: Path) -> None:
    board, layout = library.board("thames"), library.layout("thames")
    css = (LONDON / "static" / "style.css").read_text(encoding="utf-8")
    things = measured(london.draw_map(board, layout), css, tmp_path)
    assert len([name for name, _ in things if name.startswith("sight-")]) > 4 * 45
    assert len(things) > 300
    assert clashes(things) == []
