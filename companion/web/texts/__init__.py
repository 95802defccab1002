"""Every text of the pages, by key, one JSON file a language (`en.json`); another language is another file with the
same keys. Texts of one game lie with its title (companion/titles/<title>/texts) and come before those of all.

A text is a string with `{named}` places, or `{"one": …, "other": …}` chosen by its `n`. Texts come out as `Markup`:
what is put into their places is escaped unless it is `Markup` already, the catalogue itself holds plain text only.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

from markupsafe import Markup

from companion import titles

FOLDER = Path(__file__).parent
DEFAULT = "en"


class Texts:
    """The catalogue of one language, of the pages or of an evening's game: `texts("tablet.undo", name="Ann")`. A key
    that is missing there is taken from English.
    """

    def __init__(self, language: str, game: str | None = None) -> None:
        self.language = language
        self.game = game
        self._entries: dict[str, Any] = {}
        for one in dict.fromkeys((DEFAULT, language)):
            self._entries |= _load(FOLDER / f"{one}.json")
        for one in dict.fromkeys((DEFAULT, language)) if game else ():
            self._entries |= _load(titles.find(str(game)).folder / "texts" / f"{one}.json")

    def __call__(self, key: str, **places: Any) -> Markup:
        """The text of a key, with its places filled. An unknown key is a fault of ours: `KeyError`."""
        entry = self._entries[key]
        if isinstance(entry, dict):
            entry = entry["one" if places.get("n") == 1 else "other"]
        return Markup(entry).format(**places)  # noqa: S704 - the catalogue is ours

    def has(self, key: str) -> bool:
        """Whether there is a text for this key."""
        return key in self._entries

    def first(self, *keys: str, **places: Any) -> Markup:
        """The text of the first of these keys that there is one for."""
        return self(next((key for key in keys if key in self._entries), keys[-1]), **places)


def _load(path: Path) -> dict[str, Any]:
    entries: dict[str, Any] = json.loads(path.read_text("utf-8")) if path.is_file() else {}
    return entries


@cache
def languages() -> tuple[str, ...]:
    """The languages there is a catalogue for."""
    return tuple(sorted(p.stem for p in FOLDER.glob("*.json")))


@cache
def texts(language: str = DEFAULT, game: str | None = None) -> Texts:
    """The catalogue of a language, with the texts of a game; English for a language that there is none for."""
    return Texts(language if language in languages() else DEFAULT, game)
