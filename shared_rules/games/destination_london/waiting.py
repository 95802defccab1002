"""Who is waited for in each phase (docs/records.md)."""

from shared_rules.games.destination_london.meta import CLAIMS

MYPY = False
if MYPY:
    from shared_rules.games.destination_london.state import State


def waiting_for(s: "State") -> "list[int]":
    """The seats that may act now, in order; [0] where only the operator can go on."""
    phase = s.phase
    if phase == "before_roll" or phase == "stranded":
        return [s.turn if s.offer is None else s.offer]
    if phase == "moving" or phase == "extra_turn":
        return [s.turn]
    if phase == CLAIMS:
        return [s.arrivals[-1]["claims"][0]]
    if phase == "deal":
        return [0]
    if phase == "debt":
        return [s.debts[0]["seat"]]
    if phase == "order_roll":
        assert s.order is not None
        among, rolls = s.order
        return sorted([seat for seat in among if seat not in rolls])
    if phase == "over":
        return []
    return [s.arrivals[-1]["seat"]]
