"""The verbs of Destination London that a form may send, and their buttons: one handler for each."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from companion.tables.receipts import Json
from companion.titles.destination_london import money
from companion.titles.destination_london.seats import LondonScreen, LondonSeat, card_place, light_title, picture_of
from companion.titles.destination_london.typed_cards import typed_light
from companion.web.screens.choices import Choice, Decision
from companion.web.screens.decisions import Decisions, and_words
from companion.web.screens.seats import Seat
from shared_rules.games.destination_london import meta

PLAYED: Mapping[str, str] = {"cards": "words", "spend": "word"}
VERBS: Mapping[str, Mapping[str, str]] = {
    "roll": {"die": "word", "dice": "count", "faces": "faces"},
    "move": {"to": "word"},
    "stay": {},
    "collect": PLAYED,
    "keep_quiet": {},
    "claim": PLAYED,
    "pass": {},
    "close_claims": {},
    "knock": {"whom": "count"},
    "spare": {"whom": "count"},
    "draw_light": {"card": "word"},
    "choose_destination": {"card": "word", "also": "words", "spend": "word"},
    "play_move_card": {"card": "word", "destination": "word", "also": "words", "spend": "word"},
    "keep": {},
    "buy_fuel": {"count": "count"},
    "done": {},
    "ask_fuel": {"of": "count"},
    "sell": {},
    "refuse": {},
    "wait": {},
    "buy_turbo": {},
    "take_loan": {},
    "repay_loan": {},
    "decline_loan": {},
    "take_extra_turn": {},
    "decline_extra_turn": {},
    "deal": {"card": "word"},
    "resign": {},
}
FOR_BANK = frozenset({"close_claims", "deal"})
ANY_TIME = ("take_loan", "repay_loan")


def verb(form: Any) -> str:
    """A landing is answered with cards, or with none."""
    do = str(form.get("do", ""))
    if do in ("answer_fare", "answer_claim"):
        some = any(form.several("cards")) if hasattr(form, "several") else bool(form.get("cards"))
        own = do == "answer_fare"
        return ("collect" if own else "claim") if some else ("keep_quiet" if own else "pass")
    return do


def finished(form: Mapping[str, Any], command: Json) -> Json:
    """A traffic light card of a deck of paper is told by its words and effects."""
    if command["do"] == "draw_light" and (typed := typed_light(form)) is not None:
        return {**command, "card": typed}
    return command


class Choices(Decisions):
    """Makes buttons from prompts, for one audience of one screen."""

    screen: LondonScreen

    def card_words(self, cards: Iterable[str]) -> Any:
        """`Big Ben`; `Tower Bridge and the Tower of London`."""
        return and_words([card_place(self.screen.places, card)[0] for card in cards], self.t)

    def fare(self, cards: Iterable[str]) -> str:
        """The printed fares of cards together."""
        return money.amount(sum(card_place(self.screen.places, card)[2] for card in cards))

    def _say(
        self, decision: Decision, seat: Seat, do: str, *, small: Any = "", icon: str = "", go: bool = False, **more: Any
    ) -> None:
        fields = self._fields(seat, do, **more)
        decision.choices.append(Choice(self.t(f"do.{do}", name=seat.name), small, fields, icon=icon, go=go))

    def _whisper(self, decision: Decision, seat: Seat) -> None:
        """On the tablet: what depends on a hand is looked at behind the hand."""
        if any("whisper" in choice.sheet for choice in decision.choices):
            return
        label, small = self.t("do.whisper", name=seat.name), self.t("do.whisper.small")
        sheet = f"{self.base}/sheet/whisper?seat={seat.seat}"
        decision.choices.append(Choice(label, small, sheet=sheet, icon="hand", go=True))

    # -- the turn --------------------------------------------------------------------------------------------------

    def _add_buy_turbo(self, decision: Decision, seat: Seat, prompt: Json) -> None:
        small = self.t("do.buy_turbo.small", sum=money.amount(meta.TURBO_PRICE))
        self._say(decision, seat, "buy_turbo", small=small, icon="turbo")

    def _add_buy_fuel(self, decision: Decision, seat: Seat, prompt: Json) -> None:
        for count in range(prompt["count"][0], prompt["count"][1] + 1):
            label = self.t("do.buy_fuel", n=count)
            small = self.t("do.buy_fuel.small", sum=money.amount(meta.FUEL_PRICE * count))
            fields = self._fields(seat, "buy_fuel", count=count)
            go = count == prompt["count"][1] and self.screen.phase in ("garage", "stranded")
            decision.choices.append(Choice(label, small, fields, icon="fuel", go=go))

    def _add_done(self, decision: Decision, seat: Seat, prompt: Json) -> None:
        self._say(decision, seat, "done", go=not any(c.go for c in decision.choices))

    def _add_ask_fuel(self, decision: Decision, seat: Seat, prompt: Json) -> None:
        for other in prompt["of"]:
            label = self.t("do.ask_fuel", name=self.screen.name(other))
            price = self.screen.view["options"].get("fuel_resale_price", 50)
            small = self.t("do.ask_fuel.small", sum=money.amount(price))
            fields = self._fields(seat, "ask_fuel", of=other)
            go = self.screen.phase == "stranded"
            decision.choices.append(Choice(label, small, fields, icon="fuel", go=go))

    def _add_sell(self, decision: Decision, seat: Seat, prompt: Json) -> None:
        price = self.screen.view["options"].get("fuel_resale_price", 50)
        self._say(decision, seat, "sell", small=self.t("do.sell.small", sum=money.amount(price)), icon="fuel", go=True)

    def _add_refuse(self, decision: Decision, seat: Seat, prompt: Json) -> None:
        self._say(decision, seat, "refuse")

    def _add_wait(self, decision: Decision, seat: Seat, prompt: Json) -> None:
        self._say(decision, seat, "wait", small=self.t("do.wait.small"))

    def _add_take_loan(self, decision: Decision, seat: Seat, prompt: Json) -> None:
        small = self.t("do.take_loan.small", sum=money.amount(meta.LOAN))
        self._say(decision, seat, "take_loan", small=small, icon="book", go=self.screen.phase == "debt")

    def _add_repay_loan(self, decision: Decision, seat: Seat, prompt: Json) -> None:
        small = self.t("do.repay_loan.small", sum=money.amount(meta.LOAN))
        self._say(decision, seat, "repay_loan", small=small, icon="book")

    def _add_decline_loan(self, decision: Decision, seat: Seat, prompt: Json) -> None:
        self._say(decision, seat, "decline_loan", small=self.t("do.decline_loan.small"))

    def _add_take_extra_turn(self, decision: Decision, seat: Seat, prompt: Json) -> None:
        self._say(decision, seat, "take_extra_turn", go=True)

    def _add_decline_extra_turn(self, decision: Decision, seat: Seat, prompt: Json) -> None:
        self._say(decision, seat, "decline_extra_turn")

    def _add_stay(self, decision: Decision, seat: Seat, prompt: Json) -> None:
        self._say(decision, seat, "stay", small=self.t("do.stay.small"))

    # -- driving ---------------------------------------------------------------------------------------------------

    def _add_move(self, decision: Decision, seat: LondonSeat, prompt: Json) -> None:
        groups = self._groups(seat, prompt)
        if groups:
            decision.panels.append("where")
            decision.data["reach"] = groups

    def _groups(self, seat: LondonSeat, prompt: Json) -> list[Json]:
        """Own destinations first, the dearest of them foremost, then where the drive ends, then stops on the way that
        need a card (the tablet does not know the hand)."""
        places, t = self.screen.places, self.t
        fares: dict[str, int] = {}
        for card in (seat.cards or ()) if seat.total_fuel else ():
            square, fare = card_place(places, card)[1:]
            fares[square] = fares.get(square, 0) + fare
        own = sorted((s for s in prompt["to"] if s in fares), key=lambda s: -fares[s])
        home = [places.board["base"]] if seat.bound_home and places.board["base"] in prompt["to"] else []
        rest = [s for s in prompt["to"] if s not in fares and s not in home]
        groups = [
            (t("where.home"), home),
            (t("where.own"), own),
            (t("where.ends", n=self.screen.moves), rest),
            (t("where.with_card"), prompt.get("with_card", [])),
        ]
        found = []
        for label, squares in groups:
            options = [self._option(seat, square, fares.get(square)) for square in squares]
            if squares is not own:
                options.sort(key=lambda option: option["name"])
            if options:
                found.append({"label": label, "options": options})
        return found

    def _option(self, seat: LondonSeat, square: str, fare: int | None) -> Json:
        places = self.screen.places
        cost = self.t("square.fare", sum=money.amount(fare)) if fare is not None else ""
        return {
            "value": square,
            "xy": "{:.0f} {:.0f}".format(*places.points[square]),
            "name": places.place(square),
            "ref": places.ref(square),
            "cost": cost or self._about(square),
            "goal": fare is not None,
            "stay": False,
        }

    def _about(self, square: str) -> Any:
        board = self.screen.places.board
        if square == board["base"]:
            return self.t("square.base")
        if square in board["garages"]:
            return self.t("square.garage")
        return self.t("square.lights") if square in board["lights"] else ""

    # -- landings --------------------------------------------------------------------------------------------------

    def _add_collect(self, decision: Decision, seat: LondonSeat, prompt: Json) -> None:
        if "cards" not in prompt:
            if self.bank:
                self._whisper(decision, seat)
            return
        cards = prompt["cards"]
        for some in [cards] if len(cards) == 1 else [*[[card] for card in cards], cards]:
            label = self.t("do.collect", sum=self.fare(some), place=self.card_words(some))
            self._played(decision, seat, "collect", label, prompt, cards=list(some), go=len(some) == len(cards))

    def _played(
        self, decision: Decision, seat: Seat, do: str, label: Any, prompt: Json, *, go: bool, **fields: Any
    ) -> None:
        """One button; where a bonus card can be kept for another time, a second one spends ordinary fuel."""
        spends = prompt.get("spend") or [None]
        for index, spend in enumerate(spends):
            more = {"spend": spend} if spend else {}
            small = self.t(f"do.spend.{spend}") if spend else self.t("do.spend")
            icon = picture_of(self.screen.places, str((fields.get("cards") or [self._card_of(fields)])[0]))
            fields_of = self._fields(seat, do, **fields, **more)
            decision.choices.append(Choice(label, small, fields_of, icon=icon, go=go and index == 0))

    def _card_of(self, fields: Mapping[str, Any]) -> Any:
        return fields.get("destination") or fields.get("card")

    def _add_keep_quiet(self, decision: Decision, seat: Seat, prompt: Json) -> None:
        self._say(decision, seat, "keep_quiet", small=self.t("do.keep_quiet.small"))

    def _add_knock(self, decision: Decision, seat: Seat, prompt: Json) -> None:
        for whom in prompt["whom"]:
            label = self.t("do.knock", name=self.screen.name(whom))
            fields = self._fields(seat, "knock", whom=whom)
            decision.choices.append(Choice(label, self.t("do.knock.small"), fields, icon="taxi", go=True))

    def _add_spare(self, decision: Decision, seat: Seat, prompt: Json) -> None:
        for whom in prompt["whom"]:
            label = self.t("do.spare", name=self.screen.name(whom))
            decision.choices.append(Choice(label, "", self._fields(seat, "spare", whom=whom)))

    # -- traffic light cards ---------------------------------------------------------------------------------------

    def _add_draw_light(self, decision: Decision, seat: Seat, prompt: Json) -> None:
        if self.setup["cards"] == "paper":
            label, small = self.t("do.draw_light.paper"), self.t("do.draw_light.paper.small")
            sheet = f"{self.base}/sheet/light?seat={seat.seat}"
            decision.choices.append(Choice(label, small, sheet=sheet, icon="light", go=True))
        else:
            self._say(decision, seat, "draw_light", icon="light", go=True)

    def _add_choose_destination(self, decision: Decision, seat: LondonSeat, prompt: Json) -> None:
        if "card" not in prompt:
            self._whisper(decision, seat)
            return
        for card in prompt["card"]:
            self._goes(decision, seat, "choose_destination", prompt, card, "card", {})

    def _add_play_move_card(self, decision: Decision, seat: LondonSeat, prompt: Json) -> None:
        if "destination" not in prompt:
            if self.bank:
                self._whisper(decision, seat)
            return
        for held in prompt["card"]:
            for card in prompt["destination"]:
                self._goes(decision, seat, "play_move_card", prompt, card, "destination", {"card": held})

    def _goes(
        self, decision: Decision, seat: LondonSeat, do: str, prompt: Json, card: str, name: str, more: Json
    ) -> None:
        others = prompt.get("also", {}).get(card, [])
        for also in [[], others] if others else [[]]:
            cards = [card, *also]
            label = self.t("do.goes", place=self.card_words(cards), sum=self.fare(cards))
            fields = {**more, name: card, **({"also": list(also)} if also else {})}
            self._played(decision, seat, do, label, prompt, go=False, **fields)

    def _add_keep(self, decision: Decision, seat: Seat, prompt: Json) -> None:
        self._say(decision, seat, "keep", small=self.t("do.keep.small"), icon="light")

    def _add_deal(self, decision: Decision, seat: Seat, prompt: Json) -> None:
        owed = self.screen.by_seat[self.screen.view["deals"][0]]
        label = self.t("do.deal", name=owed.name)
        if self.setup["cards"] == "paper":
            sheet = f"{self.base}/sheet/deal?seat={owed.seat}"
            decision.choices.append(Choice(label, self.t("do.deal.small"), sheet=sheet, icon="hand", go=True))
        else:
            decision.choices.append(Choice(label, "", {"do": "deal", "seat": 0}, icon="hand", go=True))

    def light_words(self, card: Json | str) -> str:
        """A traffic light card's title."""
        return light_title(card, self.t.language)
