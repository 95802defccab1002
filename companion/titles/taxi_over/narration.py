"""Taxi Over's log in sentences: dice and their sum, drives, rows that are pushed, falls, the box, violations."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from companion.tables.receipts import Json, LogRow
from companion.web.screens import narration
from companion.web.screens.narration import Line
from companion.web.screens.seats import Screen
from companion.web.texts import Texts


class Narrator(narration.Narrator):
    """Tells the rows of one table in one language."""

    TELLERS = {
        "die_rolled": "die_rolled",
        "moved": "moved",
        "pushed": "pushed",
        "fell": "fell",
        "speeding_violation": "violation",
        "taxi_advanced": "advanced",
        "driver_boarded": "boarded",
        "resigned": "resigned",
        "game_over": "game_ended",
    }
    UNITS: Mapping[str, str] = {"tokens": "unit.tokens"}

    def command_words(self, command: Json) -> dict[str, Any]:
        """A taxi by its number."""
        words = super().command_words(command)
        return {**words, "taxi": self.t("taxi.number", n=command["taxi"][1:])} if "taxi" in command else words

    def die_rolled(self, event: Json, row: LogRow, index: int, skip: set[int]) -> Line:
        """The face, and with others the sum."""
        dice, name = event["dice"], self._name(event["seat"])
        if len(dice) > 1:
            key = "event.die_rolled.more"
        else:
            key = "event.die_rolled.rng" if row.evidence == "rng" else "event.die_rolled"
        sentence = self.t(key, name=name, face=event["face"], sum=sum(dice))
        return self._line(event["seat"], sentence, {**event, "die": "taxi"})

    def moved(self, event: Json, row: LogRow, index: int, skip: set[int]) -> Line:
        """How far and to where."""
        key = "event.moved" if event["distance"] else "event.moved.stays"
        place = self._place(event["to"])
        sentence = self.t(key, name=self._name(event["seat"]), n=event["distance"], place=place)
        return self._line(event["seat"], sentence, event)

    def pushed(self, event: Json, row: LogRow, index: int, skip: set[int]) -> Line | None:
        """Who was pushed and where to; of one that fell the fall is told."""
        fell = any(
            other and other["event"] == "fell" and other["taxi"] == event["taxi"] for other in row.events[index:]
        )
        if fell or not event["way"]:
            return None
        return self._about_taxi("event.pushed", event, place=self._place(event["to"]))

    def fell(self, event: Json, row: LogRow, index: int, skip: set[int]) -> Line:
        """A fall."""
        return self._about_taxi("event.fell", event, pit=self._place(event["sinkhole"]))

    def violation(self, event: Json, row: LogRow, index: int, skip: set[int]) -> Line:
        """Too much: what was thrown, and the token that it puts into the box."""
        key = "event.violation" if "amount" in event else "event.violation.none"
        sentence = self.t(key, name=self._name(event["seat"]), sum=event["sum"])
        return self._line(event["seat"], sentence, event)

    def advanced(self, event: Json, row: LogRow, index: int, skip: set[int]) -> Line:
        """The empty taxi of a violation."""
        return self._line(0, self.t("event.taxi_advanced", place=self._place(event["to"])), event)

    def boarded(self, event: Json, row: LogRow, index: int, skip: set[int]) -> Line:
        """Which taxi."""
        words = self.t("event.driver_boarded", name=self._name(event["seat"]), n=event["taxi"][1:])
        return self._line(event["seat"], words, event)

    def resigned(self, event: Json, row: LogRow, index: int, skip: set[int]) -> Line:
        """Somebody went home."""
        return self._line(event["seat"], self.t("event.resigned", name=self._name(event["seat"])), event)

    def _about_taxi(self, key: str, event: Json, **places: Any) -> Line:
        seat = event["seat"]
        if seat:
            return self._line(seat, self.t(f"{key}.rider", name=self._name(seat), **places), event)
        return self._line(0, self.t(f"{key}.empty", **places), event)


def card_of_the_turn(rows: Sequence[LogRow], screen: Screen, t: Texts) -> Line | None:
    """There are no cards."""
    return None


def last_throw(rows: Sequence[LogRow]) -> list[tuple[str, Any]]:
    """The dice of the turn that is going on; of a violation until somebody does the next thing."""
    for row in rows:
        if row.kind == "note":
            continue
        if row.kind != "play" or row.undone:
            return []
        for event in reversed(row.events):
            if event and event["event"] in ("die_rolled", "speeding_violation"):
                return [("taxi", face) for face in event["dice"]]
        return []
    return []
