"""TAXI! as a title: the functions by which the engine plays it (see shared_rules.engine.game)."""

from shared_rules.games.taxi import (
    board,
    commands,
    evolution,
    invariants,
    legal,
    meta,
    position_reader,
    position_writer,
    questions,
    turn,
    views,
)

NAME = meta.NAME

decide = commands.decide
evolve = evolution.evolve
follow = evolution.follow
chance = commands.chance
ask = questions.answer
dump = position_writer.dump
cards_left = turn.cards_left
legal_commands = legal.legal_commands
view_for = views.view_for
event_for = views.event_for
check_invariants = invariants.check_invariants
waiting_for = position_writer.waiting_for
parse_board = board.parse_board

_FACES: dict = {"d6": [1, 2, 3, 4, 5, 6], "d12": ["green"] * 5 + ["white"] * 2 + ["blank"] * 5}


def load(position: dict):
    """The state of a position."""
    # The state carries its title; inside its own module a name for that is to be had only by importing it.
    from shared_rules.games.taxi import title

    return position_reader.load(position, title)


def round_number(state) -> int:
    """The round of the trip that is going on, from 1; bots that never arrive are stopped by it."""
    return state.round


def faces(state, die: str) -> list:
    """The faces of a die, each as likely as the others; T-006, T-007."""
    return _FACES[die]


def bots() -> dict:
    """The players that are no people, by how well they play."""
    from shared_rules.games.taxi.bots.greedy import Greedy
    from shared_rules.games.taxi.bots.random_lawful import RandomLawful
    from shared_rules.games.taxi.bots.strong import Strong

    return {"random": RandomLawful, "greedy": Greedy, "strong": Strong}


def odds(state, seat: int) -> list:
    """Exact odds of what the seat can do now, from what it may know (see `shared_rules.games.taxi.odds`)."""
    # Not everybody who plays asks: a table controller's Python has no room for what it does not use.
    from shared_rules.games.taxi import odds as reckoned

    return reckoned.odds(state, seat)
