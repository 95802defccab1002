"""The one thing that is waiting: a question, why it is asked, and the buttons that may be pressed now.

Made from the view's `prompts` (what the rules core calls legal), for the banker's tablet (every seat's) and for a seat's phone (its own and nothing
else). A `Choice` either sends a command's fields or opens a sheet that asks for the rest. Nothing is decided here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from markupsafe import Markup

from companion.tables.receipts import Json
from companion.web.rendering import dollars
from companion.web.screens.card_words import verbs_in_words
from companion.web.screens.seats import Screen, Seat
from companion.web.texts import Texts

WORDS = ("money", "freeway", "taxi")
TWELVE = ("green", "white", "blank")


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
    """Whether it belongs to exactly this state of the game (`expected_seq`); sealed bets do not: others answer at the same time."""


@dataclass
class Decision:
    """What waits. `seat` owns the edge, `panel` names a further part of the page (see the templates), `data` is for that part."""

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


class Decisions:
    """Builds decisions for one audience of one screen. `base` is where its forms and sheets live ("/tablet" or "/seat")."""

    def __init__(self, screen: Screen, setup: Json, t: Texts, *, base: str) -> None:
        self.screen = screen
        self.setup = setup
        self.t = t
        self.base = base
        self.bank = base == "/tablet"

    # -- who is asked ----------------------------------------------------------------------------------------------

    def for_bank(self, prompts: dict[Any, list[Json]]) -> Decision:
        """The banker's: the first seat that is waited for, with what its opponents may do meanwhile."""
        screen = self.screen
        by_seat = {int(seat): list(found) for seat, found in prompts.items()}
        if screen.over:
            return self._over()
        waiting = [int(s) for s in screen.view["waiting_for"]]
        if screen.phase == "gamble_bets":
            return self._bets_of_all(by_seat)
        seat = next((s for s in waiting if s > 0), screen.turn)
        decision = self._for_seat(screen.by_seat[seat], by_seat.get(seat, []), mine=True)
        for other, found in sorted(by_seat.items()):
            if other in (seat, 0):
                continue
            decision.choices += (
                [self._barrier(screen.by_seat[other])] if any(p["do"] == "place_barrier" for p in found) else []
            )
            if screen.phase == "tablet_die" and any(p["do"] in ("roll", "draw_card") for p in found):
                decision.data["next_seat"] = screen.by_seat[other]
        return decision

    def for_seat(self, seat: int, prompts: list[Json]) -> Decision:
        """A phone's: its own question, or whom the table waits for."""
        screen, t = self.screen, self.t
        me = screen.by_seat[seat]
        if screen.over:
            return self._over()
        waiting = [int(s) for s in screen.view["waiting_for"]]
        if screen.phase == "gamble_bets" and seat in waiting + self._answered():
            return self._own_bet(me, prompts)
        if seat in waiting and (seat == screen.turn or screen.phase not in ("card_choice", "before_roll")):
            return self._for_seat(me, prompts, mine=True)
        first = next((screen.by_seat[s] for s in waiting if s > 0), None)
        other = Decision(
            key=f"wait-{screen.phase}-{first.seat if first else 0}",
            seat=first.seat if first else seat,
            colour=first.colour if first else me.colour,
            question=t("ask.out") if me.out else t("ask.wait", name=first.name if first else "", n=1),
            why="" if me.out or first is None else self._waits_for(first),
            mine=False,
        )
        if any(p["do"] == "place_barrier" for p in prompts):
            other.choices.append(self._barrier(me))
        other.choices += self._asides(me, prompts)
        return other

    def _answered(self) -> list[int]:
        bets = (self.screen.view.get("gamble") or {}).get("bets", {})
        return [int(seat) for seat in bets]

    def _waits_for(self, seat: Seat) -> Markup:
        key = f"waits.{self.screen.phase}"
        return self.t(key, name=seat.name) if self.t.has(key) else Markup("")

    # -- the questions, by phase -----------------------------------------------------------------------------------

    def _for_seat(self, seat: Seat, prompts: list[Json], *, mine: bool) -> Decision:
        t, phase = self.t, self.screen.phase
        key = f"ask.{phase}.{'bank' if self.bank else 'seat'}"
        decision = Decision(
            key=f"{phase}-{seat.seat}",
            seat=seat.seat,
            colour=seat.colour,
            question=t(key if t.has(key) else "ask.other", name=seat.name, **self._places(seat)),
            mine=mine,
        )
        decision.rules = {
            "card_choice": ["T-033"], "before_roll": ["T-036"], "move": ["T-037"], "tablet_die": ["T-038"], "gamble_reveal": ["T-098"],
            "settle": ["T-116"], "debt": ["T-131"], "kept_card": ["A-18"], "card_option": ["T-082"],
        }.get(phase, [])  # fmt: skip
        for prompt in prompts:
            self._add(decision, seat, prompt)
        drawn = self.screen.view.get("card_drawn")
        if drawn and phase in ("card_option", "gamble_reveal"):
            decision.quote = str(drawn.get("title") or "")
        if phase in ("debt", "kept_card"):
            self._explain_due(decision, seat)
        if phase == "card_choice" and not any(
            c.fields.get("do") == "draw_card" or "card" in c.sheet for c in decision.choices
        ):
            decision.question = t("ask.throw.bank" if self.bank else "ask.throw.seat", name=seat.name)
        # The yellow button comes last, where the thumb is.
        decision.choices.sort(key=lambda choice: choice.go)
        return decision

    def _places(self, seat: Seat) -> dict[str, Any]:
        return {
            "destination": seat.destination_name,
            "ref": seat.ref,
            "d6": self.screen.d6 if self.screen.d6 is not None else 0,
            "n": self.screen.d6 or 0,
        }

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
        price = int(prompt.get("price", 15000))
        decision.choices.append(
            Choice(
                self.t("do.buy_taxi"),
                self.t("do.buy_taxi.small", price=dollars(price)),
                self._fields(seat, "buy_taxi", count=1),
                icon="plates",
            )
        )

    def _add_sell_plate(self, decision: Decision, seat: Seat, prompt: Json) -> None:
        go = self.screen.phase == "debt"
        most = int(prompt.get("max", prompt.get("count", 1)) or 1) if go else 1
        decision.choices.append(
            Choice(
                self.t("do.sell_plate", n=most),
                self.t("do.sell_plate.small", price=dollars(5000 * most)),
                self._fields(seat, "sell_plate", count=most),
                icon="plates",
                go=go,
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
        drawn = self.screen.view.get("card_drawn") or {}
        first = (drawn.get("do") or [[]])[0]
        options = first[1] if len(first) > 1 and first[0] == "choose" else prompt.get("options", [])
        count = len(options) if isinstance(options, list) else int(options)
        for index in range(count):
            words = (
                verbs_in_words(options[index], self.t)
                if isinstance(options, list) and isinstance(options[index], list)
                else ""
            )
            decision.choices.append(
                Choice(words or self.t("do.choose", n=index + 1), "", self._fields(seat, "choose", option=index))
            )

    def _add_reveal_card(self, decision: Decision, seat: Seat, prompt: Json) -> None:
        words = prompt.get("words") or ([prompt["word"]] if prompt.get("word") else [])
        if len(words) > 1:
            for word in words:
                decision.choices.append(
                    Choice(
                        self.t(f"word.{word}"),
                        self.t("do.reveal.small"),
                        self._fields(seat, "reveal_card", word=word),
                        icon=word,
                    )
                )
        else:
            decision.choices.append(
                Choice(
                    self.t("do.reveal"),
                    self.t("do.reveal.small"),
                    self._fields(seat, "reveal_card"),
                    icon="card",
                    go=True,
                )
            )

    def _add_play_card(self, decision: Decision, seat: Seat, prompt: Json) -> None:
        index = int(prompt["card"])
        kept = seat.kept[index] if index < len(seat.kept) else {}
        title = kept.get("title") or self.t("card.kept")
        keep = kept.get("keep", "")
        small = self.t(f"keep.{keep}") if keep and self.t.has(f"keep.{keep}") else ""
        decision.choices.append(
            Choice(
                self.t("do.play_card", title=title),
                small,
                self._fields(seat, "play_card", card=index),
                icon="card",
                go=self.screen.phase == "kept_card",
            )
        )

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
        """What the drive panel offers: every way to the own destination first, then each other place at its cheapest (fewest freeway passes, then
        green, as the rules spend them), staying last."""
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
                        "streets": streets,
                        "goal": place == goal,
                        "stay": place == seat.at,
                        "name": seat.destination_name if place == goal else town.place(place),
                        "ref": town.ref(place),
                        "cost": self.cost(streets, green, white),
                        "rank": (place != goal, place == seat.at, "~" in place, white, streets, green),
                    }
                )
        options.sort(key=lambda o: (o["rank"], o["name"]))
        return options

    def cost(self, streets: int, green: int, white: int) -> Markup:
        """What a way costs, in words: "4 streets, 1 green"."""
        parts = [self.t("cost.streets", n=streets)]
        if green:
            parts.append(self.t("cost.green", n=green))
        if white:
            parts.append(self.t("cost.white", n=white))
        return Markup(", ").join(parts)

    # -- gambles ---------------------------------------------------------------------------------------------------

    def _bets_of_all(self, by_seat: dict[int, list[Json]]) -> Decision:
        t, screen = self.t, self.screen
        gamble = screen.view["gamble"]
        holder = screen.by_seat[gamble["holder"]]
        rows = []
        for seat in screen.seats:
            if seat.out or seat.seat == holder.seat:
                continue
            rows.append({"seat": seat, "answered": _is_answered(gamble["bets"], seat.seat)})
        decision = Decision(
            key="gamble_bets",
            seat=holder.seat,
            colour=holder.colour,
            question=t("ask.gamble_bets.bank", name=holder.name),
            why=t("ask.gamble_bets.why", n=sum(r["answered"] for r in rows), of=len(rows)),
            rules=["T-087"],
            panels=["bets"],
            data={"rows": rows},
        )
        decision.choices.append(Choice(t("do.close_bets"), t("do.close_bets.small"), {"do": "close_bets", "seat": 0}))
        return decision

    def _own_bet(self, me: Seat, prompts: list[Json]) -> Decision:
        t, screen = self.t, self.screen
        gamble = screen.view["gamble"]
        holder = screen.by_seat[gamble["holder"]]
        others = [s for s in screen.seats if not s.out and s.seat != holder.seat]
        sealed = sum(_is_answered(gamble["bets"], s.seat) for s in others)
        return Decision(
            key=f"own_bet-{me.seat}",
            seat=me.seat,
            colour=me.colour,
            question=t("ask.own_bet", name=holder.name),
            rules=["T-087"],
            panels=["own_bet"],
            data={
                "words": bet_words(prompts),
                "mine": own_words(gamble["bets"], me.seat),
                "answered": _is_answered(gamble["bets"], me.seat),
                "sealed": sealed,
                "of": len(others),
            },
        )

    # -- debts and the end -----------------------------------------------------------------------------------------

    def _explain_due(self, decision: Decision, seat: Seat) -> None:
        dues = self.screen.view.get("dues") or []
        if not dues:
            return
        due = dues[0]
        amount = sum(int(a) for _, a in due["to"])
        creditors = [self.screen.name(s) if s else self.t("bank") for s, _ in due["to"]]
        decision.question = self.t(
            f"ask.{self.screen.phase}.due", name=seat.name, sum=dollars(amount), to=_and(creditors, self.t)
        )
        decision.why = self.t(
            f"due.{due['kind']}", cash=dollars(seat.cash), missing=dollars(max(0, amount - seat.cash))
        )

    def _over(self) -> Decision:
        t, screen = self.t, self.screen
        result = screen.result or {"winners": [], "reason": "nobody_left", "totals": {}}
        winners = [screen.by_seat[s] for s in result["winners"] if s in screen.by_seat]
        names = _and([w.name for w in winners], t)
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
            rules=["T-139"],
            panels=["result"],
            data={"totals": totals, "winners": [w.seat for w in winners]},
        )


def bet_words(prompts: list[Json]) -> list[str]:
    """The words a seat can stake on now, from its prompts."""
    words: list[str] = []
    for prompt in prompts:
        if prompt["do"] == "place_bet":
            words += prompt.get("words") or ([prompt["word"]] if prompt.get("word") else [])
    return [word for word in WORDS if word in words]


def _bet(bets: Json, seat: int) -> Any:
    return bets.get(str(seat))


def _is_answered(bets: Json, seat: int) -> bool:
    bet = _bet(bets, seat)
    return bool(bet.get("done")) if isinstance(bet, dict) else bool(bet)


def own_words(bets: Json, seat: int) -> list[str]:
    """What a seat has sealed, as its own view shows it."""
    bet = _bet(bets, seat)
    return list(bet.get("words", [])) if isinstance(bet, dict) else []


def _and(names: Sequence[str], t: Texts) -> Markup:
    escaped = [Markup.escape(name) for name in names]
    if len(escaped) < 2:
        return escaped[0] if escaped else Markup("")
    return Markup(", ").join(escaped[:-1]) + Markup(" ") + t("and") + Markup(" ") + escaped[-1]
