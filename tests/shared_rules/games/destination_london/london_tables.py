"""Boards, positions and random games for the tests of Destination London."""

import random

from shared_rules import library
from shared_rules.engine import game
from shared_rules.engine.driver import completed
from shared_rules.engine.errors import RuleViolation
from shared_rules.games.destination_london import light_cards, meta, title
from shared_rules.games.destination_london.bots.random_lawful import RandomLawful

THAMES = "thames"


def ring_board(cards=None):
    """Board LB1 of the rules page: twelve squares in a ring, the Base beyond q0, a one-way cut from q2 to q9."""
    squares = {"B": [0, 1], "x1": [5, 5]}
    for n in range(12):
        squares["q" + str(n)] = [n, 0]
    attractions = {
        "ALPHA": "q3", "BETA": "q5", "DELTA": "q5", "ZETA": "q1", "THETA": "q7", "GAMMA": "q8", "ETA": "q9",
        "EPSILON": "q11",
    }  # fmt: skip
    fares = {"ZETA": 80, "ALPHA": 40, "BETA": 50, "DELTA": 30, "THETA": 70, "GAMMA": 60, "ETA": 100, "EPSILON": 20}
    if cards is None:
        cards = {name: {"attraction": name, "fare": fares[name]} for name in attractions}
    return {
        "id": "LB1",
        "title": "Ring of 12",
        "squares": squares,
        "base": "B",
        "garages": ["q6"],
        "lights": ["q4", "q8", "q10"],
        "roads": [
            {"via": ["B", "q0"], "one_way": False},
            {"via": ["q" + str(n) for n in range(12)] + ["q0"], "one_way": False},
            {"via": ["q2", "x1", "q9"], "one_way": True},
        ],
        "attractions": {name: {"name": name.title(), "square": attractions[name]} for name in attractions},
        "cards": cards,
    }


def ring_with_many_cards():
    """LB1 with three cards for each attraction, so that a pile lasts."""
    plain = ring_board()
    cards = {}
    for name in plain["cards"]:
        for n in range(3):
            cards[name + str(n)] = dict(plain["cards"][name])
    return ring_board(cards)


def random_options(stream, most=6):
    """A few house rules, by chance."""
    options = {}
    for option in stream.sample(meta.OPTIONS, stream.randrange(most + 1)):
        values = list(option.values)
        if option.name == "max_extra_turns":
            values += [1, 2]
        elif option.name == "fuel_resale_price":
            values += [0, 5, 20, 130]
        options[option.name] = stream.choice(values)
    return options


def random_position(stream, board=None, most_options=6):
    """A new game, or one somewhere on its way: short piles, little money, places, kept cards."""
    if board is None:
        board = stream.choice([THAMES, ring_board(), ring_with_many_cards()])
    seats = stream.randrange(2, 7)
    parsed = library.parsed_board(board) if isinstance(board, str) else title.parse_board(board)
    cards = list(parsed.card_ids)
    stream.shuffle(cards)
    lights = list(light_cards.IDS)
    stream.shuffle(lights)
    typed = stream.random() < 0.15
    players = []
    squares = sorted(parsed.squares)
    fresh = stream.random() < 0.3
    for _ in range(seats):
        player = {}
        if not fresh:
            player["cash"] = stream.choice([0, 4, 5, 45, 50, 120, 160, 199, 200, 300, 700])
            player["fuel"] = stream.choice([0, 1, 1, 2, 3, 5])
            player["at"] = stream.choice(squares)
            player["turbo"] = stream.random() < 0.3
            player["loan"] = stream.random() < 0.3
            player["sections"] = stream.randrange(4)
            if stream.random() < 0.9:
                player["hand"] = [cards.pop() for _ in range(min(len(cards), stream.randrange(5)))]
            if not typed:
                for card in lights[:3]:
                    verb = light_cards.verb_of(card)
                    if verb == light_cards.BONUS_FUEL:
                        player.setdefault("bonus_fuel", []).append(card)
                        lights.remove(card)
                    elif verb in light_cards.HOLDABLE:
                        player.setdefault("held", []).append(card)
                        lights.remove(card)
        players.append(player)
    position = {
        "game": "destination_london",
        "board": board,
        "players": players,
        "options": random_options(stream, most_options),
    }
    if not fresh and stream.random() < 0.6:
        # The race at the end: few cards are left to draw.
        position["pile"] = cards[: stream.randrange(4)]
    if typed:
        position["lights"] = {"pile": stream.randrange(4), "returned": stream.randrange(3)}
    elif not fresh and stream.random() < 0.3:
        kept = stream.randrange(4)
        position["lights"] = {"pile": lights[:kept], "returned": lights[kept:]}
    if stream.random() < 0.2:
        position["phase"] = "order_roll"
    return position


