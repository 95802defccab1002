"""London's map as it is looked at: emblems, the live groups that show what is so, colours by day and by night."""

from __future__ import annotations

import math
import re
from pathlib import Path
from xml.etree import ElementTree

import pytest
from london_boxes import COLOURS, Json
from look_shades import contrast, tokens

from companion.titles.destination_london.map import draw, emblems, ways
from companion.titles.destination_london.map.london import London
from companion.web.map import sheet

SVG = "{http://www.w3.org/2000/svg}"


# --- emblems ----------------------------------------------------------------------------------------------------------


def test_every_attraction_has_an_emblem_of_its_own(board: Json) -> None:
    drawings = {name: emblems.emblem(name) for name in board["attractions"]}
    assert [name for name, drawing in drawings.items() if not drawing] == []
    assert len(set(drawings.values())) == 45
    assert {path.stem for path in emblems.FOLDER.glob("*.svg")} == set(drawings)
    assert emblems.emblem("../../secret") == emblems.emblem("nobody") == ""


@pytest.mark.parametrize("path", sorted(emblems.FOLDER.glob("*.svg")), ids=lambda path: path.stem)
def test_an_emblem_is_48_square_with_ink_and_one_spot_colour(path: Path, board: Json) -> None:
    text = path.read_text(encoding="utf-8")
    tree = ElementTree.fromstring(text)
    assert tree.get("viewBox") == "0 0 48 48"
    assert tree.findtext(f"{SVG}title") == board["attractions"][path.stem]["name"]
    assert len(text.encode()) < 2600
    classes = set(re.findall(r'class="(\w+)"', emblems.emblem(path.stem)))
    assert classes <= {"p", "w", "k", "s", "g", "y", "l", "e"}
    assert len(classes & {"s", "g", "y"}) == 1


# --- live groups ------------------------------------------------------------------------------------------------------


def test_the_whole_map_is_well_formed_and_ids_are_unique(board: Json, layout: Json, view: Json) -> None:
    for mode in draw.MODES:
        tree = ElementTree.fromstring(draw.draw_map(board, layout, view, mode=mode, reach=["BKP", "CBC"]))
        ids = [element.get("id") for element in tree.iter() if element.get("id")]
        assert len(ids) == len(set(ids))
        used = {element.get("href", "#")[1:] for element in tree.iter(f"{SVG}use")}
        assert used <= set(ids)
        assert [one for one in draw.LIVE_GROUPS if one not in ids] == []
    with pytest.raises(ValueError, match="map mode"):
        draw.draw_live(board, layout, view, mode="cinema")


def test_taxis_stand_along_their_road_and_share_a_square(board: Json, layout: Json, view: Json) -> None:
    drawn = draw.draw_live(board, layout, view)["taxis"]
    assert sum(f'id="taxi-{colour}"' in drawn for colour in COLOURS) == 6
    spots = {
        colour: tuple(
            map(float, re.search(rf'id="taxi-{colour}"[^>]*translate\(([-\d.]+)px,([-\d.]+)px', drawn).groups())
        )  # type: ignore[union-attr]
        for colour in ("yellow", "blue")
    }
    assert math.dist(spots["yellow"], spots["blue"]) == pytest.approx(15, abs=0.2)
    assert 'class="taxi s-white parked"' in drawn
    assert 'id="turn-ring"' in drawn


def test_the_base_shows_who_is_at_home(board: Json, layout: Json, view: Json) -> None:
    rank = draw.draw_live(board, layout, view)["rank"]
    assert re.findall(r'class="s-(\w+)"', rank) == ["white"]
    assert rank.count(" away") == 5


def test_an_attraction_is_ticked_off_when_its_last_card_is_gone(board: Json, layout: Json, view: Json) -> None:
    card = next(key for key, one in board["cards"].items() if one["attraction"] == "big_ben")
    assert draw.draw_live(board, layout, view)["gone"] == '<g id="gone"></g>'
    gone = draw.draw_live(board, layout, {**view, "gone": [card]})["gone"]
    assert re.findall(r'id="gone-(\w+)"', gone) == ["big_ben"]
    twice = {**board, "cards": {**board["cards"], "X": {"attraction": "big_ben", "fare": 40}}}
    assert "gone-big_ben" not in draw.draw_live(twice, layout, {**view, "gone": [card]})["gone"]


def test_squares_in_reach_are_ringed_and_pressed_where_one_can_press(board: Json, layout: Json, view: Json) -> None:
    wall = draw.draw_live(board, layout, view, reach=["BKP", "CBC", "BKP"])["reach"]
    assert wall.count('class="goal"') == 2
    assert "data-place" not in wall
    tablet = draw.draw_live(board, layout, view, reach=["BKP", "CBC"], mode="tablet")["reach"]
    assert re.findall(r'data-place="(\w+)"', tablet) == ["BKP", "CBC"]
    assert 'aria-label="Buckingham Palace"' in tablet
    with pytest.raises(KeyError):
        draw.draw_live(board, layout, view, reach=["ATLANTIS"])


