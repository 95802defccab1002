"""London's questions. What depends on a hand is asked on the phone, or behind the hand on the tablet; whatever the
hands hold, a landing on an attraction opens the same questions to the same people (LQ-78)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from markupsafe import Markup

from companion.tables.receipts import Json
from companion.titles.destination_london import money
from companion.titles.destination_london.choices import ANY_TIME, Choices
from companion.titles.destination_london.seats import LondonScreen, LondonSeat, card_place, picture_of
from companion.web.screens.choices import Choice, Decision, Odd
from companion.web.screens.seats import Seat
from companion.web.texts import Texts

CARD_ODDS = frozenset({"nice_card", "nasty_card"})
THROWING = frozenset({"before_roll", "extra_turn"})
"""Where the odds of the next throw are of any use."""
LOW_FUEL = 2
"""With so little fuel the way to the Garage matters."""


class Decisions(Choices):
    """Builds decisions for one audience of one screen."""

    screen: LondonScreen
    PHASE_RULES = {
        "order_roll": ["L-021"],
        "deal": ["L-027"],
        "before_roll": ["L-020", "L-037"],
        "stranded": ["L-037", "L-038"],
        "moving": ["L-024", "L-029"],
        "own_fare": ["L-025", "L-028"],
        "knock_back": ["L-063"],
        "claims": ["L-058", "L-059", "L-060"],
        "lights": ["L-042"],
        "garage": ["L-034", "L-035", "L-036"],
        "debt": ["L-050", "L-054"],
        "extra_turn": ["L-023", "L-057"],
    }
    END_RULES = ("L-069", "L-070")

    def window_for_bank(self, by_seat: Mapping[int, list[Json]]) -> Decision | None:
        """Who has answered a landing, and who still may claim it."""
        if self.screen.phase != "claims":
            return None
        t, screen = self.t, self.screen
        lander, waiting, asked, place = self._landing()
        rows = [
            {"seat": seat, "answered": seat.seat not in waiting, "sheet": "whisper"}
            for seat in screen.seats
            if seat.seat in asked
        ]
        decision = Decision(
            key=f"claims-{lander.seat}-{lander.at}",
            seat=lander.seat,
            colour=lander.colour,
            question=t("ask.claims.bank", name=lander.name, place=place),
            why=t("ask.claims.why", name=screen.name(waiting[0]) if waiting else ""),
            rules=self.PHASE_RULES["claims"],
            panels=["rows"],
            data={"rows": rows},
        )
        if any(prompt["do"] == "close_claims" for prompt in by_seat.get(0, [])):
            fields = {"do": "close_claims", "seat": 0}
            decision.choices.append(Choice(t("do.close_claims"), t("do.close_claims.small"), fields))
        return decision

    def window_for_seat(self, me: Seat, prompts: list[Json]) -> Decision | None:
        """The same cover on every phone that may claim, one after the other from the lander's left."""
        screen, t = self.screen, self.t
        if screen.phase != "claims":
            return None
        lander, waiting, asked, place = self._landing()
        if me.seat not in waiting:
            return None
        first = screen.by_seat[waiting[0]]
        if first.seat != me.seat:
            question = t("ask.claims.soon", name=lander.name, place=place, first=first.name)
            return Decision(f"claims-soon-{me.seat}", lander.seat, lander.colour, question, mine=False)
        claim: Json = next((prompt for prompt in prompts if prompt["do"] == "claim"), {"cards": []})
        options = [
            {
                "value": card,
                "label": card_place(screen.places, card)[0],
                "small": t("claim.small", sum=money.amount(card_place(screen.places, card)[2]), name=lander.name),
                "icon": picture_of(screen.places, card),
                "disabled": False,
                "checked": False,
            }
            for card in claim.get("cards", [])
        ]
        return Decision(
            key=f"claims-{me.seat}-{lander.seat}-{lander.at}",
            seat=me.seat,
            colour=me.colour,
            question=t("ask.claims.seat", name=lander.name, place=place),
            rules=self.PHASE_RULES["claims"],
            panels=["sealed"],
            data={
                "do": "answer_claim",
                "field": "cards",
                "kind": "checkbox",
                "options": options,
                "legend": t("claim.legend"),
                "button": t("claim.button") if options else t("claim.pass"),
                "hush": t("claim.hush") if options else t("claim.nothing"),
                "answered": False,
                "sealed": len(asked) - len(waiting),
                "of": len(asked),
            },
        )

    def _landing(self) -> tuple[LondonSeat, list[int], list[int], str]:
        """(lander, seats still to answer, seats asked at all, where), from what everybody sees."""
        screen = self.screen
        landing = screen.view["arrivals"][-1]
        lander = screen.by_seat[landing["seat"]]
        asked = [seat.seat for seat in screen.seats if not seat.out and seat.seat != lander.seat]
        return lander, list(landing["claims"] or []), asked, screen.places.place(landing["square"])

    def is_mine(self, seat: int) -> bool:
        """Whoever is asked is asked on the own phone."""
        return super().is_mine(seat)

    def meanwhile(self, me: Seat, prompts: list[Json]) -> list[Choice]:
        """A loan is taken or paid back at any time; a throw that closes the claims."""
        aside = Decision("", me.seat, me.colour, "")
        for prompt in prompts:
            if prompt["do"] in ANY_TIME:
                self._add(aside, me, prompt)
        return aside.choices

    def asides(self, seat: Seat, prompts: list[Json]) -> list[Choice]:
        """On the seat's sheet: loans, and its cards behind the hand."""
        found = self.meanwhile(seat, prompts)
        if self.bank:
            sheet = f"{self.base}/sheet/whisper?seat={seat.seat}"
            label, small = self.t("do.look", name=seat.name), self.t("do.whisper.small")
            found.append(Choice(label, small, sheet=sheet, icon="hand"))
        return found

    def places(self, seat: Seat) -> Json:
        """What was thrown, where the taxi stands, who is asked for fuel."""
        screen, view = self.screen, self.screen.view
        landed = view["arrivals"][-1]["square"] if view["arrivals"] else seat.at
        asker = screen.name(screen.turn)
        return {
            "n": screen.moves,
            "dice": " + ".join(str(face) for face in screen.dice),
            "place": screen.places.place(landed) if landed else "",
            "asker": asker,
            "owed": screen.name(view["deals"][0]) if view["deals"] else "",
        }

    def about(self, decision: Decision, seat: Seat, prompts: list[Json]) -> None:
        """An offer of fuel, a debt, a card that moves one."""
        t, screen, view = self.t, self.screen, self.screen.view
        if view["offer"] == seat.seat:
            decision.question = t("ask.offer", name=seat.name, asker=screen.name(screen.turn))
            decision.rules = ["L-038", "L-041"]
        elif screen.phase == "debt" and view["debts"]:
            debt = view["debts"][0]
            to = screen.name(debt["to"]) if debt["to"] else t("bank")
            key = "ask.debt.due" if self.bank else "ask.debt.yours"
            decision.question = t(key, name=seat.name, sum=money.amount(debt["amount"]), to=to)
            decision.why = t(f"due.{debt['why']}", cash=money.amount(screen.by_seat[seat.seat].cash))
        elif screen.phase == "lights" and view["arrivals"][-1]["card"] is not None:
            decision.question = t("ask.move_card.bank" if self.bank else "ask.move_card.seat", name=seat.name)
            decision.quote = self.light_words(view["arrivals"][-1]["card"])
        elif screen.phase == "own_fare" and not self.bank and not any(p.get("cards") for p in prompts):
            decision.question = t("ask.own_fare.none")
            self._by_verb(decision, "keep_quiet").go = True
        elif screen.phase == "stranded":
            decision.why = t("ask.stranded.why")
        elif screen.phase == "extra_turn" and any(prompt["do"] == "roll" for prompt in prompts):
            # A throw takes the turn as well; taking it without one is for buying something first.
            without = self._by_verb(decision, "take_extra_turn")
            without.go, without.small = False, t("do.take_extra_turn.small")

    def _by_verb(self, decision: Decision, do: str) -> Choice:
        return next(choice for choice in decision.choices if choice.fields.get("do") == do)

    def way(self, me: Seat, prompts: list[Json]) -> Markup | str:
        """Where the taxi stands."""
        return self.t("seat.at", place=self.screen.places.place(me.at)) if me.at else ""

    def odds_rows(self) -> list[Odd]:
        """What the next throw may reach: a row for each goal, with as many dice as may be thrown (with one die in
        words beside it); before a traffic light card is drawn, which side it has."""
        t, screen = self.t, self.screen
        if screen.phase == "lights" and screen.view["arrivals"][-1]["card"] is None:
            return [Odd(t(f"odds.{row['what']}"), *row["chance"]) for row in self._odds if row["what"] in CARD_ODDS]
        found: dict[tuple[str, str], dict[int, list[int]]] = {}
        if screen.phase in THROWING:
            for row in self._odds:
                if self._matters(row):
                    found.setdefault((row["what"], row.get("card", "")), {})[row["dice"]] = row["chance"]
        rows = []
        for (what, card), chances in found.items():
            most = max(chances)
            place = card_place(screen.places, card)[0] if card else ""
            words = t(f"odds.{what}", place=place, n=most)
            if most > 1 and 1 in chances:
                one = Odd("", *chances[1]).percent
                words = t("odds.beside_one", words=words, percent=one)
            rows.append(Odd(words, *chances[most]))
        return rows

    def _matters(self, row: Json) -> bool:
        """Whether a page shows this: own destinations on the own phone alone, the Garage to the banker or when fuel is
        low, the Base on the way home."""
        what, mover = row["what"], self.screen.by_seat[self.screen.turn]
        if what == "reach_destination":
            return not self.bank and row["chance"][0] > 0
        if what == "reach_garage":
            return row["chance"][0] > 0 and mover.total_fuel <= LOW_FUEL and not mover.bound_home
        return bool(what == "reach_base" and mover.bound_home)


def needs_words(needs: Any, has: Any, name: str, t: Texts) -> str:
    """Nothing is paid for a way in London."""
    return ""
