"""Games of every title to record: from the golden games, whose beginnings and commands cover what titles can do."""

import functools
import json

import golden_make

from shared_rules import games
from shared_rules.records import player
from shared_rules.records.record import NOTE, PLAY, UNDO, Record, shortest

FILES = [path for name in games.names() for path in golden_make.files(name)]


@functools.cache
def golden(path):
    """(title, start, commands) of a golden game."""
    lines = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    return lines[0]["game"], lines[0]["start"], tuple(line["play"] for line in lines if "play" in line)


def record_of(path, count=None, notes=(), undone=()):
    """The record of a golden game's first `count` commands, with remarks and with commands that are taken back.

    `notes` are (place, text); `undone` are places after which the next command is played, taken back, played again.
    """
    name, start, commands = golden(path)
    record = player.recorded(name, shortest(start), [])
    said = dict(notes)
    for at, command in enumerate(commands[:count]):
        if at in said:
            record.entries.append((NOTE, said[at]))
        record.entries.append((PLAY, command))
        if at in undone:
            record.entries.append((UNDO, len(record.entries)))
            record.entries.append((PLAY, command))
    player.close(record)
    return record


def same(one: Record, other: Record):
    """Whether two records are the same, apart from the lines they were read from."""
    fields = ("game", "revision", "start", "seats", "tags", "entries", "result", "hash")
    return all(getattr(one, field) == getattr(other, field) for field in fields)
