"""A broken layout file says line, field and what to do; the shipped one is what the tool makes."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from companion.titles.taxi.map import layout_tool
from companion.titles.taxi.map.draw import draw_map
from companion.titles.taxi.map.layout import LayoutError, check_layout, load_layout, parse_layout
from shared_rules import library

Json = dict[str, Any]


@pytest.mark.parametrize("name", library.board_ids("taxi"))
def test_every_shipped_board_has_a_layout_that_fits(name: str) -> None:
    board: Any = library.board(name)
    check_layout(library.layout(name), board)


def test_the_shipped_layout_is_what_the_tool_makes(board: Json, layout_text: str) -> None:
    """When this fails the board has changed: run the layout tool again and commit both."""
    assert layout_tool.write_text(layout_tool.make_layout(board)) == layout_text


def test_sockets_and_lights_are_numbered_by_id(board: Json, layout: Json) -> None:
    ends = [board["destinations"][name]["at"] for name in sorted(board["destinations"])]
    assert layout["sockets"] == {**{point: number for number, point in enumerate(ends)}, board["base"]: 28}
    lamps = sorted(board["lights"]) + sorted(board["gates"])
    assert layout["leds"] == {name: number for number, name in enumerate(lamps)}
    assert layout["die_leds"] == list(range(12))
    assert layout["block_mm"] == 40
    assert layout["physical"]["ring_mm"] == [680, 520]


def _set(path: str, value: Any) -> Callable[[Json, Json], None]:
    def change(layout: Json, _: Json) -> None:
        *parts, last = path.split(".")
        inner: Any = layout
        for part in parts:
            inner = inner[int(part)] if part.isdigit() else inner[part]
        inner[int(last) if last.isdigit() else last] = value

    return change


def _drop(path: str) -> Callable[[Json, Json], None]:
    def change(layout: Json, _: Json) -> None:
        *parts, last = path.split(".")
        inner: Any = layout
        for part in parts:
            inner = inner[int(part)] if part.isdigit() else inner[part]
        del inner[last]

    return change


def _double_socket(layout: Json, board: Json) -> None:
    first, second = (board["destinations"][name]["at"] for name in ("aunt_marmalade", "baker_bunn"))
    layout["sockets"][second] = layout["sockets"][first]


def _missing_x(layout: Json, board: Json) -> None:
    del layout["sockets"][board["destinations"]["baker_bunn"]["at"]]


def _double_light(layout: Json, board: Json) -> None:
    layout["leds"][board["lights"][1]] = layout["leds"][board["lights"][0]]


def _light_at_a_corner(layout: Json, board: Json) -> None:
    layout["leds"][board["roads"][0]["via"][0]] = 60


BROKEN: dict[str, tuple[Callable[[Json, Json], None], str, str]] = {
    "a point that the board does not have": (
        _set("sockets.Nowhere", 30),
        "sockets.Nowhere",
        "is no point of the board",
    ),
    "two readers on one socket": (_double_socket, "sockets.", "give each its own"),
    "a socket beyond the controller": (_set("sockets.Gate1", 32), "sockets.Gate1", "whole number from 0 to 31"),
    "a socket that is no number": (_set("sockets.Gate1", True), "sockets.Gate1", "is True"),
    "an X without a socket": (_missing_x, "sockets", "baker_bunn) is missing"),
    "two lights on one LED": (_double_light, "leds.", "has LED"),
    "an LED where no light is": (_light_at_a_corner, "leds.", "is no light and no gate"),
    "a light without an LED": (_drop("leds.L01"), "leds", "L01 is missing"),
    "a die light twice": (_set("die_leds", [0, 0]), "die_leds", "stands twice"),
    "another board's layout": (_set("board", "elsewhere"), "board", "use its own layout"),
    "no version": (_drop("version"), "version", "is missing"),
    "a field with a spelling mistake": (_set("sokets", {}), "sokets", "is no field of a layout"),
    "a street through a house": (_set("streets.0.via.1", "Gate1"), "streets.", "which no road joins"),
    "two streets of one name": (_set("streets.0.name", "Mustard Avenue"), "streets.Mustard Avenue", "two streets"),
    "a face without a place": (_drop("destinations.miss_mildew"), "destinations", "miss_mildew is missing"),
    "a stranger's face": (_set("destinations.mister_x", {}), "destinations.mister_x", "take it out"),
    "half a point": (_set("destinations.miss_mildew.head", [1]), "destinations.miss_mildew.head", "list of 2 numbers"),
    "a name in three lines": (_set("destinations.miss_mildew.lines", 3), "destinations.miss_mildew.lines", "1 or 2"),
    "roads too steep": (_set("warp.waves.0.size", 80), "warp.waves", "over 10 degrees"),
    "a frame inside out": (_set("page.frame", [900, 44, 100, 992]), "page.frame", "does not lie on the page"),
    "a park that is a line": (_set("parks.0.area", [[0, 0], [1, 1]]), "parks[0].area", "has no 3 points"),
    "an aside without words": (_drop("asides.0.lines"), "asides[0].lines", "is missing"),
}


@pytest.mark.parametrize("what", BROKEN)
def test_a_broken_layout_says_where_and_what_to_do(what: str, board: Json, layout: Json) -> None:
    change, field, words = BROKEN[what]
    broken = copy.deepcopy(layout)
    change(broken, board)
    text = layout_tool.write_text(broken)
    with pytest.raises(LayoutError) as caught:
        parse_layout(text, board)
    assert caught.value.field.startswith(field)
    assert words in str(caught.value)
    assert caught.value.todo
    if caught.value.line:
        last = [part for part in caught.value.field.replace("[", ".").split(".") if part and not part[0].isdigit()][-1]
        assert any(word in text.split("\n")[caught.value.line - 1] for word in (last, caught.value.field.split(".")[0]))


def test_the_line_is_that_of_the_entry(board: Json, layout_text: str) -> None:
    row = next(n for n, line in enumerate(layout_text.split("\n"), 1) if '"miss_mildew"' in line)
    with pytest.raises(LayoutError, match=f"line {row}, destinations.miss_mildew.lines"):
        parse_layout(_swap(layout_text, row, '"lines": ', '"lines": 7'), board)


def _swap(text: str, row: int, old: str, new: str) -> str:
    lines = text.split("\n")
    at = lines[row - 1].index(old)
    lines[row - 1] = lines[row - 1][:at] + new + lines[row - 1][at + len(old) :]
    return "\n".join(lines)


def test_text_that_is_no_json_or_says_a_thing_twice(board: Json, layout_text: str, tmp_path: Path) -> None:
    with pytest.raises(LayoutError, match="line 3, file: is no JSON"):
        parse_layout(_swap(layout_text, 3, ":", "="), board)
    with pytest.raises(LayoutError, match="version: stands twice"):
        parse_layout(layout_text.replace("{\n", '{\n "version": 2,\n', 1), board)
    for garbage in ("", "[]", "null", "1", "[" * 100_000, '{"board": []}'):
        with pytest.raises(LayoutError):
            parse_layout(garbage, board)
    with pytest.raises(LayoutError, match="cannot be read"):
        load_layout(tmp_path / "none.json", board)
    (tmp_path / "latin.json").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(LayoutError, match="UTF-8"):
        load_layout(tmp_path / "latin.json", board)


def test_every_value_of_a_wrong_kind_is_a_layout_error_or_harmless(board: Json, layout: Json) -> None:
    """Each field in turn becomes a text, a list, null: never another exception than LayoutError."""
    refused = 0
    for key in layout:
        for value in ("x", [1], None, {"a": 1}, -1, [[None]]):
            try:
                check_layout({**layout, key: value}, board)
            except LayoutError:
                refused += 1
    assert refused >= len(layout) * 3


def test_the_tool_lays_out_a_board_that_is_no_lattice(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    board = {
        "id": "kite",
        "title": "Kite",
        "points": {
            "A": [0, 0],
            "B": [4, 0.4],
            "C": [4.4, 4],
            "D": [0.3, 4],
            "X1": [2, 0.2],
            "X2": [2.35, 4],
            "L": [4.2, 2.2],
        },
        "lights": ["L"],
        "base": "A",
        "roads": [{"kind": "minor", "via": ["A", "X1", "B", "L", "C", "X2", "D", "A"]}],
        "destinations": {"one": {"name": "Lady Hatt", "at": "X1"}, "two": {"at": "X2"}},
    }
    path = tmp_path / "kite.json"
    path.write_text(json.dumps(board))
    assert layout_tool.main([str(path)]) == 0
    assert "2 characters" in capsys.readouterr().out
    layout = load_layout(tmp_path / "kite.layout.json", board)
    assert 'id="dest-two"' in draw_map(board, layout)


def test_the_tool_says_what_is_wrong_with_its_board(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "bad.json"
    path.write_text("{")
    assert layout_tool.main([str(path)]) == 1
    assert layout_tool.main([str(tmp_path / "none.json")]) == 1
    assert "layout_tool:" in capsys.readouterr().err
