"""Names of kinds for type checkers alone; at run time this module is empty (MicroPython has no typing module).

A module that needs them says `MYPY = False` and imports them under `if MYPY`; a type checker takes that for true.
"""

MYPY = False
if MYPY:
    from typing import Any

    # What JSON can hold: events, commands, positions and boards are objects of it.
    Json = dict[str, Any]
    # A light card: the id of one in the stand-in deck, or a typed one as an object.
    Card = str | dict[str, Any]
