"""In which line of a fault script something stands, for whoever has to mend it."""

from __future__ import annotations

import re

_PLACE = re.compile(r"(\w+)\[(\d+)\](?:\.(.+))?")
_HEADER = re.compile(r"\s*\[\[\s*(\w+)\s*\]\]")
_KEY = re.compile(r"\s*\"?([^\s\"=]+)\"?\s*=")


def line_of(text: str, place: str) -> int | None:
    """The line of `steps[2].do`, `steps[2]` or `lasts_ms` in a script, from 1; that of the table where the field is
    absent; None where nothing is there to point at."""
    found = _PLACE.fullmatch(place)
    table, wanted, name = (found[1], int(found[2]), found[3]) if found else ("", -1, place)
    current, seen, best = "", -1, None
    for number, line in enumerate(text.splitlines(), 1):
        if header := _HEADER.match(line):
            current = header[1]
            seen += current == table
            if current == table and seen == wanted:
                best = number
            continue
        here = current == table and (not table or seen == wanted)
        if here and (key := _KEY.match(line)) and key[1] == name:
            return number
    return best
