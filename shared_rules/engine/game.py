"""The rules core's way in, for every caller: positions, commands, events, questions, views. It serves every title.

`decide` never changes a state, `evolve` works from an event alone, `follow` gives the steps that happen by themselves.
A state belongs to its caller; only `evolve`, `play` and nothing else change it. Texts of errors are for people, codes
are stable (docs/records.md).
"""

import hashlib

from shared_rules.engine import titles
from shared_rules.engine.errors import PositionError
from shared_rules.portable.json_text import dumps

MYPY = False
if MYPY:  # only type checkers come here
    from typing import Any

    Json = dict[str, Any]


def load_position(position: "Json", revision: "int | None" = None) -> "Any":
    """The state of a position (docs/records.md). What happens by itself on reading has happened. PositionError.

    `revision` is that of the rules under which the game is played: an old game goes on by the rules that it began
    with. A title that has had more than one takes it as the second argument of its `load`.
    """
    title = _title_of(position)
    if revision is None:
        return title.load(position)
    now = titles.revision(title.NAME)
    if revision == now:
        return title.load(position)
    if not 1 <= revision < now:
        raise PositionError(
            "unknown_revision",
            "This was played by revision "
            + str(revision)
            + " of the rules, and this program knows 1 to "
            + str(now)
            + "; a newer one is needed.",
            "rules_revision",
        )
    return title.load(position, revision)


def dump_position(state: "Any") -> "Json":
    """The whole position, keys in canonical order. It is the caller's own."""
    found: "Json" = state.title.dump(state)
    return found


def decide(state: "Any", command: "Json") -> "list[Json]":
    """The events of a command, without changing the state; RuleViolation if the rules refuse it."""
    found: "list[Json]" = state.title.decide(state, command)
    return found


def evolve(state: "Any", event: "Json") -> None:
    """Apply one event to the state, from what stands in the event alone."""
    state.title.evolve(state, event)


def follow(state: "Any") -> "list[Json]":
    """The events of the next step that happens by itself; [] when somebody must decide or the game is over."""
    found: "list[Json]" = state.title.follow(state)
    return found


def play(state: "Any", command: "Json") -> "list[Json]":
    """Decide, apply, and apply all that follows by itself; all events. A refused command leaves the state untouched."""
    title = state.title
    apply = title.evolve
    events: "list[Json]" = title.decide(state, command)
    for event in events:
        apply(state, event)
    while True:
        more = title.follow(state)
        if not more:
            return events
        for event in more:
            apply(state, event)
        events.extend(more)


def copy_state(state: "Any") -> "Any":
    """An independent state of the same game; much faster than dumping and loading, and the board is shared."""
    return state.copy()


def ask(state: "Any", command: "Json") -> "Json":
    """The answer to a question (a command `ask`); changes nothing. RuleViolation."""
    found: "Json" = state.title.ask(state, command)
    return found


def chance(state: "Any", command: "Json | None" = None) -> "Json | None":
    """What chance must answer now, or for this command before it is complete; None if nothing.

    {"kind": "die", "die": "d6", "seat": 1, "field": "face"}, {"kind": "dice", "die", "count": 2, "seat", "field"} or
    {"kind": "card", "deck", "seat", "field"}; the answer (a face, a list of faces, a card) goes into `field` of the
    command.
    """
    found: "Json | None" = state.title.chance(state, command)
    return found


def cards_left(state: "Any", deck: str, ids: list[str]) -> list[str]:
    """Those of the ids of a shipped deck that may be drawn now, in the order given."""
    found: "list[str]" = state.title.cards_left(state, deck, ids)
    return found


def legal_commands(state: "Any", seat: int) -> "list[Json]":
    """Templates of what the seat may do now, with bounds; 0 is the operator."""
    found: "list[Json]" = state.title.legal_commands(state, seat)
    return found


def view_for(state: "Any", audience: "int | str") -> "Json":
    """The position as "spectator", "bank" or a seat number may see it, with `audience` and `prompts`."""
    found: "Json" = state.title.view_for(state, audience)
    return found


def event_for(state: "Any", event: "Json", audience: "int | str") -> "Any":
    """An event as an audience may see it, given the state before the event, None if it sees nothing; for logs."""
    return state.title.event_for(state, event, audience)


def check_invariants(state: "Any") -> list[str]:
    """[] if everything adds up, else sentences with the numbers of the rules that are broken."""
    found: "list[str]" = state.title.check_invariants(state)
    return found


def state_hash(state: "Any") -> str:
    """SHA-256 of the canonical position, in hexadecimal figures."""
    digest = hashlib.sha256(dumps(state.title.dump(state)).encode()).digest()
    return "".join(["%02x" % byte for byte in digest])


def _title_of(position: "Any") -> "Any":
    if not isinstance(position, dict):
        raise PositionError("malformed", "A position is an object.")
    name = position.get("game")
    if not isinstance(name, str):
        raise PositionError("malformed", "A position names its game in 'game'.", "game")
    return titles.title(name)
