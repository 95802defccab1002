"""London's map: nothing covers anything, all roads and squares are drawn, and the live groups show what is so."""

from __future__ import annotations

import json
import math
import re
from itertools import combinations
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from companion.titles.destination_london.map import attractions, draw, emblems, ground, names, squares, ways
from companion.titles.destination_london.map.layout_tool import arrange, write_text
from companion.titles.destination_london.map.london import London
from companion.titles.destination_london.map.placing import Ground
from companion.web.map import sheet
from companion.web.map.geometry import Box, grow, overlap
from hardware.board_design import thames, thames_sheet

Json = dict[str, Any]
Named = list[tuple[str, list[Box]]]
BOARDS = Path(__file__).resolve().parents[2] / "shared_rules" / "games" / "destination_london" / "boards"
COLOURS = ("red", "yellow", "blue", "green", "white", "black")
SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(scope="module")
def board() -> Json:
    found: Json = json.loads((BOARDS / "thames.json").read_text(encoding="utf-8"))
    return found


@pytest.fixture(scope="module")
def layout() -> Json:
    found: Json = json.loads((BOARDS / "thames.layout.json").read_text(encoding="utf-8"))
    return found


@pytest.fixture(scope="module")
def here(board: Json, layout: Json) -> London:
    return London(board, layout)


@pytest.fixture
def view() -> Json:
    at = ["PIC", "CAY", "CAY", "SLO", "BASE", "TRA"]
    players = [
        {"seat": n + 1, "colour": colour, "name": colour.title(), "at": at[n], "status": "in"}
        for n, colour in enumerate(COLOURS)
    ]
    return {"turn": 1, "players": players, "gone": []}


def signs(here: London) -> Named:
    return [
        (name, list(attractions.boxes(here.layout["attractions"][name], here.fares[name]).values()))
        for name in sorted(here.attractions)
    ]


def words(here: London) -> Named:
    return [(" ".join(label.lines), label.boxes) for label in names.all_labels(here)]


def posts(here: London) -> Named:
    return [(square, [squares.box(here, square, 0.0)]) for square in here.squares()]


def fixtures(here: London) -> Named:
    x, y = here.layout["cartouche"]["at"]
    found: Named = [("title", [(x - 104, y - 40, x + 104, y + 40)])]
    x, y = here.layout["compass"]
    found.append(("compass", [(x - 28, y - 44, x + 28, y + 28)]))
    return found + [("boat", [(x - 13, y - 10, x + 13, y + 9)]) for x, y in here.layout["boats"]]


def clashes(pairs: Any) -> list[str]:
    return [
        f"{one[0]} / {other[0]}" for one, other in pairs if any(overlap(a, b) > 0 for a in one[1] for b in other[1])
    ]


# --- the printed page -------------------------------------------------------------------------------------------------


def test_the_layout_is_what_the_design_gives(layout: Json) -> None:
    assert thames_sheet.hand_made(layout) == thames_sheet.hand_made()
    assert (BOARDS / "thames.layout.json").read_text(encoding="utf-8") == write_text(layout)


def test_no_sign_covers_a_sign_a_square_or_the_title(here: London) -> None:
    up = signs(here)
    assert clashes(combinations(up, 2)) == []
    assert clashes((one, other) for one in up for other in [*posts(here), *fixtures(here)]) == []


def test_no_word_covers_a_word_a_sign_a_square_or_the_title(here: London) -> None:
    written = words(here)
    assert len(written) > 110
    assert clashes(combinations(written, 2)) == []
    around_them = [*signs(here), *fixtures(here)]
    assert clashes((one, other) for one in written for other in around_them) == []
    discs = {square: (here.xy(square), squares.radius(here, square)) for square in here.squares()}
    on_squares = [
        f"{name} / {square}"
        for name, boxes in written
        for square, (centre, radius) in discs.items()
        if any(math.dist(attractions.nearest(box, centre), centre) < radius for box in boxes)
    ]
    assert on_squares == []


def test_everything_lies_on_the_page(here: London) -> None:
    left, top, right, bottom = sheet.frame(here.layout)
    outside = [
        name
        for name, boxes in [*signs(here), *words(here), *posts(here), *fixtures(here)]
        for box in boxes
        if box[0] < left or box[1] < top or box[2] > right or box[3] > bottom
    ]
    assert outside == []


