"""TAXI!'s cards in German: all hundred and fifty, each doing exactly what it says, like the English ones."""

import json
import re
from pathlib import Path

import pytest

from shared_rules import games, library
from shared_rules.games.taxi.deck_file import check_deck

DECKS = Path(__file__).parents[2] / "shared_rules" / "games" / "taxi" / "decks"
NAMES = ("journey", "passenger", "expense")
NUMBER = {"eine": 1, "einer": 1, "einmal": 1, "zwei": 2, "drei": 3}
AMOUNT = r"(\d{1,3}(?:\.\d{3})*) \$"
# What the words of a card say, most particular phrase first; what follows from them, as effects.
SAYS = (
    (rf"\bzahle {AMOUNT} Bußgeld\.", lambda n: ["pay_bank", n]),
    (rf"\bzahle allen anderen je {AMOUNT}\.", lambda n: ["pay_each", n]),
    (rf"\bnimm von allen anderen je {AMOUNT}\.", lambda n: ["collect_each", n]),
    (rf"\bnimm {AMOUNT} vom reichsten Spieler\.", lambda n: ["collect_from", "richest", n]),
    (rf"\bzahle {AMOUNT} je Taxi\.", lambda n: ["pay_per_taxi", n]),
    (rf"\bnimm {AMOUNT} je Taxi\.", lambda n: ["collect_per_taxi", n]),
    (rf"\bzahle {AMOUNT}\.", lambda n: ["pay_bank", n]),
    (rf"\bnimm {AMOUNT}\.", lambda n: ["collect_bank", n]),
    (r"\beine?m? einzige[sn]? Wort: (GELD|AUTOBAHN|TAXI)\.", lambda word: ["gamble", WORDS[word.upper()]]),
    (r"\bnimm dir beim Minister (eine) Sperre\.", lambda n: ["barrier", n]),
    (r"\bwirf sofort (einmal) den Plakettenwürfel\.", lambda n: ["throw_d12", n]),
    (r"\bgib (eine) grüne Plakette ab, falls du eine hast\.", lambda n: ["lose_tablet", "green", n]),
    (r"\bgib (eine) weiße Plakette ab, falls du eine hast\.", lambda n: ["lose_tablet", "white", n]),
    (r"\bfahr in diesem Zug bis zu (einer|zwei|drei) Straßen? weiter\.", lambda n: ["add_streets", n]),
    (r"\bdein Wurf zählt in diesem Zug doppelt\.()", lambda _: ["double_move"]),
    (r"\bwenn du gefahren bist, wirf und fahr noch einmal\.()", lambda _: ["throw_again"]),
    (r"\bsetze deinen nächsten Zug aus\.()", lambda _: ["miss_next_turn"]),
    (r"\bfahr sofort zur Zentrale\.()", lambda _: ["move_to", "base"]),
    (r"\bgeh zurück dorthin, wo diese Fahrt begann\.()", lambda _: ["move_to", "trip_start"]),
    (r"\bbehalte diese Karte: Sie erlässt ein Bußgeld\.()", lambda _: ["keep", "waive_fine"]),
    (
        r"\bbehalte diese Karte: Sie bezahlt eine Miete oder eine Ausgabenkarte\.()",
        lambda _: ["keep", "waive_settlement_due"],
    ),
    (r"\bbehalte diese Karte: Sie öffnet eine rote Ampel umsonst\.()", lambda _: ["keep", "pass_one_light"]),
    (r"\bwirf in diesem Zug keinen Plakettenwürfel\.()", lambda _: ["no_d12_now"]),
    (r"\bnichts zu zahlen\.()", lambda _: ["nothing"]),
)
WORDS = {"GELD": "money", "AUTOBAHN": "freeway", "TAXI": "taxi"}


def cards(deck):
    return json.loads((DECKS / f"{deck}.json").read_text(encoding="utf-8"))["cards"]


def texts(deck, language="de"):
    return json.loads((DECKS / f"{deck}.{language}.json").read_text(encoding="utf-8"))


def everything():
    for deck in NAMES:
        words = texts(deck)
        for card in cards(deck):
            yield deck, card, words[card["id"]]


