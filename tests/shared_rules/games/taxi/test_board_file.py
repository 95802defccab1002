"""Files of boards: line, field and what to do for each fault; what is shipped can be read."""

import json

import pytest

from shared_rules import library
from shared_rules.engine.errors import PositionError
from shared_rules.engine.json_lines import FieldLines
from shared_rules.games.taxi.board_file import read_board_text

GOOD = """{
 "points": {"A": [0, 0],
            "B": [1, 0]},
 "roads": [
  {"kind": "minor",
   "via": ["A", "B"]}
 ]
}"""


def fault_of(text):
    with pytest.raises(PositionError) as fault:
        read_board_text(text)
    return fault.value


def test_a_good_file_is_a_board():
    assert read_board_text(GOOD).point_ids == ["A", "B"]


@pytest.mark.parametrize(
    ("old", "new", "line", "field"),
    [
        ('"B"]}', '"C"]}', 6, "roads[0].via[1]"),
        ('"minor"', '"rail"', 5, "roads[0].kind"),
        ("[1, 0]", "[1]", 3, "points.B"),
        ('"B": [1, 0]', '"A": [1, 0]', 3, "points.A"),
        ('"roads"', '"routes"', 4, "routes"),
        ("[0, 0]", "[0, null]", 2, "points.A"),
    ],
)
def test_a_fault_names_line_and_field(old, new, line, field):
    fault = fault_of(GOOD.replace(old, new))
    assert fault.message.startswith(f"line {line}, {field}: ")
    assert fault.at == field


def test_what_is_missing_is_looked_for_around_it():
    assert fault_of('{\n "roads": []}').message.startswith("line 1, points: ")


@pytest.mark.parametrize("text", ["", "{", GOOD.replace("],", "]", 1), "[" * 100_000])
def test_what_is_no_json_is_said_to_be_none(text):
    assert fault_of(text).code == "malformed"


def test_no_json_names_line_and_column():
    assert fault_of(GOOD.replace("0],", "0]")).message.startswith("line 3, column 13: ")


def test_lines_of_strings_with_quotes_and_escapes():
    lines = FieldLines('{"a\\"b": ["x\\\\",\n {"c": "]"}], "d": -1.5e3}')
    assert lines.lines == {"": 1, 'a"b': 1, 'a"b[0]': 1, 'a"b[1]': 2, 'a"b[1].c': 2, "d": 2}
    assert lines.twice == []


def test_a_file_is_named_in_the_message(tmp_path):
    path = tmp_path / "town.json"
    path.write_text(GOOD.replace("minor", "rail"))
    with pytest.raises(PositionError, match=r"town\.json, line 5, roads\[0\]\.kind: "):
        library.load_board_file(str(path), "taxi")


def test_a_missing_file_and_one_that_is_no_text(tmp_path):
    with pytest.raises(PositionError, match="cannot be read"):
        library.load_board_file(str(tmp_path / "none.json"), "taxi")
    (tmp_path / "picture.json").write_bytes(b"\x89PNG\xff\xfe")
    with pytest.raises(PositionError, match="UTF-8"):
        library.load_board_file(str(tmp_path / "picture.json"), "taxi")


def test_a_json_file_is_an_object(tmp_path):
    path = tmp_path / "list.json"
    path.write_text("[1]")
    with pytest.raises(PositionError, match="holds no object"):
        library.json_file(str(path))


def test_the_shipped_board_is_there_and_is_kept():
    assert "fumbling" in library.board_ids()
    board = library.parsed_board("fumbling")
    assert board is library.parsed_board("fumbling")
    assert board.id == "fumbling"
    assert json.loads(json.dumps(board.dump())) == json.loads(json.dumps(library.board("fumbling")))


def test_shipped_cards_and_their_texts_are_there():
    for name in library.deck_names("taxi"):
        cards = library.deck("taxi", name)
        assert len(cards) == 50
        for card in cards:
            assert set(library.card_text("taxi", name, card["id"])) >= {"title", "text"}


@pytest.mark.parametrize(
    "ask",
    [
        lambda: library.board("atlantis"),
        lambda: library.board("../decks/journey"),
        lambda: library.layout("atlantis"),
        lambda: library.deck("taxi", "tarot"),
        lambda: library.card_text("taxi", "journey", "J99"),
        lambda: library.card_text("taxi", "journey", "J01", "tlh"),
    ],
)
def test_what_is_not_shipped_is_said_so(ask):
    with pytest.raises(PositionError, match="There (is|are) no"):
        ask()
