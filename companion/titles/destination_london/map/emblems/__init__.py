"""The emblems of the attractions, one drawing of 48 by 48 a file: `<attraction>.svg`."""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path

FOLDER = Path(__file__).parent
_DRAWING = re.compile(r'<g class="hd">(.*?)</g>\s*</svg>', re.DOTALL)


@lru_cache(maxsize=256)
def emblem(name: str) -> str:
    """Return the inner drawing of an attraction's emblem; '' when the board's attraction has none."""
    if not re.fullmatch(r"[a-z0-9_]+", name):
        return ""
    try:
        text = (FOLDER / f"{name}.svg").read_text(encoding="utf-8")
    except OSError:
        return ""
    found = _DRAWING.search(text)
    return found.group(1).replace("\n", "") if found else ""


def sprite(names: list[str]) -> str:
    """Return the inside of `<defs>` for these attractions: symbols `em-<id>`."""
    parts = []
    for name in names:
        if drawing := emblem(name):
            parts.append(f'<symbol id="em-{name}" class="hd" viewBox="0 0 48 48">{drawing}</symbol>')
    return "".join(parts)
