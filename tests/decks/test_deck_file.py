"""A broken deck file gets errors that name the line and the field and say what to do, on both Pythons."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from shared_rules.games.taxi.deck_file import check_deck

ROOT = Path(__file__).parents[2]
DECKS = ROOT / "shared_rules" / "games" / "taxi" / "decks"
CARDS = (DECKS / "journey.json").read_text(encoding="utf-8")
TEXTS = (DECKS / "journey.en.json").read_text(encoding="utf-8")


NEW_LINE = "\n"


def line_of(source, piece):
    return source[: source.index(piece)].count("\n") + 1


@pytest.mark.parametrize("deck", ["journey", "passenger", "expense"])
def test_the_shipped_decks_have_no_faults(deck):
    assert check_deck((DECKS / f"{deck}.json").read_text("utf-8"), (DECKS / f"{deck}.en.json").read_text("utf-8")) == []


J20 = '{"id": "J20", "fine": false, "do": [["collect_bank", 100]]}'

BROKEN_CARDS = [
    # what is written instead of J20's card, the field that is named, what is said of it
    (J20.replace("100", "105"), "cards[19].do[0][1]", "105 is no multiple of 10; write 100 or 110"),
    (J20.replace("100", "-100"), "cards[19].do[0][1]", "-100 is no amount"),
    (J20.replace("100", "100.0"), "cards[19].do[0][1]", "100.0 is no amount"),
    (J20.replace("100", "true"), "cards[19].do[0][1]", "True is no amount"),
    (J20.replace("100", "NaN"), "cards[19].do[0][1]", "nan is no amount"),
    (J20.replace("100", '"100"'), "cards[19].do[0][1]", '"100" is no amount'),
    (
        J20.replace("collect_bank", "colect_bank"),
        "cards[19].do[0]",
        '"colect_bank" is no verb; write add_streets, barrier, choose',
    ),
    (J20.replace(", 100", ""), "cards[19].do[0]", "collect_bank takes 1 argument(s), here are 0"),
    (J20.replace(', "do": [["collect_bank", 100]]', ""), "cards[19].do", "must be a list of verbs"),
    (J20.replace('["collect_bank", 100]', '"collect_bank"'), "cards[19].do[0]", "must be a verb with its arguments"),
    (J20.replace("false", '"no"'), "cards[19].fine", "must be true for a traffic fine, else false"),
    (J20.replace("fine", "fien"), "cards[19].fien", "unknown field; remove it or write id, fine or do"),
    (J20.replace('"J20"', '"J99"'), "cards[19].id", '"J99" is no card of this deck; write one of J01 to J50'),
    (J20.replace('"J20"', '"P20"'), "cards[19].id", '"P20" is no card of this deck'),
    (J20.replace('"J20"', "20"), "cards[19].id", "20 is no card of this deck"),
    (J20.replace('"J20"', '"J01"'), "cards[19].id", "there is a J01 already"),
    ("17", "cards[19]", "must be an object"),
    (J20.replace('["collect_bank", 100]', '["gamble", "cash"]'), "cards[19].do[0][1]", "write money, freeway or taxi"),
    (J20.replace('["collect_bank", 100]', '["throw_d12", 0]'), "cards[19].do[0][1]", "0 is no count"),
    (J20.replace('["collect_bank", 100]', '["add_streets", 1.5]'), "cards[19].do[0][1]", "1.5 is no number of streets"),
    (J20.replace('["collect_bank", 100]', '["double_move", 2]'), "cards[19].do[0]", "takes 0 argument(s), here are 1"),
    (J20.replace('["collect_bank", 100]', '["choose", []]'), "cards[19].do[0][1]", "at least one option"),
    (
        J20.replace('["collect_bank", 100]', '["choose", [[["pay_bank", 10]], [["pay_bank", 15]]]]'),
        "cards[19].do[0][1][1][0][1]",
        "15 is no multiple of 10",
    ),
    (
        J20.replace('["collect_bank", 100]', '["if_owner", [["pay_bank", 10]], [["hop"]]]'),
        "cards[19].do[0][2][0]",
        '"hop" is no verb',
    ),
]


@pytest.mark.parametrize(("written", "field", "said"), BROKEN_CARDS)
def test_a_broken_card_is_named_with_its_line(written, field, said):
    errors = check_deck(CARDS.replace(J20, written), TEXTS)
    matching = [error for error in errors if f", {field}: " in error and said in error]
    assert len(matching) == 1, errors
    assert matching[0].startswith(f"cards line {line_of(CARDS, J20)}, ")


BROKEN_TEXTS = [
    ('"J20": {"title": "Down', '"J2O": {"title": "Down', "J2O", "no such card in the deck; remove it or correct"),
    ('"J20": {"title": "Down', '"J2O": {"title": "Down', "", "J20 is missing; add"),
    ('"J21": {"title": "Best-Kept Bumper"', '"J21": {"title": "The Tip Jar"', "J27.title", "J21 has it too"),
    ('"J21": {"title": "Best-Kept Bumper"', '"J21": {"title": ""', "J21.title", "must be a text in quotes"),
    ('"J21": {"title": "Best-Kept Bumper"', '"J21": {"title": 5', "J21.title", "must be a text in quotes"),
    ('"J21": {"title"', '"J21": {"titel"', "J21.titel", "unknown field"),
    ("You come third", "You come " + "very " * 20 + "third", "J21.text", "a card holds 140; shorten it"),
    ("You come third", "You come\\nthird", "J21.text", "holds a line break"),
    (
        '"J21": {',
        '"J20": {"title": "Twice", "text": "Twice."}, "J21": {',
        "J20",
        "stands twice in one object; remove one",
    ),
]


@pytest.mark.parametrize(("old", "new", "field", "said"), BROKEN_TEXTS)
def test_a_broken_text_is_named_with_its_line(old, new, field, said):
    assert TEXTS.count(old) == 1
    broken = TEXTS.replace(old, new)
    errors = check_deck(CARDS, broken)
    matching = [error for error in errors if f"{field}: " in error and said in error]
    assert len(matching) == 1, errors
    if field:
        entry = broken.rindex(f'"{field.split(".")[0]}"')
        assert matching[0].startswith(f"texts line {broken.count(NEW_LINE, 0, entry) + 1}, ")


def test_no_json_is_said_with_the_line():
    broken = CARDS.replace(J20 + ",", J20)
    assert check_deck(broken, TEXTS) == [
        f"cards line {line_of(broken, J20) + 1}: no valid JSON; look there for a missing comma, quote or bracket"
    ]
    assert check_deck("[" * 100_000, TEXTS)[0].startswith("cards: brackets inside brackets")
    assert check_deck("[]", TEXTS)[0].startswith("cards line 1: must be one object")
    assert check_deck(CARDS, "[]")[0].startswith("texts line 1: must be one object")


def test_the_frame_of_the_file_is_checked():
    whole = json.loads(CARDS)
    unknown = check_deck(json.dumps({**whole, "deck": "jorney"}), TEXTS)
    assert unknown == ['cards line 1, deck: "jorney" is no deck; write journey, passenger or expense']
    assert "must be a list of cards" in check_deck(json.dumps({**whole, "cards": {}}), TEXTS)[0]
    assert "here are 49; add 1" in check_deck(json.dumps({**whole, "cards": whole["cards"][:49]}), TEXTS)[0]
    assert "unknown field" in check_deck(json.dumps({**whole, "extra": 1}), TEXTS)[0]
    assert "must be a text" in check_deck(json.dumps({**whole, "note": 1}), TEXTS)[0]


def test_an_expense_card_cannot_move_a_taxi():
    cards = (DECKS / "expense.json").read_text("utf-8").replace('[["nothing"]]', '[["move_to", "base"]]', 1)
    errors = check_deck(cards, (DECKS / "expense.en.json").read_text("utf-8"))
    assert len(errors) == 1
    assert "cards[0].do[0]: move_to cannot be on an Expense card" in errors[0]


def test_micropython_finds_the_same_faults():
    program = (
        "import sys, json\n"
        "from shared_rules.games.taxi.deck_file import check_deck\n"
        "for line in sys.stdin:\n"
        "    print(json.dumps(check_deck(*json.loads(line))))\n"
    )
    deep = CARDS.replace('[["collect_bank", 100]]', '[["choose", [[["pay_bank", 15]], [["hop"]]]]]', 1)
    pairs = [(CARDS, TEXTS), (deep, TEXTS), (CARDS, TEXTS.replace("You come third", "You come\\nthird"))]
    interpreter = Path(sys.executable).with_name("micropython")
    done = subprocess.run(
        [interpreter, "-c", program],
        input="".join(json.dumps(pair) + "\n" for pair in pairs),
        capture_output=True, text=True, cwd=ROOT, timeout=60, check=True,
    )  # fmt: skip
    assert [json.loads(line) for line in done.stdout.splitlines()] == [check_deck(*pair) for pair in pairs]
