"""Destination London as a title: the functions by which the engine plays it (see shared_rules.engine.game)."""

from shared_rules.games.destination_london import (
    board,
    commands,
    flow,
    invariants,
    legal,
    loading,
    meta,
    odds_of,
    position_writer,
    questions,
    views,
    waiting,
)

MYPY = False
if MYPY:
    from typing import Any

    from shared_rules.games.destination_london.kinds import Json
    from shared_rules.games.destination_london.state import State

NAME = meta.NAME

decide = commands.decide
evolve = flow.evolve
follow = flow.follow
phase_of = flow.phase_of
chance = commands.chance
ask = questions.answer
dump = position_writer.dump
cards_left = commands.cards_left
waiting_for = waiting.waiting_for
legal_commands = legal.legal_commands
view_for = views.view_for
event_for = views.event_for
check_invariants = invariants.check_invariants
odds = odds_of.odds
parse_board = board.parse_board

_FACES = [1, 2, 3, 4, 5, 6]


def load(position: "Json") -> "State":
    """The state of a position."""
    # The state carries its title; inside its own module a name for that is to be had only by importing it.
    from shared_rules.games.destination_london import title

    return loading.load(position, title)


def round_number(state: "State") -> int:
    """The round that is being played, counted in turns since the position was read, from 1."""
    return state.turns // state.seats + 1


def faces(state: "State", die: str) -> "list[int]":
    """The faces of a die, each as likely as the others; L-009."""
    return _FACES


def bots() -> "dict[str, Any]":
    """The players that are no people, by strength."""
    from shared_rules.games.destination_london.bots.greedy import Greedy
    from shared_rules.games.destination_london.bots.random_lawful import RandomLawful
    from shared_rules.games.destination_london.bots.strong import Strong

    return {"random": RandomLawful, "greedy": Greedy, "strong": Strong}
