"""The one thing that is waiting: a question, why it is asked, and the buttons that may be pressed now.

Made from the view's `prompts` (what the rules core calls legal), for the banker's tablet (every seat's) and for a
seat's phone (its own and nothing else). Nothing is decided here. A title subclasses `Decisions`: a handler
`_add_<verb>` for each verb, and what is special about its phases.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from markupsafe import Markup

from companion import titles
from companion.tables.receipts import Json
from companion.tables.throws import WantedThrow
from companion.web.screens.choices import Choice, Decision, Odd
from companion.web.screens.seats import Screen, Seat
from companion.web.texts import Texts

BANK, SEAT = "/tablet", "/seat"


class Decisions:
    """Builds decisions for one audience of one screen. `base` is where its forms and sheets live ("/tablet" or
    "/seat"); `odds` are rows of the rules' `title.odds` for the seat that is asked."""

    PHASE_RULES: Mapping[str, Sequence[str]] = {}
    """Phase → rules behind the question."""
    END_RULES: Sequence[str] = ()

    def __init__(self, screen: Screen, setup: Json, t: Texts, *, base: str, odds: Sequence[Json] = ()) -> None:
        self.screen = screen
        self.setup = setup
        self.t = t
        self.base = base
        self.bank = base == BANK
        self._odds = odds

    def for_bank(self, prompts: Mapping[Any, list[Json]]) -> Decision:
        """The banker's: the first seat that is waited for, with what its opponents may do meanwhile."""
        screen = self.screen
        by_seat = {int(seat): list(found) for seat, found in prompts.items()}
        if screen.over:
            return self._over()
        special = self.window_for_bank(by_seat)
        if special is not None:
            return special
        if self._waiting() == [0]:
            return self._operator(by_seat.get(0, []))
        seat = self._asked()
        decision = self._for_seat(screen.by_seat[seat], by_seat.get(seat, []), mine=True)
        self.beside(decision, seat, by_seat)
        return decision

    def for_seat(self, seat: int, prompts: list[Json]) -> Decision:
        """A phone's: its own question, or whom the table waits for."""
        screen = self.screen
        me = screen.by_seat[seat]
        if screen.over:
            return self._over()
        special = self.window_for_seat(me, prompts)
        if special is not None:
            return special
        if self.is_mine(seat):
            return self._for_seat(me, prompts, mine=True)
        first = screen.by_seat[self._asked()]
        question = self.t("ask.out") if me.out else self.waits_for(first)
        other = Decision(f"wait-{screen.phase}-{first.seat}", first.seat, first.colour, question, mine=False)
        if not me.out:
            other.choices += self.meanwhile(me, prompts)
        return other

    # -- what a title may say otherwise ----------------------------------------------------------------------------

    def window_for_bank(self, by_seat: Mapping[int, list[Json]]) -> Decision | None:
        """A question to several at once, as the banker sees it; None while there is none."""
        return None

    def window_for_seat(self, me: Seat, prompts: list[Json]) -> Decision | None:
        """The same for a seat that may answer or has answered; None where it is not asked."""
        return None

    def beside(self, decision: Decision, seat: int, by_seat: Mapping[int, list[Json]]) -> None:
        """Adds to the banker's decision about `seat` what others may do meanwhile."""

    def is_mine(self, seat: int) -> bool:
        """Whether a phone shows its seat's own question now."""
        return seat in self._waiting()

    def meanwhile(self, me: Seat, prompts: list[Json]) -> list[Choice]:
        """What a seat may do while another is asked."""
        return []

    def asides(self, seat: Seat, prompts: list[Json]) -> list[Choice]:
        """What the banker may do for a seat at any time of its own, on the seat's sheet."""
        return []

    def places(self, seat: Seat) -> Json:
        """What the texts of the questions may name, besides `name`."""
        return {}

    def about(self, decision: Decision, seat: Seat, prompts: list[Json]) -> None:
        """Completes a seat's question when its buttons are there."""

    def comes_last(self, choice: Choice) -> bool:
        """Which button stands where the thumb is: the yellow one."""
        return choice.go

    def way(self, me: Seat, prompts: list[Json]) -> Markup | str:
        """What the way to the own goal takes now, beside the goal on the phone."""
        return ""

    def secret(self, me: Seat) -> Markup | str:
        """What only this seat may read."""
        return ""

    def signal(self, decision: Decision, seat: int) -> str:
        """Another text for each time that a phone is to say "your turn"; empty: not now."""
        screen = self.screen
        return f"{screen.line}.{screen.turn}.{decision.key}" if decision.mine and screen.turn == seat else ""

    def odd_words(self, row: Json) -> Markup | str:
        """One row of odds in words; empty for one that this page does not show: one without a text, or one that tells
        the banker what only the seat may know."""
        key = f"odds.{row['what']}"
        more = {key: value for key, value in row.items() if key not in ("what", "chance")}
        return self.t(key, **more) if self.t.has(key) else ""

    # -- the parts of a question -----------------------------------------------------------------------------------

    def _waiting(self) -> list[int]:
        return [int(seat) for seat in self.screen.view["waiting_for"]]

    def _asked(self) -> int:
        """The seat that the table waits for; others who may act besides come after it."""
        waiting = [seat for seat in self._waiting() if seat]
        return self.screen.turn if self.screen.turn in waiting or not waiting else waiting[0]

    def waits_for(self, seat: Seat) -> Markup:
        """Whom the table waits for, and what for."""
        key = f"waits.{self.screen.phase}"
        if self.t.has(key):
            return self.t("ask.wait.does", name=seat.name, does=self.t(key))
        return self.t("ask.wait", name=seat.name)

    def _for_seat(self, seat: Seat, prompts: list[Json], *, mine: bool) -> Decision:
        phase = self.screen.phase
        key = f"ask.{phase}.{'bank' if self.bank else 'seat'}"
        decision = Decision(
            key=f"{phase}-{seat.seat}",
            seat=seat.seat,
            colour=seat.colour,
            question=self.t.first(key, "ask.other", name=seat.name, **self.places(seat)),
            rules=list(self.PHASE_RULES.get(phase, ())),
            mine=mine,
        )
        for prompt in prompts:
            self._add(decision, seat, prompt)
        self.about(decision, seat, prompts)
        decision.odds = self.odds_rows()
        decision.choices.sort(key=self.comes_last)
        return decision

    def odds_rows(self) -> list[Odd]:
        """The rows of odds that this page shows."""
        told = [(self.odd_words(row), row["chance"]) for row in self._odds]
        return [Odd(words, *chance) for words, chance in told if words]

    def _operator(self, prompts: list[Json]) -> Decision:
        """Only the operator may go on: with a card of a paper deck, say."""
        turn = self.screen.by_seat[self.screen.turn]
        key = f"operator-{self.screen.phase}"
        question = self.t.first(f"ask.{self.screen.phase}.bank", "ask.operator", name=turn.name, **self.places(turn))
        decision = Decision(key, turn.seat, turn.colour, question)
        for prompt in prompts:
            self._add(decision, turn, prompt)
        decision.choices.sort(key=lambda choice: choice.go)
        return decision

    def _add(self, decision: Decision, seat: Seat, prompt: Json) -> None:
        handler = getattr(self, f"_add_{prompt['do']}", None)
        if handler is not None:
            handler(decision, seat, prompt)

    def _add_roll(self, decision: Decision, seat: Seat, prompt: Json) -> None:
        """A throw: one button for each number of dice that the rules allow, the most last; what lies on the table,
        pressed; and how many dice the electronic die is to throw, where that is a choice."""
        t, die = self.t, str(prompt.get("die", titles.find(self.screen.game).meta.DICE[0]))
        bounds = prompt.get("dice") or [1, 1]
        several = "dice" in prompt
        for count in range(bounds[0], bounds[1] + 1):
            fields = self._fields(seat, "roll", die=die, **({"dice": count} if several else {}))
            label = t.first(f"do.roll.{die}", "do.roll", n=count)
            decision.choices.append(Choice(label, "", fields, icon="d6", go=count == bounds[1]))
            if bounds[0] < bounds[1] and self.setup["dice"] == "table":
                here = {"seat": seat.seat, "count": count}
                label = t("do.dice_here", n=count)
                decision.choices.append(Choice(label, "", here, action=f"{self.base}/dice", guarded=False))
        if self.bank or self.setup["dice"] == "typed":
            faces = sorted(set(titles.find(self.screen.game).table.dice(self.screen.view)[die].faces.values()))
            # A single die is pressed at once, whatever the rules call the field.
            field = "face" if not several else "faces1" if bounds[1] == 1 else "faces"
            self.typed_faces(decision, seat, die, faces, field=field, count=bounds[1], least=bounds[0])

    def _fields(self, seat: Seat, do: str, **more: Any) -> dict[str, Any]:
        return {"do": do, "seat": seat.seat, **more}

    def typed_faces(
        self,
        decision: Decision,
        seat: Seat,
        die: str,
        faces: Iterable[Any],
        *,
        field: str = "face",
        count: int = 1,
        least: int = 1,
    ) -> None:
        """The panel in which a throw of one's own dice is pressed; `count` dice are pressed one after the other, of
        which `least` must be."""
        decision.panels.append("faces")
        named = [(face, self.t.first(f"face.{face}", "faces.n", n=face)) for face in faces]
        fields = self._fields(seat, "roll", die=die)
        decision.data["faces"] = {"die": die, "faces": named, "count": count, "fields": fields, "field": field}
        decision.data["faces"]["least"] = least

    def _over(self) -> Decision:
        t, screen = self.t, self.screen
        result = screen.result or {"winners": [], "reason": "nobody_left", "totals": {}}
        winners = [screen.by_seat[s] for s in result["winners"] if s in screen.by_seat]
        names = and_words([w.name for w in winners], t)
        totals = sorted(
            ({"seat": screen.by_seat[int(s)], "total": total} for s, total in (result.get("totals") or {}).items()),
            key=lambda row: -int(row["total"]),
        )
        return Decision(
            key="over",
            seat=winners[0].seat if winners else screen.turn,
            colour=winners[0].colour if winners else "black",
            question=t("ask.over", n=len(winners), names=names) if winners else t("ask.over.nobody"),
            why=t(f"over.{result['reason']}"),
            rules=list(self.END_RULES),
            panels=["result"],
            data={"totals": totals, "winners": [w.seat for w in winners]},
        )


def half_thrown(decision: Decision, wanted: WantedThrow | None, t: Texts) -> None:
    """Adds to a decision about a throw that part of the dice lie there already."""
    if wanted is not None and wanted.faces and decision.seat == wanted.seat:
        faces = ", ".join(str(face) for face in wanted.faces)
        decision.why = t("faces.lie_there", faces=faces, n=wanted.count - len(wanted.faces))


def and_words(names: Sequence[str], t: Texts) -> Markup:
    """Ann, Bo and Carla."""
    return _joined(names, t("and"))


def or_words(names: Sequence[str], t: Texts) -> Markup:
    """Ann, Bo or Carla."""
    return _joined(names, t("or"))


def _joined(names: Sequence[str], last: Markup) -> Markup:
    escaped = [Markup.escape(name) for name in names]
    if len(escaped) < 2:
        return escaped[0] if escaped else Markup("")
    return Markup(", ").join(escaped[:-1]) + Markup(" ") + last + Markup(" ") + escaped[-1]
