"""JSON to the letter on both Pythons: the same texts are taken, the same bytes are written.

MicroPython's own reader takes much that is no JSON (missing commas, bad escapes), CPython's takes NaN and half
surrogate pairs, and they escape differently; so the replay program reads and writes with this module on both.

Reading takes bytes, for MicroPython finds the nth character of a text only by counting, and gives dict, list, str, int,
float, True, False, None. A number without fraction and exponent is an int; with one
it is a float, even if it is whole. At most DEEPEST levels and DIGITS digits, so that no input can exhaust the stack or
the patience of the reader.
"""

from shared_rules.portable import decimals, utf8
from shared_rules.portable.ordered import Ordered

MYPY = False
if MYPY:  # only type checkers come here
    from collections.abc import Sequence
    from typing import Any

DEEPEST = 60
DIGITS = 400

_ESCAPES = {34: '"', 92: "\\", 47: "/", 98: "\b", 102: "\f", 110: "\n", 114: "\r", 116: "\t"}
_WRITTEN = {'"': '\\"', "\\": "\\\\", "\b": "\\b", "\f": "\\f", "\n": "\\n", "\r": "\\r", "\t": "\\t"}
_WORDS = ((b"true", True), (b"false", False), (b"null", None))

# Short texts of the line that is being read: each is kept once, for a game repeats its words thousands of times.
_SHORT = 16
_seen: dict[str, str] = {}


class NoJsonError(Exception):
    """The text is no JSON; the message says what is wrong and at which byte, counted from 1."""


def parse(data: bytes) -> "Any":
    """The value of a JSON text in UTF-8, or NoJsonError."""
    _seen.clear()
    value, at = _value(data, _skip(data, 0), 0)
    at = _skip(data, at)
    if at < len(data):
        raise _wrong(data, at, "the line goes on after its value")
    return value


def dumps(value: "Any", apart: str = ", ", after_key: str = ": ") -> str:
    """The JSON text of a value: text outside ASCII as it is, an object's keys in their order.

    A dict that is not made with `ordered` has no order on MicroPython; `canonical` puts such keys into theirs.
    """
    out: list[str] = []
    _write(value, out, apart, after_key)
    return "".join(out)


def canonical(value: "Any", first: "Sequence[str]" = (), last: "Sequence[str]" = ()) -> "Any":
    """The value with all objects' keys in character-code order, but for the outermost's `first` and `last`."""
    if isinstance(value, dict):
        out = Ordered()
        for key in first:
            if key in value:
                out[key] = canonical(value[key])
        for key in sorted(value):
            if key not in first and key not in last:
                out[key] = canonical(value[key])
        for key in last:
            if key in value:
                out[key] = canonical(value[key])
        return out
    if isinstance(value, (list, tuple)):
        return [canonical(entry) for entry in value]
    return value


def _wrong(data: bytes, at: int, what: str) -> NoJsonError:
    if at >= len(data):
        what = "the line ends too early"
    return NoJsonError("No JSON at byte " + str(at + 1) + ": " + what + ".")


def _skip(data: bytes, at: int) -> int:
    # Blank, tab, line feed, carriage return.
    while at < len(data) and data[at] in (32, 9, 10, 13):
        at += 1
    return at


def _value(data: bytes, at: int, depth: int) -> "tuple[Any, int]":
    if at >= len(data):
        raise _wrong(data, at, "")
    c = data[at]
    if c == 34:
        return _string(data, at + 1)
    if c == 123 or c == 91:
        if depth >= DEEPEST:
            raise _wrong(data, at, "more than " + str(DEEPEST) + " levels")
        return _object(data, at + 1, depth + 1) if c == 123 else _array(data, at + 1, depth + 1)
    if c == 45 or 48 <= c <= 57:
        return _number(data, at)
    for word, value in _WORDS:
        if data[at : at + len(word)] == word:
            return value, at + len(word)
    raise _wrong(data, at, "a value is needed")


def _object(data: bytes, at: int, depth: int) -> "tuple[dict[str, Any], int]":
    out: "dict[str, Any]" = {}
    at = _skip(data, at)
    if at < len(data) and data[at] == 125:
        return out, at + 1
    while True:
        at = _skip(data, at)
        if at >= len(data) or data[at] != 34:
            raise _wrong(data, at, "a key in quotes is needed")
        key, at = _string(data, at + 1)
        at = _skip(data, at)
        if at >= len(data) or data[at] != 58:
            raise _wrong(data, at, "a colon is needed")
        out[key], at = _value(data, _skip(data, at + 1), depth)
        at = _skip(data, at)
        if at < len(data) and data[at] == 125:
            return out, at + 1
        if at >= len(data) or data[at] != 44:
            raise _wrong(data, at, "a comma or } is needed")
        at += 1


def _array(data: bytes, at: int, depth: int) -> "tuple[list[Any], int]":
    out: "list[Any]" = []
    at = _skip(data, at)
    if at < len(data) and data[at] == 93:
        return out, at + 1
    while True:
        value, at = _value(data, _skip(data, at), depth)
        out.append(value)
        at = _skip(data, at)
        if at < len(data) and data[at] == 93:
            return out, at + 1
        if at >= len(data) or data[at] != 44:
            raise _wrong(data, at, "a comma or ] is needed")
        at += 1


