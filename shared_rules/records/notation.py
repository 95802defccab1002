"""A record as a text that people read and write, in the spirit of chess's PGN. What is printed reads back as it was.

Tags in square brackets, one a line; a blank line; then the turns, each on a line that begins with its number and whose
turn it is, `12. 3: draw red R07; d6 4; to h6 {A remark.}`: commands apart at semicolons, `@2` before those of
another seat, remarks in braces; a line that begins with a blank goes on with the turn. The last line is `=` with the
seats that have won, or `*` if the game is not over. Numbers of turns are for the eye; what counts is the order.
"""

from shared_rules.engine import game, titles
from shared_rules.engine.reading import is_whole
from shared_rules.portable.json_text import NoJsonError, canonical, dumps, parse
from shared_rules.records import player
from shared_rules.records.jsonl import check_entry, check_seat
from shared_rules.records.record import NOTE, PLAY, RECORD_VERSION, UNDO, Record, RecordError, check_tag
from shared_rules.records.words import Words, WordsError, part_end, same, split

MYPY = False
if MYPY:  # only type checkers come here
    from typing import Any

    Json = dict[str, Any]

WIDTH = 100
# The word that takes an entry back: `undo! 7`. No command can have it, for no word has that mark in it.
TAKE_BACK = "undo!"

_ESCAPES = (("\\", "\\\\"), ("}", "\\]"), ("\n", "\\n"), ("\r", "\\r"))


def words_of(name: str) -> Words:
    """The words of a title's records."""
    module = titles.notation(name)
    return Words(() if module is None else module.WORDS)


def turns_of(record: Record) -> "list[tuple[int, int]]":
    """(number, seat) of the turn that each entry belongs to, by playing the record. RecordError."""
    out: "list[tuple[int, int]]" = []
    last: "list[Any]" = []

    def before(number: int, kind: str, what: "Any", state: "Any") -> None:
        position = game.dump_position(state)
        now = [position["turn"], game_round(state)]
        if not out:
            out.append((1, now[0]))
        elif now != last:
            out.append((out[-1][0] + 1, now[0]))
        else:
            out.append(out[-1])
        last[:] = now

    for _ in player.steps(record, before):
        pass
    return out


def game_round(state: "Any") -> int:
    """The round of a state, as its title counts them."""
    number: int = state.title.round_number(state)
    return number


def write(record: Record, turns: "list[tuple[int, int]] | None" = None) -> str:
    """The text of a record. `turns` as from `turns_of`, which is asked if it is left out. RecordError."""
    if turns is None:
        turns = turns_of(record)
    lines = ["[" + name + " " + text + "]" for name, text in _tags(record)]
    lines.append("")
    words = words_of(record.game)
    at = 0
    while at < len(record.entries):
        number, seat = turns[at]
        items = []
        while at < len(record.entries) and turns[at] == (number, seat):
            kind, what = record.entries[at]
            items.append((kind, _item(kind, what, seat, words)))
            at += 1
        lines.extend(_wrapped(str(number) + ". " + str(seat) + ":", items))
    if record.entries:
        lines.append("")
    lines.append(_ending(record.result))
    return "\n".join(lines) + "\n"


def _tags(record: Record) -> "list[tuple[str, str]]":
    start = record.start
    out = [("Record", str(RECORD_VERSION)), ("Game", dumps(record.game)), ("Rules", str(record.revision))]
    for tag in sorted(record.tags):
        out.append((tag[0].upper() + tag[1:], dumps(record.tags[tag])))
    rest = {}
    for key in start:
        if key not in ("game", "board", "options", "players"):
            rest[key] = start[key]
    for key in ("board", "options"):
        if key in start:
            out.append((key[0].upper() + key[1:], _compact(start[key])))
    players = start.get("players")
    if isinstance(players, list) and players:
        for number, entry in enumerate(players, 1):
            out.append(("Player" + str(number), _compact(entry)))
    elif "players" in start:
        rest["players"] = players
    if rest:
        out.append(("Start", _compact(rest)))
    for seat in record.seats:
        name = " " + dumps(seat["name"]) if "name" in seat else ""
        out.append(("Seat" + str(seat["seat"]), dumps(seat["colour"]) + name))
    out.append(("Result", _compact(record.result)))
    out.append(("Hash", dumps(record.hash)))
    return out


def _compact(value: "Any") -> str:
    return dumps(canonical(value), ",", ":")


