"""Claims on another's landing (L-058 to L-062, L-076, LQ-54, LQ-55, LQ-77 to LQ-86).

The window opens the same for everybody, whatever the hands hold (LQ-78).
"""

from shared_rules.engine.commands import refuse
from shared_rules.engine.ledger import transfer
from shared_rules.games.destination_london import fares, fields, landing
from shared_rules.games.destination_london.meta import MONEY

MYPY = False
if MYPY:
    from shared_rules.games.destination_london.kinds import Json
    from shared_rules.games.destination_london.state import State


def decide_claim(s: "State", seat: int, command: "Json") -> "list[Json]":
    """`claim`."""
    cards = fields.cards(command, "cards", 1)
    spend = fields.spend(command)
    at = s.arrivals[-1]
    square: str = at["square"]
    lander: int = at["seat"]
    fares.check_held(s, seat, cards)
    fares.check_square(s, cards, square)
    kind = fares.fuel_for(s, seat, spend)
    factor = fares.multiplier(s, seat)[0]
    printed = fares.total(s, cards) if factor else 0
    events = fares.play(s, seat, cards, kind, False)
    sent = s.at[lander] == square
    home = sent and s.ending is None and s.options["knock_home_ends_game"] == "yes" and s.bound_home(lander)
    events.append(
        {
            "event": "LandingClaimed", "seat": seat, "lander": lander, "from": s.at[seat], "to": square,
            "lander_to": s.board.base if sent else None, "home": home, "rules": ["L-058", "L-059", "LQ-80", "LQ-92"],
        }
    )  # fmt: skip
    extra = printed * (factor - 1) if factor else 0
    if s.options["claim_pays"] == "lander_and_bank":
        extra += printed
    if extra:
        events.append(transfer("ClaimPaidByBank", MONEY, 0, seat, extra, ["LQ-54", "LQ-79"]))
    if printed:
        events.append(
            {
                "event": "DebtRaised", "seat": lander, "sum": printed, "creditor": seat, "why": "claim",
                "rules": ["L-060"],
            }
        )  # fmt: skip
    return events


def decide_pass(s: "State", seat: int, command: "Json") -> "list[Json]":
    """`pass`."""
    return [{"event": "ClaimPassed", "seat": seat, "rules": ["L-062"]}]


def decide_close(s: "State", seat: int, command: "Json") -> "list[Json]":
    """`close_claims`."""
    if s.options["claim_window"] == "ask_everyone":
        raise refuse("not_allowed", "By house rule everybody answers.", "LQ-77")
    return closing(s)


def closing(s: "State") -> "list[Json]":
    """Nobody claims any more."""
    return [{"event": "ClaimsClosed", "seat": s.arrivals[-1]["seat"], "rules": ["LQ-77"]}]


def _claimed(s: "State", event: "Json") -> None:
    s.at[event["seat"]] = event["to"]
    at = s.arrivals[-1]
    sent = event["lander_to"] is not None
    if sent:
        s.at[event["lander"]] = event["lander_to"]
    waiting = [] if s.options["multiple_claims"] == "first_only" else at["claims"][1:]
    landing.change(s, claims=waiting, knocked=at["knocked"] or sent, home=at["home"] or event["home"])


def _passed(s: "State", event: "Json") -> None:
    landing.change(s, claims=s.arrivals[-1]["claims"][1:])


def _closed(s: "State", event: "Json") -> None:
    landing.change(s, claims=[])


EVOLVE = {"LandingClaimed": _claimed, "ClaimPassed": _passed, "ClaimsClosed": _closed}
