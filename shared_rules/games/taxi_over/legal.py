"""What a seat may do now, as templates with bounds, for pages and bots; questions, corrections and leaving apart.

Every template has `do` and `seat`; `taxi` lists the taxis to choose from. `face` is chance's and left out.
"""

from shared_rules.games.taxi_over.meta import DIE
from shared_rules.games.taxi_over.state import BOARDING, ROLLING, TAXI_IDS, State
from shared_rules.games.taxi_over.turn import may_stop

MYPY = False
if MYPY:  # only type checkers come here
    from typing import Any


def legal_commands(s: State, seat: int) -> "list[dict[str, Any]]":
    """The templates of one seat; the operator (0) has none."""
    if seat != s.turn:
        return []
    if s.phase == ROLLING:
        out: list[dict[str, Any]] = [{"do": "roll", "seat": seat, "die": DIE}]
        if may_stop(s):
            out.append({"do": "stop", "seat": seat})
        return out
    if s.phase == BOARDING:
        out = [{"do": "board_taxi", "seat": seat, "taxi": [TAXI_IDS[taxi] for taxi in s.boardable(seat)]}]
        if s.options["boarding"] == "optional":
            out.append({"do": "decline", "seat": seat})
        return out
    return []
