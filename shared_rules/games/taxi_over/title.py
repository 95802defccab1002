"""Taxi Over as a title: the functions by which the engine plays it (see shared_rules.engine.game)."""

from shared_rules.games.taxi_over import (
    board,
    commands,
    evolution,
    invariants,
    legal,
    meta,
    position_reader,
    position_writer,
    questions,
    views,
)
from shared_rules.games.taxi_over import odds as chances
from shared_rules.games.taxi_over.state import State

MYPY = False
if MYPY:  # only type checkers come here
    from typing import Any

NAME = meta.NAME

decide = commands.decide
evolve = evolution.evolve
follow = evolution.follow
chance = commands.chance
ask = questions.answer
dump = position_writer.dump
odds = chances.odds
legal_commands = legal.legal_commands
view_for = views.view_for
event_for = views.event_for
check_invariants = invariants.check_invariants
waiting_for = position_writer.waiting_for
parse_board = board.parse_board


def load(position: "dict[str, Any]") -> State:
    """The state of a position."""
    # The state carries its title; inside its own module a name for that is to be had only by importing it.
    from shared_rules.games.taxi_over import title

    return position_reader.load(position, title)


def round_number(state: State) -> int:
    """How often the turn has gone round since the position was read, from 1; bots that never arrive are stopped by it.

    The game itself counts no rounds (OQ-42).
    """
    return 1 + state.turns // state.seats


def faces(state: State, die: str) -> list[int]:
    """The faces of a die, each as likely as the others (OQ-01)."""
    return list(state.options["dice_faces"])


def cards_left(state: State, deck: str, ids: list[str]) -> list[str]:
    """There are no cards in this game."""
    return []


def bots() -> "dict[str, Any]":
    """The players that are no people, by how well they play."""
    from shared_rules.games.taxi_over.bots.greedy import Greedy
    from shared_rules.games.taxi_over.bots.random_lawful import RandomLawful
    from shared_rules.games.taxi_over.bots.strong import Strong

    return {"random": RandomLawful, "greedy": Greedy, "strong": Strong}