def _item(kind: str, what: "Any", turn: int, words: Words) -> str:
    if kind == NOTE:
        text: str = what
        for plain, escaped in _ESCAPES:
            text = text.replace(plain, escaped)
        return "{" + text + "}"
    if kind == UNDO:
        return TAKE_BACK + " " + str(what)
    seat = what["seat"]
    return ("" if seat == turn else "@" + str(seat) + " ") + words.write(what)


def _wrapped(head: str, items: "list[tuple[str, str]]") -> list[str]:
    lines = []
    line = head
    fresh = True
    for index, (kind, item) in enumerate(items):
        follows = index + 1 < len(items) and kind != NOTE and items[index + 1][0] != NOTE
        more = " " + item + (";" if follows else "")
        if not fresh and len(line) + len(more) > WIDTH:
            lines.append(line)
            line = "   "
        line += more
        fresh = False
    lines.append(line)
    return lines


def _ending(result: "Json | None") -> str:
    if result is None:
        return "*"
    winners = result.get("winners", [])
    return ("= " + ", ".join([str(seat) for seat in winners])).rstrip()


def read(text: str) -> Record:
    """The record of a text; RecordError names the first line that is wrong."""
    lines = [line.rstrip("\r") for line in text.split("\n")]
    reader = _Reader()
    for number, line in enumerate(lines, 1):
        try:
            reader.take(line, number)
        except WordsError as error:
            raise RecordError("This cannot be read: " + str(error) + ".", number)
    return reader.record_of(len(lines))


