"""A record as lines of canonical JSON, each with a hash over itself and the line before; for files and programs.

The first line is the record's head, each other line one entry, the last the end (docs/records.md). The same record
gives the same bytes on both Pythons.
"""

import hashlib

from shared_rules.engine.reading import is_whole
from shared_rules.portable.json_text import NoJsonError, canonical, dumps, parse
from shared_rules.portable.ordered import ordered
from shared_rules.records.record import KINDS, NOTE, RECORD_VERSION, UNDO, Record, RecordError, check_tag

MYPY = False
if MYPY:  # only type checkers come here
    from typing import Any

    Json = dict[str, Any]

CHAIN = "chain"
# Figures of the chain's hashes: enough against a slip, and short to read.
CHAIN_FIGURES = 16

_HEAD = ("record", "game", "rules_revision", "tags", "seats", "start")
_FIRST = ("do", "seat")


def write(record: Record) -> str:
    """The text of a record, each line with its line feed."""
    seats = [canonical(seat, ("seat",)) for seat in record.seats]
    start = canonical(record.start, ("game", "board", "options", "players"))
    head = ordered(
        (
            ("record", RECORD_VERSION),
            ("game", record.game),
            ("rules_revision", record.revision),
            ("tags", canonical(record.tags)),
            ("seats", seats),
            ("start", start),
        )
    )
    lines = [head]
    for number, (kind, what) in enumerate(record.entries, 1):
        lines.append(ordered((("n", number), (kind, canonical(what, _FIRST)))))
    end = (("entries", len(record.entries)), ("result", canonical(record.result)), ("hash", record.hash))
    lines.append(ordered(end))
    chain = Chain()
    return "".join([chain.line(line) for line in lines])


class Chain:
    """Puts lines into their canonical text with the hash that hangs on the line before."""

    def __init__(self) -> None:
        self._last = ""

    def line(self, value: "Json") -> str:
        """The text of the next line, with its line feed."""
        text = dumps(value, ",", ":")
        self._last = _digest(self._last + text)
        return text[:-1] + ',"' + CHAIN + '":"' + self._last + '"}\n'

    def holds(self, value: "Json") -> bool:
        """Whether the line that was read, with its hash taken out here, follows the one before."""
        given = value.pop(CHAIN)
        self._last = _digest(self._last + dumps(value, ",", ":"))
        return bool(given == self._last)


def read(text: str) -> Record:
    """The record of a text; RecordError names the first line that is wrong."""
    lines = text.split("\n")
    if lines and lines[-1] == "":
        lines.pop()
    if not lines:
        raise RecordError('There is nothing here; a record begins with a line {"record": 1, …}.', 1)
    chain = Chain()
    record = _head(_object(lines[0], 1, chain, _head_order))
    ended = False
    for at in range(1, len(lines)):
        number = at + 1
        if ended:
            raise RecordError("Nothing may follow the end of the record; remove this line.", number)
        line = _object(lines[at], number, chain, _entry_order)
        if "entries" in line:
            _end(record, line, number)
            ended = True
        else:
            _entry(record, line, number)
    if not ended:
        raise RecordError("The record has no end: its last line is missing.", len(lines))
    return record


def _digest(text: str) -> str:
    digest = hashlib.sha256(text.encode()).digest()
    return "".join(["%02x" % byte for byte in digest])[:CHAIN_FIGURES]


def line_object(text: str, number: int) -> "Json":
    """The object of one line; RecordError."""
    try:
        value = parse(text.encode())
    except NoJsonError as error:
        raise RecordError(str(error) + " A record has one JSON object a line.", number)
    if not isinstance(value, dict):
        raise RecordError("A record has one JSON object a line, from { to }.", number)
    return value


def _object(text: str, number: int, chain: Chain, order: "Any") -> "Json":
    value = line_object(text, number)
    if number == 1 and "golden" in value:
        raise RecordError("This is a golden game, a test's, and no record; tests/shared_rules plays it.", number)
    if not isinstance(value.get(CHAIN), str):
        raise RecordError("The line has no text in '" + CHAIN + "'; it is not whole.", number)
    in_order: "Json" = order(value)
    if not chain.holds(in_order):
        raise RecordError(
            "The line was changed, or one before it is missing: its '" + CHAIN + "' does not fit.", number
        )
    return in_order


def _head_order(value: "Json") -> "Json":
    out: "Json" = canonical(value, _HEAD, (CHAIN,))
    if isinstance(value.get("start"), dict):
        out["start"] = canonical(value["start"], ("game", "board", "options", "players"))
    if isinstance(value.get("seats"), list):
        out["seats"] = [canonical(seat, ("seat",)) for seat in value["seats"]]
    return out


