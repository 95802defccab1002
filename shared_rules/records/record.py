"""What a record is: a beginning, what was done with what chance answered, an end; for readers, writers and players.

A record holds no refused commands and no questions, and names of people only if somebody wants them in.
"""

from shared_rules.engine import game
from shared_rules.engine.errors import PositionError
from shared_rules.portable.json_text import dumps

MYPY = False
if MYPY:  # only type checkers come here
    from typing import Any

    Json = dict[str, Any]

RECORD_VERSION = 1

# What an entry can be, each with what it holds: a command that was played, the number of a played entry that is taken
# back, a remark.
PLAY = "play"
UNDO = "undo"
NOTE = "note"
KINDS = (PLAY, UNDO, NOTE)

# Tags that say what their record is about; others of small letters may be added.
TAGS = ("event", "place", "date")


class RecordError(Exception):
    """A record that is none, or does not hold. `message` says what is wrong and what to do, `line` where (0: all)."""

    def __init__(self, message: str, line: int = 0) -> None:
        super().__init__(message)
        self.message = message
        self.line = line

    def sentence(self, source: str = "") -> str:
        """The whole sentence, with the source's name and the line."""
        where = source + ", " if source else ""
        return where + ("line " + str(self.line) + ": " if self.line else "") + self.message


class Record:
    """One game, or as much of it as was played.

    `game` names the title, `revision` that of its rules; `start` is the position that it began with, as short as may
    be; `seats` is [{"seat", "colour", "name"?}]; `tags` texts by name; `entries` a list of (kind, what) from number 1
    on; `result` the position's result or None, `hash` the state's hash at the end. `lines` are the lines of the text
    that entries were read from, [] otherwise, `end_line` is that of the end.
    """

    def __init__(self, name: str, revision: int, start: "Json") -> None:
        self.game = name
        self.revision = revision
        self.start = start
        self.seats: "list[Json]" = []
        self.tags: dict[str, str] = {}
        self.entries: "list[tuple[str, Any]]" = []
        self.result: "Json | None" = None
        self.hash = ""
        self.lines: list[int] = []
        self.end_line = 0

    def line(self, number: int) -> int:
        """The line of an entry (from 1), 0 if it was not read from a text."""
        return self.lines[number - 1] if 0 < number <= len(self.lines) else 0

    def counting(self) -> list[int]:
        """The numbers of the played entries that no later one takes back."""
        out: list[int] = []
        for number, (kind, what) in enumerate(self.entries, 1):
            if kind == PLAY:
                out.append(number)
            elif kind == UNDO:
                if not out or out[-1] != what:
                    raise RecordError(
                        "Only what was played last can be taken back, which is "
                        + ("entry " + str(out[-1]) if out else "nothing")
                        + ", not entry "
                        + str(what)
                        + ".",
                        self.line(number),
                    )
                out.pop()
        return out


def check_tag(name: str, text: "Any", line: int) -> None:
    """RecordError if this is no tag: a name of small letters, a text of one line."""
    good = name != "" and name[0] != "_" and all(["a" <= c <= "z" or c == "_" for c in name])
    if not good or name in RESERVED:
        raise RecordError("A tag's name is made of small letters, and not " + dumps(name) + ".", line)
    if not isinstance(text, str):
        raise RecordError("The tag '" + name + "' holds a text.", line)


# Names that the notation needs for itself.
RESERVED = ("record", "game", "rules", "board", "options", "start", "seat", "player", "result", "hash")


def shortest(start: "Json", revision: "int | None" = None) -> "Json":
    """The position without whatever it would have anyway: the least object that gives the same state.

    Keys of the position and of its players go one by one, in order, as long as the state stays the same.
    """
    wanted = game.state_hash(game.load_position(start, revision))
    out = _without(start, revision, wanted, lambda position: position, ("game", "board", "players"))
    if isinstance(out.get("options"), dict):
        out = _without(out, revision, wanted, lambda position: position["options"], ())
    players = start.get("players")
    if isinstance(players, list):
        for index in range(len(players)):
            out = _without(out, revision, wanted, lambda position, at=index: position["players"][at], ())
    return out


def _without(start: "Json", revision: "int | None", wanted: str, part: "Any", kept: "tuple[str, ...]") -> "Json":
    out = start
    for key in sorted(part(start)):
        if key in kept:
            continue
        tried = dict(out)
        if isinstance(tried.get("options"), dict):
            tried["options"] = dict(tried["options"])
        if isinstance(tried.get("players"), list):
            tried["players"] = [dict(entry) for entry in tried["players"]]
        del part(tried)[key]
        if _gives(tried, revision, wanted):
            out = tried
    return out


def _gives(position: "Json", revision: "int | None", wanted: str) -> bool:
    try:
        return game.state_hash(game.load_position(position, revision)) == wanted
    except PositionError:
        return False
