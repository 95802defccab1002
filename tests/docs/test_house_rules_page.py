"""The page of house rules is what the titles say, and every house rule says enough."""

import importlib.util
import json
from pathlib import Path

import pytest

from shared_rules import games, library

SPEC = importlib.util.spec_from_file_location("house_rules_page", Path(__file__).with_name("house_rules.py"))
assert SPEC is not None
house_rules = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(house_rules)


def test_the_page_is_current():
    said = "docs/house_rules.md is out of date; run: python tests/docs/house_rules.py --write"
    assert house_rules.PAGE.read_text("utf-8") == house_rules.page(), said


@pytest.mark.parametrize("name", games.names())
def test_every_house_rule_has_a_name_values_an_explanation_and_numbers(name):
    meta = games.meta(name)
    names = [option.name for option in meta.OPTIONS]
    assert len(set(names)) == len(names)
    for option in meta.OPTIONS:
        assert option.takes(option.default)
        assert all(option.takes(value) for value in option.values)
        assert len(option.values) > 1 or option.hint
        assert option.explains.endswith(".")
        assert "\n" not in option.explains
        assert option.rules
        json.dumps(option.default)


@pytest.mark.parametrize("name", games.names())
def test_explanations_in_other_languages_are_of_rules_that_there_are(name):
    english = library.option_texts(name)
    for language in library.languages(name):
        told = library.option_texts(name, language)
        assert set(told) == set(english)
        if language != "en":
            assert [key for key in told if told[key] == english[key]] == [], f"{language} lacks these"
            stored = json.loads((Path(games.FOLDER) / name / "texts" / f"options.{language}.json").read_text("utf-8"))
            assert sorted(set(stored) - set(english)) == []
