"""`cabstand record show`: a record as a list of turns, one or more lines each, with everybody's standing at its end."""

from __future__ import annotations

import textwrap
from typing import Any

from companion.tables.wording import colour_name, plain_line
from shared_rules import games, library
from shared_rules.engine import titles
from shared_rules.records import notation, player, story
from shared_rules.records.record import NOTE, UNDO, Record

Json = dict[str, Any]

WIDTH = 100


def name_of(record: Record, seat: int) -> str:
    """What a seat is called: its name, else its colour."""
    if 1 <= seat <= len(record.seats):
        row = record.seats[seat - 1]
        return plain_line(row.get("name", "")) or colour_name(row["colour"])
    return "The operator"


def title_of(record: Record) -> str:
    """What the game is called."""
    return str(getattr(games.meta(record.game), "TITLE", record.game))


def heading(record: Record) -> list[str]:
    """What is played by whom, on what, by which rules, and how it ended."""
    seats = ", ".join(f"{name_of(record, row['seat'])} ({row['seat']})" for row in record.seats)
    out = [f"{title_of(record)}, rules revision {record.revision}"]
    tags = [plain_line(record.tags.get(tag, "")) for tag in ("event", "place", "date")]
    if any(tags):
        out.append(", ".join(filter(None, tags)))
    board = record.start.get("board")
    if board is not None:
        out.append(f"Board: {_board_title(board)}")
    options = record.start.get("options") or {}
    if options:
        told = ", ".join(f"{key} {value_words(options[key])}" for key in sorted(options))
        out.extend(textwrap.wrap(f"House rules: {told}", WIDTH, subsequent_indent="  "))
    out.append(f"Seats: {seats}")
    out.append(ending(record))
    return out


def _board_title(board: Any) -> str:
    if isinstance(board, str):
        board = library.board(board) if board in library.board_ids() else {"id": board}
    return plain_line(str(board.get("title") or board.get("id") or "")) or "its own"


def ending(record: Record) -> str:
    """How the game ended, in a sentence."""
    if record.result is None:
        return "The game is not over."
    winners = [name_of(record, seat) for seat in record.result.get("winners", [])]
    reason = str(record.result.get("reason", "")).replace("_", " ")
    if not winners:
        return f"Nobody has won ({reason})."
    return f"{' and '.join(winners)} {'has' if len(winners) == 1 else 'have'} won ({reason})."


def value_words(value: Any) -> str:
    """A house rule's value for people."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value).replace("_", " ") if isinstance(value, str) else str(value)


def lines(record: Record) -> list[str]:
    """The turns. RecordError."""
    turns = notation.turns_of(record)
    standings = _standings(record)
    words = notation.words_of(record.game)
    widest = max([len(name_of(record, row["seat"])) for row in record.seats] + [6])
    out: list[str] = []
    at = 0
    while at < len(record.entries):
        number, seat = turns[at]
        parts: list[str] = []
        while at < len(record.entries) and turns[at] == (number, seat):
            parts.append(_part(record, at, seat, words))
            at += 1
        head = f"{number:>4}. {name_of(record, seat):<{widest}}  "
        out.extend(
            textwrap.wrap(
                "; ".join(parts),
                WIDTH,
                initial_indent=head,
                subsequent_indent=" " * len(head),
                break_long_words=False,
                break_on_hyphens=False,
            )
        )
        if standings and standings[at - 1]:
            out.append(" " * len(head) + "→ " + standings[at - 1])
    return out


def _part(record: Record, at: int, seat: int, words: Any) -> str:
    kind, what = record.entries[at]
    if kind == NOTE:
        return f"({plain_line(what)})"
    if kind == UNDO:
        return f"(entry {what} is taken back)"
    who = "" if what["seat"] == seat else f"{name_of(record, what['seat'])}: "
    return who + plain_line(words.write(what))


def _standings(record: Record) -> list[str]:
    """What everybody has after each entry, "" where nothing has changed since the last turn's end."""
    meta = titles.title(record.game).meta
    key, _ = getattr(meta, "STANDING", (None, ""))
    if key is None:
        return []
    out: list[str] = []
    for step in player.steps(record):
        values = story.standing(step.state, key)
        out.append(", ".join(f"{name_of(record, seat)} {value:,}" for seat, value in enumerate(values, 1)))
    return out
