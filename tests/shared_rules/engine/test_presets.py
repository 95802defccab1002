"""House rules under a name: canonical, or one error that says where."""

import pytest

from shared_rules import games
from shared_rules.engine import titles
from shared_rules.engine.errors import PositionError
from shared_rules.engine.presets import read_preset


@pytest.mark.parametrize("name", games.names())
def test_every_value_of_every_house_rule_can_be_saved(name):
    for option in titles.title(name).meta.OPTIONS:
        for value in (option.default, *option.values):
            read = read_preset({"options": {option.name: value}, "name": "Ours", "game": name})
            assert list(read) == ["game", "name", "options"]
            assert read["options"] == ({} if value == option.default else {option.name: value})
            assert read_preset(read) == read


@pytest.mark.parametrize(
    ("preset", "code", "at"),
    [
        ([], "malformed", ""),
        ({"game": "taxi", "name": "x"}, "malformed", "options"),
        ({"game": "taxi", "name": "x", "options": {}, "more": 1}, "malformed", "more"),
        ({"game": "chess", "name": "x", "options": {}}, "unknown_game", "game"),
        ({"game": 7, "name": "x", "options": {}}, "malformed", "game"),
        ({"game": "taxi", "name": " x", "options": {}}, "malformed", "name"),
        ({"game": "taxi", "name": "x" * 41, "options": {}}, "malformed", "name"),
        ({"game": "taxi", "name": "x", "options": {"colour": 1}}, "unknown_option", "options.colour"),
        ({"game": "taxi", "name": "x", "options": {"trading": "some"}}, "bad_option", "options.trading"),
    ],
)
def test_a_preset_that_is_none_says_where(preset, code, at):
    with pytest.raises(PositionError) as error:
        read_preset(preset)
    assert (error.value.code, error.value.at) == (code, at)
