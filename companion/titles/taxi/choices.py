"""The verbs of TAXI! that a form may send, and their buttons: one handler for each, and what a drive costs in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from markupsafe import Markup

from companion.tables.receipts import Json
from companion.titles.taxi import money
from companion.titles.taxi.bets import WORDS
from companion.titles.taxi.card_words import verbs_in_words
from companion.titles.taxi.seats import TaxiScreen, TaxiSeat, destination_at
from companion.titles.taxi.typed_cards import typed_card
from companion.web.forms import BadFormError, whole_number
from companion.web.screens.choices import Choice, Decision
from companion.web.screens.decisions import Decisions, and_words
from companion.web.screens.seats import Seat
from companion.web.texts import Texts
from shared_rules.games.taxi import meta

VERBS: Mapping[str, Mapping[str, str]] = {
    "draw_card": {"deck": "word", "card": "word"},
    "choose": {"option": "count"},
    "roll": {"die": "word", "face": "face"},
    "move": {"to": "word"},
    "end_turn": {},
    "buy_taxi": {"count": "count"},
    "sell_plate": {"count": "count"},
    "declare_insolvent": {},
    "place_barrier": {"on": "word"},
    "place_bet": {"word": "word"},
    "pass_bet": {},
    "close_bets": {},
    "reveal_card": {"word": "word"},
    "play_card": {"card": "count"},
    "decline": {},
    "give": {
        "to": "count",
        "green": "count",
        "white": "count",
        "cash": "count",
        "plates": "count",
        "barriers": "count",
    },
    "resign": {},
}
FOR_BANK = frozenset({"close_bets"})


def verb(form: Mapping[str, Any]) -> str:
    """The bet sheet sends `bet` with a word, or "none" for no bet."""
    do = str(form.get("do", ""))
    return do if do != "bet" else "pass_bet" if form.get("word") == "none" else "place_bet"


def finished(form: Mapping[str, Any], command: Json) -> Json:
    """A way that was picked with the tablets that it may spend ("place|green|white"), and a card of one's own deck."""
    if command["do"] == "move" and "to" in command:
        place, *tablets = str(command["to"]).split("|")
        if len(tablets) not in (0, 2):
            raise BadFormError
        spend = {"green": whole_number(tablets[0]), "white": whole_number(tablets[1])} if tablets else {}
        return {**command, "to": place, **spend}
    if command["do"] == "draw_card" and "card" not in command and (card := typed_card(form)) is not None:
        return {**command, "card": card}
    return command


