"""What people type as one plain line, and colours as names."""

from __future__ import annotations

import unicodedata

JOINERS = "\u200c\u200d"
"""Needed inside words of some scripts and inside pictures of several people; nothing by themselves."""

UNSEEN = ("Cc", "Cf", "Cs")
"""Controls, formats, surrogates (Unicode's general categories)."""


def plain_line(text: str) -> str:
    """What somebody typed (a name, a title, a reason) as one line that shows what it is: composed, no control
    characters, no marks that turn the direction of what follows, no halves of characters, single spaces. Empty if
    nothing can be seen of it."""
    kept = "".join(
        character
        if character in JOINERS or unicodedata.category(character) not in UNSEEN
        else " " * character.isspace()
        for character in unicodedata.normalize("NFC", text)
    )
    return " ".join(kept.split()) if kept.strip(JOINERS + " ") else ""


def colour_name(colour: str) -> str:
    """`Red`."""
    return colour[:1].upper() + colour[1:]
