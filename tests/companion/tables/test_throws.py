"""Dice that are thrown together one after the other: counted from the log, chosen, forgotten when the game goes on."""

import itertools

import pytest
from table_kit import TWO_DICE as POSITION

from companion.event_log.hash_chain import chained
from companion.tables.table_log import TableLog
from companion.tables.throws import wanted_throw
from shared_rules.engine import game

ONE_DIE = {"game": "taxi", "board": "fumbling", "players": [{}, {}]}


def log_of(position, *notes):
    """A log that begins with this position, with these notes and plays after it."""
    numbers = itertools.count()
    entries = []
    for kind, command in [("start", {"do": "start", "seat": 0, "position": position}), *notes]:
        entries.append(
            chained(
                entries[-1] if entries else None,
                table_id="t",
                kind=kind,
                version=1,
                rules_revision="1",
                command=command,
                events=[],
                evidence=None,
                command_id=f"c{next(numbers)}",
                actor="bank",
                reason="",
                at="2026-01-01T20:00:00.000+00:00",
            )
        )
    return TableLog(entries)


def first(face, seat=1):
    return ("note", {"do": "first_throw", "seat": seat, "die": "d6", "face": face})


def chosen(count):
    return ("note", {"do": "dice_chosen", "seat": 1, "count": count})


@pytest.mark.parametrize(
    ("notes", "count", "faces"),
    [
        ((), 2, ()),
        ((first(4),), 2, (4,)),
        ((chosen(1),), 1, ()),
        ((first(4), chosen(1)), 1, ()),
        ((chosen(1), chosen(2), first(3)), 2, (3,)),
        ((first(4, seat=2),), 2, ()),
    ],
)
def test_what_lies_there_is_read_from_the_notes(notes, count, faces):
    wanted = wanted_throw(game.load_position(POSITION), log_of(POSITION, *notes))
    assert (wanted.seat, wanted.die, wanted.count, wanted.faces) == (1, "d6", count, faces)


def test_notes_from_before_the_last_change_do_not_count():
    played = ("play", {"do": "take_loan", "seat": 1})
    wanted = wanted_throw(game.load_position(POSITION), log_of(POSITION, first(4), played))
    assert wanted.faces == ()


def test_the_command_says_how_many_and_what():
    wanted = wanted_throw(game.load_position(POSITION), log_of(POSITION, first(4)))
    command = wanted.command([*wanted.faces, 2])
    assert command == {"do": "roll", "seat": 1, "die": "d6", "dice": 2, "faces": [4, 2]}
    state = game.load_position(POSITION)
    game.play(state, command)
    assert game.dump_position(state)["dice"] == [4, 2]


def test_a_single_die_is_no_list():
    wanted = wanted_throw(game.load_position(ONE_DIE), log_of(ONE_DIE))
    assert wanted.command([5]) == {"do": "roll", "seat": 1, "die": "d6", "face": 5}


def test_nothing_is_wanted_when_nobody_throws():
    state = game.load_position(ONE_DIE)
    game.play(state, {"do": "roll", "seat": 1, "die": "d6", "face": 3})
    assert wanted_throw(state, log_of(ONE_DIE)) is None
