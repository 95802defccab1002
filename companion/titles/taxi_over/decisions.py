"""Taxi Over's questions: throw on or stop here, board or stay out, with what each would do and exact odds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from markupsafe import Markup

from companion.tables.receipts import Json
from companion.titles.taxi_over import words
from companion.titles.taxi_over.outlook import Chance, Outcome, Outlook, outlook_of
from companion.titles.taxi_over.seats import RingScreen
from companion.web.screens.choices import Choice, Decision, Odd
from companion.web.screens.decisions import Decisions as Base
from companion.web.screens.decisions import or_words
from companion.web.screens.seats import Seat
from companion.web.texts import Texts


class Decisions(Base):
    """Builds decisions for one audience of one screen."""

    screen: RingScreen
    PHASE_RULES: Mapping[str, Sequence[str]] = {"roll": ["O-020"], "board": ["O-049"]}
    END_RULES = ("O-058",)

    def about(self, decision: Decision, seat: Seat, prompts: list[Json]) -> None:
        """The panel with the dice on the table, what stopping does and what the next die may bring."""
        outlook = outlook_of(self.screen.view)
        if outlook is None:
            return
        n = len(self.screen.dice)
        if self.screen.phase == "roll":
            key = f"ask.roll.{min(n, 2)}.{'bank' if self.bank else 'seat'}"
            decision.question = self.t(key, name=seat.name, sum=sum(self.screen.dice))
        decision.panels.append("luck")
        decision.data["luck"] = self._luck(outlook)
        decision.why = "" if n else self._why(outlook)

    def comes_last(self, choice: Choice) -> bool:
        """Throwing stays beside stopping from die to die, whichever of the two is yellow."""
        return choice.fields.get("do") == "roll" or (self.screen.phase != "roll" and choice.go)

    def odd_words(self, row: Json) -> Markup | str:
        """The panel shows them, better than a list could."""
        return ""

    def way(self, me: Seat, prompts: list[Json]) -> Markup | str:
        """Where the own driver is, below the phone's map."""
        mine = self.screen.by_seat[me.seat]
        if mine.out:
            return ""
        if mine.taxi is None:
            return self.t("seat.waits_for_taxi")
        return self.t("seat.sits_in", n=mine.taxi[1:], place=self.screen.places.place(str(mine.at)))

    # -- buttons ---------------------------------------------------------------------------------------------------

    def _add_roll(self, decision: Decision, seat: Seat, prompt: Json) -> None:
        outlook = outlook_of(self.screen.view)
        n = len(self.screen.dice)
        label = self.t(f"do.roll.{min(n, 2)}")
        small: Markup | str = ""
        certain = False
        if outlook is not None:
            certain = outlook.certain
            risk = Odd("", *outlook.risk_next)
            small = self.t("do.roll.certain") if certain else self.t("do.roll.risk", percent=risk.percent)
        fields = self._fields(seat, "roll", die=prompt["die"])
        decision.choices.append(Choice(label, small, fields, icon="taxi", go=not certain))
        if self.bank or self.setup["dice"] == "typed":
            faces = sorted(set(self.screen.view["options"].get("dice_faces", (1, 2, 3))))
            self.typed_faces(decision, seat, prompt["die"], faces)

    def _add_stop(self, decision: Decision, seat: Seat, prompt: Json) -> None:
        outlook = outlook_of(self.screen.view)
        stop = outlook.stop if outlook is not None else None
        label, small = self.t("do.stop", n=stop.distance if stop else 0), Markup("")
        if stop is not None and stop.distance:
            small = words.joined([self.screen.places.place(stop.to), *words.consequences(self.screen, stop, self.t)])
        go = outlook is not None and outlook.certain
        decision.choices.append(Choice(label, small, self._fields(seat, "stop"), icon="stop", go=go))

    def _add_board_taxi(self, decision: Decision, seat: Seat, prompt: Json) -> None:
        taxis = list(prompt["taxi"])
        for index, taxi in enumerate(taxis):
            label = self.t("do.board", n=taxi[1:]) if len(taxis) > 1 else self.t("do.board.only")
            small = self.t("do.board.small") if index == 0 else ""
            fields = self._fields(seat, "board_taxi", taxi=taxi)
            decision.choices.append(Choice(label, small, fields, icon="cab", go=index == 0))

    def _add_decline(self, decision: Decision, seat: Seat, prompt: Json) -> None:
        decision.choices.append(Choice(self.t("do.decline"), self.t("do.decline.small"), self._fields(seat, "decline")))

    # -- the panel -------------------------------------------------------------------------------------------------

    def _why(self, outlook: Outlook) -> Markup | str:
        if self.screen.phase == "board":
            return self.t("ask.board.why", n=len(outlook.boardable))
        return self.t("ask.roll.why", n=outlook.ahead, cross=self._cross(outlook))

    def _cross(self, outlook: Outlook) -> str:
        return self.screen.places.place(outlook.cross).split(", ")[-1]

    def _luck(self, outlook: Outlook) -> Json:
        """`dice` on the table, `cells` of the next die, `reach`: chances of the next intersection and of a
        violation."""
        reach = [
            {"dice": dice, "reach": Odd("", n, d), "risk": Odd("", *risk[1:])}
            for (dice, n, d), risk in zip(outlook.reach, outlook.risk, strict=True)
        ]
        return {
            "dice": list(outlook.dice),
            "sum": sum(outlook.dice),
            "spaces": sum(outlook.dice) * len(outlook.dice),
            "cells": [self._cell(chance) for chance in outlook.next],
            "certain": outlook.certain,
            "ahead": outlook.ahead,
            "cross": self._cross(outlook),
            "stop": bool(outlook.stop is not None and outlook.dice),
            "stop_reaches": outlook.stop_reaches,
            "reach": reach,
        }

    def _cell(self, chance: Chance) -> Json:
        outcome: Outcome = chance.outcome
        odd = Odd("", chance.n, chance.d)
        place = self.screen.places.place(outcome.to).split(",")[0]
        return {
            "face": chance.face,
            "percent": odd.percent,
            "bust": outcome.violation,
            "spaces": outcome.distance,
            "place": place,
            "more": words.joined(words.consequences(self.screen, outcome, self.t)) if not outcome.violation else "",
        }


def needs_words(needs: Sequence[int], has: Any, name: str, t: Texts) -> Markup:
    """How far a taxi that was put down elsewhere would have to drive."""
    return t("explain.needs", ways=or_words([t("needs.spaces", n=need) for need in needs], t))
