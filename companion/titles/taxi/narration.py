"""TAXI!'s log in sentences: cards, throws, drives with the tablets that they took, sealed bets."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from companion.tables.receipts import Json, LogRow
from companion.web.screens import narration
from companion.web.screens.narration import Line
from companion.web.screens.seats import Screen
from companion.web.texts import Texts

DRAWN = ("CardDrawn", "ExpenseDrawn")


class Narrator(narration.Narrator):
    """Tells the rows of one table in one language."""

    TELLERS = {
        "CardDrawn": "card_drawn",
        "ExpenseDrawn": "card_drawn",
        "D6Thrown": "d6_thrown",
        "D12Thrown": "d12_thrown",
        "BetSealed": "bet_answered",
        "BetPassed": "bet_answered",
        "TaxiMoved": "taxi_moved",
        "GambleRevealed": "word_revealed",
        "GameEnded": "game_ended",
        "TripStarted": "trip_started",
    }
    UNITS = {
        "green": "count.green",
        "white": "count.white",
        "plates": "count.plates",
        "barriers": "count.barriers",
    }
    PAYER = frozenset({"FinePaid", "MoneyPaid", "DuePaid", "HireFeePaid", "ExpensePaid", "StakeLost"})
    DEFAULT_DECK = "journey"

    def command_words(self, command: Json) -> dict[str, Any]:
        """Decks, dice and words by their names."""
        words = super().command_words(command)
        if "deck" in command:
            words["deck"] = self.t(f"log.deck.{command['deck']}")
        if "word" in command:
            words["word"] = self.t(f"word.{command['word']}")
        if "on" in command:
            words["place"] = self._place(command["on"])
        return words

    def told_elsewhere(self, row: LogRow) -> set[int]:
        """Tablets of a drive are told with it."""
        return _spent_on_the_way(row.events)

    def card_drawn(self, event: Json, row: LogRow, index: int, skip: set[int]) -> Line:
        """Which card it was."""
        return self.card(event)

    def d6_thrown(self, event: Json, row: LogRow, index: int, skip: set[int]) -> Line:
        """What was thrown, and how many streets that makes."""
        key = "event.D6Thrown.rng" if row.evidence == "rng" else "event.D6Thrown"
        streets, face = event.get("streets", event["face"]), event["face"]
        if streets != face:
            key = "event.D6Thrown.streets"
        sentence = self.t(key, name=self._name(event["seat"]), face=face, n=streets)
        return self._line(event["seat"], sentence, {**event, "die": "d6"})

    def d12_thrown(self, event: Json, row: LogRow, index: int, skip: set[int]) -> Line:
        """What was thrown, and the tablet that it won."""
        following = (row.events[index + 1] if index + 1 < len(row.events) else None) or {}
        won = following.get("event") == "TabletMoved" and following.get("to") == event["seat"]
        if won:
            skip.add(index + 1)
        face = self.t(f"face.{event['face']}")
        key = "event.D12Thrown" if won or event["face"] == "blank" else "event.D12Thrown.none"
        amount = f"+1 {self.t(self.UNITS[event['face']], n=1)}" if won else ""
        rules = (following if won else event).get("rules", ())
        return self._line(
            event["seat"],
            self.t(key, name=self._name(event["seat"]), face=face),
            {**event, "die": "d12", "rules": rules},
            amount=amount,
            sign="pos",
        )

    def taxi_moved(self, event: Json, row: LogRow, index: int, skip: set[int]) -> Line | None:
        """How far it drove and what that took."""
        seat, by = event["seat"], event.get("by")
        if by == "settlement":
            return None
        place = self._place(event["to"])
        if by == "card":
            return self._line(seat, self.t("event.TaxiMoved.card", name=self._name(seat), place=place), event)
        if not event.get("streets"):
            return self._line(seat, self.t("event.TaxiMoved.stays", name=self._name(seat)), event)
        spent = [row.events[i] for i in sorted(_spent_on_the_way(row.events))]
        amount = ", ".join(f"−{e['amount']} {self.t(self.UNITS[e['unit']], n=e['amount'])}" for e in spent)
        sentence = self.t("event.TaxiMoved", name=self._name(seat), n=event["streets"], place=place)
        return self._line(seat, sentence, event, amount=amount, sign="neg")

    def word_revealed(self, event: Json, row: LogRow, index: int, skip: set[int]) -> Line:
        """The word of a gamble card."""
        word = event.get("word")
        return self._line(
            event.get("seat", row.seat),
            self.t("event.GambleRevealed", word=self.t(f"word.{word}") if word else ""),
            event,
        )

    def bet_answered(self, event: Json, row: LogRow, index: int, skip: set[int]) -> Line:
        """A bet and none must look the same to the last stamp, or the log tells who has bet."""
        seat = event["seat"]
        return self._line(
            seat, self.t("event.BetSealed", name=self._name(seat)), {"event": "BetSealed", "rules": ["T-094"]}
        )

    def trip_started(self, event: Json, row: LogRow, index: int, skip: set[int]) -> Line:
        """A new trip is nobody's."""
        return self._line(0, self.t("event.TripStarted", trip=event["trip"]), event)


def card_of_the_turn(rows: Sequence[LogRow], screen: Screen, t: Texts) -> Line | None:
    """The card that was drawn in the turn that is going on: what it says stays on the page while it works."""
    if screen.phase == "card_choice":
        return None
    for row in rows:
        for event in reversed([] if row.undone else row.events):
            if event and event["event"] in DRAWN:
                line = Narrator(screen, t).card(event)
                return line if line.quote else None
            if event and event["event"] == "TurnStarted":
                return None
    return None


def last_throw(rows: Sequence[LogRow]) -> list[tuple[str, Any]]:
    """The throw of the turn that is going on: the newest one, if it is not from the turn before."""
    for row in rows:
        for event in reversed([] if row.undone else row.events):
            if event and event["event"] in ("D6Thrown", "D12Thrown"):
                return [(event["event"][:-6].lower(), event["face"])]
            if event and event["event"] in ("TurnStarted", "TripStarted"):
                return []
    return []


def _spent_on_the_way(events: Sequence[Json | None]) -> set[int]:
    """Which events are the tablets of a drive: they are told with it."""
    end = next((i for i, e in enumerate(events) if e and e["event"] == "TaxiMoved" and e.get("by") == "throw"), -1)
    drive = events[end] if end >= 0 else None
    if drive is None:
        return set()
    spent = ("TabletMoved", drive["seat"])
    return {i for i, e in enumerate(events[:end]) if e and (e["event"], e.get("from")) == spent}
