"""Sealed bets as a view shows them: who has answered, and one's own words."""

from __future__ import annotations

from typing import Any

from companion.tables.receipts import Json

WORDS = ("money", "freeway", "taxi")


def bet_words(prompts: list[Json]) -> list[str]:
    """The words a seat can stake on now, from its prompts; all of them where the prompts keep that to the seat."""
    for prompt in prompts:
        if prompt["do"] == "place_bet":
            return [word for word in WORDS if word in prompt.get("word", WORDS)]
    return []


def _bet(bets: Json, seat: int) -> Any:
    return bets.get(str(seat))


def is_answered(bets: Json, seat: int) -> bool:
    bet = _bet(bets, seat)
    return bool(bet.get("done")) if isinstance(bet, dict) else bool(bet)


def own_words(bets: Json, seat: int) -> list[str]:
    """What a seat has sealed, as its own view shows it."""
    bet = _bet(bets, seat)
    return list(bet.get("words", [])) if isinstance(bet, dict) else []
