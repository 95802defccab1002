"""What London's wall says of a claim stays there while a card is dealt by itself."""

from typing import Any

from companion.tables.receipts import LogRow
from companion.titles import find
from companion.web.texts import texts
from shared_rules.engine import game

STATE = game.load_position(
    {"game": "destination_london", "board": "thames", "players": [{}, {"name": "Bo"}, {"name": "Carla"}]}
)


def row(seq: int, do: str, **event: Any) -> LogRow:
    """A row of the log with one event."""
    return LogRow(seq, "2026-11-30T20:00:00+00:00", "play", "bank", do, 3, [event], False)


def notice(rows: list[LogRow]) -> str:
    """The wall's sentence for all."""
    title = find("destination_london")
    screen = title.seats.screen_of(game.view_for(STATE, "spectator"), "An evening", "en")
    bank = title.seats.screen_of(game.view_for(STATE, "bank"), "An evening", "en")
    return str(title.wall.turn(screen, bank, rows, texts("en", "destination_london")).notice or "")


def test_a_claim_is_told_until_somebody_does_the_next_thing() -> None:
    claim = row(8, "claim", event="LandingClaimed", seat=3, lander=1)
    assert "Carla shows the card!" in notice([claim])
    assert "Carla shows the card!" in notice([row(9, "deal", event="CardDealt", seat=3, card=None), claim])
    assert notice([row(9, "roll", event="DiceRolled", seat=2, faces=[3]), claim]) == ""
