"""Every text of the pages, by key, one JSON file a language (`en.json`); another language is another file with the
same keys.

A text is a string with `{named}` places, or `{"one": …, "other": …}` chosen by its `n`. Texts come out as `Markup`:
what is put into their places is escaped unless it is `Markup` already, the catalogue itself holds plain text only.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

from markupsafe import Markup

FOLDER = Path(__file__).parent
DEFAULT = "en"


class Texts:
    """The catalogue of one language: `texts("tablet.undo", name="Ann")`. A key that is missing there is taken from
    English.
    """

    def __init__(self, language: str) -> None:
        self.language = language
        self._entries: dict[str, Any] = _load(language)
        self._fallback: dict[str, Any] = self._entries if language == DEFAULT else _load(DEFAULT)

    def __call__(self, key: str, **places: Any) -> Markup:
        """The text of a key, with its places filled. An unknown key is a fault of ours: `KeyError`."""
        entry = self._entries.get(key)
        if entry is None:
            entry = self._fallback[key]
        if isinstance(entry, dict):
            entry = entry["one" if places.get("n") == 1 else "other"]
        return Markup(entry).format(**places)  # noqa: S704 - the catalogue is ours

    def has(self, key: str) -> bool:
        """Whether there is a text for this key."""
        return key in self._entries or key in self._fallback


def _load(language: str) -> dict[str, Any]:
    entries: dict[str, Any] = json.loads((FOLDER / f"{language}.json").read_text("utf-8"))
    return entries


@cache
def languages() -> tuple[str, ...]:
    """The languages there is a catalogue for."""
    return tuple(sorted(p.stem for p in FOLDER.glob("*.json")))


@cache
def texts(language: str = DEFAULT) -> Texts:
    """The catalogue of a language; English for one that there is none for."""
    return Texts(language if language in languages() else DEFAULT)
