"""House rules under a name, for tables that save theirs and programs that pass them on.

    {"game": "<title>", "name": "Sunday table", "options": {"<house rule>": <value>, …}}

Rules that have their default are left out on writing; a name is one line of 1 to 40 characters.
"""

from shared_rules.engine import titles
from shared_rules.engine.errors import PositionError
from shared_rules.engine.options import changed_options, read_options
from shared_rules.engine.reading import malformed, only_keys
from shared_rules.portable.ordered import ordered

MYPY = False
if MYPY:  # only type checkers come here
    from typing import Any

    Json = dict[str, Any]

KEYS = ("game", "name", "options")
LONGEST_NAME = 40


def read_preset(value: "Any") -> "Json":
    """The preset in its canonical form: its keys in order, only rules that differ from their default.

    PositionError: `malformed`, `unknown_game`, `unknown_option`, `bad_option`, `at` the place inside.
    """
    given = only_keys(value, KEYS, "")
    for key in KEYS:
        if key not in given:
            raise malformed("Saved house rules need '" + key + "'.", key)
    if not isinstance(given["game"], str):
        raise malformed("The game's name is a text.", "game")
    offered = titles.title(given["game"]).meta.OPTIONS
    name = given["name"]
    if not isinstance(name, str) or not 1 <= len(name) <= LONGEST_NAME or name.strip() != name or "\n" in name:
        raise PositionError("malformed", "A name has 1 to 40 characters on one line, and no blanks around it.", "name")
    options = changed_options(read_options(given["options"], offered, "options"), offered)
    return ordered((("game", given["game"]), ("name", name), ("options", options)))
