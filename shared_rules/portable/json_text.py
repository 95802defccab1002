"""JSON to the letter on both Pythons: the same texts are taken, the same bytes are written.

MicroPython's own reader takes much that is no JSON (missing commas, bad escapes), CPython's takes NaN and half surrogate
pairs, and they escape differently; so the replay program reads and writes with this module on both.

Reading gives dict, list, str, int, float, True, False, None. A number without fraction and exponent is an int; with one
it is a float, even if it is whole. At most DEEPEST levels and DIGITS digits, so that no input can exhaust the stack or
the patience of the reader.
"""

from shared_rules.portable.ordered import Ordered

DEEPEST = 60
DIGITS = 400

_SPACE = " \t\n\r"
_DIGIT = "0123456789"
_ESCAPES = {'"': '"', "\\": "\\", "/": "/", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}
_WRITTEN = {'"': '\\"', "\\": "\\\\", "\b": "\\b", "\f": "\\f", "\n": "\\n", "\r": "\\r", "\t": "\\t"}


class NoJson(Exception):
    """The text is no JSON; the message says what is wrong and at which character, counted from 1."""


def parse(text):
    """The value of a JSON text, or NoJson."""
    value, at = _value(text, _skip(text, 0), 0)
    at = _skip(text, at)
    if at < len(text):
        raise _wrong(text, at, "the line goes on after its value")
    return value


def dumps(value, apart=", ", after_key=": "):
    """The JSON text of a value: text outside ASCII as it is, an object's keys in their order.

    A dict that is not made with `ordered` has no order on MicroPython; `canonical` puts such keys into theirs.
    """
    out = []
    _write(value, out, apart, after_key)
    return "".join(out)


def canonical(value, first=(), last=()):
    """The same value with the keys of every object in character-code order, but for the outermost's `first` and `last`."""
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


def _wrong(text, at, what):
    if at >= len(text):
        what = "the line ends too early"
    return NoJson("No JSON at character " + str(at + 1) + ": " + what + ".")


def _skip(text, at):
    while at < len(text) and text[at] in _SPACE:
        at += 1
    return at


def _value(text, at, depth):
    if at >= len(text):
        raise _wrong(text, at, "")
    c = text[at]
    if c == '"':
        return _string(text, at + 1)
    if c == "{" or c == "[":
        if depth >= DEEPEST:
            raise _wrong(text, at, "more than " + str(DEEPEST) + " levels")
        return _object(text, at + 1, depth + 1) if c == "{" else _array(text, at + 1, depth + 1)
    if c == "-" or c in _DIGIT:
        return _number(text, at)
    for word, value in (("true", True), ("false", False), ("null", None)):
        if text.startswith(word, at):
            return value, at + len(word)
    raise _wrong(text, at, "a value is needed")


def _object(text, at, depth):
    out = {}
    at = _skip(text, at)
    if at < len(text) and text[at] == "}":
        return out, at + 1
    while True:
        at = _skip(text, at)
        if at >= len(text) or text[at] != '"':
            raise _wrong(text, at, "a key in quotes is needed")
        key, at = _string(text, at + 1)
        at = _skip(text, at)
        if at >= len(text) or text[at] != ":":
            raise _wrong(text, at, "a colon is needed")
        out[key], at = _value(text, _skip(text, at + 1), depth)
        at = _skip(text, at)
        if at < len(text) and text[at] == "}":
            return out, at + 1
        if at >= len(text) or text[at] != ",":
            raise _wrong(text, at, "a comma or } is needed")
        at += 1


def _array(text, at, depth):
    out = []
    at = _skip(text, at)
    if at < len(text) and text[at] == "]":
        return out, at + 1
    while True:
        value, at = _value(text, _skip(text, at), depth)
        out.append(value)
        at = _skip(text, at)
        if at < len(text) and text[at] == "]":
            return out, at + 1
        if at >= len(text) or text[at] != ",":
            raise _wrong(text, at, "a comma or ] is needed")
        at += 1


def _string(text, at):
    parts = []
    while True:
        end = text.find('"', at)
        if end < 0:
            raise _wrong(text, len(text), "")
        escape = text.find("\\", at, end)
        stop = end if escape < 0 else escape
        part = text[at:stop]
        for c in part:
            if ord(c) < 32:
                raise _wrong(text, at, "a control character in a text; write it as an escape")
        parts.append(part)
        if escape < 0:
            return "".join(parts), end + 1
        c = text[escape + 1]
        at = escape + 2
        if c == "u":
            code = _hex4(text, at)
            at += 4
            if 0xD800 <= code < 0xDC00 and text[at : at + 2] == "\\u":
                low = _hex4(text, at + 2)
                if not 0xDC00 <= low < 0xE000:
                    raise _wrong(text, at, "half a surrogate pair")
                code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00)
                at += 6
            elif 0xD800 <= code < 0xE000:
                raise _wrong(text, at - 6, "half a surrogate pair")
            parts.append(chr(code))
        elif c in _ESCAPES:
            parts.append(_ESCAPES[c])
        else:
            raise _wrong(text, escape, "an unknown escape")


def _hex4(text, at):
    digits = text[at : at + 4]
    if len(digits) < 4:
        raise _wrong(text, len(text), "")
    for c in digits:
        if c not in "0123456789abcdefABCDEF":
            raise _wrong(text, at, "four hexadecimal figures are needed")
    return int(digits, 16)


def _number(text, at):
    start = at
    if text[at] == "-":
        at += 1
    first = at
    at = _digits(text, at)
    if text[first] == "0" and at > first + 1:
        raise _wrong(text, first, "a number begins with no 0")
    whole = True
    if at < len(text) and text[at] == ".":
        whole = False
        at = _digits(text, at + 1)
    if at < len(text) and text[at] in "eE":
        whole = False
        at += 1
        if at < len(text) and text[at] in "+-":
            at += 1
        at = _digits(text, at)
    if at - start > DIGITS:
        raise _wrong(text, start, "a number of more than " + str(DIGITS) + " characters")
    if whole:
        return int(text[start:at]), at
    value = float(text[start:at])
    if value - value != 0:
        raise _wrong(text, start, "a number beyond all bounds")
    return value, at


def _digits(text, at):
    start = at
    while at < len(text) and text[at] in _DIGIT:
        at += 1
    if at == start:
        raise _wrong(text, at, "a figure is needed")
    return at


def _write(value, out, apart, after_key):
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


def quoted(text):
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


def _float(value):
    """The fewest figures that read back as the same number, without an exponent; both Pythons agree on those."""
    for figures in range(1, 18):
        text = ("%." + str(figures - 1) + "e") % value
        if float(text) == value:
            break
    sign = ""
    if text[0] == "-":
        sign = "-"
        text = text[1:]
    mantissa, exponent = text.split("e")
    digits = mantissa.replace(".", "")
    point = int(exponent) + 1
    if point <= 0:
        return sign + "0." + "0" * -point + digits.rstrip("0") if digits.strip("0") else sign + "0.0"
    if len(digits) <= point:
        return sign + digits + "0" * (point - len(digits)) + ".0"
    return sign + digits[:point] + "." + (digits[point:].rstrip("0") or "0")
