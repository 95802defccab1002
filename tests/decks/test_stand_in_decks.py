"""The shipped decks against part E of the rules: counts, sums, and that every card does what it says."""

import json
import re
from collections import Counter
from pathlib import Path

import pytest

from shared_rules.games.taxi.cards import VERBS

DECKS = Path(__file__).parents[2] / "shared_rules" / "games" / "taxi" / "decks"
NAMES = ("journey", "passenger", "expense")

# Verbs of the vocabulary that no stand-in card carries, and why: part E.2 to E.4 fixes what the 150 cards do.
UNUSED = {
    "pay_by_die": "part E counts no card that throws a die for its amount; typed cards may",
    "collect_by_die": "as pay_by_die",
    "win_tablet": "the rule book knows two sources of tablets, the die and a gamble; a card would be a third (A-23)",
    "no_move_now": "part E has miss_next_turn instead, which cannot be mistaken (A-19)",
    "if_owner": "the stand-ins that look at taxis count them, which is kinder than a branch",
    "choose": "part E counts no card with a choice; typed cards may",
}


def cards(deck):
    return json.loads((DECKS / f"{deck}.json").read_text(encoding="utf-8"))["cards"]


def texts(deck):
    return json.loads((DECKS / f"{deck}.en.json").read_text(encoding="utf-8"))


def everything():
    for deck in NAMES:
        words = texts(deck)
        for card in cards(deck):
            yield deck, card, words[card["id"]]


def amounts(deck, verb, fine=None):
    return sorted(c["do"][0][-1] for c in cards(deck) if c["do"][0][0] == verb and fine in (None, c["fine"]))


def effects(deck):
    return Counter(json.dumps(c["do"][0]) for c in cards(deck))


@pytest.mark.parametrize("deck", NAMES)
def test_fifty_cards_with_one_effect_each(deck):
    letter = deck[0].upper()
    assert [c["id"] for c in cards(deck)] == [f"{letter}{n:02d}" for n in range(1, 51)]
    assert all(len(c["do"]) == 1 for c in cards(deck))
    assert list(texts(deck)) == [c["id"] for c in cards(deck)]


def test_journey_deck_is_counted_out_as_in_part_e2():
    count = effects("journey")
    for word in ("money", "freeway", "taxi"):
        assert count[json.dumps(["gamble", word])] == 2
    assert count['["barrier", 1]'] == 3
    fines = amounts("journey", "pay_bank", fine=True)
    assert fines == [50, 100, 100, 150, 150, 200, 200, 250, 300, 500]
    assert sum(fines) == 2000
    money_in = amounts("journey", "collect_bank")
    assert money_in == [100, 150, 200, 250, 300, 400, 500, 600]
    assert sum(money_in) == 2500
    money_out = amounts("journey", "pay_bank", fine=False)
    assert money_out == [100, 150, 200, 250, 300]
    assert sum(money_out) == 1000
    assert amounts("journey", "collect_each") == amounts("journey", "pay_each") == [50, 100]
    assert amounts("journey", "collect_per_taxi") == [300, 500]
    assert amounts("journey", "pay_per_taxi") == [200, 300]
    assert count['["throw_d12", 1]'] == 3
    assert count['["lose_tablet", "green", 1]'] == count['["lose_tablet", "white", 1]'] == 1
    once = (["add_streets", 2], ["double_move"], ["throw_again"], ["miss_next_turn"], ["move_to", "base"])
    assert all(count[json.dumps(effect)] == 1 for effect in once)
    # 6 gambles, 3 roadworks, 10 fines and 31 fortunes: nothing is left over.
    assert 6 + 3 + len(fines) + len(money_in) + len(money_out) + 4 + 4 + 5 + 5 == 50
    assert sum(money_in) - sum(money_out) - sum(fines) == -500


