"""The closed vocabulary of what TAXI! cards do: which verbs there are, how they are written, where they are allowed.

A card's effects are a list of verbs, each a list that begins with its name: ["pay_bank", 100]. Amounts are whole
dollars, multiples of 10 from 0; counts are at least 1; `add_streets` takes any whole number.
"""

from shared_rules.engine.reading import is_whole
from shared_rules.games.taxi.meta import EXPENSE, SMALLEST_NOTE, WORDS

SELECTORS = ("richest", "most_taxis", "left_neighbour")
COLOURS = ("green", "white")
GOALS = ("base", "trip_start", "own_destination")
KEEPS = ("waive_fine", "waive_settlement_due", "pass_one_light")

# Verb -> the kinds of its arguments.
VERBS = {
    "pay_bank": ("amount",),
    "collect_bank": ("amount",),
    "pay_each": ("amount",),
    "collect_each": ("amount",),
    "collect_from": (SELECTORS, "amount"),
    "pay_per_taxi": ("amount",),
    "collect_per_taxi": ("amount",),
    "pay_by_die": ("amount",),
    "collect_by_die": ("amount",),
    "throw_d12": ("count",),
    "lose_tablet": (COLOURS, "count"),
    "win_tablet": (COLOURS, "count"),
    "gamble": ("word",),
    "barrier": ("count",),
    "add_streets": ("number",),
    "double_move": (),
    "throw_again": (),
    "no_move_now": (),
    "no_d12_now": (),
    "miss_next_turn": (),
    "move_to": (GOALS,),
    "keep": (KEEPS,),
    "if_owner": ("verbs", "verbs"),
    "choose": ("options",),
    "nothing": (),
}

# Which die a verb waits for; `choose` waits for its drawer's choice.
DIE_OF = {"throw_d12": "d12", "pay_by_die": "d6", "collect_by_die": "d6"}

# In settlement nobody moves, throws or bets (T-116).
NOT_ON_EXPENSE = (
    "gamble", "barrier", "add_streets", "double_move", "throw_again", "no_move_now", "no_d12_now", "move_to",
)  # fmt: skip

# Verbs inside verbs; far more than any card needs.
DEEPEST = 20


def fault_of(verbs, depth: int = 0) -> "str | None":
    """What is wrong with the writing of a list of verbs, in a sentence; None if nothing is."""
    if not isinstance(verbs, list):
        return "What a card does is a list of verbs."
    if depth > DEEPEST:
        return "Verbs stand inside verbs too deeply."
    for verb in verbs:
        if not isinstance(verb, list) or not verb or not isinstance(verb[0], str) or verb[0] not in VERBS:
            return "Each verb is a list that begins with one of the known verbs."
        kinds = VERBS[verb[0]]
        if len(verb) != len(kinds) + 1:
            return "'" + verb[0] + "' takes " + str(len(kinds)) + " argument(s)."
        for i, kind in enumerate(kinds):
            fault = _argument_fault(verb[0], kind, verb[i + 1], depth)
            if fault:
                return fault
    return None


def _argument_fault(name: str, kind, value, depth: int) -> "str | None":
    if kind == "amount":
        if not is_whole(value) or value < 0 or value % SMALLEST_NOTE:
            return "'" + name + "' takes an amount, a multiple of 10."
    elif kind == "count":
        if not is_whole(value) or value < 1:
            return "'" + name + "' takes a number from 1."
    elif kind == "number":
        if not is_whole(value):
            return "'" + name + "' takes a whole number."
    elif kind == "word":
        if value is not None and (not isinstance(value, str) or value not in WORDS):
            return "'gamble' takes a word or null."
    elif kind == "verbs":
        return fault_of(value, depth + 1)
    elif kind == "options":
        if not isinstance(value, list) or not value:
            return "'choose' takes a list of at least one option."
        for option in value:
            fault = fault_of(option, depth + 1)
            if fault:
                return fault
    elif not isinstance(value, str) or value not in kind:
        return "'" + name + "' takes one of: " + ", ".join(kind) + "."
    return None


def every_verb(verbs: list):
    """Each verb of a list, those inside `if_owner` and `choose` too."""
    for verb in verbs:
        yield verb
        if verb[0] == "if_owner":
            for branch in verb[1:]:
                for inner in every_verb(branch):
                    yield inner
        elif verb[0] == "choose":
            for branch in verb[1]:
                for inner in every_verb(branch):
                    yield inner


def forbidden_on(verbs: list, deck: str, has_base: bool, trip: int) -> "str | None":
    """Why this deck on this board in this trip may not hold these verbs, in a sentence; None if it may."""
    for verb in every_verb(verbs):
        if deck == EXPENSE and verb[0] in NOT_ON_EXPENSE:
            return "An Expense card cannot do '" + verb[0] + "'."
        if verb[0] == "move_to" and not has_base and (verb[1] == "base" or (verb[1] == "trip_start" and trip == 1)):
            return "This board has no base to move to."
    return None


def gambles(verbs: list) -> bool:
    """Whether a gamble is among the verbs."""
    for verb in every_verb(verbs):
        if verb[0] == "gamble":
            return True
    return False


def without_words(verbs: list) -> list:
    """The verbs as everybody may see them: a gamble's word stays with its holder."""
    out: list = []
    for verb in verbs:
        if verb[0] == "gamble":
            out.append(["gamble", None])
        elif verb[0] == "if_owner":
            out.append(["if_owner", without_words(verb[1]), without_words(verb[2])])
        elif verb[0] == "choose":
            out.append(["choose", [without_words(branch) for branch in verb[1]]])
        else:
            out.append(verb)
    return out
