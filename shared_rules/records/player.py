"""Plays records: step by step for who looks at them, all at once for who checks them.

What is played is played by the rules of the record's own revision.
"""

from shared_rules.engine import game, titles
from shared_rules.engine.errors import PositionError, RuleViolation
from shared_rules.records.record import NOTE, PLAY, UNDO, Record, RecordError
from shared_rules.records.words import same

MYPY = False
if MYPY:  # only type checkers come here
    from collections.abc import Iterator
    from typing import Any

    Json = dict[str, Any]


def beginning(record: Record) -> "Any":
    """The state that the record begins with. RecordError."""
    try:
        return game.load_position(record.start, record.revision)
    except PositionError as error:
        where = " (" + error.at + ")" if error.at else ""
        raise RecordError("The game cannot begin like this: " + error.message + where, 1)


class Step:
    """What one entry did: its number, kind and what it holds; the state after it (the player's own: copy it to keep
    it), the events of a play, and whether a later entry takes it back."""

    def __init__(self, number: int, kind: str, what: "Any", state: "Any", events: "list[Json]", undone: bool) -> None:
        self.number = number
        self.kind = kind
        self.what = what
        self.state = state
        self.events = events
        self.undone = undone


def steps(record: Record, on_before: "Any" = None) -> "Iterator[Step]":
    """The steps of a record, in order; RecordError names the line of the first entry that cannot be.

    `on_before(number, kind, what, state)` is called before each, with the state that it meets.
    """
    counting = set(record.counting())
    state = beginning(record)
    played: "list[Json]" = []
    for number, (kind, what) in enumerate(record.entries, 1):
        if on_before is not None:
            on_before(number, kind, what, state)
        events: "list[Json]" = []
        if kind == PLAY:
            events = _play(record, number, what, state)
            played.append(what)
        elif kind == UNDO:
            played.pop()
            state = beginning(record)
            for command in played:
                game.play(state, command)
        yield Step(number, kind, what, state, events, kind == PLAY and number not in counting)


def _play(record: Record, number: int, command: "Json", state: "Any") -> "list[Json]":
    where = record.line(number)
    if command["do"] == "ask":
        raise RecordError("A record holds no questions; remove this entry.", where)
    try:
        return game.play(state, command)
    except RuleViolation as no:
        raise RecordError("The rules refuse entry " + str(number) + " (" + no.code + "): " + no.message, where)


def play(record: Record) -> "Any":
    """The state at the end of a record. RecordError."""
    state = beginning(record)
    counting = record.counting()
    for number in counting:
        _play(record, number, record.entries[number - 1][1], state)
    return state


def verify(record: Record) -> "Any":
    """The state at the end of a record that holds throughout; RecordError names the first line that is wrong.

    The seats are compared, every entry is played, the invariants are checked after each, the end is compared.
    """
    state = beginning(record)
    _sound(record, state, 0)
    colours = [player["colour"] for player in game.dump_position(state)["players"]]
    if [seat["colour"] for seat in record.seats] != colours:
        raise RecordError("The seats are not those of the players that the game begins with.", 1)
    for step in steps(record):
        state = step.state
        if step.kind != NOTE:
            _sound(record, state, step.number)
    end = record.end_line
    if not same(game.dump_position(state)["result"], record.result):
        raise RecordError("The game comes to another result than the record says.", end)
    if game.state_hash(state) != record.hash:
        raise RecordError("The game comes to another position than the record's hash says.", end)
    return state


def _sound(record: Record, state: "Any", number: int) -> None:
    wrong = game.check_invariants(state)
    if wrong:
        raise RecordError("After this, something does not add up: " + wrong[0], record.line(number))


def recorded(name: str, start: "Json", commands: "list[Json]", revision: "int | None" = None) -> Record:
    """The record of a game: what began with `start` and was played by these commands. RecordError."""
    record = Record(name, titles.revision(name) if revision is None else revision, start)
    for command in commands:
        record.entries.append((PLAY, command))
    close(record)
    return record


def close(record: Record) -> None:
    """Put the seats and the end of the record in, from its beginning and its entries. RecordError."""
    state = play(record)
    position = game.dump_position(state)
    names = {}
    for given in record.seats:
        if "name" in given:
            names[given["seat"]] = given["name"]
    record.seats = []
    for seat, player in enumerate(game.dump_position(beginning(record))["players"], 1):
        row: "Json" = {"seat": seat, "colour": player["colour"]}
        if seat in names:
            row["name"] = names[seat]
        record.seats.append(row)
    record.result = position["result"]
    record.hash = game.state_hash(state)
