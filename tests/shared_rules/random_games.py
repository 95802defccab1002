"""Random games of TAXI! with random house rules, checked after every event; run as a test and as a proof of many games.

Everything follows from the seed. Besides what bots do, seats leave, the operator corrects, next seats begin early, and
commands that the rules must refuse are tried.
"""

from __future__ import annotations

import json

from shared_rules import library
from shared_rules.engine import game
from shared_rules.engine.driver import SeededChance, TooLongError, completed
from shared_rules.engine.errors import RuleViolation
from shared_rules.games.taxi.bots import Greedy, RandomLawful
from shared_rules.games.taxi.meta import OPTIONS
from shared_rules.portable.random_stream import RandomStream

MAX_ROUNDS = 60
WILD_VALUES = {
    "plate_price": [15000, 6000, 10],
    "purchase_limit": ["none", "one_per_turn", "max_total_1", "max_total_3"],
}
TRIPS = (1, 2, 3, 15)


class GameFailedError(Exception):
    """A game that broke a rule; names the seed."""


class Counter:
    """What has been seen in many games."""

    def __init__(self):
        self.games = self.commands = self.events = self.refused = self.rounds = self.longest = 0
        self.names = {}
        self.reasons = {}

    def add(self, other):
        """Add another counter."""
        for name in ("games", "commands", "events", "refused", "rounds"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.longest = max(self.longest, other.longest)
        for mine, theirs in ((self.names, other.names), (self.reasons, other.reasons)):
            for key, count in theirs.items():
                mine[key] = mine.get(key, 0) + count


def random_options(stream):
    """House rules: each option differs from its default one time in four."""
    options = {}
    for option in OPTIONS:
        if stream.below(4) == 0:
            options[option.name] = stream.choice(WILD_VALUES.get(option.name, list(option.values)))
    return options


def random_position(stream, board):
    """A game about to begin: 2 to 6 seats on guides cut to a random length, some with a plate or a barrier."""
    shipped = library.board(board)
    trips = stream.choice(TRIPS)
    players = []
    for seat in range(2 + stream.below(5)):
        guide = shipped["guides"][seat][: trips - 1] + ["base"]
        players.append({"guide": guide, "plates": stream.below(4) // 3, "barriers": stream.below(3) // 2})
    return {"game": "taxi", "board": board, "options": random_options(stream), "players": players}


def play_one(seed, board="fumbling", counter=None, hashes=False):
    """Play the game of a seed; every invariant after every event. Returns the result. GameFailedError."""
    try:
        return _Game(seed, board, counter or Counter(), hashes).play()
    except GameFailedError:
        raise
    except Exception as error:
        raise GameFailedError(f"seed {seed}: {type(error).__name__}: {error}") from error


class _Game:
    def __init__(self, seed, board, counter, hashes):
        self.seed = seed
        self.stream = RandomStream(seed)
        self.start = random_position(self.stream, board)
        self.state = game.load_position(self.start)
        self.chance = SeededChance(self.stream)
        self.bots = [RandomLawful(self.stream.random), Greedy(self.stream.random)]
        self.counter = counter
        self.hashes = hashes
        self.stored = []

    def play(self):
        """The whole game."""
        counter = self.counter
        counter.games += 1
        while self.state.phase != "over":
            if self.state.round > MAX_ROUNDS:
                raise TooLongError(f"trip {self.state.trip} is in round {self.state.round}")
            if self.state.round > counter.longest:
                counter.longest = self.state.round
            self.try_something_wrong()
            self.apply(self.next_command())
        result = game.dump_position(self.state)["result"]
        counter.reasons[result["reason"]] = counter.reasons.get(result["reason"], 0) + 1
        self.check_replay()
        return result

    def next_command(self):
        luck = self.stream.below(400)
        if luck == 0 and self.state.trip > 1:
            return {"do": "resign", "seat": self.stream.choice(self.state.seats_in())}
        if luck < 3:
            return self.correction()
        if luck < 20 and self.state.phase == "tablet_die":
            command = self.early()
            if command is not None:
                return command
        bot = self.bots[0 if self.stream.below(4) else 1]
        for seat in self.state.title.waiting_for(self.state):
            command = bot.choose(self.state, seat)
            if command is not None:
                return completed(self.state, command, self.chance)
        if self.state.phase == "gamble_bets":
            return {"do": "close_bets", "seat": 0}
        raise AssertionError(f"nobody acts in {self.state.phase}")

    def early(self):
        """A command of the seat that is next, before the tablet die of the turn is thrown."""
        for seat in self.state.seats_in():
            if seat == self.state.turn:
                continue
            for template in game.legal_commands(self.state, seat):
                if template["do"] in ("roll", "draw_card"):
                    return completed(self.state, template, self.chance)
        return None

    def correction(self):
        seat = self.stream.choice(self.state.seats_in())
        amount = self.state.cash[seat] + 10 * self.stream.below(50)
        return {"do": "correct", "seat": 0, "set": {"players": [{"seat": seat, "cash": amount}]}, "why": "miscounted"}

    def apply(self, command):
        state = self.state
        self.counter.commands += 1
        events = game.decide(state, command)
        while events:
            for event in events:
                event = json.loads(json.dumps(event))
                self.stored.append(event)
                if "amount" in event:
                    assert event["rules"], event
                    assert event["amount"] > 0, event
                    assert event["from"] != event["to"], event
                game.evolve(state, event)
                self.counter.events += 1
                self.counter.names[event["event"]] = self.counter.names.get(event["event"], 0) + 1
                wrong = game.check_invariants(state)
                if wrong:
                    raise GameFailedError(f"seed {self.seed}, {command} -> {event}: {wrong}")
                if event["event"] == "TripStarted":
                    for seat in state.seats_in():
                        assert state.at[seat] == state.point_of(state.guide[seat][state.trip - 2]), "T-147"
            events = game.follow(state)

    def try_something_wrong(self):
        """A command that may not fit: refused, it changes nothing."""
        if self.stream.below(12):
            return
        seat = self.stream.below(self.state.seats + 1)
        command = self.stream.choice(
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
        if command.get("set", {}).get("players") and self.state.options["tablet_shortage"] == "unlimited":
            return
        before = game.state_hash(self.state) if self.hashes else None
        try:
            game.play(self.state, command)
        except RuleViolation:
            self.counter.refused += 1
            if self.hashes and game.state_hash(self.state) != before:
                raise GameFailedError(f"seed {self.seed}: refused {command} changed the state") from None
            return
        raise GameFailedError(f"seed {self.seed}: {command} was not refused in {self.state.phase}")

    def check_replay(self):
        """T-150: the stored events alone give the same game; and its position reads back as the same position."""
        again = game.load_position(self.start)
        for event in self.stored:
            game.evolve(again, event)
        last = game.state_hash(self.state)
        if game.state_hash(again) != last:
            raise GameFailedError(f"seed {self.seed}: the stored events give another game")
        if game.state_hash(game.load_position(game.dump_position(self.state))) != last:
            raise GameFailedError(f"seed {self.seed}: the position reads back differently")
