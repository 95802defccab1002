"""The decks of DESTINATION LONDON: counts of part E, one truth with board and rules, cards that do what they say."""

import json
import re
from collections import Counter
from pathlib import Path

import pytest

from shared_rules import library
from shared_rules.games.destination_london import light_cards
from shared_rules.games.taxi.deck_file import TEXT_LIMIT, TITLE_LIMIT

DECKS = Path(__file__).parents[2] / "shared_rules" / "games" / "destination_london" / "decks"
LANGUAGES = ("en", "de")
SAYS = {
    "en": (
        (r"\bpay a £(\d+) petrol-station fine\.", lambda n: ["pay_fine", n, "petrol_station"]),
        (r"\bpay a £(\d+) fine\.", lambda n: ["pay_fine", n]),
        (r"\bcollect £(\d+)\.", lambda n: ["receive", n]),
        (r"\bcaught speeding: (\d) points on your licence\.", lambda n: ["licence_points", n]),
        (r"\bkeep this card: it is (one) Fuel Card\.", lambda n: ["gain_bonus_fuel", n]),
        (r"\bdrive straight to a destination in your hand\.()", lambda _: ["move_to_own_destination"]),
        (r"\byour next fare counts (double)\.", lambda n: ["next_fare", n]),
        (r"\byour next fare pays (nothing)\.", lambda n: ["next_fare", n]),
        (
            r"\bkeep this card: it cancels one petrol-station fine\.()",
            lambda _: ["hold_shield", "petrol_station"],
        ),
    ),
    "de": (
        (r"\bzahle (\d+) £ Tankstellenstrafe\.", lambda n: ["pay_fine", n, "petrol_station"]),
        (r"\bzahle (\d+) £ Strafe\.", lambda n: ["pay_fine", n]),
        (r"\bnimm (\d+) £\.", lambda n: ["receive", n]),
        (r"\bgeblitzt: (\d) Punkte auf den Führerschein\.", lambda n: ["licence_points", n]),
        (r"\bbehalte diese Karte: Sie ist (eine) Benzinkarte\.", lambda n: ["gain_bonus_fuel", n]),
        (r"\bfahr sofort zu einem Ziel auf deiner Hand\.()", lambda _: ["move_to_own_destination"]),
        (r"\bdeine nächste Fahrt zählt (doppelt)\.", lambda n: ["next_fare", n]),
        (r"\bdeine nächste Fahrt bringt (nichts) ein\.", lambda n: ["next_fare", n]),
        (
            r"\bbehalte diese Karte: Sie erlässt eine Tankstellenstrafe\.()",
            lambda _: ["hold_shield", "petrol_station"],
        ),
    ),
}
NUMBER = {"one": 1, "double": 2, "nothing": 0, "eine": 1, "doppelt": 2, "nichts": 0}


def file(name):
    return json.loads((DECKS / f"{name}.json").read_text(encoding="utf-8"))


def read_out(text, language):
    """The effects that a player hears when the card is read out, and the story that is left."""
    heard, left = [], text
    for pattern, effect in SAYS[language]:
        for match in re.finditer(pattern, left, re.IGNORECASE):
            said = match.group(1)
            heard.append(effect(int(said) if said.isdigit() else NUMBER.get(said.lower())))
        left = re.sub(pattern, "", left, flags=re.IGNORECASE)
    return heard, left


def test_thirty_light_cards_fifteen_nice_and_fifteen_nasty():
    cards = file("lights")["cards"]
    assert len({card["id"] for card in cards}) == len(cards) == 30
    assert Counter(card["side"] for card in cards) == {"nice": 15, "nasty": 15}


def test_the_light_deck_is_counted_out_as_in_part_e():
    count = Counter(json.dumps(card["do"]) for card in file("lights")["cards"])
    assert count == {
        '[["gain_bonus_fuel", 1]]': 4,
        '[["move_to_own_destination"]]': 3,
        '[["next_fare", 2]]': 2,
        '[["hold_shield", "petrol_station"]]': 2,
        **{f'[["receive", {amount}]]': 1 for amount in (20, 30, 40, 50)},
        '[["licence_points", 3]]': 6,
        '[["next_fare", 0]]': 3,
        '[["pay_fine", 50, "petrol_station"]]': 2,
        **{f'[["pay_fine", {amount}]]': 1 for amount in (20, 30, 40, 60)},
    }