def test_every_sign_stands_by_its_own_post(here: London) -> None:
    """Hardly another square is nearer to it, then a line joins the two, and the way is short."""
    for name, boxes in signs(here):
        square = here.attractions[name]["square"]
        gaps = {
            other: min(math.dist(attractions.nearest(box, here.xy(other)), here.xy(other)) for box in boxes)
            for other in here.squares()
        }
        assert gaps[square] <= min(gaps.values()) + 12, name
        assert gaps[square] - squares.radius(here, square) < 25, name
        parts = attractions.boxes(here.layout["attractions"][name], here.fares[name])
        if gaps[square] > min(gaps.values()):
            assert attractions.leader_ends(here, name, parts), name


def test_signs_leave_the_roads_free(here: London) -> None:
    roads = Ground(here).roads
    for name, boxes in signs(here):
        area = sum((box[2] - box[0]) * (box[3] - box[1]) for box in boxes)
        assert sum(roads.covered(box) for box in boxes) < 0.12 * area, name


def test_squares_keep_apart_and_off_the_water_but_on_bridges(here: London) -> None:
    for one, other in combinations(here.squares(), 2):
        gap = math.dist(here.xy(one), here.xy(other))
        assert gap > squares.radius(here, one) + squares.radius(here, other) + 20, f"{one} {other}"
    river = here.river()
    assert river is not None
    half = here.layout["river"]["width"] / 2
    wet = {
        square
        for square in here.squares()
        if math.dist(river.at(river.nearest(here.xy(square)))[:2], here.xy(square)) < half
    }
    assert wet == {"CB1", "VX1", "WB1", "BB1", "LB1", "TB1", "WL1"}


def test_every_road_of_the_board_is_drawn_and_has_a_name(board: Json, here: London, layout: Json) -> None:
    drawn = {
        frozenset(two) for street in layout["streets"] for two in zip(street["via"], street["via"][1:], strict=False)
    }
    links = {frozenset(two) for road in board["roads"] for two in zip(road["via"], road["via"][1:], strict=False)}
    assert drawn == links
    assert len({street["name"] for street in layout["streets"]}) == len(layout["streets"])
    paths = ground.roads(here)
    assert paths.count("c") > 0
    for street in layout["streets"]:
        x, y = here.xy(street["via"][0])
        assert f"M{round(x, 1):g} {round(y, 1):g}" in paths, street["name"]


def test_nine_in_ten_roads_carry_their_name(layout: Json) -> None:
    streets = layout["streets"]
    assert sum(bool(street.get("label")) for street in streets) >= 0.9 * len(streets)
    assert [one["name"] for one in streets if one["kind"] == "major" and not one.get("label")] == []


def test_roads_cross_at_squares_only(here: London) -> None:
    lines = {
        (a, b): here.line(a, b)
        for street in here.streets
        for a, b in zip(street["via"], street["via"][1:], strict=False)
    }
    for (one, first), (other, second) in combinations(lines.items(), 2):
        if set(one) & set(other):
            continue
        assert not _cross(first.points, second.points), f"{one} {other}"


def _cross(one: list[Any], other: list[Any]) -> bool:
    def side(a: Any, b: Any, c: Any) -> bool:
        return bool((b[0] - a[0]) * (c[1] - a[1]) > (b[1] - a[1]) * (c[0] - a[0]))

    return any(
        side(a, b, c) != side(a, b, d) and side(c, d, a) != side(c, d, b)
        for a, b in zip(one, one[1:], strict=False)
        for c, d in zip(other, other[1:], strict=False)
    )


def test_one_way_roads_have_arrows_that_point_on(here: London, board: Json) -> None:
    drawn = ground.roads(here)
    arrows = re.search(r'class="oneway" d="([^"]+)"', drawn)
    assert arrows is not None
    links = sum(len(road["via"]) - 1 for road in board["roads"] if road["one_way"])
    assert links == len(here.one_way) == 14
    assert arrows.group(1).count("M") >= links
    turned = London({**board, "roads": [{**road, "via": road["via"][::-1]} if road["one_way"] else road
                                        for road in board["roads"]]}, here.layout)  # fmt: skip
    assert ground.roads(turned) != drawn


