"""The replay program: `python -m shared_rules.replay`, `micropython -m shared_rules.replay` from the project's root.

Reads one JSON object a line, {"position": …, "commands": […]}, and answers each with one line: the position after the
commands, what was refused, what was answered, the events; or {"error": …}. Both Pythons give the same bytes. It never
ends with a traceback; its exit status is 0. Formats and codes: docs/records.md.
"""

import sys

from shared_rules.engine import game
from shared_rules.engine.errors import PositionError, RuleViolation
from shared_rules.portable.json_text import NoJson, canonical, dumps, parse
from shared_rules.portable.ordered import ordered
from shared_rules.portable.utf8 import decode


def answer(line: bytes) -> str:
    """The answer to one line of input, as JSON text."""
    try:
        return _replayed(parse(decode(line)))
    except PositionError as error:
        return _error(error.code, error.message, error.at)
    except NoJson as error:
        return _error("malformed", str(error), "")
    except ValueError:
        return _error("malformed", "The line is no UTF-8 text.", "")
    except (MemoryError, RuntimeError):
        # RecursionError is a RuntimeError; either way the line asks for more than this machine has.
        return _error("malformed", "The line is too large for this machine.", "")


def _replayed(line) -> str:
    if not isinstance(line, dict):
        raise PositionError("malformed", "A line is an object with 'position' and 'commands'.")
    for key in sorted(line):
        if key not in ("position", "commands"):
            raise PositionError("malformed", "A line has no key '" + key + "'.")
    if "position" not in line:
        raise PositionError("malformed", "A line needs a 'position'.")
    commands = line.get("commands", [])
    if not isinstance(commands, list):
        raise PositionError("malformed", "'commands' is a list.")
    state = game.load_position(line["position"])
    refused = []
    answers = []
    events = []
    for index, command in enumerate(commands):
        try:
            if isinstance(command, dict) and command.get("do") == "ask":
                found = game.ask(state, command)
                answers.append(ordered([("index", index)] + [(key, found[key]) for key in found]))
            else:
                for event in game.play(state, command):
                    events.append(dumps(canonical(event, ("event",), ("rules",))))
        except RuleViolation as no:
            pairs = (("index", index), ("code", no.code), ("rules", list(no.rules)), ("message", no.message))
            refused.append(ordered(pairs))
    out = ['{"position": ', dumps(game.dump_position(state)), ', "refused": ', dumps(refused)]
    if answers:
        out += [', "answers": ', dumps(answers)]
    out += [', "events": [', ", ".join(events), "]}"]
    return "".join(out)


def _error(code: str, message: str, at: str) -> str:
    inner = ordered((("code", code), ("message", message), ("at", at)))
    return dumps(ordered((("error", inner),)))


def main() -> None:
    """Answer every line of standard input."""
    source = sys.stdin.buffer
    out = sys.stdout.buffer
    while True:
        line = source.readline()
        if not line:
            break
        out.write((answer(line) + "\n").encode())
    flush = getattr(out, "flush", None)
    if flush:
        flush()


if __name__ == "__main__":
    main()
