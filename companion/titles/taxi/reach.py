"""Where the taxi on turn may go, from prompts, for the wall, the phone and the map."""

from __future__ import annotations

from typing import Any

Reach = list[list[Any]]
"""[[place, streets, green, white], …]"""


def reach_of(prompts: Any, turn: int) -> Reach | None:
    """The reachable places of the seat on turn, from prompts of the bank (by seat) or of one seat; None when nobody
    is to move.
    """
    found = prompts if isinstance(prompts, list) else next((p for s, p in prompts.items() if int(s) == turn), [])
    for prompt in found:
        if prompt["do"] == "move":
            to: Reach = prompt["to"]
            return to
    return None


def ways_to(place: str | None, reach: Reach) -> Reach:
    """The ways to a place, the one that the rules would choose first."""
    return sorted((way for way in reach if way[0] == place), key=lambda way: (way[3], way[2], way[1]))