def _entry_order(value: "Json") -> "Json":
    first = ("entries", "result", "hash") if "entries" in value else ("n",)
    out: "Json" = canonical(value, first, (CHAIN,))
    for kind in KINDS:
        if kind in value:
            out[kind] = canonical(value[kind], _FIRST)
    return out


def _only(value: "Json", keys: "tuple[str, ...]", number: int) -> None:
    for key in sorted(value):
        if key not in keys:
            raise RecordError("There is no key '" + key + "' in such a line; remove it.", number)
    for key in keys:
        if key not in value:
            raise RecordError("The key '" + key + "' is missing.", number)


def _head(value: "Json") -> Record:
    if "record" not in value:
        raise RecordError("This is no record: its first line has no 'record'.", 1)
    version = value["record"]
    if not is_whole(version) or version != RECORD_VERSION:
        raise RecordError(
            "This is a record of version " + dumps(version) + ", and this program reads version "
            + str(RECORD_VERSION) + ".", 1,
        )  # fmt: skip
    _only(value, _HEAD, 1)
    name, revision, start = value["game"], value["rules_revision"], value["start"]
    tags, seats = value["tags"], value["seats"]
    if not isinstance(name, str):
        raise RecordError("'game' names the game in a text.", 1)
    if not is_whole(revision) or revision < 1:
        raise RecordError("'rules_revision' is a whole number from 1.", 1)
    if not isinstance(start, dict) or start.get("game") != name:
        raise RecordError("'start' is a position of the game '" + name + "'.", 1)
    if not isinstance(tags, dict):
        raise RecordError("'tags' is an object of texts.", 1)
    if not isinstance(seats, list):
        raise RecordError("'seats' is a list of objects.", 1)
    record = Record(name, revision, start)
    for tag in sorted(tags):
        check_tag(tag, tags[tag], 1)
        record.tags[tag] = tags[tag]
    for index, seat in enumerate(seats, 1):
        check_seat(seat, index, 1)
        record.seats.append(seat)
    return record


def check_seat(seat: "Any", number: int, line: int) -> None:
    """RecordError if this is not the seat of this number: its number, its colour, perhaps a name."""
    good = isinstance(seat, dict) and is_whole(seat.get("seat")) and seat["seat"] == number
    good = good and isinstance(seat.get("colour"), str)
    if good:
        for key in seat:
            if key not in ("seat", "colour", "name"):
                good = False
    if not good or not isinstance(seat.get("name", ""), str):
        raise RecordError("Seats are listed in order, each with its number, its colour, perhaps a name.", line)


def _entry(record: Record, value: "Json", number: int) -> None:
    kinds = [kind for kind in KINDS if kind in value]
    if len(kinds) != 1:
        raise RecordError("An entry holds one of: " + ", ".join(KINDS) + ".", number)
    kind = kinds[0]
    _only(value, ("n", kind), number)
    expected = len(record.entries) + 1
    if not is_whole(value["n"]) or value["n"] != expected:
        raise RecordError("Entries are numbered one by one; this is number " + str(expected) + ".", number)
    what = value[kind]
    check_entry(kind, what, number)
    record.entries.append((kind, what))
    record.lines.append(number)


def check_entry(kind: str, what: "Any", line: int) -> None:
    """RecordError if an entry of this kind cannot hold this."""
    if kind == NOTE:
        if not isinstance(what, str):
            raise RecordError("A note is a text.", line)
    elif kind == UNDO:
        if not is_whole(what) or what < 1:
            raise RecordError("'undo' names the entry that is taken back by its number.", line)
    else:
        if not isinstance(what, dict) or not isinstance(what.get("do"), str) or not is_whole(what.get("seat")):
            raise RecordError("'play' holds a command with 'do' and 'seat'.", line)


def _end(record: Record, value: "Json", number: int) -> None:
    _only(value, ("entries", "result", "hash"), number)
    if value["entries"] != len(record.entries):
        raise RecordError(
            "There should be " + dumps(value["entries"]) + " entries before this line; there are "
            + str(len(record.entries)) + ".", number,
        )  # fmt: skip
    if value["result"] is not None and not isinstance(value["result"], dict):
        raise RecordError("'result' is the position's result, or null.", number)
    if not isinstance(value["hash"], str):
        raise RecordError("'hash' is the hash of the last state, a text.", number)
    record.result = value["result"]
    record.hash = value["hash"]
    record.end_line = number
