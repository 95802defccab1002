"""What a game was about, from its record, as figures: standings over time, what moved them, luck, turning points.

For pages and the command line, which make sentences and pictures of it. All figures are whole numbers, fractions are
[numerator, denominator].
"""

from shared_rules.engine import game, titles
from shared_rules.engine.errors import RuleViolation
from shared_rules.records import notation, player
from shared_rules.records.record import Record, RecordError

MYPY = False
if MYPY:  # only type checkers come here
    from typing import Any

    Json = dict[str, Any]

# How many turning points are told.
POINTS = 6


def of(record: Record) -> "Json":
    """The story of a record: {"seats", "unit", "turns", "entries", "standings", "moved", "luck", "points", "result"}.

    `standings` is [{"entry", "turn", "round", "seat", "values"}], one a turn and one for the end, values by seat (none
    where a title counts no standing); `moved` is {unit: {event: [by seat]}}, what seats got less what they gave;
    `luck` [{"seat", "die", "throws", "sum", "mean", "variance", "faces"}], sum and the two fractions of one throw None
    where faces are no numbers, faces [[face, times, chance], …]; `points` [{"entry", "turn", "seat", "words", "swing",
    "values", "before", "hero", "because"}]: what changed the lead of `hero`, who won in the end, most, in order;
    because is [[event, [by seat]], …], the weightiest first. RecordError.
    """
    return _Teller(record).told()


