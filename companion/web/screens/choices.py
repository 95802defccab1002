"""The buttons of a decision: one handler for each verb that the rules core calls legal, and what a drive costs in
words.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from markupsafe import Markup

from companion.tables.receipts import Json
from companion.web.rendering import dollars
from companion.web.screens.bets import WORDS
from companion.web.screens.card_words import verbs_in_words
from companion.web.screens.seats import Screen, Seat
from companion.web.texts import Texts


@dataclass
class Choice:
    """One button: what it says, what follows (`small`), the command it sends (`fields`) or the sheet it opens."""

    label: Markup | str
    small: Markup | str = ""
    fields: dict[str, Any] = field(default_factory=dict)
    sheet: str = ""
    icon: str = ""
    go: bool = False
    guarded: bool = True
    """Whether it belongs to exactly this state of the game (`expected_seq`); sealed bets do not: others answer at the
    same time.
    """


@dataclass
class Decision:
    """What waits. `seat` owns the edge, `panel` names a further part of the page (see the templates), `data` is for
    that part.
    """

    key: str
    seat: int
    colour: str
    question: Markup
    why: Markup | str = ""
    quote: str = ""
    rules: Sequence[str] = ()
    choices: list[Choice] = field(default_factory=list)
    panels: list[str] = field(default_factory=list)
    data: dict[str, Any] = field(default_factory=dict)
    mine: bool = True


class Choices:
    """Makes buttons from prompts, for one audience of one screen. `base` is where its forms and sheets live
    ("/tablet" or "/seat").
    """

    def __init__(self, screen: Screen, setup: Json, t: Texts, *, base: str) -> None:
        self.screen = screen
        self.setup = setup
        self.t = t
        self.base = base
        self.bank = base == "/tablet"
        self._costs: dict[tuple[int, int, int], Markup] = {}

    def _add(self, decision: Decision, seat: Seat, prompt: Json) -> None:
        handler = getattr(self, f"_add_{prompt['do']}", None)
        if handler is not None:
            handler(decision, seat, prompt)

    def _fields(self, seat: Seat, do: str, **more: Any) -> dict[str, Any]:
        return {"do": do, "seat": seat.seat, **more}

    def _add_draw_card(self, decision: Decision, seat: Seat, prompt: Json) -> None:
        deck = prompt["deck"]
        label = self.t(f"do.draw.{deck}")
        go = deck == "expense"
        small = (
            self.t("do.draw.paper.small")
            if self.setup["cards"] == "paper"
            else (self.t("do.draw.expense.small") if go else "")
        )
        if self.setup["cards"] == "paper":
            decision.choices.append(
                Choice(label, small, sheet=f"{self.base}/sheet/card?deck={deck}&seat={seat.seat}", icon="card", go=go)
            )
        else:
            decision.choices.append(
                Choice(label, small, self._fields(seat, "draw_card", deck=deck), icon="card", go=go)
            )

    def _add_roll(self, decision: Decision, seat: Seat, prompt: Json) -> None:
        die = prompt["die"]
        own = (
            self.screen.phase in ("card_choice", "before_roll", "tablet_die", "card_option")
            and decision.seat == seat.seat
        )
        if not own:
            return
        small = self.t("do.roll.forfeits") if self.screen.phase == "card_choice" and die == "d6" else ""
        decision.choices.append(
            Choice(self.t(f"do.roll.{die}"), small, self._fields(seat, "roll", die=die), icon=die, go=True)
        )
        if self.bank or self.setup["dice"] == "typed":
            decision.panels.append("faces")
            decision.data["die"] = die

    def _add_move(self, decision: Decision, seat: Seat, prompt: Json) -> None:
        decision.panels.append("drive")
        decision.data["reach"] = self._reach_options(seat, prompt["to"])

    def _add_end_turn(self, decision: Decision, seat: Seat, prompt: Json) -> None:
        decision.choices.append(Choice(self.t("do.end_turn"), "", self._fields(seat, "end_turn")))

    def _add_buy_taxi(self, decision: Decision, seat: Seat, prompt: Json) -> None:
        price = int(self.screen.view["options"].get("plate_price", 15000))
        decision.choices.append(
            Choice(
                self.t("do.buy_taxi"),
                self.t("do.buy_taxi.small", price=dollars(price)),
                self._fields(seat, "buy_taxi", count=1),
                icon="plates",
            )
        )

    def _add_sell_plate(self, decision: Decision, seat: Seat, prompt: Json) -> None:
        # In debt as many as are needed and no more; by house rule one at a time.
        due = self.screen.phase == "debt"
        count = int(prompt["count"][1]) if due else 1
        decision.choices.append(
            Choice(
                self.t("do.sell_plate", n=count),
                self.t("do.sell_plate.small", price=dollars(5000 * count)),
                self._fields(seat, "sell_plate", count=count),
                icon="plates",
                go=due,
            )
        )

    def _add_declare_insolvent(self, decision: Decision, seat: Seat, prompt: Json) -> None:
        decision.choices.append(
            Choice(
                self.t("do.insolvent", name=seat.name),
                self.t("do.insolvent.small"),
                self._fields(seat, "declare_insolvent"),
            )
        )

    def _add_place_barrier(self, decision: Decision, seat: Seat, prompt: Json) -> None:
        decision.choices.append(self._barrier(seat))

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
        if len(words) > 1:
            for word in words:
                fields = self._fields(seat, "reveal_card", word=word)
                decision.choices.append(Choice(self.t(f"word.{word}"), self.t("do.reveal.small"), fields, icon=word))
        else:
            fields = self._fields(seat, "reveal_card")
            decision.choices.append(
                Choice(self.t("do.reveal"), self.t("do.reveal.small"), fields, icon="card", go=True)
            )

    def _add_play_card(self, decision: Decision, seat: Seat, prompt: Json) -> None:
        # Which cards a seat keeps is its own affair: the bank sees their number only.
        for index in prompt.get("card") or range(seat.cards):
            kept = seat.kept[index] if index < len(seat.kept) else {}
            label = (
                self.t("do.play_card", title=kept["title"])
                if kept.get("title")
                else self.t("do.play_kept", n=index + 1)
            )
            small = self.t(f"keep.{kept['keep']}") if kept.get("keep") else ""
            go = self.screen.phase == "kept_card" and index == 0
            fields = self._fields(seat, "play_card", card=index)
            decision.choices.append(Choice(label, small, fields, icon="card", go=go))

    def _add_decline(self, decision: Decision, seat: Seat, prompt: Json) -> None:
        key = "do.decline.card" if self.screen.phase == "kept_card" else "do.decline.buy"
        decision.choices.append(Choice(self.t(key), "", self._fields(seat, "decline")))

    def _barrier(self, seat: Seat) -> Choice:
        against = self.screen.by_seat[self.screen.turn].name
        label = (
            self.t("do.barrier.bank", name=seat.name, against=against)
            if self.bank
            else self.t("do.barrier.seat", against=against)
        )
        return Choice(
            label, self.t("do.barrier.small"), sheet=f"{self.base}/sheet/barrier?seat={seat.seat}", icon="barriers"
        )

    def _asides(self, seat: Seat, prompts: list[Json]) -> list[Choice]:
        aside = Decision("", seat.seat, seat.colour, Markup(""))
        for prompt in prompts:
            if prompt["do"] in ("buy_taxi", "sell_plate") or (
                prompt["do"] in ("roll", "draw_card") and self.screen.phase == "tablet_die"
            ):
                if prompt["do"] == "draw_card":
                    self._add_draw_card(aside, seat, prompt)
                elif prompt["do"] == "roll":
                    aside.choices.append(
                        Choice(
                            self.t("do.roll.d6"),
                            self.t("do.roll.early"),
                            self._fields(seat, "roll", die=prompt["die"]),
                            icon="d6",
                        )
                    )
                else:
                    self._add(aside, seat, prompt)
        return aside.choices

    # -- driving ---------------------------------------------------------------------------------------------------

    def _reach_options(self, seat: Seat, labels: list[list[Any]]) -> list[dict[str, Any]]:
        """What the drive panel offers, in groups of equal cost: every way to the own destination first, then each other
        place at its cheapest (fewest freeway passes, then green, as the rules spend them), staying last."""
        town, goal = self.screen.town, self.screen.town.destination_at(seat.destination)
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
                        "xy": "{:.0f} {:.0f}".format(*town.points[place]),
                        "streets": streets,
                        "goal": place == goal,
                        "stay": place == seat.at,
                        "name": seat.destination_name if place == goal else town.place(place),
                        "ref": town.ref(place),
                        "cost": self.cost(streets, green, white),
                        "rank": (place != goal, place == seat.at, white, streets, green, "~" in place),
                    }
                )
        options.sort(key=lambda o: (o["rank"], o["name"]))
        groups: list[dict[str, Any]] = []
        for option in options:
            heading = seat.destination_name if option["goal"] else option["cost"]
            if not groups or groups[-1]["label"] != heading:
                groups.append({"label": heading, "options": []})
            groups[-1]["options"].append(option)
        return groups

    def cost(self, streets: int, green: int, white: int) -> Markup:
        """What a way costs, in words: "4 streets, 1 green"."""
        known = self._costs.get((streets, green, white))
        if known is not None:
            return known
        parts = [self.t("cost.streets", n=streets)]
        if green:
            parts.append(self.t("cost.green", n=green))
        if white:
            parts.append(self.t("cost.white", n=white))
        self._costs[streets, green, white] = words = Markup(", ").join(parts)
        return words