def _string(data: bytes, at: int) -> "tuple[str, int]":
    parts: list[str] = []
    while True:
        start = at
        while at < len(data) and data[at] != 34 and data[at] != 92:
            if data[at] < 32:
                raise _wrong(data, at, "a control character in a text; write it as an escape")
            at += 1
        if at >= len(data):
            raise _wrong(data, at, "")
        try:
            part = utf8.decode(data[start:at])
        except ValueError:
            raise _wrong(data, start, "a text that is no UTF-8")
        if data[at] == 34:
            if not parts:
                return (part if len(part) > _SHORT else _seen.setdefault(part, part)), at + 1
            parts.append(part)
            return "".join(parts), at + 1
        parts.append(part)
        text, at = _escape(data, at + 1)
        parts.append(text)


def _escape(data: bytes, at: int) -> "tuple[str, int]":
    if at >= len(data):
        raise _wrong(data, at, "")
    c = data[at]
    if c in _ESCAPES:
        return _ESCAPES[c], at + 1
    if c != 117:
        raise _wrong(data, at, "an unknown escape")
    code = _hex4(data, at + 1)
    at += 5
    if 0xD800 <= code < 0xDC00 and data[at : at + 2] == b"\\u":
        low = _hex4(data, at + 2)
        if not 0xDC00 <= low < 0xE000:
            raise _wrong(data, at, "half a surrogate pair")
        return chr(0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00)), at + 6
    if 0xD800 <= code < 0xE000:
        raise _wrong(data, at - 5, "half a surrogate pair")
    return chr(code), at


def _hex4(data: bytes, at: int) -> int:
    code = 0
    for i in range(at, at + 4):
        if i >= len(data):
            raise _wrong(data, i, "")
        c = data[i]
        if 48 <= c <= 57:
            code = code * 16 + c - 48
        elif 65 <= c <= 70 or 97 <= c <= 102:
            code = code * 16 + (c & 7) + 9
        else:
            raise _wrong(data, i, "four hexadecimal figures are needed")
    return code


def _number(data: bytes, at: int) -> "tuple[int | float, int]":
    start = at
    if data[at] == 45:
        at += 1
    first = at
    at = _digits(data, at)
    if data[first] == 48 and at > first + 1:
        raise _wrong(data, first, "a number begins with no 0")
    whole = True
    if at < len(data) and data[at] == 46:
        whole = False
        at = _digits(data, at + 1)
    if at < len(data) and data[at] in (69, 101):
        whole = False
        at += 1
        if at < len(data) and data[at] in (43, 45):
            at += 1
        at = _digits(data, at)
    if at - start > DIGITS:
        raise _wrong(data, start, "a number of more than " + str(DIGITS) + " characters")
    if whole:
        return int(str(data[start:at], "utf-8")), at
    value = decimals.read(str(data[first:at], "utf-8"))
    if value - value != 0:
        raise _wrong(data, start, "a number beyond all bounds")
    return (-value if first > start else value), at


def _digits(data: bytes, at: int) -> int:
    start = at
    while at < len(data) and 48 <= data[at] <= 57:
        at += 1
    if at == start:
        raise _wrong(data, at, "a figure is needed")
    return at


def _write(value: "Any", out: list[str], apart: str, after_key: str) -> None:
    if value is None:
        out.append("null")
    elif value is True:
        out.append("true")
    elif value is False:
        out.append("false")
    elif isinstance(value, str):
        out.append(quoted(value))
    elif isinstance(value, dict):
        out.append("{")
        between = ""
        for key in value:
            out.append(between)
            out.append(quoted(key))
            out.append(after_key)
            _write(value[key], out, apart, after_key)
            between = apart
        out.append("}")
    elif isinstance(value, (list, tuple)):
        out.append("[")
        between = ""
        for entry in value:
            out.append(between)
            _write(entry, out, apart, after_key)
            between = apart
        out.append("]")
    elif isinstance(value, float):
        out.append(_float(value))
    else:
        out.append(str(value))


def quoted(text: str) -> str:
    """A text in quotes, as JSON has it."""
    plain = True
    for c in text:
        if c == '"' or c == "\\" or ord(c) < 32:
            plain = False
            break
    if plain:
        return '"' + text + '"'
    parts = ['"']
    for c in text:
        if c in _WRITTEN:
            parts.append(_WRITTEN[c])
        elif ord(c) < 32:
            parts.append("\\u00" + "0123456789abcdef"[ord(c) >> 4] + "0123456789abcdef"[ord(c) & 15])
        else:
            parts.append(c)
    parts.append('"')
    return "".join(parts)


def _float(value: float) -> str:
    """The fewest figures that read back as the same number, without an exponent."""
    sign = "-" if value < 0 or str(value)[0] == "-" else ""
    number, ten = decimals.shortest(abs(value))
    digits = str(number)
    if ten >= 0:
        return sign + digits + "0" * ten + ".0"
    digits = "0" * (1 - ten - len(digits)) + digits
    return sign + digits[:ten] + "." + (digits[ten:].rstrip("0") or "0")
