"""Checks the two files of a card deck: for whoever writes cards, and for the tests of the shipped ones.

`<deck>.json` holds what the cards do, `<deck>.<language>.json` what they say:
    {"deck": "journey", "note": "…", "cards": [{"id": "J10", "fine": true, "do": [["pay_bank", 50]]}, …]}
    {"J10": {"title": "…", "text": "…"}, …}
Fifty cards a deck (T-013), ids of the deck's letter and two figures, amounts in whole dollars and multiples of 10
(T-015), verbs from the closed vocabulary of part E.1 of the rules. An error is a sentence: which file and line, which
field, what is wrong, what to do.
"""

import json

NEW_LINE = "\n"  # named, as MicroPython takes no backslash inside an f-string

DECKS = (("journey", "J"), ("passenger", "P"), ("expense", "E"))
CARDS_PER_DECK = 50
TITLE_LIMIT = 32  # characters that fit one line of a card on a phone 360 pixels wide
TEXT_LIMIT = 140  # characters: five lines of a card

# What each verb's arguments are. "verbs" is a list of verbs, "options" a list of such lists.
VERBS = (
    ("pay_bank", ("amount",)),
    ("collect_bank", ("amount",)),
    ("pay_each", ("amount",)),
    ("collect_each", ("amount",)),
    ("collect_from", ("selector", "amount")),
    ("pay_per_taxi", ("amount",)),
    ("collect_per_taxi", ("amount",)),
    ("pay_by_die", ("amount",)),
    ("collect_by_die", ("amount",)),
    ("throw_d12", ("count",)),
    ("lose_tablet", ("colour", "count")),
    ("win_tablet", ("colour", "count")),
    ("gamble", ("word",)),
    ("barrier", ("count",)),
    ("add_streets", ("streets",)),
    ("double_move", ()),
    ("throw_again", ()),
    ("no_move_now", ()),
    ("no_d12_now", ()),
    ("miss_next_turn", ()),
    ("move_to", ("place",)),
    ("keep", ("kept",)),
    ("if_owner", ("verbs", "verbs")),
    ("choose", ("options",)),
    ("nothing", ()),
)
WORDS = (
    ("selector", ("richest", "most_taxis", "left_neighbour")),
    ("colour", ("green", "white")),
    ("word", ("money", "freeway", "taxi")),
    ("place", ("base", "trip_start", "own_destination")),
    ("kept", ("waive_fine", "waive_settlement_due", "pass_one_light")),
)
# An Expense card is drawn in settlement, where there is no move, no throw and nobody to bet.
NOT_IN_SETTLEMENT = (
    "gamble",
    "barrier",
    "add_streets",
    "double_move",
    "throw_again",
    "no_move_now",
    "no_d12_now",
    "move_to",
)
DEEPEST = 4  # verbs inside verbs; nothing on a card needs more


class _File:
    """One of the two files, with the errors found so far; finds lines by the piece of text that stands there."""

    def __init__(self, kind: str, source: str, errors: list[str]) -> None:
        self.kind = kind
        self.source = source
        self.errors = errors

    def line(self, piece: str, nth: int = 0) -> str:
        at = -1
        for _ in range(nth + 1):
            at = self.source.find(piece, at + 1)
            if at < 0:
                return "some line"
        return f"line {self.source[:at].count(NEW_LINE) + 1}"

    def add(self, where: str, field: str, what: str) -> None:
        self.errors.append(f"{self.kind} {where}, {field}: {what}")


