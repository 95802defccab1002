"""The one thing that is waiting: a question, why it is asked, and the buttons that may be pressed now.

Made from the view's `prompts` (what the rules core calls legal), for the banker's tablet (every seat's) and for a
seat's phone (its own and nothing else). Nothing is decided here.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from markupsafe import Markup

from companion.tables.receipts import Json
from companion.web.rendering import dollars
from companion.web.screens.bets import bet_words, is_answered, own_words
from companion.web.screens.choices import Choice, Choices, Decision
from companion.web.screens.seats import Seat, card_title
from companion.web.texts import Texts


class Decisions(Choices):
    """Builds decisions for one audience of one screen."""

    def for_bank(self, prompts: dict[Any, list[Json]]) -> Decision:
        """The banker's: the first seat that is waited for, with what its opponents may do meanwhile."""
        screen = self.screen
        by_seat = {int(seat): list(found) for seat, found in prompts.items()}
        if screen.over:
            return self._over()
        if screen.phase == "gamble_bets":
            return self._bets_of_all(by_seat)
        seat = self._asked()
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
        first = screen.by_seat[self._asked()]
        other = Decision(
            key=f"wait-{screen.phase}-{first.seat}",
            seat=first.seat,
            colour=first.colour,
            question=t("ask.out") if me.out else self._waits_for(first),
            mine=False,
        )
        if any(p["do"] == "place_barrier" for p in prompts):
            other.choices.append(self._barrier(me))
        other.choices += self._asides(me, prompts)
        return other

    def _asked(self) -> int:
        """The seat that the table waits for; others who may act besides (with a barrier, say) come after it."""
        waiting = [int(seat) for seat in self.screen.view["waiting_for"] if seat]
        return self.screen.turn if self.screen.turn in waiting or not waiting else waiting[0]

    def _answered(self) -> list[int]:
        bets = (self.screen.view.get("gamble") or {}).get("bets", {})
        return [int(seat) for seat in bets]

    def _waits_for(self, seat: Seat) -> Markup:
        key = f"waits.{self.screen.phase}"
        if self.t.has(key):
            return self.t("ask.wait.does", name=seat.name, does=self.t(key))
        return self.t("ask.wait", name=seat.name)

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
            "card_choice": ["T-033"],
            "before_roll": ["T-036"],
            "move": ["T-037"],
            "tablet_die": ["T-038"],
            "gamble_reveal": ["T-098"],
            "settle": ["T-116"],
            "debt": ["T-131"],
            "kept_card": ["A-18"],
            "card_option": ["T-082"],
        }.get(phase, [])
        for prompt in prompts:
            self._add(decision, seat, prompt)
        drawn = self.screen.view.get("card_drawn")
        if drawn and phase in ("card_option", "gamble_reveal"):
            decision.quote = card_title(drawn, self.t.language)
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

    # -- gambles ---------------------------------------------------------------------------------------------------

    def _bets_of_all(self, by_seat: dict[int, list[Json]]) -> Decision:
        t, screen = self.t, self.screen
        gamble = screen.view["gamble"]
        holder = screen.by_seat[gamble["holder"]]
        rows = []
        for seat in screen.seats:
            if seat.out or seat.seat == holder.seat:
                continue
            rows.append({"seat": seat, "answered": is_answered(gamble["bets"], seat.seat)})
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
        sealed = sum(is_answered(gamble["bets"], s.seat) for s in others)
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
                "answered": is_answered(gamble["bets"], me.seat),
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


def _and(names: Sequence[str], t: Texts) -> Markup:
    escaped = [Markup.escape(name) for name in names]
    if len(escaped) < 2:
        return escaped[0] if escaped else Markup("")
    return Markup(", ").join(escaped[:-1]) + Markup(" ") + t("and") + Markup(" ") + escaped[-1]
