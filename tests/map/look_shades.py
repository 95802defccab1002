"""Colours of the look by day and by night, and how far two of them are apart."""

from __future__ import annotations

import re
from pathlib import Path

STATIC = Path(__file__).resolve().parents[2] / "companion" / "web" / "static"


def tokens(theme: str) -> dict[str, str]:
    css = (STATIC / "tokens.css").read_text(encoding="utf-8")
    day, night = css.split("[data-theme=night]")
    found = dict(re.findall(r"--([\w-]+):(#[0-9a-f]{6})\b", day))
    if theme == "night":
        found |= dict(re.findall(r"--([\w-]+):(#[0-9a-f]{6})\b", night))
    return found


def contrast(one: str, other: str) -> float:
    shades = []
    for colour in (one, other):
        parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
        linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
        shades.append(0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2])
    return (max(shades) + 0.05) / (min(shades) + 0.05)
