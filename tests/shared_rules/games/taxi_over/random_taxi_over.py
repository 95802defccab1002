"""Random games of Taxi Over on random boards with random house rules, checked after every event; a test and a proof.

Everything follows from the seed. Besides what bots do, seats leave, the operator corrects, and commands that the rules
must refuse are tried. After every command the whole table is compared with what simple counting says.
"""

from __future__ import annotations

import json

from shared_rules.engine import game
from shared_rules.engine.driver import SeededChance, completed
from shared_rules.engine.errors import RuleViolation
from shared_rules.games.taxi_over.bots.greedy import Greedy
from shared_rules.games.taxi_over.bots.random_lawful import RandomLawful
from shared_rules.games.taxi_over.meta import OPTIONS
from shared_rules.portable.random_stream import RandomStream

# A game that no dice can end (every die a violation, say) is ended by leaving.
MOST_ROUNDS = 60
WILD_VALUES = {
    "dice_faces": [[1, 2, 3, 4, 5, 6], [1, 1, 1, 1, 1, 1], [1, 1, 2, 2, 4, 8], [3, 3, 3, 3, 3, 3], [20, 1, 1, 2, 2, 3]],
    "target_tokens": [{"2": 3, "3": 3, "4": 3}, {"2": 20}, {"4": 15}, {"2": 36, "3": 36, "4": 36}],
}


class GameFailedError(Exception):
    """A game that broke a rule; names the seed."""


