"""Reads a JSON file that somebody writes by hand, so that every fault names its line and field; for titles' readers.

What `json` alone would let pass, a key that stands twice in one object (it would silently keep the last), is a fault
here, as an entry of a board or a deck would be lost.
"""

import json

from shared_rules.engine.errors import PositionError

MYPY = False
if MYPY:  # only type checkers come here
    from typing import Any


def read_with(text: str, parse: "Any", code: str) -> "Any":
    """What `parse(object)` makes of a text; PositionError whose message is `line N, field: what is wrong`.

    A path that `parse` names may begin with `board`; `code` is the code for a key that stands twice.
    """
    obj = read_json(text)
    lines = FieldLines(text)
    if lines.twice:
        at = lines.twice[0]
        key = at.rsplit(".", 1)[-1]
        raise PositionError(
            code, lines.before(at) + "'" + key + "' stands twice in one object; rename or remove one.", at
        )
    try:
        return parse(obj)
    except PositionError as fault:
        at = fault.at
        if at == "board" or at.startswith("board."):
            at = at[6:]
        raise PositionError(fault.code, lines.before(at) + fault.message, at)


def read_json(text: str) -> object:
    """What a JSON text holds; PositionError `malformed` with line and column."""
    try:
        return json.loads(text)
    except ValueError as fault:
        # CPython knows where; MicroPython's json does not.
        line = getattr(fault, "lineno", None)
        where = "" if line is None else "line " + str(line) + ", column " + str(getattr(fault, "colno", 1)) + ": "
        what = getattr(fault, "msg", "syntax error")
        raise PositionError("malformed", where + "this is no JSON (" + what + "); correct it there.", "")
    except RuntimeError:
        raise PositionError("malformed", "line 1: the brackets are nested too deeply.", "")


class FieldLines:
    """Where the fields of a valid JSON text stand.

    `lines` gives the line (from 1) by path (`roads[2].via[1]`), `twice` the paths of keys that were there already.
    """

    def __init__(self, text: str) -> None:
        self.lines: dict[str, int] = {}
        self.twice: list[str] = []
        self._text = text
        self._at = 0
        self._line = 1
        self._scan()

    def before(self, path: str) -> str:
        """The beginning of a message about the field: its line and path, or the nearest field's around it."""
        known = path
        while known and known not in self.lines:
            cut = max(known.rfind("."), known.rfind("["))
            known = known[:cut] if cut > 0 else ""
        line = self.lines.get(known, 1)
        return "line " + str(line) + (", " + path if path else "") + ": "

    def _scan(self) -> None:
        # One entry an open bracket: its path, the index of the next item or -1 in an object, the keys so far.
        stack: list[tuple[str, int, set[str]]] = []
        path = ""
        while True:
            self._space()
            if self._at >= len(self._text):
                return
            char = self._text[self._at]
            if char in "]}":
                self._at += 1
                stack.pop()
                continue
            if char == ",":
                self._at += 1
                continue
            if stack:
                above, index, keys = stack[-1]
                if index < 0:
                    key = self._string()
                    path = above + "." + key if above else key
                    if key in keys:
                        self.twice.append(path)
                    keys.add(key)
                    self.lines[path] = self._line
                    self._space()
                    self._at += 1  # the colon
                    self._space()
                else:
                    path = above + "[" + str(index) + "]"
                    stack[-1] = (above, index + 1, keys)
                    self.lines[path] = self._line
            else:
                self.lines[""] = self._line
            self._value(path, stack)

    def _value(self, path: str, stack: list[tuple[str, int, set[str]]]) -> None:
        char = self._text[self._at]
        if char in "[{":
            self._at += 1
            stack.append((path, 0 if char == "[" else -1, set()))
        elif char == '"':
            self._string()
        else:
            while self._at < len(self._text) and self._text[self._at] not in " \t\r\n,]}":
                self._at += 1

    def _space(self) -> None:
        while self._at < len(self._text) and self._text[self._at] in " \t\r\n":
            if self._text[self._at] == "\n":
                self._line += 1
            self._at += 1

    def _string(self) -> str:
        start = self._at
        self._at += 1
        while self._text[self._at] != '"':
            self._at += 2 if self._text[self._at] == "\\" else 1
        self._at += 1
        return str(json.loads(self._text[start : self._at]))
