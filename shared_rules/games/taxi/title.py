"""TAXI! as a title: the functions by which the engine plays it (see shared_rules.engine.game)."""

from shared_rules.games.taxi import commands, evolution, meta, position_reader, position_writer, questions, turn

NAME = meta.NAME

decide = commands.decide
evolve = evolution.evolve
follow = evolution.follow
chance = commands.chance
ask = questions.answer
dump = position_writer.dump
cards_left = turn.cards_left


def load(position: dict):
    """The state of a position."""
    # The state carries its title; inside its own module a name for that is to be had only by importing it.
    from shared_rules.games.taxi import title

    return position_reader.load(position, title)
