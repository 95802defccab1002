"""Random games of Destination London (see random_games.py)."""

from __future__ import annotations

from shared_rules import library
from shared_rules.engine import game
from shared_rules.games.destination_london.meta import COLOURS

WILD = {
    "max_extra_turns": ["none", 1, 2, 3],
    "fuel_resale_price": [0, 20, 50],
}
MOST_ROUNDS = 3000
SEEN = {"FarePaid", "LandingClaimed", "KnockedBack", "LightDrawn", "FuelBought", "TurboBought", "CameHome", "Corrected",
        "PlayerOut", "LoanTaken", "TaxiMoved", "DebtPaid"}  # fmt: skip
ABOUT = (
    "2 to 6 seats on the board `thames`; one game in three throws for the first turn, and some begin with loans, with "
    "points on the licence or with few cards. L-083 to L-087"
)


def position(stream, options):
    """Two to six seats; half of the games begin late, with few cards left."""
    seats = 2 + stream.below(5)
    players = [{} for _ in range(seats)]
    start = {"game": "destination_london", "board": library.board_ids("destination_london")[0], "options": options}
    if stream.below(3) == 0:
        start["phase"] = "order_roll"
        for player, colour in zip(players, COLOURS, strict=False):
            player["colour"] = colour
    elif stream.below(2):
        for player in players:
            player["cash"] = 5 * stream.below(80)
            player["sections"] = stream.below(4)
            player["loan"] = stream.below(3) == 0
            player["fuel"] = 1 + stream.below(5)
        cards = sorted(library.board(start["board"])["cards"])
        start["pile"] = cards[: 3 * seats + stream.below(8)]
        start["gone"] = cards[len(start["pile"]) :]
    start["players"] = players
    return start


def may_resign(state):
    """At any time."""
    return True


def correction(state, stream):
    """Some money more."""
    seat = stream.choice(state.seats_in())
    amount = state.cash[seat] + 5 * stream.below(20)
    return {"do": "correct", "seat": 0, "set": {"players": [{"seat": seat, "cash": amount}]}, "why": "miscounted"}


def more(state, stream):
    """A loan on the log book, or its repayment, whosever turn it is."""
    for seat in state.seats_in():
        for template in game.legal_commands(state, seat):
            if template["do"] in ("take_loan", "repay_loan") and stream.below(2):
                return template
    return None


def wrong(state, stream):
    """What no rule allows."""
    seat = stream.below(state.seats + 1)
    return stream.choice(
        [
            {"do": "roll", "seat": seat, "faces": [7]},
            {"do": "roll", "seat": seat, "faces": [1, 2, 3]},
            {"do": "move", "seat": seat, "to": "nowhere"},
            {"do": "collect", "seat": seat, "cards": ["X00"]},
            {"do": "claim", "seat": seat, "cards": []},
            {"do": "knock", "seat": seat, "whom": 99},
            {"do": "draw_light", "seat": seat, "card": "X00"},
            {"do": "choose_destination", "seat": seat, "card": "X00"},
            {"do": "buy_fuel", "seat": seat, "count": 99},
            {"do": "ask_fuel", "seat": seat, "of": seat},
            {"do": "deal", "seat": 0, "card": "X00"},
            {"do": "deal", "seat": 1, "card": "X00"},
            {"do": "resign", "seat": 0},
            {"do": "resign", "seat": state.seats + 1},
            {"do": "hoot", "seat": seat},
            {"do": "correct", "seat": 0, "set": {"players": [{"seat": 1, "fuel": 9}]}, "why": "x"},
            {"do": "correct", "seat": 0, "set": {"turn": 1}, "why": ""},
        ]
    )


def check(state, event):
    """The invariants say it all."""


def before(state):
    """Nothing more to compare with."""


def after(state, was, command, happened):
    """All that must hold is said event by event."""
