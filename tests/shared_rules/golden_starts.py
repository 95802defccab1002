"""How golden games of each title begin, which chance helps them along, and what is done in them that bots do not do."""

from __future__ import annotations

from typing import Any

import golden_coverage

from shared_rules import library
from shared_rules.engine import game, titles
from shared_rules.engine.driver import SeededChance

# Values of house rules that take more than a list.
WILD = {
    "plate_price": [6000, 10],
    "purchase_limit": ["max_total_1", "max_total_3"],
    "max_extra_turns": [1, 2],
    "fuel_resale_price": [0, 30],
    "dice_faces": [[1, 2, 3, 4, 5, 6], [2, 2, 2, 1, 1, 1], [1, 1, 1, 1, 1, 9]],
    "target_tokens": [{"2": 5}, {"2": 20, "3": 15, "4": 12}, {"3": 36}],
}


def options(name, stream, missing):
    """House rules: one game in six by the default; else some at random, rather those that are missing."""
    if stream.below(6) == 0:
        return {}
    out = {}
    for option in titles.title(name).meta.OPTIONS:
        values = list(option.values) + WILD.get(option.name, [])
        lacking = [v for v in values if f"option {option.name} {golden_coverage.json.dumps(v)}" in missing]
        if f"option {option.name} another value" in missing:
            lacking = WILD.get(option.name, lacking)
        if lacking and stream.below(2):
            out[option.name] = stream.choice(lacking)
        elif values and stream.below(5) == 0:
            out[option.name] = stream.choice(values)
    return out


def players(name, stream):
    """How many play."""
    least, most = titles.title(name).meta.PLAYERS
    return least + stream.below(most - least + 1)


def start(name, stream, missing):
    """A position to begin with."""
    return STARTS[name](stream, missing)


def taxi(stream, missing):
    """A trip or two on the shipped board; some have plates, barriers, little money."""
    guides = library.board("fumbling")["guides"]
    trips = 1 + stream.below(2)
    seats = []
    poor = stream.below(3) == 0
    for seat in range(players("taxi", stream)):
        player = {"guide": guides[seat][: trips - 1] + ["base"]}
        if stream.below(3) == 0:
            player["plates"] = 1 + stream.below(2)
        if stream.below(2) == 0:
            player["barriers"] = 1
        if poor:
            player["cash"] = 10 * stream.below(60)
        elif stream.below(3) == 0:
            player["cash"] = 10 * stream.below(4000)
        if stream.below(3) == 0:
            player["green"], player["white"] = stream.below(5), stream.below(3)
        seats.append(player)
    position = {"game": "taxi", "board": "fumbling", "players": seats, "options": options("taxi", stream, missing)}
    if "reason nobody_left" in missing and stream.below(20) == 0:
        # No play leads there: the last seat wins. An operator may still enter such a table.
        position["players"] = [{"status": "out"} for _ in seats]
        position["result"] = {"winners": [], "reason": "nobody_left", "totals": {}}
        return position
    if stream.below(4) == 0:
        position["bank"] = {"cash": 0}
    return position


def taxi_over(stream, missing):
    """The shipped board with taxis strewn over it; the tokens are with the players, in the box, or used up."""
    board = library.board("carousel")
    count = players("taxi_over", stream)
    position: dict[str, Any] = {"game": "taxi_over", "board": "carousel", "players": [{} for _ in range(count)]}
    position["options"] = options("taxi_over", stream, missing)
    few = stream.below(3)
    if few:
        for player in position["players"]:
            player["held"] = stream.below(6)
        if few == 2:
            position["players"][0]["held"] += 36 - sum(player["held"] for player in position["players"])
            position["box"] = 0
            position["options"]["target_tokens"] = {str(count): 36}
    spaces = sorted(set(board["loop"]))
    taxis = {}
    for number in range(1, count + 1):
        if stream.below(2):
            at = spaces.pop(stream.below(len(spaces)))
            taxis[f"T{number}"] = {"at": at}
            if stream.below(4) == 0:
                position["players"][number - 1]["driver"] = None
    position["taxis"] = taxis
    return position