def read_out(text):
    """The effects that a player hears when the card is read out, and the story that is left."""
    heard, left = [], text
    for pattern, effect in SAYS:
        for match in re.finditer(pattern, left, re.IGNORECASE):
            said = match.group(1)
            if said[:1].isdigit():
                said = int(said.replace(".", ""))
            heard.append(effect(NUMBER.get(str(said).lower(), said)))
        left = re.sub(pattern, "", left, flags=re.IGNORECASE)
    return heard, left


@pytest.mark.parametrize("deck", NAMES)
def test_the_german_texts_have_no_faults(deck):
    cards_file = (DECKS / f"{deck}.json").read_text(encoding="utf-8")
    assert check_deck(cards_file, (DECKS / f"{deck}.de.json").read_text(encoding="utf-8")) == []
    assert list(texts(deck)) == [card["id"] for card in cards(deck)]


def test_every_card_does_exactly_what_it_says():
    for _, card, words in everything():
        heard, story = read_out(words["text"])
        assert heard == card["do"], card["id"]
        assert "$" not in story, f"{card['id']} names an amount that nothing pays"


def test_a_fine_calls_itself_a_fine():
    for _, card, words in everything():
        assert bool(re.search(rf"{AMOUNT} Bußgeld\b", words["text"])) == card["fine"], card["id"]


def test_reading_a_card_out_notices_a_wrong_amount():
    assert read_out("Der Fluss kannte sie auch. Zahle 250 $.")[0] == [["pay_bank", 250]]
    assert read_out("Zahle allen anderen je 1.050 $.")[0] == [["pay_each", 1050]]
    assert read_out("Du nimmst 40 $ mit. Zahle 10 $ je Taxi.") == ([["pay_per_taxi", 10]], "Du nimmst 40 $ mit. ")


def test_a_gamble_card_shows_its_word_once_and_nothing_more():
    for _, card, words in everything():
        if card["do"][0][0] == "gamble":
            said = re.findall(r"\bgeld\b|\bautobahn\b|\btaxi\b", words["text"], re.IGNORECASE)
            assert [WORDS[word.upper()] for word in said] == [card["do"][0][1]]
            assert not re.search(r"geld|bahn|taxi|plakette|straße|bargeld", words["title"], re.IGNORECASE)


def test_titles_and_texts_are_all_different_and_not_the_english_ones():
    titles = [words["title"] for _, _, words in everything()]
    stories = [words["text"] for _, _, words in everything()]
    assert len({title.casefold() for title in titles}) == len(set(stories)) == 150
    assert len({read_out(story)[1] for story in stories}) == 150, "two cards share a story"
    assert min(map(len, stories)) >= 40, "a card tells something before it asks for something"
    for deck in NAMES:
        english = texts(deck, "en")
        same = [key for key, words in texts(deck).items() if words["text"] == english[key]["text"]]
        assert same == []


def test_the_same_people_are_on_a_card_in_both_languages():
    """Names are those on the map; whoever an English card is about, the German one is about, too."""
    people = {str(one["name"]).removeprefix("The ") for one in library.board("fumbling")["destinations"].values()}
    for deck in NAMES:
        german, english = texts(deck), texts(deck, "en")
        for key in english:
            told = english[key]["title"] + english[key]["text"]
            about = {name for name in people if name in told}
            lost = {name for name in about if name not in german[key]["title"] + german[key]["text"]}
            assert lost == set(), key


def test_the_library_tells_cards_in_german():
    assert library.card_text("taxi", "journey", "J10", "de")["text"].endswith("Zahle 50 $ Bußgeld.")
    assert library.card_text("destination_london", "lights", "fine_60", "de")["text"].endswith("Zahle 60 £ Strafe.")


@pytest.mark.parametrize("game", games.names())
def test_every_house_rule_is_explained_in_german(game):
    folder = DECKS.parents[1] / game / "texts"
    told = json.loads((folder / "options.de.json").read_text(encoding="utf-8"))
    options = {option.name: option.explains for option in games.meta(game).OPTIONS}
    assert list(told) == list(options)
    for name, sentence in told.items():
        assert sentence.endswith("."), name
        assert sentence[0].isupper(), name
        assert sentence != options[name], name
    assert library.option_texts(game, "de") == told
