"""Checks the two files of a card deck: for whoever writes cards, and for the tests of the shipped ones.

`<deck>.json` holds what the cards do, `<deck>.<language>.json` what they say:
    {"deck": "journey", "note": "…", "cards": [{"id": "J10", "fine": true, "do": [["pay_bank", 50]]}, …]}
    {"J10": {"title": "…", "text": "…"}, …}
Fifty cards a deck (T-013), ids of the deck's letter and two figures, effects from the closed vocabulary of `cards`. An
error is a sentence: which file and line, which field, what is wrong, what to do.
"""

import json

from shared_rules.engine.json_lines import FieldLines
from shared_rules.engine.reading import is_whole
from shared_rules.games.taxi.cards import DEEPEST, NOT_ON_EXPENSE, VERBS
from shared_rules.games.taxi.meta import EXPENSE, SMALLEST_NOTE, WORDS

LETTERS = (("journey", "J"), ("passenger", "P"), (EXPENSE, "E"))
CARDS_PER_DECK = 50
TITLE_LIMIT = 32  # characters that fit one line of a card on a phone 360 pixels wide
TEXT_LIMIT = 140  # characters: five lines of a card


class _File:
    """One of the two files, parsed, with a place to put errors; `content` is None if it is no JSON."""

    def __init__(self, kind: str, source: str, errors: list[str]) -> None:
        self.kind = kind
        self.errors = errors
        self.content: object = None
        try:
            self.content = json.loads(source)
        except ValueError as error:  # CPython knows the line, MicroPython does not
            line = getattr(error, "lineno", None)
            where = "" if line is None else f" line {line}"
            errors.append(f"{kind}{where}: no valid JSON; look there for a missing comma, quote or bracket")
        except RuntimeError:  # too deep: CPython's RecursionError is one
            errors.append(f"{kind}: brackets inside brackets without an end; remove them")
        if self.content is not None:
            self.fields = FieldLines(source)
            for path in self.fields.twice:
                self.add(path, "stands twice in one object; remove one")

    def add(self, path: str, what: str) -> None:
        self.errors.append(f"{self.kind} {self.fields.before(path)}{what}")


def check_deck(cards: str, texts: str) -> list[str]:
    """The faults of a deck, given the contents of its two files; [] when it can be played.

    Every error reads `cards line 9, cards[2].do[0][1]: 255 is no multiple of 10; write 250 or 260`.
    """
    errors: list[str] = []
    card_file = _File("cards", cards, errors)
    text_file = _File("texts", texts, errors)
    deck = card_file.content
    if errors:
        return errors
    if not isinstance(deck, dict):
        card_file.add("", 'must be one object; begin it with {"deck": "journey", "cards": [')
        return errors
    name = deck.get("deck")
    letter = None
    for deck_name, deck_letter in LETTERS:
        if name == deck_name:
            letter = deck_letter
    if letter is None:
        names = _either([deck_name for deck_name, _ in LETTERS])
        card_file.add("deck", f"{_shown(name)} is no deck; write {names}")
        return errors
    _only(card_file, "", deck, ["deck", "note", "cards"])
    if not isinstance(deck.get("note", ""), str):
        card_file.add("note", "must be a text in quotes")
    listed = deck.get("cards")
    if not isinstance(listed, list):
        card_file.add("cards", "must be a list of cards in square brackets")
        return errors
    _check_texts(text_file, _check_cards(card_file, str(name), letter, listed))
    return errors


def _check_cards(file: _File, deck: str, letter: str, listed: list[object]) -> list[str]:
    wanted = [f"{letter}{n:02d}" for n in range(1, CARDS_PER_DECK + 1)]
    seen: list[str] = []
    for place, card in enumerate(listed):
        at = f"cards[{place}]"
        if not isinstance(card, dict):
            file.add(at, 'must be an object such as {"id": "J01", "fine": false, "do": [["pay_bank", 50]]}')
            continue
        card_id = card.get("id")
        if card_id not in wanted:
            file.add(f"{at}.id", f"{_shown(card_id)} is no card of this deck; write one of {wanted[0]} to {wanted[-1]}")
        elif card_id in seen:
            file.add(f"{at}.id", f"there is a {card_id} already; number this one anew")
        else:
            seen.append(card_id)
        _only(file, at, card, ["id", "fine", "do"])
        if not isinstance(card.get("fine", False), bool):
            file.add(f"{at}.fine", "must be true for a traffic fine, else false")
        _check_verbs(file, f"{at}.do", card.get("do"), deck, 0)
    missing = CARDS_PER_DECK - len(listed)
    if missing:
        change = f"add {missing}" if missing > 0 else f"remove {-missing}"
        file.add("cards", f"a deck has {CARDS_PER_DECK} cards, here are {len(listed)}; {change}")
    return seen


