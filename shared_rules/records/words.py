"""One command as a few words and back, by the table of a title; without a table as `do key=value`.

A table is a list of (word, do, fields, fixed): `word` stands for the command `do` with the values of `fixed`, and the
values of `fields` follow it in order; all other fields follow as `key=value`, in order of their names. A field that is
missing before one that is there is `-`. A value is JSON, but that a text which reads as nothing else stands bare.
"""

from shared_rules.portable.json_text import NoJsonError, canonical, dumps, parse

MYPY = False
if MYPY:  # only type checkers come here
    from typing import Any

    Json = dict[str, Any]
    Row = tuple[str, str, tuple[str, ...], Json]

# Before a command's own name, where a word of the table has that name too.
LITERAL = "!"
MISSING = "-"
_LANGUAGE = ("true", "false", "null", MISSING)
_NOT_BARE = ' \t\r\n;{}[]"=@!,'


class WordsError(Exception):
    """Words that are no command; the message says why."""


class Words:
    """The words of one title's records. `table` as the module says."""

    def __init__(self, table: "Any" = ()) -> None:
        self.table: "list[Row]" = [(row[0], row[1], tuple(row[2]), dict(row[3])) for row in table]
        self._rows: "dict[str, Row]" = {}
        for row in self.table:
            self._rows[row[0]] = row

    def write(self, command: "Json") -> str:
        """The words of a command, its seat left out."""
        row = self._row_for(command)
        if row is None:
            do = command["do"]
            word = do if is_bare(do) and do not in self._rows else LITERAL + (do if is_bare(do) else dumps(do))
            fields: "tuple[str, ...]" = ()
            fixed: "Json" = {}
        else:
            word, _, fields, fixed = row
        out = [word]
        given = [field for field in fields if field in command]
        # Objects have braces, and so have remarks: an object is always written with its key.
        plain = [field for field in given if not isinstance(command[field], dict)]
        last = fields.index(plain[-1]) + 1 if plain else 0
        placed = fields[:last]
        for field in placed:
            out.append(_value(command[field]) if field in plain else MISSING)
        for key in sorted(command):
            if key in ("do", "seat") or (key in placed and key in plain) or key in fixed:
                continue
            out.append((key if is_bare(key) else dumps(key)) + "=" + _value(command[key]))
        return " ".join(out)

    def _row_for(self, command: "Json") -> "Row | None":
        for row in self.table:
            if row[1] == command["do"] and all([same(command.get(key), row[3][key]) for key in row[3]]):
                return row
        return None

    def read(self, words: str, seat: int) -> "Json":
        """The command of some words; WordsError."""
        parts = split(words)
        if not parts:
            raise WordsError("a command is missing")
        first = parts[0]
        command: "Json" = {}
        fields: "tuple[str, ...]" = ()
        if first.startswith(LITERAL):
            command["do"] = _text(first[1:])
        elif first in self._rows:
            _, command["do"], fields, fixed = self._rows[first]
            for key in fixed:
                command[key] = fixed[key]
        elif is_bare(first):
            command["do"] = first
        else:
            raise WordsError("'" + first + "' is no word for a command")
        command["seat"] = seat
        for index, part in enumerate(parts[1:]):
            cut = _equals(part)
            if cut < 0:
                if index >= len(fields):
                    raise WordsError("'" + first + "' takes no more than " + str(len(fields)) + " values here")
                if part != MISSING:
                    self._put(command, fields[index], _read(part))
            else:
                fields = ()
                self._put(command, _text(part[:cut]), _read(part[cut + 1 :]))
        return command

    def _put(self, command: "Json", key: str, value: "Any") -> None:
        if key in command:
            raise WordsError("'" + key + "' stands twice")
        command[key] = value


def same(one: "Any", other: "Any") -> bool:
    """Whether two JSON values are the same to the letter: 1 is neither 1.0 nor true."""
    return dumps(canonical(one)) == dumps(canonical(other))


def is_bare(text: str) -> bool:
    """Whether a text can stand without quotes and is still read as that text."""
    if text == "" or text in _LANGUAGE:
        return False
    for c in text:
        if c in _NOT_BARE or ord(c) < 33 or ord(c) == 127 or ord(c) >= 128:
            return False
    return not ("0" <= text[0] <= "9" or text[0] in "-.")


def split(words: str) -> list[str]:
    """The parts of some words, apart at blanks that stand in no quotes and no brackets. WordsError."""
    out: list[str] = []
    at = 0
    while at < len(words):
        if words[at] in " \t":
            at += 1
            continue
        end = part_end(words, at, " \t")
        out.append(words[at:end])
        at = end
    return out


def part_end(text: str, at: int, stops: str) -> int:
    """Where the part that begins at `at` ends: at one of the stops outside quotes and brackets, or with the text."""
    depth = 0
    while at < len(text):
        c = text[at]
        if c == '"':
            at += 1
            while at < len(text) and text[at] != '"':
                at += 2 if text[at] == "\\" else 1
            if at >= len(text):
                raise WordsError("a quotation mark is missing")
        elif c in "[{":
            depth += 1
        elif c in "]}":
            depth -= 1
            if depth < 0:
                raise WordsError("a bracket closes that was not opened")
        elif depth == 0 and c in stops:
            return at
        at += 1
    if depth:
        raise WordsError("a bracket is not closed")
    return at


def _equals(part: str) -> int:
    if part[0] in "[{":
        return -1
    try:
        at = part_end(part, 0, "=")
    except WordsError:
        return -1
    return at if at < len(part) else -1


def _value(value: "Any") -> str:
    if isinstance(value, str) and is_bare(value):
        return value
    return dumps(canonical(value), ",", ":")


def _read(text: str) -> "Any":
    if is_bare(text):
        return text
    try:
        return parse(text.encode())
    except NoJsonError:
        raise WordsError("'" + text[:40] + "' is no value; a text with blanks or marks stands in quotes")


def _text(text: str) -> str:
    value = _read(text)
    if not isinstance(value, str):
        raise WordsError("'" + text[:40] + "' is no name")
    return value
