"""A traffic light card of paper, told on a form: nonsense is named, and its title is one plain line."""

import pytest

from companion.titles.destination_london.typed_cards import TYPED_VERBS, typed_light
from companion.web.forms import BadCardError


@pytest.mark.parametrize(
    "amount", ["", "0", "-5", "1.5", "1e3", "٣", "²", "NaN", "9" * 30, " 5", "5\x00", "[5]", "10,20"]
)
def test_an_amount_that_is_none(amount):
    with pytest.raises(BadCardError, match="number_missing"):
        typed_light({"verb1": "receive", "amount1": amount})


@pytest.mark.parametrize(
    ("form", "said"),
    [
        ({"verb1": "win"}, "unknown_effect"),
        ({"like": "win"}, "unknown_effect"),
        ({"verb1": "receive", "amount1": "10", "verb3": "no_fare"}, "alone"),
        ({"verb2": "hold_shield", "verb3": "hold_shield"}, "alone"),
    ],
)
def test_effects_that_cannot_be(form, said):
    with pytest.raises(BadCardError, match=said):
        typed_light(form)


def test_a_title_is_one_plain_line():
    bad = "\x1b[2J\u202eGreen\r\n\x00 wave" + "!" * 100
    card = typed_light({"verb1": "receive", "amount1": "10", "title": bad, "side": "sideways"})
    assert card == {"title": ("[2JGreen wave" + "!" * 100)[:60], "side": "nice", "do": [["receive", 10]]}
    assert typed_light({"verb1": "", "title": "x"}) is None
    assert typed_light({"verb1": next(iter(TYPED_VERBS)), "amount1": "10", "title": "\u200b"})["title"]