def test_amounts_can_be_paid_in_notes():
    assert [card for card in file("lights")["cards"] for verb in card["do"] if verb[0] in ("receive", "pay_fine")
            and verb[1] % 5] == []  # fmt: skip


def test_the_deck_file_and_the_rules_tell_the_same():
    cards = {card["id"]: (card["side"], card["do"]) for card in file("lights")["cards"]}
    assert cards == {key: (side, do) for key, (side, do) in light_cards.STAND_IN.items()}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_light_card_does_exactly_what_it_says(language):
    words = file(f"lights.{language}")
    cards = file("lights")["cards"]
    assert list(words) == [card["id"] for card in cards]
    for card in cards:
        heard, story = read_out(words[card["id"]]["text"], language)
        assert heard == card["do"], card["id"]
        assert "£" not in story, f"{card['id']} names an amount that nothing pays"


@pytest.mark.parametrize("language", LANGUAGES)
def test_fines_of_the_petrol_station_are_told_from_others(language):
    assert read_out({"en": "Oh. Pay a £50 fine.", "de": "Ach. Zahle 50 £ Strafe."}[language], language)[0] == [
        ["pay_fine", 50]
    ]
    wrong = {"en": "You pay £7 in stamps. Collect £40.", "de": "Du zahlst 7 £ in Marken. Nimm 40 £."}[language]
    assert read_out(wrong, language)[0] == [["receive", 40]]
    assert "£" in read_out(wrong, language)[1]


def test_the_destinations_are_the_boards_own_cards():
    board = library.board("thames")
    cards = {
        card["id"]: {"attraction": card["attraction"], "fare": card["fare"]} for card in file("destinations")["cards"]
    }
    assert cards == board["cards"]
    assert list(cards) == [f"D{number:02d}" for number in range(1, 46)]
    assert sorted(card["fare"] for card in cards.values()) == [
        fare for fare in (40, 60, 80, 100, 120) for _ in range(9)
    ]


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_destination_is_called_what_the_map_calls_it(language):
    board = library.board("thames")
    words = file(f"destinations.{language}")
    assert list(words) == list(board["cards"])
    for key, card in board["cards"].items():
        assert words[key]["title"] == board["attractions"][card["attraction"]]["name"]
        assert "£" not in words[key]["text"], "the fare is the card's, not the text's"


@pytest.mark.parametrize("deck", ["lights", "destinations"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_titles_and_texts_are_all_different_and_fit_a_card(deck, language):
    words = file(f"{deck}.{language}").values()
    assert len({one["title"].casefold() for one in words}) == len(words)
    assert len({one["text"] for one in words}) == len(words)
    for one in words:
        assert set(one) == {"title", "text"}
        assert 0 < len(one["title"]) <= TITLE_LIMIT
        assert 40 <= len(one["text"]) <= TEXT_LIMIT, one
        assert one["text"].endswith((".", "?", "!"))


@pytest.mark.parametrize("deck", ["lights", "destinations"])
def test_no_text_was_left_in_english(deck):
    english, german = file(f"{deck}.en"), file(f"{deck}.de")
    assert [key for key in english if english[key]["text"] == german[key]["text"]] == []


@pytest.mark.parametrize("deck", ["lights", "destinations"])
def test_the_file_says_that_it_is_a_stand_in(deck):
    assert file(deck)["deck"] == deck
    assert "stand-in" in file(deck)["note"]


def test_the_library_gives_the_decks():
    assert set(library.deck_names("destination_london")) == {"lights", "destinations"}
    for deck in ("lights", "destinations"):
        for card in library.deck("destination_london", deck):
            for language in LANGUAGES:
                assert library.card_text("destination_london", deck, str(card["id"]), language)["title"]