def _check_verbs(file: _File, at: str, verbs: object, deck: str, depth: int) -> None:
    if not isinstance(verbs, list):
        file.add(at, 'must be a list of verbs, such as [["pay_bank", 50]]')
        return
    if depth > DEEPEST:
        file.add(at, f"verbs inside verbs go too deep; at most {DEEPEST} levels")
        return
    for place, verb in enumerate(verbs):
        here = f"{at}[{place}]"
        if not isinstance(verb, list) or not verb or not isinstance(verb[0], str):
            file.add(here, 'must be a verb with its arguments, such as ["pay_bank", 50]')
            continue
        if verb[0] not in VERBS:
            file.add(here, f"{_shown(verb[0])} is no verb; write {_either(sorted(VERBS))}")
            continue
        if deck == EXPENSE and verb[0] in NOT_ON_EXPENSE:
            file.add(here, f"{verb[0]} cannot be on an Expense card, drawn in settlement; take another verb")
        kinds = VERBS[verb[0]]
        if len(verb) - 1 != len(kinds):
            file.add(here, f"{verb[0]} takes {len(kinds)} argument(s), here are {len(verb) - 1}; correct that")
            continue
        for index, kind in enumerate(kinds):
            _check_argument(file, f"{here}[{index + 1}]", kind, verb[index + 1], deck, depth)


def _check_argument(file: _File, at: str, kind: object, value: object, deck: str, depth: int) -> None:
    number = value if isinstance(value, int) and is_whole(value) else None
    if kind == "amount" and (number is None or number < 0):
        file.add(at, f"{_shown(value)} is no amount; write whole dollars without a sign, such as 250")
    elif kind == "amount" and number is not None and number % SMALLEST_NOTE:
        lower = number - number % SMALLEST_NOTE
        file.add(at, f"{number} is no multiple of {SMALLEST_NOTE}; write {lower} or {lower + SMALLEST_NOTE}")
    elif kind == "count" and (number is None or number < 1):
        file.add(at, f"{_shown(value)} is no count; write a whole number from 1")
    elif kind == "number" and number is None:
        file.add(at, f"{_shown(value)} is no number of streets; write a whole number, such as 2 or -1")
    elif kind == "word" and value is not None and value not in WORDS:
        file.add(at, f"{_shown(value)} is no word to bet on; write {_either(list(WORDS))}")
    elif kind == "verbs":
        _check_verbs(file, at, value, deck, depth + 1)
    elif kind == "options":
        if not isinstance(value, list) or not value:
            file.add(at, "must be a list with at least one option, each a list of verbs")
            return
        for index, option in enumerate(value):
            _check_verbs(file, f"{at}[{index}]", option, deck, depth + 1)
    elif isinstance(kind, tuple) and value not in kind:
        file.add(at, f"{_shown(value)} is not known here; write {_either(list(kind))}")


def _check_texts(file: _File, ids: list[str]) -> None:
    words = file.content
    if not isinstance(words, dict):
        file.add("", 'must be one object; begin it with {"J01": {"title": "…", "text": "…"},')
        return
    titles: dict[str, str] = {}
    for card_id in ids:
        if card_id not in words:
            file.add("", f'{card_id} is missing; add "{card_id}": {{"title": "…", "text": "…"}}')
            continue
        entry = words[card_id]
        if not isinstance(entry, dict):
            file.add(card_id, 'must be {"title": "…", "text": "…"}')
            continue
        _only(file, card_id, entry, ["title", "text"])
        for key, limit in (("title", TITLE_LIMIT), ("text", TEXT_LIMIT)):
            value = entry.get(key)
            at = f"{card_id}.{key}"
            if not isinstance(value, str) or not value.strip():
                file.add(at, "must be a text in quotes, not an empty one")
            elif len(value) > limit:
                file.add(at, f"has {len(value)} characters, a card holds {limit}; shorten it")
            elif "\n" in value or "\r" in value or "\t" in value:
                file.add(at, "holds a line break or tab; write one line, the card wraps it by itself")
        title = entry.get("title")
        if isinstance(title, str) and title in titles:
            file.add(f"{card_id}.title", f"{titles[title]} has it too, and people tell cards by it; change one")
        elif isinstance(title, str):
            titles[title] = card_id
    for key in sorted(words):
        if key not in ids:
            file.add(key, "no such card in the deck; remove it or correct its id")


def _only(file: _File, at: str, entry: dict[str, object], known: list[str]) -> None:
    for key in sorted(entry):
        if key not in known:
            file.add(f"{at}.{key}" if at else key, f"unknown field; remove it or write {_either(known)}")


def _shown(value: object) -> str:
    if isinstance(value, str):
        return f'"{value}"'
    return "nothing" if value is None else str(value)


def _either(names: list[str]) -> str:
    return ", ".join(names[:-1]) + " or " + names[-1]