class _Reader:
    """Takes the lines of a text."""

    def __init__(self) -> None:
        self.tags: "dict[str, tuple[list[Any], int]]" = {}
        self.record: "Record | None" = None
        self.words = Words()
        self.turn = -1
        self.ended = False

    def take(self, line: str, number: int) -> None:
        """The next line."""
        plain = line.strip()
        if plain == "":
            return
        if self.ended:
            raise RecordError("Nothing may follow the end of the record; remove this line.", number)
        if line[0] == "[":
            if self.record is not None:
                raise RecordError("Tags come before the turns.", number)
            self._tag(plain, number)
            return
        if self.record is None:
            self.record = self._head(number)
            self.words = words_of(self.record.game)
        if line[0] == "*" or line[0] == "=":
            if plain != _ending(self.record.result):
                raise RecordError(
                    "The last line does not fit the tag 'Result'; it should be '" + _ending(self.record.result) + "'.",
                    number,
                )
            self.ended = True
            self.record.end_line = number
            return
        if line[0] not in " \t":
            plain = self._turn(plain, number)
        elif self.turn < 0:
            raise RecordError("A turn begins with its number and its seat, such as '1. 1:'.", number)
        self._items(plain, number)

    def record_of(self, number: int) -> Record:
        """The record, when all lines are taken."""
        if not self.tags:
            raise RecordError('There is nothing here; a record begins with tags such as [Game "…"].', 1)
        if self.record is None or not self.ended:
            raise RecordError("The record has no end: its last line is '=' with who has won, or '*'.", number)
        return self.record

    def _tag(self, plain: str, number: int) -> None:
        if plain[-1] != "]":
            raise RecordError("A tag ends with a square bracket.", number)
        parts = split(plain[1:-1])
        if not parts:
            raise RecordError("A tag has a name and a value.", number)
        name = parts[0]
        values = []
        for part in parts[1:]:
            try:
                values.append(parse(part.encode()))
            except NoJsonError:
                raise RecordError("The value of the tag '" + name + "' is no JSON; texts stand in quotes.", number)
        if len(values) != 1 and not (len(values) == 2 and name.startswith("Seat")):
            raise RecordError("A tag has a name and one value.", number)
        if name in self.tags:
            raise RecordError("The tag '" + name + "' stands twice.", number)
        self.tags[name] = (values, number)

    def _turn(self, plain: str, number: int) -> str:
        dot = plain.find(".")
        colon = plain.find(":", dot)
        seat = plain[dot + 1 : colon].strip()
        if dot < 1 or colon < 0 or not _figures(plain[:dot]) or not _figures(seat):
            raise RecordError("A turn begins with its number and its seat, such as '1. 1:'.", number)
        self.turn = int(seat)
        return plain[colon + 1 :]

    def _items(self, text: str, number: int) -> None:
        at = 0
        while at < len(text):
            c = text[at]
            if c in " \t;":
                at += 1
            elif c == "{":
                end = text.find("}", at)
                if end < 0:
                    raise RecordError("A remark ends with a brace on the same line.", number)
                self._add(NOTE, _unescaped(text[at + 1 : end], number), number)
                at = end + 1
            else:
                end = _item_end(text, at)
                self._command(text[at:end].strip(), number)
                at = end

    def _command(self, text: str, number: int) -> None:
        seat = self.turn
        if text[0] == "@":
            blank = text.find(" ")
            if blank < 0 or not _figures(text[1:blank]):
                raise RecordError("After '@' comes the number of a seat, then its command.", number)
            seat = int(text[1:blank])
            text = text[blank:].strip()
        if text == TAKE_BACK or text.startswith(TAKE_BACK + " "):
            what = text[len(TAKE_BACK) :].strip()
            if not _figures(what):
                raise RecordError("'" + TAKE_BACK + "' names the entry that is taken back by its number.", number)
            self._add(UNDO, int(what), number)
        else:
            self._add(PLAY, self.words.read(text, seat), number)

    def _add(self, kind: str, what: "Any", number: int) -> None:
        assert self.record is not None
        check_entry(kind, what, number)
        self.record.entries.append((kind, what))
        self.record.lines.append(number)

    def _head(self, number: int) -> Record:
        version, at = self._value("Record", number)
        if not same(version, RECORD_VERSION):
            raise RecordError(
                "This is a record of version " + dumps(version) + ", and this program reads version "
                + str(RECORD_VERSION) + ".", at,
            )  # fmt: skip
        name, at = self._value("Game", number)
        if not isinstance(name, str):
            raise RecordError("The tag 'Game' names the game in a text.", at)
        revision, at = self._value("Rules", number)
        if not is_whole(revision) or revision < 1:
            raise RecordError("The tag 'Rules' is the revision of the rules, a whole number from 1.", at)
        start: "Json" = {}
        if "Start" in self.tags:
            start, at = self._value("Start", number)
            if not isinstance(start, dict):
                raise RecordError("The tag 'Start' is an object.", at)
        start["game"] = name
        for key in ("Board", "Options"):
            if key in self.tags:
                start[key.lower()] = self._value(key, number)[0]
        players = self._counted("Player")
        if players:
            start["players"] = [values[0] for values, at in players]
        record = Record(name, revision, start)
        for index, (values, at) in enumerate(self._counted("Seat"), 1):
            seat = {"seat": index, "colour": values[0]}
            if len(values) == 2:
                seat["name"] = values[1]
            check_seat(seat, index, at)
            record.seats.append(seat)
        record.result, at = self._value("Result", number)
        if record.result is not None and not isinstance(record.result, dict):
            raise RecordError("The tag 'Result' is the position's result, or null.", at)
        record.hash, at = self._value("Hash", number)
        if not isinstance(record.hash, str):
            raise RecordError("The tag 'Hash' is the hash of the last state, a text.", at)
        for tag in sorted(self.tags):
            values, at = self.tags.pop(tag)
            name = tag[0].lower() + tag[1:]
            if tag[0] == name[0]:
                raise RecordError("The name of a tag begins with a capital; this is '" + tag + "'.", at)
            check_tag(name, values[0], at)
            record.tags[name] = values[0]
        self.tags["Record"] = ([RECORD_VERSION], 1)
        return record

    def _value(self, name: str, number: int) -> "tuple[Any, int]":
        if name not in self.tags:
            raise RecordError("The tag '" + name + "' is missing.", number)
        values, at = self.tags.pop(name)
        return values[0], at

    def _counted(self, name: str) -> "list[tuple[list[Any], int]]":
        out: "list[tuple[list[Any], int]]" = []
        while name + str(len(out) + 1) in self.tags:
            out.append(self.tags.pop(name + str(len(out) + 1)))
        return out


def _item_end(text: str, at: int) -> int:
    """Where a command ends: at a semicolon, before a remark, or with the line."""
    begun = at
    while at < len(text):
        at = part_end(text, at, " \t;")
        if at >= len(text) or text[at] == ";":
            return at
        while at < len(text) and text[at] in " \t":
            at += 1
        if at < len(text) and text[at] == "{" and at > begun:
            return at
    return at


def _unescaped(text: str, number: int) -> str:
    out: list[str] = []
    at = 0
    while at < len(text):
        if text[at] == "\\":
            found = [plain for plain, escaped in _ESCAPES if text[at : at + 2] == escaped]
            if not found:
                raise RecordError("A remark has no '" + text[at : at + 2] + "'; a backslash is written twice.", number)
            out.append(found[0])
            at += 2
        else:
            out.append(text[at])
            at += 1
    return "".join(out)


def _figures(text: str) -> bool:
    return text != "" and len(text) <= 9 and all(["0" <= c <= "9" for c in text])
