"""Deals and plays one game of a plan: guides to seats, bots to seats, dice and cards from the game's own seed.

Three streams of random numbers a game (deal, chance, bots) hang on the seed and the game's number alone, so that game
17 is the same alone or among a thousand, in one process or in eight.
"""

from __future__ import annotations

import random
from typing import Any

from companion.simulation.money import MoneyByReason
from companion.simulation.records import Plan, PlayedGame
from shared_rules import library
from shared_rules.engine import driver, game
from shared_rules.engine.errors import RuleViolation
from shared_rules.games.taxi.bots import Greedy, RandomLawful

BOTS = {"random": RandomLawful, "greedy": Greedy}
MAX_ROUNDS = 60
"""More rounds in a trip are a fault of rules, board or bots, not an evening (A-57)."""
COLOURS = ("red", "yellow", "blue", "green", "white", "black")


class GameFailedError(Exception):
    """Game `number` of the plan did not end as a game should. The text says how."""

    def __init__(self, number: int, text: str) -> None:
        super().__init__(number, text)
        self.number = number
        self.text = text

    def __str__(self) -> str:
        return f"Game {self.number} failed: {self.text}"


def board_title(board: str) -> str:
    """The name of a shipped board for people."""
    return str(library.board(board)["title"])


def play_game(plan: Plan, number: int) -> PlayedGame:
    """Game `number` of the plan, from the deal to the tally. `GameFailedError` with its number otherwise."""
    deal = random.Random(f"{plan.seed}/{number}/deal")
    guides = deal.sample(range(1, 7), plan.players)
    # Bots wander round the table from game to game, so that none keeps the better seat.
    bots = tuple(plan.bots[(seat + number) % len(plan.bots)] for seat in range(plan.players))
    mood = random.Random(f"{plan.seed}/{number}/bots").random
    players = {seat: BOTS[bot](mood) for seat, bot in enumerate(bots, 1)}
    tally = Tally()
    state = game.load_position(position(plan, guides))
    try:
        result = driver.play_out(
            state,
            players,
            driver.SeededChance(random.Random(f"{plan.seed}/{number}/chance")),
            tally.take,
            max_rounds=MAX_ROUNDS,
        )
    except (driver.TooLongError, driver.StuckError) as error:
        raise GameFailedError(number, f"{error} (trip {tally.trip})") from None
    except RuleViolation as refused:
        raise GameFailedError(number, f"a bot did what the rules refuse ({refused.code}): {refused.message}") from None
    faults = game.check_invariants(state)
    if faults:
        raise GameFailedError(number, " ".join(faults))
    totals = result["totals"]
    return PlayedGame(
        number=number,
        bots=bots,
        guides=tuple(guides),
        winners=tuple(result["winners"]),
        reason=result["reason"],
        rounds_by_trip=tuple(tally.rounds),
        turns=tally.turns,
        commands=tally.commands,
        wealth=tuple(totals.get(str(seat), 0) for seat in range(1, plan.players + 1)),
        money=dict(tally.money.sums),
    )


def position(plan: Plan, guides: list[int]) -> dict[str, Any]:
    """The new game: seat n drives by the board's guide `guides[n − 1]`, in that guide's colour (T-002)."""
    printed: Any = library.board(plan.board)["guides"]
    return {
        "game": "taxi",
        "board": plan.board,
        "players": [
            {"name": f"P{seat}", "colour": COLOURS[guide - 1], "guide": printed[guide - 1][: plan.trips]}
            for seat, guide in enumerate(guides, 1)
        ],
    }


class Tally:
    """Counts along while a game is played."""

    def __init__(self) -> None:
        self.commands = 0
        self.turns = 1
        self.trip = 1
        self.rounds = [1]
        self.money = MoneyByReason()

    def take(self, _state: object, _command: dict[str, Any], events: list[dict[str, Any]]) -> None:
        """After each command."""
        self.commands += 1
        for event in events:
            name = event["event"]
            if name == "TurnStarted":
                self.turns += 1
            elif name == "RoundStarted":
                self.rounds[-1] = event["round"]
            elif name == "TripStarted":
                self.trip = event["trip"]
                self.rounds.append(1)
        self.money.count(events)
