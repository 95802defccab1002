"""Deals and plays one game of a plan: sides and bots to seats, dice and cards from the game's own seed.

Three streams of random numbers a game (deal, chance, bots) hang on the seed and the game's number alone, so that game
17 is the same alone or among a thousand, in one process or in eight.
"""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from typing import Any

from companion.simulation.records import Plan, PlayedGame
from companion.simulation.titles import TitlePart, part
from shared_rules import games, library
from shared_rules.engine import driver, game
from shared_rules.engine.errors import PositionError, RuleViolation


class GameFailedError(Exception):
    """Game `number` of the plan did not end as a game should. The text says how."""

    def __init__(self, plan: Plan, number: int, text: str) -> None:
        super().__init__(plan, number, text)
        self.plan = plan
        self.number = number
        self.text = text

    def __str__(self) -> str:
        return f"Game {self.number} failed: {self.text}"


def board_title(board: str) -> str:
    """The name of a shipped board for people."""
    return str(library.board(board).get("title") or board)


def bots_of(name: str) -> dict[str, Any]:
    """The bots of a title by name."""
    title: Any = games.find(name)
    found: dict[str, Any] = title.bots()
    return found


def play_game(plan: Plan, number: int) -> PlayedGame:
    """Game `number` of the plan, from the deal to the tally. `GameFailedError` with its number otherwise."""
    known = part(plan.game)
    position, sides = known.deal(plan, random.Random(f"{plan.seed}/{number}/deal"))
    # Bots wander round the table from game to game, so that none keeps the better seat.
    bots = tuple(plan.bots[(seat + number) % len(plan.bots)] for seat in range(plan.players))
    mood = random.Random(f"{plan.seed}/{number}/bots").random
    kinds = bots_of(plan.game)
    players = {seat: kinds[bot](mood) for seat, bot in enumerate(bots, 1)}
    try:
        state = game.load_position(position)
    except PositionError as fault:
        raise GameFailedError(plan, number, f"it cannot begin ({fault.code}): {fault.message}") from None
    tally = Tally(known, state)
    try:
        result = driver.play_out(
            state,
            players,
            driver.SeededChance(random.Random(f"{plan.seed}/{number}/chance")),
            tally.take,
            max_rounds=known.MOST_ROUNDS,
        )
    except (driver.TooLongError, driver.StuckError) as error:
        raise GameFailedError(plan, number, str(error)) from None
    except RuleViolation as refused:
        why = f"a bot did what the rules refuse ({refused.code}): {refused.message}"
        raise GameFailedError(plan, number, why) from None
    faults = game.check_invariants(state)
    if faults:
        raise GameFailedError(plan, number, " ".join(faults))
    totals = result["totals"]
    return PlayedGame(
        number=number,
        bots=bots,
        sides=sides,
        winners=tuple(result["winners"]),
        reason=result["reason"],
        lengths=tally.lengths(),
        totals=tuple(totals.get(str(seat), 0) for seat in range(1, plan.players + 1)),
        money=dict(tally.money),
        half=tally.half(),
    )


class Tally:
    """Counts along while a game is played."""

    def __init__(self, known: TitlePart, state: Any) -> None:
        self.commands = 0
        self.counts: Counter[str] = Counter()
        self.money: defaultdict[str, int] = defaultdict(int)
        self._known = known
        self._features = [known.features(state)]

    def take(self, state: Any, _command: dict[str, Any], events: list[dict[str, Any]]) -> None:
        """After each command."""
        self.commands += 1
        money, turn = self._known.money, self._known.TURN
        began = False
        for event in events:
            self.counts[event["event"]] += 1
            began = began or event["event"] == turn
            for reason, amount in money(event):
                self.money[reason] += amount
        if began:
            self._features.append(self._known.features(state))

    def lengths(self) -> dict[str, float]:
        """Measures of the game's length by name. The first turn has begun when a game begins."""
        further = self._known.lengths(self.counts)
        return {**further, "turns a game": self.counts[self._known.TURN] + 1, "commands a game": self.commands}

    def half(self) -> dict[str, tuple[float, ...]]:
        """What each seat had at half time."""
        return self._features[len(self._features) // 2]
