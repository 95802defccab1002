"""TAXI!'s questions: phases, sealed bets, debts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from markupsafe import Markup

from companion.tables.receipts import Json
from companion.titles.taxi import money
from companion.titles.taxi.bets import bet_words, is_answered, own_words
from companion.titles.taxi.choices import Choices, cost
from companion.titles.taxi.reach import reach_of, ways_to
from companion.titles.taxi.seats import TaxiScreen, TaxiSeat, card_title
from companion.web.screens.choices import Choice, Decision
from companion.web.screens.decisions import and_words, or_words
from companion.web.screens.seats import Seat
from companion.web.texts import Texts

OFFERED = ("money", "freeway", "taxi", "none")
GREEN, WHITE = 1, 2
TABLETS = {GREEN: "tablets.green", WHITE: "tablets.white"}
"""Where tablets stand in what a way costs, and what they are called."""


class Decisions(Choices):
    """Builds decisions for one audience of one screen."""

    screen: TaxiScreen
    PHASE_RULES = {
        "card_choice": ["T-033"],
        "before_roll": ["T-036"],
        "move": ["T-037"],
        "tablet_die": ["T-038"],
        "gamble_reveal": ["T-098"],
        "settle": ["T-116"],
        "debt": ["T-131"],
        "kept_card": ["A-18"],
        "card_option": ["T-082"],
    }
    END_RULES = ("T-139",)

    def window_for_bank(self, by_seat: Mapping[int, list[Json]]) -> Decision | None:
        """While a word is bet on, everybody else is asked."""
        if self.screen.phase != "gamble_bets":
            return None
        t, screen = self.t, self.screen
        gamble = screen.view["gamble"]
        holder = screen.by_seat[gamble["holder"]]
        rows = [
            {"seat": seat, "answered": is_answered(gamble["bets"], seat.seat), "sheet": "bet"}
            for seat in screen.seats
            if not seat.out and seat.seat != holder.seat
        ]
        return Decision(
            key="gamble_bets",
            seat=holder.seat,
            colour=holder.colour,
            question=t("ask.gamble_bets.bank", name=holder.name),
            why=t("ask.gamble_bets.why", n=sum(bool(row["answered"]) for row in rows), of=len(rows)),
            rules=["T-087"],
            panels=["rows"],
            data={"rows": rows},
            choices=[Choice(t("do.close_bets"), t("do.close_bets.small"), {"do": "close_bets", "seat": 0})],
        )

    def window_for_seat(self, me: Seat, prompts: list[Json]) -> Decision | None:
        """One's own sealed bet, which may be changed until the bets are closed."""
        screen = self.screen
        gamble: Json = screen.view.get("gamble") or {"bets": {}}
        if screen.phase != "gamble_bets" or me.seat not in [*self._waiting(), *(int(seat) for seat in gamble["bets"])]:
            return None
        t, bets, holder = self.t, gamble["bets"], screen.by_seat[gamble["holder"]]
        others = [seat for seat in screen.seats if not seat.out and seat.seat != holder.seat]
        mine, answered, open_words = own_words(bets, me.seat), is_answered(bets, me.seat), bet_words(prompts)
        options = [
            {
                "value": word,
                "label": t(f"word.{word}"),
                "small": t(f"stake.{word}"),
                "icon": word,
                "disabled": word != "none" and word not in open_words and word not in mine,
                "checked": word in mine or (word == "none" and answered and not mine),
            }
            for word in OFFERED
        ]
        return Decision(
            key=f"own_bet-{me.seat}",
            seat=me.seat,
            colour=me.colour,
            question=t("ask.own_bet", name=holder.name),
            rules=["T-087"],
            odds=self.odds_rows(),
            panels=["sealed"],
            data={
                "do": "bet",
                "field": "word",
                "kind": "radio",
                "options": options,
                "legend": t("bet.legend"),
                "button": t("bet.change") if answered else t("bet.seal"),
                "hush": t("bet.hush"),
                "answered": answered,
                "sealed": sum(is_answered(bets, seat.seat) for seat in others),
                "of": len(others),
            },
        )

    def beside(self, decision: Decision, seat: int, by_seat: Mapping[int, list[Json]]) -> None:
        """Barriers that others may set."""
        for other, found in sorted(by_seat.items()):
            if other not in (seat, 0) and any(prompt["do"] == "place_barrier" for prompt in found):
                decision.choices.append(self.barrier(self.screen.by_seat[other]))

    def is_mine(self, seat: int) -> bool:
        """Others may do something in these phases, too; the question is the turn's."""
        own = seat == self.screen.turn or self.screen.phase not in ("card_choice", "before_roll")
        return own and super().is_mine(seat)

    def meanwhile(self, me: Seat, prompts: list[Json]) -> list[Choice]:
        """A barrier, buying and selling, and a throw that ends the turn before."""
        found = [self.barrier(me)] if any(prompt["do"] == "place_barrier" for prompt in prompts) else []
        aside = Decision("", me.seat, me.colour, "")
        for prompt in prompts:
            if prompt["do"] in ("buy_taxi", "sell_plate"):
                self._add(aside, me, prompt)
            elif self.screen.phase == "tablet_die" and prompt["do"] == "draw_card":
                self._add_draw_card(aside, me, prompt)
            elif self.screen.phase == "tablet_die" and prompt["do"] == "roll":
                fields = self._fields(me, "roll", die=prompt["die"])
                aside.choices.append(Choice(self.t("do.roll.d6"), self.t("do.roll.early"), fields, icon="d6"))
        return found + aside.choices

    def asides(self, seat: Seat, prompts: list[Json]) -> list[Choice]:
        """Buying, selling, and a kept card that nobody else knows of."""
        may = {prompt["do"] for prompt in prompts}
        t, found = self.t, []
        if "buy_taxi" in may:
            found.append(Choice(t("do.buy_taxi"), "", self._fields(seat, "buy_taxi", count=1)))
        if "sell_plate" in may:
            found.append(Choice(t("do.sell_plate", n=1), "", self._fields(seat, "sell_plate", count=1)))
        if seat.now and self.screen.phase == "move":
            for number in range(self.screen.by_seat[seat.seat].cards):
                fields = self._fields(seat, "play_card", card=number)
                found.append(Choice(t("do.play_kept", n=number + 1), "", fields))
        return found

    def places(self, seat: Seat) -> Json:
        """What was thrown."""
        return {"n": self.screen.d6 or 0}

    def way(self, me: Seat, prompts: list[Json]) -> Markup | str:
        """The cheapest way to the own character, while it can be reached."""
        ways = ways_to(me.goal.place if me.goal else None, reach_of(prompts, me.seat) or [])
        if ways:
            return cost(self.t, *ways[0][1:])
        return self.t("seat.arrived") if self.screen.by_seat[me.seat].arrived else ""

    def secret(self, me: Seat) -> Markup | str:
        """The word of one's own gamble card."""
        gamble = self.screen.view.get("gamble")
        if gamble and gamble["holder"] == me.seat and gamble.get("word"):
            return self.t("seat.your_word", word=self.t(f"word.{gamble['word']}"))
        return ""

    def odd_words(self, row: Json) -> Markup | str:
        """Arriving with the tablets that it takes, a colour of the tablet die, a word."""
        t = self.t
        if row["what"] == "arrive":
            counts = [(n, name) for name in ("green", "white") if (n := row[name])]
            paid = [Markup("{} {}").format(n, t(f"count.{name}", n=n)) for n, name in counts]
            return t("odds.arrive.paid", cost=and_words(paid, t)) if paid else t("odds.arrive")
        if row["what"] == "tablet" and self.screen.phase == "tablet_die":
            return t(f"odds.tablet.{row['colour']}")
        if row["what"] == "word":
            return t("odds.word", word=t(f"word.{row['word']}"))
        return ""

    def about(self, decision: Decision, seat: Seat, prompts: list[Json]) -> None:
        """The card that asks, the debt that must be paid, and a card step without cards."""
        phase = self.screen.phase
        drawn = self.screen.view.get("card_drawn")
        if drawn and phase in ("card_option", "gamble_reveal"):
            decision.quote = card_title(drawn, self.t.language)
        if phase in ("debt", "kept_card"):
            self._explain_due(decision, self.screen.by_seat[seat.seat])
        draws = any(c.fields.get("do") == "draw_card" or "card" in c.sheet for c in decision.choices)
        if phase == "card_choice" and not draws:
            decision.question = self.t("ask.throw.bank" if self.bank else "ask.throw.seat", name=seat.name)

    def _explain_due(self, decision: Decision, seat: TaxiSeat) -> None:
        dues = self.screen.view.get("dues") or []
        if not dues:
            return
        due = dues[0]
        amount = sum(int(part) for _, part in due["to"])
        creditors = [self.screen.name(other) if other else self.t("bank") for other, _ in due["to"]]
        decision.question = self.t(
            f"ask.{self.screen.phase}.due", name=seat.name, sum=money.amount(amount), to=and_words(creditors, self.t)
        )
        missing = money.amount(max(0, amount - seat.cash))
        decision.why = self.t(f"due.{due['kind']}", cash=money.amount(seat.cash), missing=missing)


def needs_words(needs: Sequence[Sequence[int]], has: Sequence[int], name: str, t: Texts) -> Markup:
    """What ways would take, [streets, green, white] each, and what the seat has of these."""
    missing = {tablet for need in needs for tablet in (GREEN, WHITE) if need[tablet] and not has[tablet]}
    none = or_words([t(TABLETS[tablet]) for tablet in sorted(missing)], t)
    words = cost(t, *has)
    own = t("explain.has_no", has=words, none=none) if missing else words
    ways = (Markup(", ") + t("or") + Markup(" ")).join(cost(t, *need) for need in needs)
    return t("explain.needs", ways=ways, name=name, has=own)
