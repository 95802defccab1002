"""The log in sentences: what each event says to people, from the events that an audience may know.

An event kind without a text (`event.<kind>`) is not spoken of. What a text may use is listed here, so no field reaches
a page by accident. A command's events become a few lines, newest first; a line's amount (the right edge of the roll)
is what its own seat gained or lost. A title subclasses `Narrator` for events that have more to say than their text.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from markupsafe import Markup

from companion import titles
from companion.tables.receipts import Json, LogRow
from companion.web.screens.seats import Screen
from companion.web.texts import Texts
from shared_rules import library
from shared_rules.engine.errors import PositionError


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
    bot: bool = False
    times: int = 1
    """The same, so many times in a row (cards that are dealt)."""

    def is_like(self, other: Line) -> bool:
        """Whether it says the same as the other, with nothing of its own at the edge."""
        words = (self.sentence, self.colour, self.quote, self.undone, self.bot)
        return not self.amount and words == (other.sentence, other.colour, other.quote, other.undone, other.bot)


def lines(rows: Sequence[LogRow], screen: Screen, t: Texts, limit: int) -> list[Line]:
    """The newest `limit` lines, newest first."""
    narrator: Narrator = titles.find(screen.game).narration.Narrator(screen, t)
    found: list[Line] = []
    for row in rows:
        for line in reversed(list(narrator.row(row))):
            if found and found[-1].is_like(line):
                found[-1].times += 1
            else:
                found.append(line)
        if len(found) > limit:
            break
    return found[:limit]


class Narrator:
    """Tells the rows of one table in one language."""

    TELLERS: Mapping[str, str] = {}
    """Event → the method that tells it: (event, its row, its place among the row's events, places told already) → a
    line or None."""
    UNITS: Mapping[str, str] = {}
    """Unit of a transfer, besides money → the text that counts it."""
    PAYER: Collection[str] = ()
    """Transfers that are about who pays (of others they are about who gets)."""
    DEFAULT_DECK = ""

    def __init__(self, screen: Screen, t: Texts) -> None:
        self.screen = screen
        self.t = t
        self.money = titles.find(screen.game).money

    def row(self, row: LogRow) -> Iterator[Line]:
        """The lines of one entry of the log, in order."""
        time = _clock(row.at)
        for index, line in enumerate(self._told(row)):
            line.id, line.time, line.undone = f"{row.seq}-{index}", time, row.undone
            line.bot = row.actor.startswith("bot:") and line.colour == self._colour(row.seat)
            yield line

    def told_elsewhere(self, row: LogRow) -> set[int]:
        """Places of events that another line of their row tells with its own."""
        return set()

    def _told(self, row: LogRow) -> Iterator[Line]:
        if row.kind == "undo":
            yield self._line(0, self.t("log.undo", why=row.reason) if row.reason else self.t("log.undo.plain"))
            return
        if row.kind == "note":
            key = f"note.{row.do}"
            if self.t.has(key):
                yield self._line(row.seat, self.t(key, name=self._name(row.seat), **_numbers(row.asked)))
            return
        if row.do == "correct":
            yield self._line(0, self.t("log.correct", why=row.reason or self.t("log.correct.why")))
        skip = self.told_elsewhere(row)
        for index, event in enumerate(row.events):
            if index in skip or event is None:
                continue
            yield from self._event(event, row, index, skip)

    def _event(self, event: Json, row: LogRow, index: int, skip: set[int]) -> Iterator[Line]:
        name = event["event"]
        teller = self.TELLERS.get(name)
        if teller is not None:
            line = getattr(self, teller)(event, row, index, skip)
        elif "from" in event and "unit" in event and self.t.has(f"event.{name}"):
            line = self._transfer(event)
        elif self.t.has(f"event.{name}"):
            line = self._line(
                event.get("seat", 0),
                self.t(
                    f"event.{name}", name=self._name(event.get("seat", 0)), **{**_numbers(event), **self.words(event)}
                ),
                event,
            )
        else:
            line = None
        if line is not None:
            yield line

    def command(self, command: Json) -> Markup:
        """A command in a few words, without who gives it: "drives to Lady Hatt". Texts `command.<verb>`."""
        key = f"command.{command['do']}"
        if not self.t.has(key):
            return Markup.escape(str(command["do"]).replace("_", " "))
        return self.t(key, **self.command_words(command))

    def command_words(self, command: Json) -> dict[str, Any]:
        """What the text of a command may name."""
        words = {name: value for name, value in command.items() if isinstance(value, (int, str)) and name != "do"}
        if isinstance(command.get("to"), str):
            words["place"] = self._place(command["to"])
        return {"n": words.get("count", 1), **words}

    def words(self, event: Json) -> dict[str, Any]:
        """What the plain text of an event may name besides its numbers and `name`."""
        return {}

    # -- who and what ----------------------------------------------------------------------------------------------

    def _name(self, seat: Any) -> Markup:
        if isinstance(seat, int) and seat in self.screen.by_seat:
            return Markup("<b>{}</b>").format(self.screen.by_seat[seat].name)
        return self.t("bank.the" if seat == 0 else f"account.{seat}")

    def _colour(self, seat: Any) -> str:
        found = self.screen.by_seat.get(seat) if isinstance(seat, int) else None
        return found.colour if found else ""

    def _place(self, place: str) -> str:
        return self.screen.places.place(place)

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
        if payer in self.screen.by_seat and event["event"] in self.PAYER:
            about = payer
        words: Markup | str
        if unit == "money":
            words = self.money.amount(amount)
        elif unit in self.UNITS:
            words = Markup("{} {}").format(amount, self.t(self.UNITS[unit], n=amount))
        else:
            words = str(amount)
        gain = about == payee
        sentence = self.t(
            f"event.{event['event']}",
            name=self._name(about),
            payer=self._name(payer),
            payee=self._name(payee),
            sum=words,
        )
        return self._line(
            about, sentence, event, amount=f"+{words}" if gain else f"−{words}", sign="pos" if gain else "neg"
        )

    def game_ended(self, event: Json, row: LogRow, index: int, skip: set[int]) -> Line:
        """The winners, whatever the title's last event is called."""
        names = Markup(", ").join(self._name(seat) for seat in event.get("winners", []))
        first = next(iter(event.get("winners", [])), 0)
        return self._line(first, self.t("event.GameEnded", names=names) if names else self.t("ask.over.nobody"), event)

    def card(self, event: Json) -> Line:
        """A card that was drawn, with its words where the audience may read them."""
        title, quote = card_words(self.screen.game, event, self.t.language)
        deck = self.t(f"log.deck.{event.get('deck', self.DEFAULT_DECK)}")
        sentence = (
            self.t("event.CardDrawn.titled", name=self._name(event["seat"]), deck=deck, title=title)
            if title
            else self.t("event.CardDrawn", name=self._name(event["seat"]), deck=deck)
        )
        return self._line(event["seat"], sentence, event, quote=quote)


def card_words(game: str, event: Json, language: str) -> tuple[str, str]:
    """Title and text of a card that an event names: a shipped card's, else the title it brings itself."""
    title, text = str(event.get("title") or ""), ""
    card, deck = event.get("card"), event.get("deck")
    if isinstance(card, str) and isinstance(deck, str):
        try:
            found = library.card_text(game, deck, card, language)
        except PositionError:
            return title, text
        title, text = str(found["title"]), str(found["text"])
    return title, text


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
