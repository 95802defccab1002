"""Landings: the steps on a square in their order, and the knock-back (L-063, L-073, L-074, L-076, LQ-76 to LQ-89).

A landing in work is an object as in a position (docs/records.md). Steps that do not apply are skipped.
"""

from shared_rules.engine.commands import refuse
from shared_rules.games.destination_london import ending, fields
from shared_rules.games.destination_london.meta import (
    CLAIMS,
    FUEL_PRICE,
    KNOCK_BACK,
    LIGHTS,
    MOST_FUEL,
    OWN_FARE,
    STEPS,
)

MYPY = False
if MYPY:
    from shared_rules.games.destination_london.kinds import Json
    from shared_rules.games.destination_london.state import State


def fresh(seat: int, square: str, must_collect: bool, steps: "tuple[str, ...]" = STEPS) -> "Json":
    """A landing with its steps still to do."""
    return {
        "seat": seat, "square": square, "steps": list(steps), "must_collect": must_collect, "knocks": None,
        "claims": None, "knocked": False, "home": False, "card": None,
    }  # fmt: skip


def change(s: "State", **values: object) -> None:
    """Replace the top landing by one with other values in some fields."""
    landing = dict(s.arrivals[-1])
    landing.update(values)
    s.arrivals[-1] = landing


def step_done(s: "State", event: "Json") -> None:
    """The top landing's first step is over."""
    change(s, steps=s.arrivals[-1]["steps"][1:])


def next_step(s: "State") -> "str | list[Json]":
    """The phase of the top landing, or the events that come of it by itself."""
    landing = s.arrivals[-1]
    seat: int = landing["seat"]
    steps: "list[str]" = landing["steps"]
    knocks, claims = landing["knocks"], landing["claims"]
    square: str = landing["square"]
    done = 0
    opened = False
    for step in steps:
        if step == OWN_FARE:
            if square in s.attractions:
                break
        elif step == KNOCK_BACK:
            if knocks is None:
                knocks = _taxis_there(s, landing)
                opened = True
            if knocks:
                break
        elif step == CLAIMS:
            if claims is None:
                claims = s.others_from_left(seat) if square in s.attractions else []
                opened = True
            if claims:
                break
        elif step == LIGHTS:
            if lights_wait(s, landing):
                break
        elif garage_waits(s, seat):
            break
        done += 1
    if done == len(steps):
        return [{"event": "LandingDone", "seat": seat}]
    if done or opened:
        return [
            {"event": "LandingWentOn", "seat": seat, "steps": steps[done:], "knocks": knocks, "claims": claims}
        ]
    if steps[0] == KNOCK_BACK:
        for whom in knocks:
            if knocked_by_itself(s, whom):
                return knock(s, seat, whom, True)
    return steps[0]


def _taxis_there(s: "State", landing: "Json") -> "list[int]":
    seat, square = landing["seat"], landing["square"]
    if s.at[seat] != square:
        return []
    return [other for other in range(1, s.seats + 1) if s.at[other] == square and other != seat and s.playing[other]]


def lights_wait(s: "State", landing: "Json") -> bool:
    """Whether the lander has to draw a card, or to obey one (L-042, LQ-58)."""
    if landing["square"] not in s.board.light_squares:
        return False
    if landing["card"] is not None:
        return True
    if landing["knocked"] and s.options["lights_after_claim"] == "skip":
        return False
    return s.lights_left()


def garage_waits(s: "State", seat: int) -> bool:
    """Whether the lander can buy fuel (L-034 to L-036, LQ-42)."""
    return (
        s.at[seat] in s.board.garage_squares
        and seat == s.turn
        and s.fuel[seat] < MOST_FUEL
        and s.cash[seat] >= FUEL_PRICE
        and s.fuel[0] > 0
    )


def knocked_by_itself(s: "State", whom: int) -> bool:
    """Whether the rules leave no choice (LQ-87)."""
    return bool(s.options["knock_back_endgame" if s.bound_home(whom) else "knock_back"] == "forced")


def knock(s: "State", seat: int, whom: int, by_itself: bool) -> "list[Json]":
    """A taxi goes back to the Base; one that is bound for home is home (L-063, L-073)."""
    bound = s.bound_home(whom)
    events: "list[Json]" = [
        {
            "event": "KnockedBack", "seat": seat, "whom": whom, "from": s.at[whom], "to": s.board.base,
            "by_itself": by_itself, "rules": ["L-073", "LQ-87"] if bound else ["L-063"],
        }
    ]  # fmt: skip
    if bound and s.options["knock_home_ends_game"] == "yes":
        events.extend(ending.home(s, whom, "knocked_home"))
    return events


def _whom(s: "State", command: "Json") -> int:
    whom = fields.seat_in(s, command, "whom")
    if whom not in s.arrivals[-1]["knocks"]:
        raise refuse("not_allowed", s.names[whom] + "'s taxi is not to be decided on here.", "L-063", "LQ-88")
    return whom


def decide_knock(s: "State", seat: int, command: "Json") -> "list[Json]":
    """`knock`."""
    return knock(s, seat, _whom(s, command), False)


def decide_spare(s: "State", seat: int, command: "Json") -> "list[Json]":
    """`spare`."""
    return [{"event": "Spared", "seat": seat, "whom": _whom(s, command), "rules": ["L-063", "LQ-87"]}]


def _went_on(s: "State", event: "Json") -> None:
    knocks, claims = event["knocks"], event["claims"]
    change(
        s,
        steps=list(event["steps"]),
        knocks=None if knocks is None else list(knocks),
        claims=None if claims is None else list(claims),
    )


def _done(s: "State", event: "Json") -> None:
    del s.arrivals[-1]


def _knocked(s: "State", event: "Json") -> None:
    s.at[event["whom"]] = event["to"]
    _decided(s, event)


def _decided(s: "State", event: "Json") -> None:
    change(s, knocks=[seat for seat in s.arrivals[-1]["knocks"] if seat != event["whom"]])


EVOLVE = {
    "LandingWentOn": _went_on,
    "LandingDone": _done,
    "GarageLeft": step_done,
    "KnockedBack": _knocked,
    "Spared": _decided,
}
