"""The look: contrast in day and night, faces and fonts."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest
from look_shades import STATIC, contrast, tokens

from companion.titles.taxi.map.signs import HEADS_FOLDER, head
from shared_rules import library

TEXT = [
    ("ink", "paper"), ("ink", "sheet"), ("ink", "land"), ("ink", "built2"), ("ink", "built3"), ("ink", "board"),
    ("ink-2", "paper"), ("ink-2", "sheet"), ("ink-2", "land"), ("ink-2", "built2"), ("ink-2", "built3"),
    ("ink-on", "ink"), ("minor-t", "minor"), ("major-t", "major"), ("park-t", "park"), ("water-t", "water"),
    ("ref", "sheet"), ("ref", "paper"), ("fare-on", "fare"), ("stop", "sheet"), ("stop", "paper"), ("go", "sheet"),
    ("go", "paper"), ("red-on", "red"), ("yellow-on", "yellow"), ("blue-on", "blue"), ("green-on", "green"),
    ("white-on", "white"), ("black-on", "black"), ("fig", "drum"), ("enamel-fig", "enamel"),
]  # fmt: skip
MARKS = [
    ("fw-l", "fw"), ("lamp-red", "house"), ("lamp-green", "house"), ("stop", "minor"), ("house", "minor"),
    ("house", "major"), ("red-line", "sheet"), ("yellow-line", "sheet"), ("blue-line", "sheet"),
    ("green-line", "sheet"), ("white-line", "sheet"), ("black-line", "sheet"), ("ink", "sheet"),
]  # fmt: skip
# A dark housing on a dark road: there its pale outline carries it.
OUTLINED = {("night", "house", "minor"): "house-l"}


@pytest.mark.parametrize("theme", ["day", "night"])
def test_text_can_be_read(theme: str) -> None:
    shades = tokens(theme)
    weak = {pair: round(contrast(shades[pair[0]], shades[pair[1]]), 2) for pair in TEXT}
    assert {pair: ratio for pair, ratio in weak.items() if ratio < 4.8} == {}


@pytest.mark.parametrize("theme", ["day", "night"])
def test_marks_can_be_seen(theme: str) -> None:
    shades = tokens(theme)
    weak = {}
    for mark, ground in MARKS:
        shown = OUTLINED.get((theme, mark, ground), mark)
        ratio = contrast(shades[shown], shades[ground])
        if ratio < 2.99:
            weak[mark, ground] = round(ratio, 2)
    assert weak == {}


def test_every_character_has_a_drawing_of_its_own() -> None:
    names = {name for board in library.board_ids("taxi") for name in _destinations(board)}
    assert len(names) >= 28
    drawings = {name: head(name) for name in names}
    assert [name for name, drawing in drawings.items() if not drawing] == []
    assert len(set(drawings.values())) == len(drawings)


def _destinations(board: str) -> list[str]:
    found = library.board(board)["destinations"]
    assert isinstance(found, dict)
    return list(found)


@pytest.mark.parametrize("path", sorted(HEADS_FOLDER.glob("*.svg")), ids=lambda path: path.stem)
def test_a_face_is_48_square_with_ink_and_one_spot_colour(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    tree = ElementTree.fromstring(text)
    assert tree.get("viewBox") == "0 0 48 48"
    assert tree.findtext("{http://www.w3.org/2000/svg}title")
    assert len(text.encode()) < 2000
    drawing = head(path.stem)
    classes = set(re.findall(r'class="(\w+)"', drawing))
    assert classes <= {"p", "w", "k", "s", "g", "y", "l", "e"}
    assert len(classes & {"s", "g", "y"}) == 1
    for numbers in re.findall(r'(?:cx|cy)="([\d.]+)"', drawing):
        assert 0 <= float(numbers) <= 48


def test_an_id_that_is_no_file_name_has_no_face() -> None:
    assert head("../../secret") == ""
    assert head("nobody") == ""


def test_fonts_are_four_small_files_with_their_licences() -> None:
    files = sorted((STATIC / "fonts").glob("*.woff2"))
    assert len(files) == 4
    assert sum(file.stat().st_size for file in files) <= 90_000
    css = (STATIC / "tokens.css").read_text(encoding="utf-8")
    assert {f"fonts/{file.name}" for file in files} == set(re.findall(r"url\(([^)]+)\)", css))
    for licence in ("LICENSE-Barlow-OFL.txt", "LICENSE-Besley-OFL.txt"):
        assert "SIL OPEN FONT LICENSE" in (STATIC / "fonts" / licence).read_text(encoding="utf-8").upper()