def test_bridges_have_railings(here: London) -> None:
    drawn = ground.roads(here)
    railings = re.findall(r'class="parapet (\w+)" d="([^"]+)"', drawn)
    assert sum(data.count("M") for _, data in railings) == 7


def test_places_have_names_of_their_own(board: Json, layout: Json) -> None:
    found = [draw.place_name(board, layout, square) for square in board["squares"]]
    assert len(set(found)) == len(found) == 96
    for one in board["attractions"].values():
        others = [other for other in board["attractions"].values() if other["square"] == one["square"]]
        if len(others) == 1:
            assert draw.place_name(board, layout, one["square"]).removeprefix("the ") == one["name"].removeprefix(
                "the "
            )
    with pytest.raises(KeyError):
        draw.place_name(board, layout, "ATLANTIS")
    assert draw.grid_reference(board, layout, "BASE") == "A 2"
    assert set(draw.place_points(board, layout)) == set(board["squares"])


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


# --- the tool ---------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def village() -> tuple[Json, Json]:
    board: Json = {
        "id": "village", "title": "A village",
        "squares": {"B": [40, 300], "a": [150, 300], "b": [300, 300], "c": [300, 150], "d": [150, 150]},
        "base": "B", "garages": ["c"], "lights": ["b"],
        "roads": [{"via": ["B", "a", "b", "c"], "one_way": False}, {"via": ["c", "d", "a"], "one_way": True}],
        "attractions": {"big_ben": {"name": "Big Ben", "square": "a"}, "dome": {"name": "The Dome", "square": "d"}},
        "cards": {"C1": {"attraction": "big_ben", "fare": 40}, "C2": {"attraction": "dome", "fare": 60}},
    }  # fmt: skip
    layout: Json = {
        "page": {"width": 1366, "height": 1036, "frame": [44, 44, 1322, 992], "joins": []},
        "sheet": {"unit": 1.8, "origin": [44, 992]},
        "places": {name: name for name in board["squares"]},
        "streets": [
            {"name": "High Street", "kind": "major", "via": ["B", "a", "b", "c"]},
            {"name": "Back Lane", "kind": "minor", "via": ["c", "d", "a"]},
        ],
        "river": {"name": "Brook", "width": 30, "through": [[500, 44], [520, 500], [480, 992]]},
        "parks": [{"lines": ["Green"], "area": [[350, 500], [450, 500], [450, 600], [350, 600]]}],
        "quarters": [], "asides": [{"lines": ["Sheep"], "near": [200, 800]}],
    }  # fmt: skip
    return board, layout


def test_the_tool_finds_room_and_finds_it_again(village: tuple[Json, Json]) -> None:
    board, layout = village
    made = arrange(board, layout, seed=3, rounds=500)
    here = London(board, made)
    assert clashes(combinations([*signs(here), *words(here)], 2)) == []
    assert clashes((one, other) for one in signs(here) for other in posts(here)) == []
    assert [street["label"]["text"] for street in made["streets"]] == ["High Street", "Back Lane"]
    assert made["asides"][0]["at"]
    assert arrange(board, layout, seed=3, rounds=500) == made
    assert arrange(board, made, keep_signs=True)["attractions"] == made["attractions"]


def test_the_tool_says_when_there_is_no_room(village: tuple[Json, Json]) -> None:
    board, layout = village
    tight = {**layout, "page": {**layout["page"], "frame": [44, 950, 100, 992]}}
    with pytest.raises(ValueError, match="no room for big_ben"):
        arrange(board, tight, rounds=10)


def test_a_box_that_grows_is_larger() -> None:
    assert grow((0, 0, 2, 2), 1) == (-1, -1, 3, 3)
    assert len(thames.SQUARES) == 96


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


def tokens(theme: str) -> dict[str, str]:
    static = draw_folder().parents[1] / "web" / "static"
    day, night = (static / "tokens.css").read_text(encoding="utf-8").split("[data-theme=night]")
    found = dict(re.findall(r"--([\w-]+):(#[0-9a-f]{6})\b", day))
    return found | dict(re.findall(r"--([\w-]+):(#[0-9a-f]{6})\b", night)) if theme == "night" else found


def contrast(one: str, other: str) -> float:
    shades = []
    for colour in (one, other):
        parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
        linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
        shades.append(0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2])
    return (max(shades) + 0.05) / (min(shades) + 0.05)