def check_deck(cards: str, texts: str) -> list[str]:
    """The faults of a deck, given the contents of its two files; [] when it can be played.

    Every error reads `cards line 9, J03.do[0][1]: 255 is no multiple of 10; write 250 or 260`.
    """
    errors: list[str] = []
    card_file = _File("cards", cards, errors)
    text_file = _File("texts", texts, errors)
    deck = _parsed(card_file)
    words = _parsed(text_file)
    if errors:
        return errors
    if not isinstance(deck, dict):
        card_file.add("line 1", "file", 'must be one object; begin it with {"deck": "journey", "cards": [')
        return errors
    name = deck.get("deck")
    letter = None
    for deck_name, deck_letter in DECKS:
        if name == deck_name:
            letter = deck_letter
    if letter is None:
        names = _either(tuple([deck_name for deck_name, _ in DECKS]))
        card_file.add(card_file.line('"deck"'), "deck", f"{_shown(name)} is no deck; write {names}")
        return errors
    _unknown_fields(card_file, deck, ("deck", "note", "cards"), None, "")
    if not isinstance(deck.get("note", ""), str):
        card_file.add(card_file.line('"note"'), "note", "must be a text in quotes")
    listed = deck.get("cards")
    if not isinstance(listed, list):
        card_file.add(card_file.line('"cards"'), "cards", "must be a list of cards in square brackets")
        return errors
    ids = _check_cards(card_file, deck_name=str(name), letter=letter, listed=listed)
    _check_texts(text_file, ids, words)
    return errors


def _parsed(file: _File) -> object:
    try:
        parsed: object = json.loads(file.source)
        return parsed
    except ValueError as error:  # CPython knows the line, MicroPython does not
        line = getattr(error, "lineno", None)
        where = f"line {line}" if line else "some line"
        file.add(where, "file", "no valid JSON; look there for a missing comma, quote or bracket")
    except RuntimeError:  # too deep: CPython's RecursionError is one
        file.add("some line", "file", "brackets inside brackets without an end; remove them")
    return None


def _check_cards(file: _File, deck_name: str, letter: str, listed: list[object]) -> list[str]:
    wanted = [f"{letter}{n:02d}" for n in range(1, CARDS_PER_DECK + 1)]
    seen: list[str] = []
    for place, card in enumerate(listed):
        if not isinstance(card, dict):
            file.add("some line", f"cards[{place}]", "must be an object in curly brackets")
            continue
        card_id = card.get("id")
        if card_id not in wanted:
            what = f"{_shown(card_id)} is no card id of this deck; write one of {wanted[0]} to {wanted[-1]}"
            file.add(file.line(f'"{card_id}"'), f"cards[{place}].id", what)
            continue
        where = file.line(f'"{card_id}"', seen.count(card_id))
        if card_id in seen:
            file.add(where, f"{card_id}.id", "stands twice; number the second card anew")
        seen.append(card_id)
        _unknown_fields(file, card, ("id", "fine", "do"), where, f"{card_id}.")
        if not isinstance(card.get("fine", False), bool):
            file.add(where, f"{card_id}.fine", "must be true for a traffic fine, else false")
        _check_verbs(file, where, f"{card_id}.do", card.get("do"), deck_name, 0)
    if len(listed) != CARDS_PER_DECK:
        missing = CARDS_PER_DECK - len(listed)
        change = f"add {missing}" if missing > 0 else f"remove {-missing}"
        what = f"a deck has {CARDS_PER_DECK} cards, here are {len(listed)}; {change}"
        file.add(file.line('"cards"'), "cards", what)
    return [card_id for card_id in wanted if card_id in seen]


def _check_verbs(file: _File, where: str, field: str, verbs: object, deck: str, depth: int) -> None:
    if not isinstance(verbs, list):
        file.add(where, field, 'must be a list of verbs, such as [["pay_bank", 50]]')
        return
    if depth > DEEPEST:
        file.add(where, field, f"verbs inside verbs go too deep; at most {DEEPEST} levels")
        return
    for place, verb in enumerate(verbs):
        here = f"{field}[{place}]"
        if not isinstance(verb, list) or not verb or not isinstance(verb[0], str):
            file.add(where, here, 'must be a verb with its arguments, such as ["pay_bank", 50]')
            continue
        kinds = None
        for name, arguments in VERBS:
            if verb[0] == name:
                kinds = arguments
        if kinds is None:
            names = _either(tuple([name for name, _ in VERBS]))
            file.add(where, here, f"{_shown(verb[0])} is no verb; write {names}")
            continue
        if deck == "expense" and verb[0] in NOT_IN_SETTLEMENT:
            file.add(where, here, f"{verb[0]} cannot be on an Expense card, drawn in settlement; take another verb")
        if len(verb) - 1 != len(kinds):
            change = f"write {', '.join(kinds)} after it" if kinds else "remove what stands after it"
            file.add(where, here, f"{verb[0]} takes {len(kinds)} argument(s), here are {len(verb) - 1}; {change}")
            continue
        for index, kind in enumerate(kinds):
            _check_argument(file, where, f"{here}[{index + 1}]", kind, verb[index + 1], deck, depth)


