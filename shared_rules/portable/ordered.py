"""Objects whose keys keep their order on both Pythons; for everything whose order is part of an answer.

MicroPython's plain dict forgets the order of its keys, CPython's keeps it.
"""

import sys
from collections import OrderedDict

MYPY = False
if MYPY:  # only type checkers come here
    from collections.abc import Iterable
    from typing import Any

if sys.implementation.name == "micropython":
    Ordered: "type[dict[str, Any]]" = OrderedDict
else:
    Ordered = dict


def ordered(pairs: "Iterable[tuple[str, Any]]") -> "dict[str, Any]":
    """An object with these (key, value) pairs, in their order."""
    out = Ordered()
    for key, value in pairs:
        out[key] = value
    return out
