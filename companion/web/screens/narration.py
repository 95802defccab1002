"""The log in sentences: what each event says to people, from the events that an audience may know.

An event kind without a text (`event.<kind>`) is not spoken of. What a text may use is listed here, so no field reaches
a page by accident. A command's events become a few lines, newest first; a line's amount (the right edge of the roll)
is what its own seat gained or lost.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from markupsafe import Markup

from companion.tables.receipts import Json, LogRow
from companion.web.rendering import dollars
from companion.web.screens.seats import Screen
from companion.web.texts import Texts
from shared_rules import library
from shared_rules.engine.errors import PositionError

UNITS = {"green": "count.green", "white": "count.white", "plates": "count.plates", "barriers": "count.barriers"}
SPOKEN_ALONE = ("TripStarted", "GameEnded")


@dataclass
class Line:
    """One line of the roll. `facts` are the events behind it, for pages that draw them (the die's face, say)."""

    id: str
    time: str
    colour: str
    sentence: Markup
    quote: str = ""
    amount: str = ""
    sign: str = ""
    rules: Sequence[str] = ()
    undone: bool = False
    facts: list[Json] = field(default_factory=list)


def lines(rows: Sequence[LogRow], screen: Screen, t: Texts, limit: int) -> list[Line]:
    """The newest `limit` lines, newest first."""
    narrator = Narrator(screen, t)
    found: list[Line] = []
    for row in rows:
        found += reversed(list(narrator.row(row)))
        if len(found) >= limit:
            break
    return found[:limit]


def card_of_the_turn(rows: Sequence[LogRow], screen: Screen, t: Texts) -> Line | None:
    """The card that was drawn in the turn that is going on: what it says stays on the page while it works."""
    narrator = Narrator(screen, t)
    for row in rows:
        for event in reversed([] if row.undone else row.events):
            if event and event["event"] in ("CardDrawn", "ExpenseDrawn"):
                line = narrator.card(event)
                return line if line.quote else None
            if event and event["event"] == "TurnStarted":
                return None
    return None


class Narrator:
    """Tells the rows of one table in one language."""

    def __init__(self, screen: Screen, t: Texts) -> None:
        self.screen = screen
        self.t = t

    def row(self, row: LogRow) -> Iterator[Line]:
        """The lines of one entry of the log, in order."""
        time = _clock(row.at)
        for index, line in enumerate(self._told(row)):
            line.id, line.time, line.undone = f"{row.seq}-{index}", time, row.undone
            yield line

    def _told(self, row: LogRow) -> Iterator[Line]:
        if row.kind == "undo":
            yield self._line(0, self.t("log.undo", why=row.reason) if row.reason else self.t("log.undo.plain"))
            return
        if row.kind == "note":
            key = f"note.{row.do}"
            if self.t.has(key):
                yield self._line(row.seat, self.t(key, name=self._name(row.seat)))
            return
        if row.do == "correct":
            yield self._line(0, self.t("log.correct", why=row.reason or self.t("log.correct.why")))
        skip = _spent_on_the_way(row.events)
        for index, event in enumerate(row.events):
            if index in skip or event is None:
                continue
            yield from self._event(event, row, index, skip)

    def _event(self, event: Json, row: LogRow, index: int, skip: set[int]) -> Iterator[Line]:
        name = event["event"]
        teller = TELLERS.get(name)
        if teller is not None:
            line = teller(self, event, row, index, skip)
        elif "from" in event and "unit" in event and self.t.has(f"event.{name}"):
            line = self._transfer(event)
        elif self.t.has(f"event.{name}"):
            line = self._line(
                event.get("seat", 0),
                self.t(f"event.{name}", name=self._name(event.get("seat", 0)), **_numbers(event)),
                event,
            )
        else:
            line = None
        if line is not None:
            yield line

    # -- who and what ----------------------------------------------------------------------------------------------

    def _name(self, seat: Any) -> Markup:
        if isinstance(seat, int) and seat in self.screen.by_seat:
            return Markup("<b>{}</b>").format(self.screen.by_seat[seat].name)
        return self.t("bank.the" if seat == 0 else f"account.{seat}")

    def _colour(self, seat: Any) -> str:
        found = self.screen.by_seat.get(seat) if isinstance(seat, int) else None
        return found.colour if found else ""

    def _line(
        self,
        seat: Any,
        sentence: Markup,
        event: Json | None = None,
        *,
        amount: str = "",
        sign: str = "",
        quote: str = "",
    ) -> Line:
        return Line(
            "",
            "",
            self._colour(seat),
            _upper(sentence),
            quote,
            amount,
            sign,
            list(event.get("rules", ())) if event else (),
            facts=[event] if event else [],
        )

    def _transfer(self, event: Json) -> Line:
        payer, payee, amount, unit = event["from"], event["to"], event["amount"], event["unit"]
        about = payee if payee in self.screen.by_seat else payer
        if payer in self.screen.by_seat and event["event"] in (
            "FinePaid",
            "MoneyPaid",
            "DuePaid",
            "HireFeePaid",
            "ExpensePaid",
            "StakeLost",
        ):
            about = payer
        words = (
            dollars(amount)
            if unit == "money"
            else Markup("{} {}").format(amount, self.t(UNITS[unit], n=amount))
            if unit in UNITS
            else str(amount)
        )
        gain = about == payee
        shown = dollars(amount) if unit == "money" else words
        sentence = self.t(
            f"event.{event['event']}",
            name=self._name(about),
            payer=self._name(payer),
            payee=self._name(payee),
            sum=words,
        )
        return self._line(
            about, sentence, event, amount=f"+{shown}" if gain else f"−{shown}", sign="pos" if gain else "neg"
        )

    # -- events with something of their own to say -----------------------------------------------------------------

    def _card_drawn(self, event: Json, row: LogRow, index: int, skip: set[int]) -> Line:
        return self.card(event)

    def card(self, event: Json) -> Line:
        """A card that was drawn, with its words where the audience may read them."""
        title, quote = self._card(event)
        deck = self.t(f"log.deck.{event.get('deck', 'journey')}")
        sentence = (
            self.t("event.CardDrawn.titled", name=self._name(event["seat"]), deck=deck, title=title)
            if title
            else self.t("event.CardDrawn", name=self._name(event["seat"]), deck=deck)
        )
        return self._line(event["seat"], sentence, event, quote=quote)

    def _card(self, event: Json) -> tuple[str, str]:
        title, text = str(event.get("title") or ""), ""
        card, deck = event.get("card"), event.get("deck")
        if isinstance(card, str) and isinstance(deck, str):
            try:
                found = library.card_text("taxi", deck, card, self.t.language)
            except PositionError:
                return title, text
            title, text = str(found["title"]), str(found["text"])
        return title, text

    def _d6(self, event: Json, row: LogRow, index: int, skip: set[int]) -> Line:
        key = "event.D6Thrown.rng" if row.evidence == "rng" else "event.D6Thrown"
        streets, face = event.get("streets", event["face"]), event["face"]
        if streets != face:
            key = "event.D6Thrown.streets"
        sentence = self.t(key, name=self._name(event["seat"]), face=face, n=streets)
        return self._line(event["seat"], sentence, {**event, "die": "d6"})

    def _d12(self, event: Json, row: LogRow, index: int, skip: set[int]) -> Line:
        following = (row.events[index + 1] if index + 1 < len(row.events) else None) or {}
        won = following.get("event") == "TabletMoved" and following.get("to") == event["seat"]
        if won:
            skip.add(index + 1)
        face = self.t(f"face.{event['face']}")
        key = "event.D12Thrown" if won or event["face"] == "blank" else "event.D12Thrown.none"
        amount = f"+1 {self.t(UNITS[event['face']], n=1)}" if won else ""
        rules = (following if won else event).get("rules", ())
        return self._line(
            event["seat"],
            self.t(key, name=self._name(event["seat"]), face=face),
            {**event, "die": "d12", "rules": rules},
            amount=amount,
            sign="pos",
        )

    def _taxi_moved(self, event: Json, row: LogRow, index: int, skip: set[int]) -> Line | None:
        seat, by = event["seat"], event.get("by")
        if by == "settlement":
            return None
        place = self._place(event["to"])
        if by == "card":
            return self._line(seat, self.t("event.TaxiMoved.card", name=self._name(seat), place=place), event)
        if not event.get("streets"):
            return self._line(seat, self.t("event.TaxiMoved.stays", name=self._name(seat)), event)
        spent = [row.events[i] for i in sorted(_spent_on_the_way(row.events))]
        amount = ", ".join(f"−{e['amount']} {self.t(UNITS[e['unit']], n=e['amount'])}" for e in spent)
        sentence = self.t("event.TaxiMoved", name=self._name(seat), n=event["streets"], place=place)
        return self._line(seat, sentence, event, amount=amount, sign="neg")

    def _place(self, place: str) -> str:
        try:
            return self.screen.town.place(place)
        except KeyError:
            return place

    def _revealed(self, event: Json, row: LogRow, index: int, skip: set[int]) -> Line:
        word = event.get("word")
        return self._line(
            event.get("seat", row.seat),
            self.t("event.GambleRevealed", word=self.t(f"word.{word}") if word else ""),
            event,
        )

    def _answered(self, event: Json, row: LogRow, index: int, skip: set[int]) -> Line:
        # A bet and none must look the same to the last stamp, or the log tells who has bet.
        seat = event["seat"]
        return self._line(
            seat, self.t("event.BetSealed", name=self._name(seat)), {"event": "BetSealed", "rules": ["T-094"]}
        )

    def _game_ended(self, event: Json, row: LogRow, index: int, skip: set[int]) -> Line:
        names = Markup(", ").join(self._name(seat) for seat in event.get("winners", []))
        first = next(iter(event.get("winners", [])), 0)
        return self._line(first, self.t("event.GameEnded", names=names) if names else self.t("ask.over.nobody"), event)

    def _trip_started(self, event: Json, row: LogRow, index: int, skip: set[int]) -> Line:
        return self._line(0, self.t("event.TripStarted", trip=event["trip"]), event)


Teller = Callable[[Narrator, Json, LogRow, int, set[int]], Line | None]
TELLERS: dict[str, Teller] = {
    "CardDrawn": Narrator._card_drawn,
    "ExpenseDrawn": Narrator._card_drawn,
    "D6Thrown": Narrator._d6,
    "D12Thrown": Narrator._d12,
    "BetSealed": Narrator._answered,
    "BetPassed": Narrator._answered,
    "TaxiMoved": Narrator._taxi_moved,
    "GambleRevealed": Narrator._revealed,
    "GameEnded": Narrator._game_ended,
    "TripStarted": Narrator._trip_started,
}
"""Events that have more to say than their text; (narrator, event, its row, its place among the row's events, places
told already).
"""


def _spent_on_the_way(events: Sequence[Json | None]) -> set[int]:
    """Which events are the tablets of a drive: they are told with it."""
    end = next((i for i, e in enumerate(events) if e and e["event"] == "TaxiMoved" and e.get("by") == "throw"), -1)
    drive = events[end] if end >= 0 else None
    if drive is None:
        return set()
    spent = ("TabletMoved", drive["seat"])
    return {i for i, e in enumerate(events[:end]) if e and (e["event"], e.get("from")) == spent}


def _numbers(event: Json) -> Json:
    """The whole numbers of an event that its text may name; `n` chooses between one and many."""
    found = {
        key: value
        for key, value in event.items()
        if isinstance(value, int) and not isinstance(value, bool) and key != "seat"
    }
    return {"n": found.get("count", found.get("amount", 1)), **found}


def _upper(sentence: Markup) -> Markup:
    text = str(sentence)
    return Markup(text[:1].upper() + text[1:])  # noqa: S704 - was Markup before


def _clock(at: str) -> str:
    try:
        return datetime.fromisoformat(at).astimezone().strftime("%H:%M")
    except ValueError:
        return ""
