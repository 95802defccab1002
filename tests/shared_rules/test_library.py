"""The loader of what is shipped, over all titles: boards, decks, texts; and how titles are found."""

from pathlib import Path

import pytest

from shared_rules import games, library
from shared_rules.engine import titles
from shared_rules.engine.errors import PositionError

LANGUAGES = ("en", "de")


def test_titles_are_the_folders_with_a_module_title():
    folders = sorted(path.parent.name for path in Path(games.FOLDER).glob("*/title.py"))
    assert games.names() == folders
    for name in folders:
        assert games.find(name).NAME == games.meta(name).NAME == name
        assert titles.title(name) is games.find(name)
    for wrong in ("chess", "", "../games/taxi", "__pycache__", "taxi.title"):
        assert games.find(wrong) is None
        assert games.meta(wrong) is None
    assert games.part("taxi", "weather") is None


def test_boards_belong_to_one_title_each():
    files = [path for path in Path(games.FOLDER).glob("*/boards/*.json") if not path.name.endswith(".layout.json")]
    assert sorted(path.stem for path in files) == library.board_ids(), "an id stands twice, or a board is not found"
    for name in games.names():
        for board_id in library.board_ids(name):
            assert library.game_of(board_id) == name
            assert library.board(board_id)["id"] == board_id
            assert library.parsed_board(board_id) is library.parsed_board(board_id)
            assert Path(library.board_path(board_id)).is_file()
            assert titles.shipped_board(name, board_id) is library.board(board_id)
    assert library.board_ids("chess") == []
    with pytest.raises(PositionError) as error:
        titles.shipped_board("taxi", "thames")
    assert error.value.code == "unknown_board"


@pytest.mark.parametrize("name", games.names())
def test_every_card_has_a_title_and_a_text_in_every_language(name):
    for deck in library.deck_names(name):
        cards = library.deck(name, deck)
        assert len({card["id"] for card in cards}) == len(cards) > 0
        for language in LANGUAGES:
            for card in cards:
                text = library.card_text(name, deck, str(card["id"]), language)
                assert text["title"]
                assert "text" in text


@pytest.mark.parametrize(
    ("ask", "code"),
    [
        (lambda: library.board("atlantis"), "unknown_board"),
        (lambda: library.game_of("../taxi"), "unknown_board"),
        (lambda: library.deck_names("chess"), "unknown_game"),
        (lambda: library.deck("chess", "x"), "unknown_game"),
        (lambda: library.deck("taxi", "lights"), "malformed"),
        (lambda: library.card_text("taxi", "journey", "J01", "tlh"), "malformed"),
        (lambda: library.option_texts("chess"), "unknown_game"),
        (lambda: library.option_texts("taxi", "tlh"), "malformed"),
        (lambda: titles.title("chess"), "unknown_game"),
    ],
)
def test_what_is_not_there_is_said(ask, code):
    with pytest.raises(PositionError) as error:
        ask()
    assert error.value.code == code
    assert error.value.message
