"""The end of a trip: bonus, hire fees and Expense cards, taxis to their destinations, the next trip or the tally.

Rules T-111 to T-121, T-137 to T-141.
"""

from shared_rules.engine.ledger import transfer
from shared_rules.engine.seats import first_from
from shared_rules.games.taxi.meta import BONUS, EXPENSE, HIRE_FEE, MONEY, POT, SMALLEST_NOTE
from shared_rules.games.taxi.order import enter, go_round
from shared_rules.games.taxi.state import WORKING, State
from shared_rules.games.taxi.trade import can_buy


def beginning(s: State) -> list:
    """Who counts as an owner, the bonus, and the list of steps to come."""
    owners = []
    for seat in s.seats_in():
        owner = s.owner[seat]
        if owner is None or s.options["owner_status_at"] == "settlement":
            owner = s.plates[seat] > 0
        owners.append([seat, owner])
    events: list = [{"event": "SettlementBegun", "owners": owners, "steps": _steps(s, owners), "rules": ["T-117"]}]
    arrivers = [seat for seat in s.seats_in() if s.arrived[seat]]
    for seat in arrivers:
        events.append(transfer("BonusPaid", MONEY, 0, seat, BONUS // len(arrivers), ["T-112", "T-113"]))
    if s.options["fine_recipient"] == "pot":
        share = s.cash[s.ledger.index[POT]] // len(arrivers) // SMALLEST_NOTE * SMALLEST_NOTE
        if share:
            for seat in arrivers:
                events.append(transfer("PotPaid", MONEY, POT, seat, share, ["T-083", "A-22"]))
    return events


def _steps(s: State, owners: list) -> list:
    last = s.trip == s.trips
    steps = []
    for seat, owner in owners:
        if s.options["fee_scope"] == "arrivers_only" and not s.arrived[seat]:
            continue
        if owner:
            draws = max(1, s.plates[seat]) if s.options["expense_draws"] == "per_plate" else 1
            for _ in range(draws):
                steps.append([seat, EXPENSE])
        elif not (last and s.options["final_hire_fee"] == "waived"):
            steps.append([seat, "fee"])
    if s.options["purchase_window"] == "settlement" and not last:
        for seat, _ in owners:
            steps.append([seat, "buy"])
    return steps


def next_step(s: State) -> list:
    """The events of the next step; [] while a seat must draw or decide."""
    if not s.settle:
        return _end(s)
    seat, what = s.settle[0]
    if what == "fee":
        due = {"event": "DueRaised", "seat": seat, "kind": "fee", "to": [[0, HIRE_FEE]], "rules": ["T-115"]}
        return [{"event": "StepTaken", "seat": seat, "what": what}, due]
    if what == "buy" and not can_buy(s, seat):
        return [{"event": "StepTaken", "seat": seat, "what": what}]
    if s.phase == "settle":
        return []
    return [{"event": "StepWaits", "seat": seat, "what": what}]


def _end(s: State) -> list:
    events: list = []
    for seat in s.seats_in():
        to = s.goal(seat)
        if s.at[seat] != to:
            events.append(
                {
                    "event": "TaxiMoved", "seat": seat, "from": s.at[seat], "to": to, "by": "settlement",
                    "rules": ["T-114"],
                }
            )  # fmt: skip
    events.append({"event": "TripEnded", "trip": s.trip, "rules": ["T-118"]})
    if s.trip == s.trips:
        events.append(final_tally(s, "trips_done", ["T-137", "T-139", "T-140"]))
        return events
    starter = next_starter(s)
    events.append({"event": "TripStarted", "trip": s.trip + 1, "starter": starter, "rules": ["T-119"]})
    # The starter's own place does not end the round that begins with it.
    skips = list(s.skip)
    if not enter(s, events, starter, skips):
        go_round(s, events, starter % s.seats + 1, 1, starter, False, skips)
    return events


def next_starter(s: State) -> int:
    """The seat that begins the next trip (T-119, A-47)."""
    rule = s.options["next_trip_starter"]
    seat = 1
    if rule == "winner" and s.first_arrival is not None:
        seat = s.first_arrival
    elif rule == "rotate":
        seat = s.starter % s.seats + 1
    elif rule == "after_last_arriver":
        seat = last_arriver(s) % s.seats + 1
    return first_from(seat, s.playing)


def last_arriver(s: State) -> int:
    """The seat that arrived last: turns have gone round from the first arrival's place."""
    seat = s.first_arrival or s.starter
    last = seat
    for _ in range(s.seats):
        if s.arrived[seat] and s.playing[seat]:
            last = seat
        seat = seat % s.seats + 1
    return last


def final_tally(s: State, reason: str, rules: list) -> dict:
    """Who has won (T-139 to T-141, A-104)."""
    seats = s.seats_in()
    totals = [[seat, s.wealth(seat)] for seat in seats]
    winners = _best(seats, [total for _, total in totals])
    if s.options["tie_break"] == "most_taxis":
        winners = _best(winners, [s.plates[seat] for seat in winners])
    elif s.options["tie_break"] == "most_cash":
        winners = _best(winners, [s.cash[seat] for seat in winners])
    return {"event": "GameEnded", "winners": winners, "reason": reason, "totals": totals, "rules": rules}


def _best(seats: list, figures: list) -> list:
    return [seat for seat, figure in zip(seats, figures) if figure == max(figures)]


def _begun(s: State, event: dict) -> None:
    for seat, owner in event["owners"]:
        s.owner[seat] = owner
    s.settle = [list(step) for step in event["steps"]]
    s.phase = WORKING


def _taken(s: State, event: dict) -> None:
    s.settle = s.settle[1:]
    s.phase = WORKING


def _waits(s: State, event: dict) -> None:
    s.phase = "settle"


def _trip_ended(s: State, event: dict) -> None:
    for seat in range(1, s.seats + 1):
        s.arrived[seat] = False
        s.owner[seat] = None
    s.first_arrival = None
    s.settle = None
    s.clear_turn()


def _trip_started(s: State, event: dict) -> None:
    s.trip = event["trip"]
    s.round = 1
    s.starter = event["starter"]


def _game_ended(s: State, event: dict) -> None:
    s.result = {"winners": list(event["winners"]), "reason": event["reason"], "totals": event["totals"]}
    s.dues = []
    s.settle = None
    s.clear_turn()
    s.phase = "over"


EVOLVE = {
    "SettlementBegun": _begun,
    "StepTaken": _taken,
    "StepWaits": _waits,
    "TripEnded": _trip_ended,
    "TripStarted": _trip_started,
    "GameEnded": _game_ended,
}