def test_passenger_deck_is_counted_out_as_in_part_e3():
    count = effects("passenger")
    fares = amounts("passenger", "collect_bank")
    assert fares == [20, 30, 40, 50, 50, 60, 80, 100, 100, 100, 120, 150, 150, 200, 200, 250, 300, 300, 400, 500]
    assert sum(fares) == 3200
    trouble = amounts("passenger", "pay_bank")
    assert trouble == [20, 30, 50, 50, 80, 100, 100, 150, 200, 250, 270, 300]
    assert sum(trouble) == 1600
    assert amounts("passenger", "collect_per_taxi") == [100, 200, 300, 400]
    assert count['["throw_d12", 1]'] == 3
    assert count['["lose_tablet", "green", 1]'] == 1
    assert count['["add_streets", 1]'] == 2
    once = (
        ["add_streets", 3],
        ["move_to", "trip_start"],
        ["keep", "waive_fine"],
        ["keep", "waive_settlement_due"],
        ["keep", "pass_one_light"],
        ["collect_from", "richest", 200],
        ["pay_each", 20],
        ["no_d12_now"],
    )
    assert all(count[json.dumps(effect)] == 1 for effect in once)
    assert len(fares) + len(trouble) + 4 + 4 + 4 + 3 + 3 == 50


def test_expense_deck_is_counted_out_as_in_part_e4():
    assert Counter(amounts("expense", "pay_bank")) == {
        100: 8, 200: 8, 300: 7, 400: 6, 500: 5, 700: 3, 1000: 3, 1500: 1, 2000: 1,
    }  # fmt: skip
    assert sum(amounts("expense", "pay_bank")) == 18000
    assert effects("expense")['["nothing"]'] == 6
    assert amounts("expense", "pay_per_taxi") == [200, 200]


def test_fines_are_the_ten_of_the_journey_deck_and_nothing_else():
    fines = [card["id"] for _, card, _ in everything() if card["fine"]]
    assert fines == [f"J{n}" for n in range(10, 20)]


def test_every_verb_is_on_a_card_or_left_out_for_a_reason():
    used = {card["do"][0][0] for _, card, _ in everything()}
    assert used | set(UNUSED) == set(VERBS)
    assert not used & set(UNUSED)


def test_titles_and_texts_are_all_different_and_fit_a_card():
    titles = [words["title"] for _, _, words in everything()]
    stories = [words["text"] for _, _, words in everything()]
    assert len({title.casefold() for title in titles}) == 150
    assert len(set(stories)) == 150
    # What comes before the instruction is a story of its own: no two cards share one.
    assert len({story.rsplit(". ", 1)[0] for story in stories}) == 150
    assert max(map(len, stories)) <= 140
    assert min(map(len, stories)) >= 40, "a card tells something before it asks for something"


NUMBER = {"one": 1, "two": 2, "three": 3, "once": 1, "double": 2}
AMOUNT = r"\$(\d{1,3}(?:,\d{3})*)"
# What the words of a card say, most particular phrase first; what follows from them, as effects.
SAYS = (
    (rf"\bpay a {AMOUNT} fine\.", lambda n: ["pay_bank", n]),
    (rf"\bpay each player {AMOUNT}\.", lambda n: ["pay_each", n]),
    (rf"\bcollect {AMOUNT} from each player\.", lambda n: ["collect_each", n]),
    (rf"\bcollect {AMOUNT} from the richest player\.", lambda n: ["collect_from", "richest", n]),
    (rf"\bpay {AMOUNT} per taxi\.", lambda n: ["pay_per_taxi", n]),
    (rf"\bcollect {AMOUNT} per taxi\.", lambda n: ["collect_per_taxi", n]),
    (rf"\bpay {AMOUNT}\.", lambda n: ["pay_bank", n]),
    (rf"\bcollect {AMOUNT}\.", lambda n: ["collect_bank", n]),
    (r"\ba single word: (MONEY|FREEWAY|TAXI)\.", lambda word: ["gamble", word.lower()]),
    (r"\btake (one) barrier from the Minister\.", lambda n: ["barrier", n]),
    (r"\bthrow the tablet die (once) now\.", lambda n: ["throw_d12", n]),
    (r"\bhand in (one) green tablet, if you have one\.", lambda n: ["lose_tablet", "green", n]),
    (r"\bhand in (one) white tablet, if you have one\.", lambda n: ["lose_tablet", "white", n]),
    (r"\bdrive up to (one|two|three) extra streets? this turn\.", lambda n: ["add_streets", n]),
    (r"\byour throw counts (double) this turn\.", lambda _: ["double_move"]),
    (r"\bwhen you have moved, throw and move (once) more\.", lambda _: ["throw_again"]),
    (r"\bmiss your next turn\.()", lambda _: ["miss_next_turn"]),
    (r"\bgo straight to the base\.()", lambda _: ["move_to", "base"]),
    (r"\bgo back to where this trip began\.()", lambda _: ["move_to", "trip_start"]),
    (r"\bkeep this card: it cancels (one) traffic fine\.", lambda _: ["keep", "waive_fine"]),
    (r"\bkeep this card: it pays (one) hire fee or one Expense card\.", lambda _: ["keep", "waive_settlement_due"]),
    (r"\bkeep this card: it passes (one) red light for nothing\.", lambda _: ["keep", "pass_one_light"]),
    (r"\bthrow no tablet die this turn\.()", lambda _: ["no_d12_now"]),
    (r"\bnothing to pay\.()", lambda _: ["nothing"]),
)


