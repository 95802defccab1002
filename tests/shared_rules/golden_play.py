"""Golden games: their lines, and playing them on both Pythons. Imports nothing but the rules.

    {"golden": 1, "game": …, "rules_revision": …, "made": "how", "start": {…}, "views": "8 figures"}
    {"play": {…}, "views": "8 figures"}            a command that was played, a hash over all audiences' views after it
    {"refused": {…}, "code": "…"}                  one that was refused, and changed nothing
    {"result": …, "hash": …, "audiences": {"spectator": "16 figures", "bank": …, "1": …}}    a rolling hash each

Run by itself it plays the files that are named and says what is wrong: `micropython golden_play.py FILE…`.
"""

import hashlib
import sys

from shared_rules.engine import game
from shared_rules.engine.errors import RuleViolation
from shared_rules.portable.json_text import canonical, dumps, parse
from shared_rules.portable.ordered import ordered

STEP_FIGURES = 8
END_FIGURES = 16


class WrongError(Exception):
    """A golden game that comes out otherwise; the message names line and what."""


def digest(text, figures):
    """The first figures of a text's hash."""
    found = hashlib.sha256(text.encode()).digest()
    return "".join([f"{byte:02x}" for byte in found])[:figures]


class Views:
    """Hashes of what every audience sees, step by step."""

    def __init__(self, state):
        self.audiences = ["spectator", "bank"] + list(range(1, len(game.dump_position(state)["players"]) + 1))
        self.rolling = ["" for _ in self.audiences]
        # What was hashed last: most views do not change for most audiences in a step.
        self._last = ["" for _ in self.audiences]
        self._last_hash = ["" for _ in self.audiences]

    def step(self, state):
        """One hash over all views; the rolling ones go on."""
        for at, audience in enumerate(self.audiences):
            text = dumps(canonical(game.view_for(state, audience)), ",", ":")
            if text != self._last[at]:
                self._last[at] = text
                self._last_hash[at] = digest(text, 64)
            self.rolling[at] = digest(self.rolling[at] + self._last_hash[at], 64)
        return digest("".join(self._last_hash), STEP_FIGURES)

    def ends(self):
        """The rolling hash of each audience."""
        return ordered([(str(name), self.rolling[at][:END_FIGURES]) for at, name in enumerate(self.audiences)])


def play(text, on_step=None):
    """Play a golden game's text; WrongError at the first line that comes out otherwise.

    `on_step(line, state, code)` is called after the first line (line is the head) and after each entry; code is that
    of a refusal, else None.
    """
    lines = text.strip().split("\n")
    head = parse(lines[0].encode())
    state = game.load_position(head["start"], head["rules_revision"])
    views = Views(state)
    _same(1, "views", views.step(state), head["views"])
    if on_step is not None:
        on_step(head, state, None)
    for number in range(2, len(lines)):
        line = parse(lines[number - 1].encode())
        code = None
        if "play" in line:
            try:
                game.play(state, line["play"])
            except RuleViolation as no:
                raise WrongError("line " + str(number) + ": refused, " + no.code + ": " + no.message) from None
            _same(number, "views", views.step(state), line["views"])
            wrong = game.check_invariants(state)
            if wrong:
                raise WrongError("line " + str(number) + ": " + wrong[0])
        else:
            code = refusal(state, line["refused"])
            _same(number, "code", code, line["code"])
        if on_step is not None:
            on_step(line, state, code)
    end = parse(lines[-1].encode())
    _same(len(lines), "hash", game.state_hash(state), end["hash"])
    _same(len(lines), "result", dumps(canonical(game.dump_position(state)["result"])), dumps(canonical(end["result"])))
    ends = views.ends()
    for audience in sorted(ends):
        _same(len(lines), "what " + audience + " saw", ends[audience], end["audiences"].get(audience))
    return state


def refusal(state, command):
    """The code with which a command is refused, None if it is not; the state stays as it is."""
    try:
        if isinstance(command, dict) and command.get("do") == "ask":
            game.ask(state, command)
        else:
            game.decide(state, command)
    except RuleViolation as no:
        return no.code
    return None


def _same(line, what, found, stored):
    if found != stored:
        raise WrongError("line " + str(line) + ": " + what + " is " + str(found) + ", stored is " + str(stored))


def main():
    """Play the files named on the command line."""
    failed = 0
    for path in sys.argv[1:]:
        with open(path) as file:
            text = file.read()
        try:
            play(text)
            print("ok", path.rsplit("/", 1)[-1])
        except WrongError as error:
            failed += 1
            print("WRONG", path.rsplit("/", 1)[-1], str(error))
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