def typed_card(stream):
    """A card of a physical deck."""
    several = [
        ["receive", stream.choice([5, 35, 100])], ["pay_fine", stream.choice([5, 90, 220])], ["licence_points", 3],
        ["pay_fine", 60, "petrol_station"],
    ]  # fmt: skip
    alone = [
        ["gain_bonus_fuel", 1], ["move_to_own_destination"], ["next_fare", 0], ["next_fare", 2],
        ["hold_shield", "petrol_station"],
    ]  # fmt: skip
    if stream.random() < 0.5:
        do = [stream.choice(alone)]
    else:
        do = stream.sample(several, stream.randrange(1, 4))
    return {"title": stream.choice(["One", "Two", "Three"]), "side": stream.choice(["nice", "nasty"]), "do": do}


class Chance:
    """Fair dice, any card that is left, typed cards where the deck is a physical one."""

    def __init__(self, stream):
        self.stream = stream

    def __call__(self, state, request):
        if request["kind"] == "dice":
            return [self.stream.randrange(1, 7) for _ in range(request["count"])]
        if request["deck"] == "destinations":
            return self.stream.choice(game.cards_left(state, "destinations", state.board.card_ids))
        if state.typed:
            return typed_card(self.stream)
        return self.stream.choice(game.cards_left(state, "lights", list(light_cards.IDS)))


def next_command(state, bots, chance):
    """The next command of a game: of a seat that is waited for, or the operator's."""
    for seat in title.waiting_for(state):
        if seat == 0:
            return completed(state, {"do": "deal", "seat": 0}, chance)
        command = bots[seat].choose(state, seat)
        if command is not None:
            return completed(state, command, chance)
    raise AssertionError("Nobody acts in phase " + state.phase)


def random_bots(state, stream):
    """One for each seat."""
    return [None] + [RandomLawful(stream.random) for _ in range(state.seats)]


def new_stream(seed):
    """A stream of chance."""
    return random.Random(seed)


FAR = ["F1", "F2", "F3", "F4", "F5", "F6", "F7", "F8", "F9", "F10", "F11", "F12"]


def far_board(**changes):
    """LB1 with an island far away, whose cards fill hands without any effect; keys of the board may be changed."""
    board = ring_board()
    board["squares"]["far"] = [9, 9]
    board["attractions"]["FAR"] = {"name": "Far away", "square": "far"}
    for card in FAR:
        board["cards"][card] = {"attraction": "FAR", "fare": 40}
    board.update(changes)
    return board


def position(*players, board=None, **more):
    """A position on LB1: each player is an object; hands that are left out are three cards of far away."""
    out = []
    taken = [card for player in players for card in player.get("hand", [])]
    free = [card for card in FAR if card not in taken]
    for player in players:
        player = dict(player)
        if "hand" not in player and player.get("status") != "out":
            player["hand"] = [free.pop(0) for _ in range(3)]
        out.append(player)
    return {"game": "destination_london", "board": board or far_board(), "players": out, **more}


def table(*players, **more):
    """The state of such a position."""
    return game.load_position(position(*players, **more))


def do(state, seat, verb, **fields):
    """Play a command; its events."""
    return game.play(state, {"do": verb, "seat": seat, **fields})


def code(state, seat, verb, **fields):
    """The code with which a command is refused; a refusal changes nothing."""
    before = game.state_hash(state)
    try:
        game.play(state, {"do": verb, "seat": seat, **fields})
    except RuleViolation as no:
        refused = no.code
    else:
        return "accepted"
    assert game.state_hash(state) == before
    assert refused in meta.REFUSALS
    return refused


def seen(state):
    """The position as an object, players by seat."""
    dumped = game.dump_position(state)
    dumped["seats"] = {player["seat"]: player for player in dumped["players"]}
    return dumped