def test_a_way_keeps_to_one_way_roads_and_does_not_turn_back(here: London) -> None:
    way = ways.find_way(here, "BAK", "SEL", 2)
    assert way == ["BAK", "BK1", "SEL"]
    assert ways.find_way(here, "SEL", "BAK", 2) is None
    longer = ways.find_way(here, "PIC", "PIC", 3)
    assert longer is not None
    assert len(longer) in (1, 4)
    for start, goal, count in (("BASE", "OXC", 6), ("TOW", "WAT", 5), ("GRE", "CAY", 8)):
        found = ways.find_way(here, start, goal, count)
        if found is None:
            continue
        assert len(found) <= count + 1
        for index, (one, other) in enumerate(zip(found, found[1:], strict=False)):
            assert other in here.exits[one]
            assert index == 0 or found[index - 1] != other


def test_a_way_is_of_exactly_that_many_squares_where_there_is_one(here: London) -> None:
    exact = ways.find_way(here, "PIC", "TRA", 2)
    assert exact == ["PIC", "CBC", "TRA"]
    assert ways.find_way(here, "PIC", "TRA", 1) == ["PIC", "TRA"]
    early = ways.find_way(here, "BASE", "AB1", 2)
    assert early == ["BASE", "AB1"], "an early stop: there is no way of two squares"
    assert ways.find_way(here, "PAD", "AB1", 2) is None, "nobody drives through the Base"


def test_the_taxi_that_moved_glides_along_its_squares(board: Json, layout: Json, view: Json) -> None:
    drawn = draw.draw_live(board, layout, view, drove=(1, ["TRA", "CBC", "PIC"]))["taxis"]
    way = re.search(r'id="taxi-red"[^>]*data-way="([^"]+)"', drawn)
    assert way is not None
    numbers = list(map(float, way.group(1).split()))
    points = draw.place_points(board, layout)
    assert numbers[0] == 2 * ways.SQUARE_MS
    assert tuple(numbers[1:3]) == pytest.approx(points["TRA"], abs=0.2)
    assert tuple(numbers[-2:]) == pytest.approx(points["PIC"], abs=0.2)
    assert "data-way" not in draw.draw_live(board, layout, view, drove=(1, ["PIC"]))["taxis"]


def test_hands_do_not_show_on_the_map(board: Json, layout: Json, view: Json) -> None:
    """Two positions that differ in what is in the hands alone give the same picture."""
    told = [dict(player, hand=["D01", "D44"], fuel=3) for player in view["players"]]
    others = [dict(player, hand=["D02"], fuel=1) for player in view["players"]]
    one = draw.draw_map(board, layout, {**view, "players": told})
    assert one == draw.draw_map(board, layout, {**view, "players": others})


def test_a_phones_window_shows_the_square_and_stays_on_the_page(board: Json, layout: Json) -> None:
    left, top, right, bottom = sheet.frame(layout)
    for square in board["squares"]:
        x, y, wide, high = map(float, draw.crop_round(board, layout, [square], 328, 236).split())
        assert left - 1 <= x and x + wide <= right + 1 and top - 1 <= y and y + high <= bottom + 1  # noqa: PT018
        spot = draw.place_points(board, layout)[square]
        assert x < spot[0] < x + wide
        assert y < spot[1] < y + high


# --- the look ---------------------------------------------------------------------------------------------------------

TEXT = [
    ("ink", "land"), ("ink", "cap"), ("ink-2", "land"), ("ink-2", "built2"), ("ink-2", "built3"), ("minor-t", "land"),
    ("minor-t", "built2"), ("minor-t", "built3"), ("park-t", "park"), ("ink-2", "park"), ("water-t", "water"),
    ("minor-t", "water"), ("minor-t", "park"),
]  # fmt: skip
MARKS = [("post", "minor"), ("post", "sheet"), ("arrow", "minor"), ("ink", "fare"), ("ink", "sheet"), ("go", "sheet")]
# Ink is cream at night and the ring in reach is yellow: there the square inside carries it.
NIGHT_APART = {("ink", "fare")}


@pytest.mark.parametrize("theme", ["day", "night"])
def test_london_can_be_read_by_day_and_by_night(theme: str) -> None:
    shades = tokens(theme)
    london = (draw_folder() / "static" / "style.css").read_text(encoding="utf-8")
    own = re.search(
        r"^\.london\{([^}]*)\}" if theme == "day" else r"^\[data-theme=night\] \.london\{([^}]*)\}", london, re.M
    )
    assert own is not None
    if theme == "night":
        first = re.search(r"^\.london\{([^}]*)\}", london, re.M)
        assert first is not None
        shades |= dict(re.findall(r"--([\w-]+):(#[0-9a-f]{6})\b", first.group(1)))
    shades |= dict(re.findall(r"--([\w-]+):(#[0-9a-f]{6})\b", own.group(1)))
    weak = {pair: round(contrast(shades[pair[0]], shades[pair[1]]), 2) for pair in TEXT}
    assert {pair: ratio for pair, ratio in weak.items() if ratio < 4.5} == {}
    pale = {pair: round(contrast(shades[pair[0]], shades[pair[1]]), 2) for pair in MARKS}
    kept = NIGHT_APART if theme == "night" else set()
    assert {pair: ratio for pair, ratio in pale.items() if ratio < 2.99 and pair not in kept} == {}


def draw_folder() -> Path:
    return Path(draw.__file__).resolve().parents[1]
