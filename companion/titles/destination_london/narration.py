"""London's log in sentences: throws, drives, fares, claims, knock-backs, traffic light cards."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from companion.tables.receipts import Json, LogRow
from companion.titles.destination_london.seats import LondonScreen, card_place, light_title
from companion.web.screens import narration
from companion.web.screens.decisions import and_words
from companion.web.screens.narration import Line, card_words
from companion.web.screens.seats import Screen
from companion.web.texts import Texts
from shared_rules.games.destination_london import meta

PEOPLE = ("whom", "of", "lander", "creditor")


class Narrator(narration.Narrator):
    """Tells the rows of one table in one language."""

    screen: LondonScreen
    TELLERS = {
        "DiceRolled": "dice_rolled",
        "LightDrawn": "light_drawn",
        "CardsPlayed": "cards_played",
        "CardDealt": "card_dealt",
        "ClaimPassed": "claim_passed",
        "GameEnded": "game_ended",
    }
    UNITS = {"fuel": "count.fuel"}
    PAYER = frozenset({"DebtPaid", "FuelPaid", "TurboBought", "LoanRepaid", "PenaltyPartPaid", "FuelReturned"})
    DEFAULT_DECK = meta.LIGHTS

    def __init__(self, screen: Screen, t: Texts) -> None:
        super().__init__(screen, t)
        self._passed: list[int] = []
        self._passes: Line | None = None

    def row(self, row: LogRow) -> Iterator[Line]:
        """The lines of one entry; those who have not claimed one landing, one after the other, share a line."""
        if row.do != "pass" or row.undone:
            self._passes = None
        yield from super().row(row)

    def claim_passed(self, event: Json, row: LogRow, index: int, skip: set[int]) -> Line | None:
        """A landing that is not claimed: told with the passes after it, which are read before it."""
        newer = self._passes
        self._passed = [event["seat"], *(self._passed if newer else [])]
        names = and_words([self._name(seat) for seat in self._passed], self.t)
        sentence = self.t("event.ClaimPassed", names=names, n=len(self._passed))
        if newer is not None:
            newer.sentence = sentence
            return None
        line = self._line(event["seat"], sentence, event)
        self._passes = None if row.undone else line
        return line

    def words(self, event: Json) -> dict[str, Any]:
        """Other people, squares, kept cards."""
        found: dict[str, Any] = {key: self._name(event[key]) for key in PEOPLE if isinstance(event.get(key), int)}
        for key in ("to", "from"):
            if isinstance(event.get(key), str) and event[key] in self.screen.places.points:
                found["place" if key == "to" else "start"] = self._place(event[key])
        if event["event"] in ("FineEscaped", "MoveCardKept", "BonusFuelSpent", "MovedByCard"):
            found["card"] = light_title(event["card"], self.t.language)
        if "among" in event:
            found["names"] = and_words([str(self.screen.name(seat)) for seat in event["among"]], self.t)
        if "sum" in event:
            found["sum"] = self.money.amount(event["sum"])
        return found

    def command_words(self, command: Json) -> dict[str, Any]:
        """Squares, people, attractions."""
        words = super().command_words(command)
        for key in ("whom", "of"):
            if key in command:
                words["whom"] = self._name(command[key])
        if command["do"] in ("collect", "claim"):
            words["place"] = self._cards(command.get("cards", []))
        elif command["do"] in ("choose_destination", "play_move_card"):
            words["place"] = self._cards([str(command.get("destination") or command.get("card"))])
        return words

    def _cards(self, cards: Sequence[str]) -> Any:
        known = self.screen.places.board["cards"]
        return and_words([card_place(self.screen.places, card)[0] for card in cards if card in known], self.t)

    def dice_rolled(self, event: Json, row: LogRow, index: int, skip: set[int]) -> Line:
        """One die, or two with their sum."""
        faces = event["faces"]
        key = "event.DiceRolled.two" if len(faces) > 1 else "event.DiceRolled"
        dice = " + ".join(str(face) for face in faces)
        return self._line(event["seat"], self.t(key, name=self._name(event["seat"]), dice=dice, n=sum(faces)), event)

    def light_drawn(self, event: Json, row: LogRow, index: int, skip: set[int]) -> Line:
        """Everybody sees a traffic light card."""
        title, quote = light_title(event["card"], self.t.language), ""
        if isinstance(event["card"], str):
            quote = card_words(self.screen.game, {"card": event["card"], "deck": meta.LIGHTS}, self.t.language)[1]
        sentence = self.t("event.LightDrawn", name=self._name(event["seat"]), title=title)
        sign = "pos" if event["side"] == "nice" else "neg"
        return self._line(event["seat"], sentence, event, quote=quote, sign=sign)

    def cards_played(self, event: Json, row: LogRow, index: int, skip: set[int]) -> Line:
        """Which destinations were reached or claimed."""
        key = "event.CardsPlayed" if event["own"] else "event.CardsPlayed.claim"
        place = self._cards(event["cards"])
        return self._line(event["seat"], self.t(key, name=self._name(event["seat"]), place=place), event)

    def card_dealt(self, event: Json, row: LogRow, index: int, skip: set[int]) -> Line:
        """Which card it was, its owner alone reads."""
        card, name = event.get("card"), self._name(event["seat"])
        if not card or card not in self.screen.places.board["cards"]:
            return self._line(event["seat"], self.t("event.CardDealt", name=name), event)
        return self._line(event["seat"], self.t("event.CardDealt.own", name=name, place=self._cards([card])), event)


def card_of_the_turn(rows: Sequence[LogRow], screen: Screen, t: Texts) -> Line | None:
    """The traffic light card that is being carried out."""
    if screen.phase not in ("lights", "debt"):
        return None
    for row in rows:
        for event in reversed([] if row.undone else row.events):
            if event and event["event"] == "LightDrawn":
                line = Narrator(screen, t).light_drawn(event, row, 0, set())
                return line if line.quote else None
            if event and event["event"] == "TurnStarted":
                return None
    return None


def last_throw(rows: Sequence[LogRow]) -> list[tuple[str, Any]]:
    """The dice of the turn that is going on."""
    for row in rows:
        for event in reversed([] if row.undone else row.events):
            if event and event["event"] == "DiceRolled":
                return [("d6", face) for face in event["faces"]]
            if event and event["event"] == "OrderRolled":
                return [("d6", event["face"])]
            if event and event["event"] in ("TurnStarted", "ExtraTurnTaken"):
                return []
    return []