def destination_london(stream, missing):
    """The shipped board, taxis anywhere, some of the cards already played; some are short of money, fuel, licence."""
    board = library.board("thames")
    count = players("destination_london", stream)
    house = options("destination_london", stream, missing)
    position = {"game": "destination_london", "board": "thames", "players": [{} for _ in range(count)]}
    position["options"] = house
    if "reason nobody_left" in missing and stream.below(20) == 0:
        # No play leads there: the last player wins. An operator may still enter such a table.
        position["players"] = [{"status": "out"} for _ in range(count)]
        totals = {str(seat): 0 for seat in range(1, count + 1)}
        position["result"] = {"winners": [], "reason": "nobody_left", "totals": totals}
        return position
    if stream.below(5) == 0:
        if stream.below(2):
            position["phase"] = "order_roll"
        return position
    cards = sorted(board["cards"])
    live = [cards.pop(stream.below(len(cards))) for _ in range(count + stream.below(len(cards) // 2))]
    poor = stream.below(3)
    for player in position["players"]:
        player["at"] = stream.choice(sorted(board["squares"])) if stream.below(6) else board["base"]
        player["hand"] = [live.pop() for _ in range(min(len(live), stream.below(4)))]
        player["cash"] = 5 * stream.below(12 if poor == 0 else 120)
        player["fuel"] = stream.below(2) if poor == 1 else stream.below(6)
        player["sections"] = stream.below(4)
        player["loan"] = stream.below(3) == 0
        player["turbo"] = stream.below(2) == 0
    if "reason all_stranded" in missing and stream.below(4) == 0:
        for player in position["players"]:
            player.update({"cash": 5 * stream.below(9), "fuel": 0, "loan": True})
    position["pile"], position["gone"] = sorted(live), sorted(cards)
    return position


STARTS = {"taxi": taxi, "taxi_over": taxi_over, "destination_london": destination_london}


class Chance(SeededChance):
    """Fair dice; cards that no golden game has shown come up rather than others."""

    def __init__(self, name, stream, missing):
        super().__init__(stream)
        self.name = name
        self.missing = set(missing)

    def __call__(self, state, request):
        if request["kind"] == "card":
            ids = golden_coverage.card_ids(self.name, request["deck"])
            left = game.cards_left(state, request["deck"], ids)
            rare = [card for card in left if f"card {request['deck']} {card}" in self.missing]
            if rare and self.stream.below(4):
                card = self.stream.choice(rare)
                self.missing.discard(f"card {request['deck']} {card}")
                return card
        return super().__call__(state, request)


def special(name, stream, state):
    """Now and then a command that bots do not give: somebody leaves, the operator corrects."""
    luck = stream.below(160)
    seats = len(game.dump_position(state)["players"])
    if luck == 0:
        return {"do": "resign", "seat": 1 + stream.below(seats)}
    if luck == 1:
        return CORRECTIONS[name](stream, seats)
    return None


def _correct(stream, seats, key, amount):
    player = {"seat": 1 + stream.below(seats), key: amount}
    return {"do": "correct", "seat": 0, "set": {"players": [player]}, "why": "It was miscounted."}


CORRECTIONS = {
    "taxi": lambda stream, seats: _correct(stream, seats, "cash", 10 * stream.below(2000)),
    "taxi_over": lambda stream, seats: _correct(stream, seats, "held", stream.below(6)),
    "destination_london": lambda stream, seats: _correct(stream, seats, "cash", 5 * stream.below(60)),
}


def wrong(name, stream, state):
    """A command that the rules may well refuse, of the kinds that mixing others up does not find."""
    seat = stream.below(len(game.dump_position(state)["players"]) + 1)
    found = dict(stream.choice(WRONG[name]))
    found.setdefault("seat", seat)
    return found


WRONG = {
    "taxi": (
        {"do": "correct", "seat": 0, "set": {"trip": 99}, "why": "x"},
        {"do": "correct", "seat": 0, "set": {"players": [{"seat": 1, "cash": 10}]}},
        {"do": "roll", "die": "d6", "face": 7}, {"do": "draw_card", "deck": "journey", "card": "X00"},
        {"do": "move", "to": "nowhere"}, {"do": "move", "to": "a1"}, {"do": "buy_taxi", "count": 37},
        {"do": "buy_taxi", "count": 9}, {"do": "give", "to": 1, "green": 40}, {"do": "sell_plate", "count": 30},
        {"do": "place_barrier", "on": "nowhere"}, {"do": "place_bet", "word": "taxi"}, {"do": "pass_bet"},
        {"do": "draw_card", "deck": "journey", "card": {"do": [["nothing"]]}}, {"do": "resign"},
    ),
    "taxi_over": (
        {"do": "correct", "seat": 0, "set": {"box": 99}, "why": "x"}, {"do": "correct", "seat": 0, "set": {"box": 1}},
        {"do": "roll", "face": 21}, {"do": "roll"}, {"do": "stop"}, {"do": "board_taxi", "taxi": "T9"},
        {"do": "board_taxi", "taxi": "T1"}, {"do": "decline"}, {"do": "resign"}, {"do": "ask", "what": "odds"},
        {"do": "ask", "what": "weather"},
    ),
    "destination_london": (
        {"do": "correct", "seat": 0, "set": {"fuel_bank": 9}, "why": "x"}, {"do": "correct", "seat": 0, "set": {}},
        {"do": "correct", "seat": 0, "set": {"players": [{"seat": 1, "cash": 10}]}}, {"do": "roll", "faces": [7]},
        {"do": "roll", "faces": [1, 1]}, {"do": "move", "to": "nowhere"}, {"do": "move", "to": "BASE"},
        {"do": "collect", "cards": ["D01"]}, {"do": "claim", "cards": ["D02"]}, {"do": "buy_fuel", "count": 5},
        {"do": "buy_fuel", "count": 1}, {"do": "ask_fuel", "of": 1}, {"do": "ask_fuel", "of": 2}, {"do": "buy_turbo"},
        {"do": "take_loan"}, {"do": "repay_loan"}, {"do": "sell"}, {"do": "deal", "seat": 0, "card": "D01"},
        {"do": "collect", "cards": ["D03"], "spend": "fuel"}, {"do": "draw_light", "card": "fuel_1"}, {"do": "resign"},
    ),
}  # fmt: skip