def read_out(text):
    """The effects that a player hears when the card is read out."""
    heard, left = [], text
    for pattern, effect in SAYS:
        for match in re.finditer(pattern, left, re.IGNORECASE):
            said = match.group(1)
            if said[:1].isdigit():
                said = int(said.replace(",", ""))
            heard.append(effect(NUMBER.get(str(said).lower(), said)))
        left = re.sub(pattern, "", left, flags=re.IGNORECASE)
    return heard, left


def test_every_card_does_exactly_what_it_says():
    for _, card, words in everything():
        heard, story = read_out(words["text"])
        assert heard == card["do"], card["id"]
        assert "$" not in story, f"{card['id']} names an amount that nothing pays"


def test_a_fine_calls_itself_a_fine():
    for _, card, words in everything():
        assert bool(re.search(rf"{AMOUNT} fine\b", words["text"])) == card["fine"], card["id"]


def test_reading_a_card_out_notices_a_wrong_amount():
    assert read_out("The river knew it too. Pay $250.")[0] == [["pay_bank", 250]]
    assert read_out("Pay each player $1,050.")[0] == [["pay_each", 1050]]
    assert read_out("You collect $40 stamps. Pay $10 per taxi.") == ([["pay_per_taxi", 10]], "You collect $40 stamps. ")


def test_a_gamble_card_shows_its_word_once_and_nothing_more():
    for _, card, words in everything():
        said = re.findall(r"money|freeway|taxi\b", words["text"], re.IGNORECASE)
        if card["do"][0][0] == "gamble":
            assert [word.lower() for word in said] == [card["do"][0][1]]
            assert not re.search(r"\d|\bstakes?\b|\bwins?\b|\bplate\b|\btablet\b|\bgreen\b|\bwhite\b", words["text"])
            assert not re.search(r"money|freeway|taxi|plate|bank|road|cash|cab", words["title"], re.IGNORECASE)


def test_all_twenty_eight_characters_appear():
    read = " ".join(words["title"] + " " + words["text"] for _, _, words in everything())
    people = [
        "Captain Brine", "Madame Vibrato", "Miss Mildew", "Granny Knott", "Sergeant Snooze", "Chef Soufflet",
        "Professor Fizz", "Baron Bolt", "Postmaster Lint", "Lady Hatt", "The Great Mumbo", "Doctor Molar",
        "Judge Gavel", "Uncle Tuba", "Nurse Nettle", "Inspector Crumb", "Countess Cameo", "Farmer Turnip",
        "Mister Ledger", "Aunt Marmalade", "Count Ohm", "Sister Bell", "Colonel Whisker", "Dame Pebble",
        "Wee Angus", "Mister Pane", "Baker Bunn", "Miss Overdue",
    ]  # fmt: skip
    assert len(people) == 28
    assert [name for name in people if read.count(name) < 3] == []


@pytest.mark.parametrize("deck", NAMES)
def test_the_file_says_that_it_is_a_stand_in(deck):
    note = json.loads((DECKS / f"{deck}.json").read_text(encoding="utf-8"))["note"]
    assert "stand-in" in note
    assert "not ours" in note
