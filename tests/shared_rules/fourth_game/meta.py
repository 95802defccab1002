"""Harbour in figures: a game that is no title, put beside the titles by a test."""

from shared_rules.engine.options import Option

NAME, TITLE, PLAYERS, MINUTES, COLOURS = "harbour", "Harbour", (2, 3), (5, 10), ("red", "blue", "green")
REVISION = 2  # 1: a six counted as no more than a six
OPTIONS = (Option("goal", (12, 30), "How many boats win.", ("H-1",)),)
PHASES, REASONS = ("throw", "over"), ("full",)
REFUSALS = ("malformed", "unknown_command", "unknown_seat", "not_your_turn", "game_over", "bad_face")
DECKS, DICE, STANDING = (), ("d6",), ("boats", "boats")
