"""Harbour: throw a die, land as many boats; who has the goal first wins. A whole title in sixty lines of program."""

# ruff: noqa: I001
from shared_rules.engine.commands import head_of, refuse, whole
from shared_rules.engine.options import changed_options, read_options
from shared_rules.games.harbour import meta
from shared_rules.portable.ordered import ordered

NAME = meta.NAME
faces = lambda s, die: [1, 2, 3, 4, 5, 6]  # noqa: E731
follow = lambda s: []  # noqa: E731
cards_left = lambda s, deck, ids: []  # noqa: E731
event_for = lambda s, event, audience: event  # noqa: E731
check_invariants = lambda s: [] if min(s.boats) >= 0 else ["Boats are missing (H-5)."]  # noqa: E731
waiting_for = lambda s: [] if max(s.boats) >= s.options["goal"] else [s.turn]  # noqa: E731
round_number = lambda s: s.boats.count(0) + 1  # noqa: E731
bots = lambda: {"random": Bot, "greedy": Bot, "strong": Bot}  # noqa: E731


class Harbour:
    def __init__(self, options, boats, turn, revision):
        from shared_rules.games.harbour import title

        self.title, self.options, self.boats, self.turn, self.revision = title, options, boats, turn, revision

    def copy(self):
        return Harbour(self.options, list(self.boats), self.turn, self.revision)


class Bot:
    def __init__(self, random):
        self.random = random

    def choose(self, s, seat):
        return legal_commands(s, seat)[0]


def load(position, revision=meta.REVISION):
    boats = [player.get("boats", 0) for player in position["players"]]
    options = read_options(position.get("options", {}), meta.OPTIONS, "options")
    return Harbour(options, boats, position.get("turn", 1), revision)


def dump(s):
    players = [ordered((("seat", i + 1), ("colour", meta.COLOURS[i]), ("boats", n))) for i, n in enumerate(s.boats)]
    won = [i + 1 for i, n in enumerate(s.boats) if n >= s.options["goal"]]
    head = (("game", NAME), ("options", changed_options(s.options, meta.OPTIONS)), ("players", players))
    result = ordered((("winners", won), ("reason", "full"))) if won else None
    return ordered(head + (("turn", s.turn), ("phase", "over" if won else "throw"), ("result", result)))


def decide(s, command):
    do, seat = head_of(command, ("throw",), len(s.boats))
    if not waiting_for(s):
        raise refuse("game_over", "The harbour is full.", "H-1")
    if seat != s.turn:
        raise refuse("not_your_turn", "It is another's turn.", "H-2")
    if not 1 <= whole(command, "face") <= 6:
        raise refuse("bad_face", "A die has six faces.", "H-3")
    boats = command["face"] + (1 if command["face"] == 6 and s.revision >= 2 else 0)
    return [{"event": "Landed", "unit": "boats", "from": 0, "to": seat, "amount": boats, "rules": ["H-4"]}]


def evolve(s, event):
    s.boats[event["to"] - 1] += event["amount"]
    s.turn = s.turn % len(s.boats) + 1


def ask(s, command):
    raise refuse("unknown_command", "There are no questions.")


def chance(s, command=None):
    due = waiting_for(s) and (command is None or (command.get("do") == "throw" and "face" not in command))
    return {"kind": "die", "die": "d6", "seat": s.turn, "field": "face"} if due else None


def legal_commands(s, seat):
    return [{"do": "throw", "seat": seat}] if seat in waiting_for(s) else []


def view_for(s, audience):
    return ordered([("audience", audience)] + list(dump(s).items()) + [("prompts", legal_commands(s, audience))])