class _Teller:
    """Plays the record and counts along."""

    def __init__(self, record: Record) -> None:
        self.record = record
        meta = titles.title(record.game).meta
        counted: "tuple[str | None, str]" = getattr(meta, "STANDING", (None, ""))
        self.key, self.unit = counted
        self.words = notation.words_of(record.game)
        self.state = player.beginning(record)
        position = game.dump_position(self.state)
        self.seats = len(position["players"])
        self.values: "list[list[int]]" = []
        self.turns: "list[tuple[int, int, int]]" = []
        self.numbers: list[int] = []
        self.moved: "dict[str, dict[str, list[int]]]" = {}
        self.luck: "dict[tuple[int, str], list[Any]]" = {}
        # Of each entry, what moved the unit that standings are counted in, as in `moved`.
        self.because: "list[dict[str, list[int]]]" = []

    def told(self) -> "Json":
        """The whole story."""
        turn = 0
        last: "list[int]" = []
        before = self._standing()
        for number in self.record.counting():
            command = self.record.entries[number - 1][1]
            position = game.dump_position(self.state)
            now = [position["turn"], notation.game_round(self.state)]
            if now != last:
                turn += 1
                last = now
            self._look_at_chance(command)
            try:
                events = game.play(self.state, command)
            except RuleViolation as no:
                raise RecordError(
                    "The rules refuse entry " + str(number) + " (" + no.code + "): " + no.message,
                    self.record.line(number),
                )
            self._count(events)
            self.numbers.append(number)
            self.turns.append((turn, now[1], now[0]))
            self.values.append(self._standing())
        result = game.dump_position(self.state)["result"]
        return {
            "seats": self.record.seats,
            "unit": self.unit,
            "turns": turn,
            "entries": len(self.numbers),
            "standings": self._standings(before),
            "moved": self.moved,
            "luck": self._luck(),
            "points": self._points(before, result),
            "result": result,
        }

    def _standing(self) -> list[int]:
        return [] if self.key is None else standing(self.state, self.key)

    def _look_at_chance(self, command: "Json") -> None:
        for field in sorted(command):
            if field in ("do", "seat"):
                continue
            bare = {key: command[key] for key in command if key != field}
            try:
                asked = game.chance(self.state, bare)
            except KeyError:
                continue
            if asked is None or asked.get("field") != field or asked["kind"] == "card":
                continue
            thrown = command[field] if asked["kind"] == "dice" else [command[field]]
            kept = self.luck.setdefault((command["seat"], asked["die"]), [])
            faces = self.state.title.faces(self.state, asked["die"])
            for face in thrown:
                kept.append((face, faces))

    def _count(self, events: "list[Json]") -> None:
        now: "dict[str, list[int]]" = {}
        self.because.append(now)
        for event in events:
            if "amount" not in event or "unit" not in event:
                continue
            unit, name = event["unit"], event["event"]
            sums = [self.moved.setdefault(unit, {}).setdefault(name, [0] * self.seats)]
            if unit == self.unit:
                sums.append(now.setdefault(name, [0] * self.seats))
            for account, sign in ((event.get("from"), -1), (event.get("to"), 1)):
                if isinstance(account, int) and account >= 1:
                    for row in sums:
                        row[account - 1] += sign * event["amount"]

    def _standings(self, before: list[int]) -> "list[Json]":
        out: "list[Json]" = []
        for at, (turn, round_number, seat) in enumerate(self.turns):
            if at == 0 or turn != self.turns[at - 1][0]:
                values = before if at == 0 else self.values[at - 1]
                out.append(_standing_row(self.numbers[at], turn, round_number, seat, values))
        if self.turns:
            turn, round_number, seat = self.turns[-1]
            out.append(_standing_row(self.numbers[-1], turn, round_number, seat, self.values[-1]))
        return out

    def _luck(self) -> "list[Json]":
        out: "list[Json]" = []
        for seat, die in sorted(self.luck):
            throws = self.luck[(seat, die)]
            faces = throws[-1][1]
            mean = variance = total = None
            if all([isinstance(face, int) for face in faces]):
                count = len(faces)
                mean = [sum(faces), count]
                variance = [count * sum([face * face for face in faces]) - sum(faces) ** 2, count * count]
                total = sum([face for face, _ in throws])
            seen: "list[Any]" = []
            for face in faces:
                if face not in seen:
                    seen.append(face)
            shown = [face for face, _ in throws]
            counts = [[face, shown.count(face), [faces.count(face), len(faces)]] for face in seen]
            row: "Json" = {"seat": seat, "die": die, "throws": len(throws), "sum": total, "mean": mean}
            row["variance"] = variance
            row["faces"] = counts
            out.append(row)
        return out

    def _points(self, before: list[int], result: "Json | None") -> "list[Json]":
        if not before or not self.values or len(before) < 2:
            return []
        winners = (result or {}).get("winners") or []
        last = self.values[-1]
        hero = winners[0] - 1 if winners else last.index(max(last))
        swings = []
        was = _margin(before, hero)
        for at, values in enumerate(self.values):
            now = _margin(values, hero)
            swings.append((abs(now - was), at, now - was))
            was = now
        swings.sort(key=lambda entry: (-entry[0], -entry[1]))
        chosen = sorted([entry for entry in swings[:POINTS] if entry[0] > 0], key=lambda entry: entry[1])
        out: "list[Json]" = []
        for _, at, swing in chosen:
            command = self.record.entries[self.numbers[at] - 1][1]
            row: "Json" = {"entry": self.numbers[at], "turn": self.turns[at][0], "seat": command["seat"]}
            row["words"] = self.words.write(command)
            row["hero"] = hero + 1
            because = self.because[at]
            weights = [(-sum([abs(change) for change in because[name]]), name) for name in because]
            row["because"] = [[name, because[name]] for weight, name in sorted(weights) if weight]
            row["swing"] = swing
            row["values"] = self.values[at]
            row["before"] = self.values[at - 1] if at else before
            out.append(row)
        return out


def standing(state: "Any", key: str) -> list[int]:
    """What every seat has of what counts in this game, as everybody may see it."""
    return [entry[key] for entry in game.view_for(state, "spectator")["players"]]


def _standing_row(entry: int, turn: int, round_number: int, seat: int, values: list[int]) -> "Json":
    return {"entry": entry, "turn": turn, "round": round_number, "seat": seat, "values": values}


def _margin(values: list[int], hero: int) -> int:
    return values[hero] - max([value for seat, value in enumerate(values) if seat != hero])
