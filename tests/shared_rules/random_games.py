"""Random games of every title with random house rules, checked after every event; a test and a proof of many games.

Everything follows from the seed. Besides what bots do, seats leave, the operator corrects, seats do what they may do
out of their turn, and commands that the rules must refuse are tried. What is special to a title stands in
random_titles/, one module a title with the same names in each:

- `WILD`: house rule -> values to choose from, where not all of `Option.values` are meant. `MOST_ROUNDS`: see `driver`.
- `position(stream, options)`: a game about to begin. `may_resign(state)`: whether a seat may leave now.
- `correction(state, stream)`: a command of the operator that the rules take.
- `wrong(state, stream)`: a command that they must refuse, or None. `more(state, stream)`: a lawful one that no bot
  thinks of, or None.
- `check(state, event)`: what else must hold after an event. `before(state)` and `after(state, what before gave,
  command, events' names)`: and after a command. `ABOUT`, `SEEN`: for the report, and events that must come.
"""

from __future__ import annotations

import json
from importlib import import_module

from shared_rules.engine import game, titles
from shared_rules.engine.driver import SeededChance, TooLongError, completed, operators_step
from shared_rules.engine.errors import RuleViolation
from shared_rules.portable.random_stream import RandomStream


class GameFailedError(Exception):
    """A game that broke a rule; names the title and the seed."""


class Counter:
    """What has been seen in many games."""

    def __init__(self):
        self.games = self.commands = self.events = self.refused = self.longest = 0
        self.names = {}
        self.reasons = {}
        self.options = {}

    def add(self, other):
        """Add another counter."""
        for name in ("games", "commands", "events", "refused"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.longest = max(self.longest, other.longest)
        for mine, theirs in (
            (self.names, other.names), (self.reasons, other.reasons), (self.options, other.options)
        ):  # fmt: skip
            for key, count in theirs.items():
                mine[key] = mine.get(key, 0) + count


def part(title):
    """What is special to a title in random games."""
    return import_module(f"random_titles.{title}")


def random_options(stream, title="taxi"):
    """House rules: each option differs from its default one time in four."""
    options = {}
    wild = part(title).WILD
    for option in titles.title(title).meta.OPTIONS:
        if stream.below(4) == 0:
            options[option.name] = stream.choice(wild.get(option.name, list(option.values)))
    return options


def play_one(title, seed, counter=None, hashes=False):
    """Play the game of a seed; every invariant after every event. Returns the result. GameFailedError."""
    try:
        return _Game(title, seed, counter or Counter(), hashes).play()
    except GameFailedError:
        raise
    except Exception as error:
        raise GameFailedError(f"{title}, seed {seed}: {type(error).__name__}: {error}") from error


class _Game:
    def __init__(self, title, seed, counter, hashes):
        self.seed = seed
        self.name = title
        self.part = part(title)
        self.stream = RandomStream(seed)
        options = random_options(self.stream, title)
        for name, value in options.items():
            key = f"{name} {json.dumps(value)}"
            counter.options[key] = counter.options.get(key, 0) + 1
        self.start = self.part.position(self.stream, options)
        self.state = game.load_position(self.start)
        self.title = self.state.title
        self.chance = SeededChance(self.stream)
        bots = self.title.bots()
        self.bots = [bots["random"](self.stream.random), bots["greedy"](self.stream.random)]
        self.counter = counter
        self.hashes = hashes
        self.stored = []

    def play(self):
        """The whole game."""
        counter = self.counter
        counter.games += 1
        while self.title.waiting_for(self.state):
            rounds = self.title.round_number(self.state)
            if rounds > self.part.MOST_ROUNDS:
                raise TooLongError(f"it is in round {rounds}")
            counter.longest = max(counter.longest, rounds)
            self.try_something_wrong()
            self.apply(self.next_command())
        result = game.dump_position(self.state)["result"]
        if result["reason"] not in self.title.meta.REASONS:
            raise GameFailedError(f"{self.name}, seed {self.seed}: it ended by {result['reason']}")
        counter.reasons[result["reason"]] = counter.reasons.get(result["reason"], 0) + 1
        self.check_replay()
        return result

    def next_command(self):
        luck = self.stream.below(400)
        if luck == 0 and self.part.may_resign(self.state):
            return {"do": "resign", "seat": self.stream.choice(self.state.seats_in())}
        if luck < 3:
            return self.part.correction(self.state, self.stream)
        if luck < 20:
            command = self.part.more(self.state, self.stream)
            if command is not None:
                return completed(self.state, command, self.chance)
        bot = self.bots[0 if self.stream.below(4) else 1]
        seats = self.title.waiting_for(self.state)
        if seats == [0]:
            step = operators_step(self.state)
            assert step is not None, "only the operator is waited for, and has nothing to do"
            return completed(self.state, step, self.chance)
        for seat in seats:
            command = bot.choose(self.state, seat)
            if command is not None:
                return completed(self.state, command, self.chance)
        for template in game.legal_commands(self.state, 0):
            return completed(self.state, template, self.chance)
        raise AssertionError(f"nobody acts in {game.dump_position(self.state)['phase']}")

    def apply(self, command):
        state = self.state
        self.counter.commands += 1
        was, happened = self.part.before(state), []
        events = game.decide(state, command)
        while events:
            for event in events:
                event = json.loads(json.dumps(event))
                self.stored.append(event)
                happened.append(event["event"])
                if "amount" in event:
                    assert event["rules"], event
                    assert event["amount"] > 0, event
                    assert event["from"] != event["to"], event
                game.evolve(state, event)
                self.counter.events += 1
                self.counter.names[event["event"]] = self.counter.names.get(event["event"], 0) + 1
                wrong = game.check_invariants(state)
                if wrong:
                    raise GameFailedError(f"{self.name}, seed {self.seed}, {command} -> {event}: {wrong}")
                self.part.check(state, event)
            events = game.follow(state)
        self.part.after(state, was, command, happened)

    def try_something_wrong(self):
        """A command that may not fit: refused, it changes nothing."""
        if self.stream.below(12):
            return
        command = self.part.wrong(self.state, self.stream)
        if command is None:
            return
        before = game.state_hash(self.state) if self.hashes else None
        try:
            game.play(self.state, command)
        except RuleViolation as refused:
            if refused.code not in self.title.meta.REFUSALS:
                raise GameFailedError(f"{self.name}, seed {self.seed}: unknown code {refused.code}") from None
            self.counter.refused += 1
            if self.hashes and game.state_hash(self.state) != before:
                raise GameFailedError(f"{self.name}, seed {self.seed}: refused {command} changed the state") from None
            return
        raise GameFailedError(f"{self.name}, seed {self.seed}: {command} was not refused")

    def check_replay(self):
        """The stored events alone give the same game; and its position reads back as the same position."""
        again = game.load_position(self.start)
        for event in self.stored:
            game.evolve(again, event)
        last = game.state_hash(self.state)
        if game.state_hash(again) != last:
            raise GameFailedError(f"{self.name}, seed {self.seed}: the stored events give another game")
        if game.state_hash(game.load_position(game.dump_position(self.state))) != last:
            raise GameFailedError(f"{self.name}, seed {self.seed}: the position reads back differently")
