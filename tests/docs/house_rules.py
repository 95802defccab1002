"""Makes docs/house_rules.md from the titles' own lists: `python tests/docs/house_rules.py --write`."""

import json
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "house_rules.md"

HEAD = """# House rules

What a table may play otherwise, for every game: made from the lists that the rules, the set-up pages and records share
(`meta.OPTIONS` in `shared_rules/games/<title>/meta.py`), so it cannot be out of date. The first value is the usual one.

In a position, a record and a set-up they stand as `"options": {"<rule>": <value>}`; what is left out has its usual
value.
A table saves its own under a name as `{"game": "<title>", "name": "Sunday table", "options": {…}}`
(`shared_rules.engine.presets.read_preset` checks it). The numbers are those of the rulings that a rule switches.
"""


def shown(value):
    return f"`{json.dumps(value)}`" if not isinstance(value, str) else f"`{value}`"


def page():
    """The text of the page."""
    sys.path.insert(0, str(ROOT))
    from shared_rules import games
    from shared_rules.engine import titles

    out = [HEAD]
    for name in games.names():
        meta = titles.title(name).meta
        least, most = meta.PLAYERS
        out.append(f"\n## {meta.TITLE}\n\n`{name}`, {least} to {most} players, {len(meta.OPTIONS)} house rules.\n\n")
        out.append("| rule | what it is about | values | numbers |\n| --- | --- | --- | --- |\n")
        for option in meta.OPTIONS:
            usual = shown(option.default)
            values = [usual, *(shown(value) for value in option.values if value != option.default)]
            if option.hint:
                values.append(f"or {option.hint}")
            about = option.explains.replace("|", "\\|")
            out.append(f"| `{option.name}` | {about} | {', '.join(values)} | {', '.join(option.rules)} |\n")
    return "".join(out)


if __name__ == "__main__":
    if sys.argv[1:] == ["--write"]:
        PAGE.write_text(page(), "utf-8")
    else:
        print(page(), end="")