def _check_argument(file: _File, where: str, field: str, kind: str, value: object, deck: str, depth: int) -> None:
    whole = isinstance(value, int) and not isinstance(value, bool)
    number = value if isinstance(value, int) else 0
    if kind == "amount" and (not whole or number < 0):
        file.add(where, field, f"{_shown(value)} is no amount; write whole dollars without a sign, such as 250")
    elif kind == "amount" and number % 10:
        lower = number - number % 10
        file.add(where, field, f"{number} is no multiple of 10; write {lower} or {lower + 10}")
    elif kind == "count" and (not whole or number < 1):
        file.add(where, field, f"{_shown(value)} is no count; write a whole number from 1")
    elif kind == "streets" and not whole:
        file.add(where, field, f"{_shown(value)} is no number of streets; write a whole number, such as 2 or -1")
    elif kind == "verbs":
        _check_verbs(file, where, field, value, deck, depth + 1)
    elif kind == "options":
        if not isinstance(value, list) or not value:
            file.add(where, field, "must be a list with at least one option, each a list of verbs")
            return
        for index, option in enumerate(value):
            _check_verbs(file, where, f"{field}[{index}]", option, deck, depth + 1)
    for name, allowed in WORDS:
        if kind == name and value not in allowed and not (kind == "word" and value is None):
            file.add(where, field, f"{_shown(value)} is no {kind}; write {_either(allowed)}")


def _check_texts(file: _File, ids: list[str], words: object) -> None:
    if not isinstance(words, dict):
        file.add("line 1", "file", 'must be one object; begin it with {"J01": {"title": "…", "text": "…"},')
        return
    titles: dict[str, str] = {}
    for card_id in ids:
        if card_id not in words:
            file.add("some line", card_id, f'missing; add "{card_id}": {{"title": "…", "text": "…"}}')
            continue
        where = file.line(f'"{card_id}"')
        if file.source.count(f'"{card_id}":') > 1:
            file.add(file.line(f'"{card_id}":', 1), card_id, "stands twice; remove one")
        entry = words[card_id]
        if not isinstance(entry, dict):
            file.add(where, card_id, 'must be {"title": "…", "text": "…"}')
            continue
        _unknown_fields(file, entry, ("title", "text"), where, f"{card_id}.")
        for key, limit in (("title", TITLE_LIMIT), ("text", TEXT_LIMIT)):
            value = entry.get(key)
            field = f"{card_id}.{key}"
            if not isinstance(value, str) or not value.strip():
                file.add(where, field, "must be a text in quotes, not an empty one")
            elif len(value) > limit:
                file.add(where, field, f"has {len(value)} characters, a card holds {limit}; shorten it")
            elif NEW_LINE in value or "\t" in value:
                file.add(where, field, "holds a line break or tab; write one line, the card wraps it by itself")
        title = entry.get("title")
        if isinstance(title, str) and title in titles:
            file.add(where, f"{card_id}.title", f"{titles[title]} has it too, and people tell cards by it; change one")
        elif isinstance(title, str):
            titles[title] = card_id
    for key in sorted(words):
        if key not in ids:
            file.add(file.line(f'"{key}"'), key, "no such card in the deck; remove it or correct its id")


def _unknown_fields(file: _File, entry: dict[str, object], known: tuple[str, ...], where: str | None, at: str) -> None:
    for key in sorted(entry):
        if key not in known:
            what = f"unknown field; remove it or write {_either(known)}"
            file.add(where or file.line(f'"{key}"'), f"{at}{key}", what)


def _shown(value: object) -> str:
    if isinstance(value, str):
        return f'"{value}"'
    return "nothing" if value is None else str(value)


def _either(names: tuple[str, ...]) -> str:
    return ", ".join(names[:-1]) + " or " + names[-1]