class Choices(Decisions):
    """Makes buttons from prompts, for one audience of one screen."""

    screen: TaxiScreen

    def _add_draw_card(self, decision: Decision, seat: Seat, prompt: Json) -> None:
        deck = prompt["deck"]
        label, go, paper = self.t(f"do.draw.{deck}"), deck == meta.EXPENSE, self.setup["cards"] == "paper"
        small = self.t("do.draw.paper.small") if paper else self.t("do.draw.expense.small") if go else ""
        if paper:
            sheet = f"{self.base}/sheet/card?deck={deck}&seat={seat.seat}"
            decision.choices.append(Choice(label, small, sheet=sheet, icon="card", go=go))
        else:
            fields = self._fields(seat, "draw_card", deck=deck)
            decision.choices.append(Choice(label, small, fields, icon="card", go=go))

    def _add_roll(self, decision: Decision, seat: Seat, prompt: Json) -> None:
        die, phase = prompt["die"], self.screen.phase
        own = phase in ("card_choice", "before_roll", "tablet_die", "card_option") and decision.seat == seat.seat
        if not own:
            return
        small = self.t("do.roll.forfeits") if phase == "card_choice" and die == "d6" else ""
        decision.choices.append(
            Choice(self.t(f"do.roll.{die}"), small, self._fields(seat, "roll", die=die), icon=die, go=True)
        )
        if self.bank or self.setup["dice"] == "typed":
            self.typed_faces(decision, seat, die, range(1, 7) if die == "d6" else ("green", "white", "blank"))

    def _add_move(self, decision: Decision, seat: TaxiSeat, prompt: Json) -> None:
        decision.panels.append("where")
        decision.data["reach"] = self._reach_options(seat, prompt["to"])

    def _add_end_turn(self, decision: Decision, seat: Seat, prompt: Json) -> None:
        decision.choices.append(Choice(self.t("do.end_turn"), "", self._fields(seat, "end_turn")))

    def _add_buy_taxi(self, decision: Decision, seat: Seat, prompt: Json) -> None:
        price = int(self.screen.view["options"].get("plate_price", meta.PLATE_TALLY))
        small = self.t("do.buy_taxi.small", price=money.amount(price))
        fields = self._fields(seat, "buy_taxi", count=1)
        decision.choices.append(Choice(self.t("do.buy_taxi"), small, fields, icon="plates"))

    def _add_sell_plate(self, decision: Decision, seat: Seat, prompt: Json) -> None:
        # In debt as many as are needed and no more; by house rule one at a time.
        due = self.screen.phase == "debt"
        count = int(prompt["count"][1]) if due else 1
        label = self.t("do.sell_plate", n=count)
        small = self.t("do.sell_plate.small", price=money.amount(meta.PLATE_SALE * count))
        fields = self._fields(seat, "sell_plate", count=count)
        decision.choices.append(Choice(label, small, fields, icon="plates", go=due))

    def _add_declare_insolvent(self, decision: Decision, seat: Seat, prompt: Json) -> None:
        label, small = self.t("do.insolvent", name=seat.name), self.t("do.insolvent.small")
        decision.choices.append(Choice(label, small, self._fields(seat, "declare_insolvent")))

    def _add_place_barrier(self, decision: Decision, seat: Seat, prompt: Json) -> None:
        decision.choices.append(self.barrier(seat))

    def _add_choose(self, decision: Decision, seat: Seat, prompt: Json) -> None:
        drawn = self.screen.view["card_drawn"] or {}
        options = drawn["do"][0][1] if drawn.get("do") else []
        for index in range(prompt["option"][0], prompt["option"][1] + 1):
            words = verbs_in_words(options[index], self.t) if index < len(options) else self.t("do.choose", n=index + 1)
            label = Markup(words[:1].upper() + words[1:])  # noqa: S704 - was Markup before
            decision.choices.append(Choice(label, "", self._fields(seat, "choose", option=index)))

    def _add_reveal_card(self, decision: Decision, seat: Seat, prompt: Json) -> None:
        # The bank does not know the word; of a paper card somebody has to say it.
        words = prompt.get("word") or (WORDS if self.setup["cards"] == "paper" else ())
        small = self.t("do.reveal.small")
        if len(words) > 1:
            for word in words:
                fields = self._fields(seat, "reveal_card", word=word)
                decision.choices.append(Choice(self.t(f"word.{word}"), small, fields, icon=word))
        else:
            fields = self._fields(seat, "reveal_card")
            decision.choices.append(Choice(self.t("do.reveal"), small, fields, icon="card", go=True))

    def _add_play_card(self, decision: Decision, seat: TaxiSeat, prompt: Json) -> None:
        # Which cards a seat keeps is its own affair: the bank sees their number only.
        for index in prompt.get("card") or range(seat.cards):
            kept = seat.kept[index] if index < len(seat.kept) else {}
            title = kept.get("title")
            label = self.t("do.play_card", title=title) if title else self.t("do.play_kept", n=index + 1)
            small = self.t(f"keep.{kept['keep']}") if kept.get("keep") else ""
            go = self.screen.phase == "kept_card" and index == 0
            fields = self._fields(seat, "play_card", card=index)
            decision.choices.append(Choice(label, small, fields, icon="card", go=go))

    def _add_decline(self, decision: Decision, seat: Seat, prompt: Json) -> None:
        key = "do.decline.card" if self.screen.phase == "kept_card" else "do.decline.buy"
        decision.choices.append(Choice(self.t(key), "", self._fields(seat, "decline")))

    def barrier(self, seat: Seat) -> Choice:
        """A barrier against the seat on turn."""
        against = self.screen.by_seat[self.screen.turn].name
        label = (
            self.t("do.barrier.bank", name=seat.name, against=against)
            if self.bank
            else self.t("do.barrier.seat", against=against)
        )
        sheet = f"{self.base}/sheet/barrier?seat={seat.seat}"
        return Choice(label, self.t("do.barrier.small"), sheet=sheet, icon="barriers")

    # -- driving ---------------------------------------------------------------------------------------------------

    def _reach_options(self, seat: TaxiSeat, labels: list[list[Any]]) -> list[dict[str, Any]]:
        """What the drive panel offers, in groups of equal cost: every way to the own destination first, then each other
        place at its cheapest (fewest white tablets, then green, as the rules spend them), staying last."""
        places, goal = self.screen.places, destination_at(self.screen.places, seat.destination)
        aim = seat.goal.name if seat.goal else ""
        offered: dict[str, list[list[Any]]] = {}
        for label in labels:
            offered.setdefault(label[0], []).append(label)
        options = []
        for place, ways in offered.items():
            ways.sort(key=lambda way: (way[3], way[2], way[1]))
            for _, streets, green, white in ways if place == goal else ways[:1]:
                options.append(
                    {
                        "value": f"{place}|{green}|{white}",
                        "place": place,
                        "xy": "{:.0f} {:.0f}".format(*places.points[place]),
                        "goal": place == goal,
                        "stay": place == seat.at and not streets,
                        "name": aim if place == goal else places.place(place),
                        "ref": places.ref(place),
                        "cost": cost(self.t, streets, green, white),
                        "rank": (place != goal, place == seat.at, white, streets, green, "~" in place),
                    }
                )
        options.sort(key=lambda o: (o["rank"], o["name"]))
        groups: list[dict[str, Any]] = []
        for option in options:
            heading = aim if option["goal"] else option["cost"]
            if not groups or groups[-1]["label"] != heading:
                groups.append({"label": heading, "options": []})
            groups[-1]["options"].append(option)
        return groups


def cost(t: Texts, streets: int, green: int, white: int) -> Markup:
    """What a way costs, in words: "4 streets and 1 green"."""
    parts = [t("cost.streets", n=streets)]
    if green:
        parts.append(t("cost.green", n=green))
    if white:
        parts.append(t("cost.white", n=white))
    return and_words(parts, t)
