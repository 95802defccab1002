"""The words as a real browser sets them: measured glyph by glyph, they cover nothing either."""

from __future__ import annotations

import os
import shutil
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from companion.titles.taxi.map.draw import draw_map
from companion.web.map.geometry import Box, overlap

Json = dict[str, Any]
STATIC = Path(__file__).resolve().parents[2] / "companion" / "web" / "static"

MEASURE = """
() => {
  const out = [];
  const add = (name, boxes) => out.push([name, boxes]);
  for (const text of document.querySelectorAll('#printed [class^="nm-"] text, .dest text')) {
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
    add(text.closest('.dest') ? text.closest('.dest').id : text.textContent, boxes);
  }
  const sign = (selector, name) => document.querySelectorAll(selector).forEach(element => {
    const r = element.getBoundingClientRect();
    add(name(element), [[r.left, r.top, r.right, r.bottom]]);
  });
  sign('.dest .card, .dest .npl, .dest .bl', e => e.closest('.dest').id);
  sign('#lights use', e => e.id);
  sign('.dest > use[href="#xmark"]', e => 'X of ' + e.closest('.dest').id);
  sign('#rank circle.base0', () => 'the rank');
  return [out, document.fonts.check('700 16px "Barlow Condensed"'), document.fonts.check('italic 500 16px Besley')];
}
"""


@pytest.mark.browser
def test_measured_words_cover_nothing(board: Json, layout: Json, view: Json, tmp_path: Path) -> None:
    chromium = shutil.which("chromium")
    if chromium is None:
        if os.environ.get("CI"):
            pytest.fail("chromium is missing; install Debian's package")
        pytest.skip("chromium is not installed")
    from playwright.sync_api import sync_playwright

    css = (STATIC / "tokens.css").read_text(encoding="utf-8").replace("url(fonts/", f"url({STATIC.as_uri()}/fonts/")
    css += (STATIC / "look.css").read_text(encoding="utf-8")
    page_file = tmp_path / "map.html"
    drawn = draw_map(board, layout, view)
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
    things: list[tuple[str, list[Box]]] = [(name, [(b[0], b[1], b[2], b[3]) for b in boxes]) for name, boxes in found]
    assert len(things) > 200
    clashes = []
    for (one, mine), (other, theirs) in combinations(things, 2):
        if one == other or one.removeprefix("X of ") == other.removeprefix("X of "):
            continue
        worst = max(overlap(a, b) for a in mine for b in theirs)
        if worst > 1.0:  # a stroke's half width
            clashes.append(f"{one} / {other}: {worst:.1f}")
    assert clashes == []
