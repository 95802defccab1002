"""The replay program: `python -m shared_rules.replay`, `micropython -m shared_rules.replay` from the project's root.

Reads one JSON object a line, {"position": …, "commands": […]}, and answers each with one line: the position after the
commands, what was refused, what was answered, the events; or {"error": …}. Both Pythons give the same bytes. It never
ends with a traceback; its exit status is 0. Formats and codes: docs/records.md.
"""

import gc
import sys

from shared_rules.engine import game
from shared_rules.engine.errors import PositionError, RuleViolation
from shared_rules.portable.json_text import NoJsonError, canonical, dumps, parse
from shared_rules.portable.ordered import ordered

MYPY = False
if MYPY:  # only type checkers come here
    from collections.abc import Callable
    from typing import Any

    Json = dict[str, Any]


# A microcontroller's Python has no room for all events of a long game: there they are made once more while they are
# written, after the rest of the answer.
ROOMY = sys.implementation.name != "micropython"

TOO_LARGE = "The line asks for more than this machine has room for."


def answer(lines: "list[bytes]", write: "Callable[[str], object]") -> None:
    """Write the answer to one line of input in pieces of JSON text. `lines` holds the line, and is emptied for room."""
    pieces = _Pieces(write)
    try:
        _replay(parse(lines.pop()), pieces)
    except PositionError as error:
        write(_error(error.code, error.message, error.at))
    except NoJsonError as error:
        write(_error("malformed", str(error), ""))
    except (MemoryError, RuntimeError):
        # RecursionError is a RuntimeError. If only events are missing, which are for people, the answer stands.
        write("]}" if pieces.begun else _error("malformed", TOO_LARGE, ""))
    except Exception as error:
        # A fault of ours. The lines after this one are still answered, and this one says what to report.
        what = "The rules program failed; please report this line: " + type(error).__name__ + " " + str(error)
        write("]}" if pieces.begun else _error("fault", what, ""))


class _Pieces:
    """The pieces of an answer; `begun` once the first is written."""

    def __init__(self, write: "Callable[[str], object]") -> None:
        self._write = write
        self.begun = False

    def write(self, text: str) -> None:
        self._write(text)
        self.begun = True


def _replay(line: "Any", pieces: _Pieces) -> None:
    if not isinstance(line, dict):
        raise PositionError("malformed", "A line is an object with 'position' and 'commands'.")
    for key in sorted(line):
        if key not in ("position", "commands"):
            raise PositionError("malformed", "A line has no key '" + key + "'.")
    if "position" not in line:
        raise PositionError("malformed", "A line needs a 'position'.")
    position = line["position"]
    commands = line.get("commands", [])
    if not isinstance(commands, list):
        raise PositionError("malformed", "'commands' is a list.")
    state = game.load_position(position)
    start = None if ROOMY else game.copy_state(state)
    refused: "list[Json]" = []
    answers: "list[Json]" = []
    events: list[str] = []
    _play(state, commands, refused, answers, events.append if ROOMY else None)
    out = ['{"position": ', dumps(game.dump_position(state)), ', "refused": ', dumps(refused)]
    if answers:
        out += [', "answers": ', dumps(answers)]
    out.append(', "events": [')
    pieces.write("".join(out))
    if start is None:
        pieces.write(", ".join(events))
    else:
        state = None
        _play(start, commands, [], [], _Apart(pieces.write).write)
    pieces.write("]}")


class _Apart:
    """Writes texts with commas between them."""

    def __init__(self, write: "Callable[[str], object]") -> None:
        self._write = write
        self._between = ""

    def write(self, text: str) -> None:
        self._write(self._between + text)
        self._between = ", "


def _play(state: "Any", commands: "list[Any]", refused: "list[Json]", answers: "list[Json]", on_event: "Any") -> None:
    for index, command in enumerate(commands):
        try:
            if isinstance(command, dict) and command.get("do") == "ask":
                found = game.ask(state, command)
                answers.append(ordered([("index", index)] + [(key, found[key]) for key in found]))
            else:
                for event in game.play(state, command):
                    if on_event is not None:
                        on_event(dumps(canonical(event, ("event",), ("rules",))))
        except RuleViolation as no:
            pairs = (("index", index), ("code", no.code), ("rules", list(no.rules)), ("message", no.message))
            refused.append(ordered(pairs))


def _error(code: str, message: str, at: str) -> str:
    inner = ordered((("code", code), ("message", message), ("at", at)))
    return dumps(ordered((("error", inner),)))


def _skip_line(source: "Any") -> None:
    piece = source.readline(1024)
    while piece and not piece.endswith(b"\n"):
        piece = source.readline(1024)


def main() -> None:
    """Answer every line of standard input."""
    source = sys.stdin.buffer
    out = sys.stdout.buffer
    if not ROOMY:
        # Collected often, what stays in use lies together; else it would be strewn over the heap, with holes too small.
        gc.threshold(64000)  # type: ignore[attr-defined]

    def write(text: str) -> None:
        out.write(text.encode())

    while True:
        gc.collect()
        try:
            lines = [source.readline()]
        except MemoryError:
            gc.collect()
            _skip_line(source)
            write(_error("malformed", TOO_LARGE, "") + "\n")
            continue
        if not lines[0]:
            break
        answer(lines, write)
        write("\n")
    flush = getattr(out, "flush", None)
    if flush:
        flush()


if __name__ == "__main__":
    main()
