"""Sentences about taxis and costs, for explanations, and what people type as one plain line. Pieces are named by
their colour."""

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


def cost(streets: int, green: int, white: int) -> str:
    """`5 streets and 1 green`; `1 street`; `2 streets, 1 green and 1 white`."""
    parts = [f"{streets} street{'' if streets == 1 else 's'}"]
    if green:
        parts.append(f"{green} green")
    if white:
        parts.append(f"{white} white")
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"


def costs(labels: list[list[int]], most: int = 3) -> str:
    """`5 streets and 1 green, or 6 streets`: the ways to pay for a move, the shortest first; of many the last is
    the one with the fewest tablets."""
    ordered = sorted(labels, key=lambda label: (label[0], label[1] + label[2]))
    if len(ordered) > most:
        ordered = [*ordered[: most - 1], ordered[-1]]
    return ", or ".join(cost(*label) for label in ordered)
