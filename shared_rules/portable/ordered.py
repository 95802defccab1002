"""Objects whose keys keep their order on both Pythons; for everything whose order is part of an answer.

MicroPython's plain dict forgets the order of its keys, CPython's keeps it.
"""

import sys
from collections import OrderedDict

if sys.implementation.name == "micropython":
    Ordered: type = OrderedDict
else:
    Ordered = dict


def ordered(pairs) -> dict:
    """An object with these (key, value) pairs, in their order."""
    out = Ordered()
    for key, value in pairs:
        out[key] = value
    return out