class Counter:
    """What has been seen in many games."""

    def __init__(self):
        self.games = self.commands = self.events = self.refused = self.left_to_end = self.most_turns = 0
        self.names = {}
        self.reasons = {}
        self.boards = {}

    def add(self, other):
        """Add another counter."""
        for name in ("games", "commands", "events", "refused", "left_to_end"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.most_turns = max(self.most_turns, other.most_turns)
        for mine, theirs in ((self.names, other.names), (self.reasons, other.reasons), (self.boards, other.boards)):
            for key, count in theirs.items():
                mine[key] = mine.get(key, 0) + count


def random_options(stream):
    """House rules: each option differs from its default one time in four."""
    options = {}
    for option in OPTIONS:
        if stream.below(4) == 0:
            options[option.name] = stream.choice(WILD_VALUES.get(option.name) or list(option.values))
    return options


def random_board(stream):
    """A ring of 5 to 24 spaces, or a road with one or two crossings; at least one intersection, maybe no sinkhole."""
    kind = stream.below(4)
    if kind == 0:
        size = 8 + stream.below(8)
        loop = [f"p{i}" for i in range(size)]
        first = stream.below(3)
        between = 3 + stream.below(size - 6)
        loop.insert(first, "X")
        loop.insert(first + 1 + between, "X")
    elif kind == 1:
        # Two lobes on a ring.
        loop = ["X", "a1", "a2", "a3", "X", "b1", "Y", "c1", "c2", "c3", "Y", "b2", "b3", "b4"]
    else:
        loop = [f"p{i}" for i in range(5 + stream.below(20))]
    names = sorted(set(loop))
    plain = [name for name in names if loop.count(name) == 1]
    marks = sorted({stream.choice(names) for _ in range(1 + stream.below(3))})
    bends = sorted({stream.choice(plain) for _ in range(stream.below(4))})
    return {
        "id": "random",
        "loop": loop,
        "entry": stream.choice(plain),
        "intersections": marks,
        "sinkholes": {f"K{i}": bend for i, bend in enumerate(bends)},
    }


def random_position(stream):
    """A game about to begin, or in the middle of one: taxis on the road, drivers out, tokens held."""
    board = random_board(stream)
    seats = 2 + stream.below(3)
    position = {"game": "taxi_over", "board": board, "options": random_options(stream), "players": []}
    if stream.below(2):
        position["players"] = [{} for _ in range(seats)]
        return position
    for _ in range(seats):
        position["players"].append({"held": stream.below(3)} | ({"driver": None} if stream.below(3) == 0 else {}))
    spaces = [name for name in board["loop"] if board["loop"].count(name) == 1]
    taxis = {}
    for number in range(1, seats + 1):
        if stream.below(2):
            place = spaces.pop(stream.below(len(spaces)))
            taxis[f"T{number}"] = {"at": place, "fresh": place not in board["intersections"] and stream.below(2) == 0}
    position["taxis"] = taxis
    position["box"] = stream.below(4)
    return position


def play_one(seed, counter=None, hashes=False):
    """Play the game of a seed; every invariant after every event. Returns the result. GameFailedError."""
    try:
        return _Game(seed, counter or Counter(), hashes).play()
    except GameFailedError:
        raise
    except Exception as error:
        raise GameFailedError(f"seed {seed}: {type(error).__name__}: {error}") from error


class _Game:
    def __init__(self, seed, counter, hashes):
        self.seed = seed
        self.stream = RandomStream(seed)
        self.start = random_position(self.stream)
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
        crossings = len(self.state.board.loop) - self.state.board.spaces
        counter.boards[crossings] = counter.boards.get(crossings, 0) + 1
        wrong = game.check_invariants(self.state)
        assert not wrong, wrong
        while self.state.phase != "over":
            if self.state.title.round_number(self.state) > MOST_ROUNDS:
                counter.left_to_end += 1
                while self.state.phase != "over":
                    self.apply({"do": "resign", "seat": self.state.seats_in()[-1]})
                break
            self.try_something_wrong()
            self.apply(self.next_command())
        counter.most_turns = max(counter.most_turns, self.state.turns)
        result = game.dump_position(self.state)["result"]
        counter.reasons[result["reason"]] = counter.reasons.get(result["reason"], 0) + 1
        self.check_replay()
        return result

    def next_command(self):
        luck = self.stream.below(300)
        if luck == 0:
            return {"do": "resign", "seat": self.stream.choice(self.state.seats_in())}
        if luck < 3:
            correction = self.correction()
            if correction is not None:
                return correction
        bot = self.bots[self.stream.below(2)]
        seat = self.state.title.waiting_for(self.state)[0]
        command = bot.choose(self.state, seat)
        assert command is not None, f"nobody acts in {self.state.phase}"
        return completed(self.state, command, self.chance)

    def correction(self):
        if self.state.tokens[0] < 1 or self.state.target < 3:
            return None
        changes = {"box": self.state.tokens[-1] + 1}
        if self.stream.below(2):
            changes["taxis"] = {"T1": {"at": "START"}}
        return {"do": "correct", "seat": 0, "set": changes, "why": "miscounted"}

    def apply(self, command):
        state = self.state
        self.counter.commands += 1
        taxis = state.taxis
        held = list(state.tokens[1 : state.seats + 1])
        turn = state.turn
        events = game.decide(state, command)
        happened = []
        while events:
            for event in events:
                event = json.loads(json.dumps(event))
                self.stored.append(event)
                happened.append(event["event"])
                if "amount" in event:
                    assert event["amount"] > 0, event
                    assert event["from"] != event["to"], event
                if "amount" in event or event["event"] in ("moved", "taxi_advanced", "all_to_start", "driver_ejected"):
                    assert event["rules"], event
                game.evolve(state, event)
                self.counter.events += 1
                self.counter.names[event["event"]] = self.counter.names.get(event["event"], 0) + 1
                wrong = game.check_invariants(state)
                if wrong:
                    raise GameFailedError(f"seed {self.seed}, {command} -> {event}: {wrong}")
            events = game.follow(state)
        assert state.taxis == taxis == len(state.at) - 1
        if command["do"] in ("resign", "correct"):
            return
        self.check_tokens(held, turn, happened)

    def check_tokens(self, held, turn, happened):
        """Held tokens never get fewer; by default only the active player's grow; the box is filled while it can be."""
        state = self.state
        now = state.tokens[1 : state.seats + 1]
        assert all(after >= before for before, after in zip(held, now, strict=True)), (held, now)
        if state.options["pushed_driver_collects"] == "no":
            grown = [seat for seat in range(1, state.seats + 1) if now[seat - 1] > held[seat - 1]]
            assert grown in ([], [turn]), (grown, turn)
        if "collected" in happened and state.phase != "over":
            assert state.tokens[-1] >= 1 or state.tokens[0] == 0, "O-070"
        assert not {"speeding_violation", "collected"} <= set(happened), "OQ-27"

    def try_something_wrong(self):
        """A command that may not fit: refused, it changes nothing."""
        if self.stream.below(8):
            return
        state = self.state
        seat = self.stream.below(state.seats + 1)
        command = self.stream.choice(
            [
                {"do": "roll", "seat": seat, "face": 21},
                {"do": "roll", "seat": seat, "face": 1, "die": "d6"},
                {"do": "roll", "seat": state.turn % state.seats + 1, "face": 1},
                {"do": "stop", "seat": state.turn % state.seats + 1},
                {"do": "board_taxi", "seat": seat, "taxi": "T9"},
                {"do": "board_taxi", "seat": state.turn, "taxi": None},
                {"do": "decline", "seat": 0},
                {"do": "resign", "seat": 0},
                {"do": "resign", "seat": state.seats + 1},
                {"do": "correct", "seat": 0, "set": {"box": 37 - min(0, state.tokens[0])}, "why": "x"},
                {"do": "correct", "seat": seat, "set": {"target": 3}, "why": "x"},
                {"do": "correct", "seat": 0, "set": {"turn": 9}, "why": "x"},
            ]
        )
        if "box" in command.get("set", {}) and state.options["supply_exhausted"] == "substitute":
            return
        before = game.state_hash(state) if self.hashes else None
        try:
            game.play(state, command)
        except RuleViolation:
            self.counter.refused += 1
            if self.hashes and game.state_hash(state) != before:
                raise GameFailedError(f"seed {self.seed}: refused {command} changed the state") from None
            return
        raise GameFailedError(f"seed {self.seed}: {command} was not refused in {state.phase}")

    def check_replay(self):
        """The stored events alone give the same game; and its position reads back as the same position."""
        again = game.load_position(self.start)
        for event in self.stored:
            game.evolve(again, event)
        last = game.state_hash(self.state)
        if game.state_hash(again) != last:
            raise GameFailedError(f"seed {self.seed}: the stored events give another game")
        if game.state_hash(game.load_position(game.dump_position(self.state))) != last:
            raise GameFailedError(f"seed {self.seed}: the position reads back differently")
