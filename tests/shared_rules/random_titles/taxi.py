"""Random games of TAXI! (see random_games.py)."""

from __future__ import annotations

from random_games import random_options

from shared_rules import library
from shared_rules.engine import game

WILD = {
    "plate_price": [15000, 6000, 10],
    "purchase_limit": ["none", "one_per_turn", "max_total_1", "max_total_3"],
}
MOST_ROUNDS = 60
"""In one trip."""
TRIPS = (1, 2, 3, 15)
SEEN = {"Arrived", "BonusPaid", "CardDrawn", "BetSealed", "BarrierPlaced", "Corrected", "PlayerLeft"}
ABOUT = (
    "2 to 6 seats, 1 to 15 trips on the board `fumbling`; next seats begin before the tablet die. T-142 to T-148, T-150"
)


def random_position(stream, board="fumbling"):
    """A game about to begin with house rules of its own."""
    start = position(stream, {}, board)
    start["options"] = random_options(stream, "taxi")
    return start


def position(stream, options, board="fumbling"):
    """2 to 6 seats on guides cut to a random length, some with a plate or a barrier."""
    shipped = library.board(board)
    trips = stream.choice(TRIPS)
    players = []
    for seat in range(2 + stream.below(5)):
        guide = shipped["guides"][seat][: trips - 1] + ["base"]
        players.append({"guide": guide, "plates": stream.below(4) // 3, "barriers": stream.below(3) // 2})
    return {"game": "taxi", "board": board, "options": options, "players": players}


def may_resign(state):
    """After the first trip, so that most games are whole."""
    return state.trip > 1


def correction(state, stream):
    """Some money more."""
    seat = stream.choice(state.seats_in())
    amount = state.cash[seat] + 10 * stream.below(50)
    return {"do": "correct", "seat": 0, "set": {"players": [{"seat": seat, "cash": amount}]}, "why": "miscounted"}


def more(state, stream):
    """A command of the seat that is next, before the tablet die of the turn is thrown."""
    if state.phase != "tablet_die":
        return None
    for seat in state.seats_in():
        if seat != state.turn:
            for template in game.legal_commands(state, seat):
                if template["do"] in ("roll", "draw_card"):
                    return template
    return None


def wrong(state, stream):
    """What no rule allows."""
    seat = stream.below(state.seats + 1)
    command = stream.choice(
        [
            {"do": "roll", "seat": seat, "die": "d6", "face": 7},
            {"do": "roll", "seat": seat, "die": "d12", "face": "red"},
            {"do": "move", "seat": seat, "to": "nowhere"},
            {"do": "draw_card", "seat": seat, "deck": "expense", "card": {"do": [["move_to", "base"]]}},
            {"do": "draw_card", "seat": seat, "deck": "journey", "card": "X00"},
            {"do": "buy_taxi", "seat": seat, "count": 37},
            {"do": "place_bet", "seat": seat, "word": "bus"},
            {"do": "place_barrier", "seat": seat, "on": "nowhere"},
            {"do": "play_card", "seat": seat, "card": 99},
            {"do": "give", "seat": seat, "to": seat, "green": 1},
            {"do": "sell_plate", "seat": seat, "count": 37},
            {"do": "choose", "seat": seat, "option": 99},
            {"do": "correct", "seat": 0, "set": {"trip": 99}, "why": "x"},
            {"do": "correct", "seat": 0, "set": {"players": [{"seat": 1, "green": 43}]}, "why": "x"},
        ]
    )
    if command.get("set", {}).get("players") and state.options["tablet_shortage"] == "unlimited":
        return None
    return command


def check(state, event):
    """T-147: everybody begins a trip where the last one led."""
    if event["event"] == "TripStarted":
        for seat in state.seats_in():
            assert state.at[seat] == state.point_of(state.guide[seat][state.trip - 2]), "T-147"


def before(state):
    """Nothing more to compare with."""


def after(state, was, command, happened):
    """All that must hold is said event by event."""
