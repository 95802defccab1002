"""The people of an evening of TAXI!: cards, sealed bets, drives towards their characters, a taxi each."""

from __future__ import annotations

import asyncio
from typing import ClassVar

from evening_people import SWEEP_SECONDS, Glance, Json, People


class TitlePeople(People):
    """Who play TAXI!."""

    GAME: ClassVar[str] = "taxi"
    BOARD: ClassVar[str] = "fumbling"
    COLOURS: ClassVar = ("red", "yellow", "blue", "green")

    @classmethod
    def form(cls, seats: int, **changes: str) -> dict[str, str]:
        return super().form(seats, **{"length": "short", **changes})

    def pieces(self) -> list[str]:
        return [f"taxi:{seat}" for seat in range(1, self.seats + 1)]

    def base_socket(self, piece: str) -> int:
        return self.sockets[self.board["base"]][0]

    def chapter(self, view: Json) -> int:
        """A trip."""
        return int(view["trip"])

    # -- phases -------------------------------------------------------------------------------------------------------

    async def _card_choice(self, glance: Glance, view: Json, seat: int) -> None:
        await self.tidy_up(view)
        await self._maybe_a_barrier(glance, view)
        glance = await self.look()
        view = glance.view
        choice = self.mind.random()
        buys = [c for c in view["prompts"][str(seat)] if c["do"] == "buy_taxi"]
        if buys and choice < 0.5:
            await self._press(seat, glance, do="buy_taxi", count=1)
        elif choice < 0.45:
            await self._press(seat, glance, do="draw_card", deck="journey")
        elif choice < 0.8:
            await self._press(seat, glance, do="draw_card", deck="passenger")
        else:
            await self._throw(glance)

    async def _card_option(self, glance: Glance, view: Json, seat: int) -> None:
        drawer = view["card_drawn"]["seat"]
        verb = view["card_drawn"]["do"][0]
        if verb[0] == "choose":
            await self._press(drawer, glance, do="choose", option=0)
        else:
            await self._throw(glance)

    async def _gamble_bets(self, glance: Glance, view: Json, seat: int) -> None:
        for better in view["waiting_for"]:
            if better == 0 or self._answered(view, better):
                continue
            words = [c["word"] for c in view["prompts"][str(better)] if c["do"] == "place_bet" and "word" in c]
            word = self.mind.choice([*words, "none"])
            await self._press(better, None, do="bet", word=word)

    def _answered(self, view: Json, seat: int) -> bool:
        return bool(view["gamble"]["bets"].get(str(seat)) is True)

    async def _gamble_reveal(self, glance: Glance, view: Json, seat: int) -> None:
        await self._press(view["gamble"]["holder"], glance, do="reveal_card")

    async def _before_roll(self, glance: Glance, view: Json, seat: int) -> None:
        await self._throw(glance)

    async def _move(self, glance: Glance, view: Json, seat: int) -> None:
        player = view["players"][seat - 1]
        reach = next(c["to"] for c in view["prompts"][str(seat)] if c["do"] == "move")
        places = [row[0] for row in reach]
        goal = self._place_of(player["destination"])
        place = goal if goal in places else self._nearest_to(goal, places)
        await self._lift(f"taxi:{seat}")
        if place in self.sockets:
            await self._put(f"taxi:{seat}", self.sockets[place][0])
            await self._misfortune()
            if place == player["at"]:  # put back where it stood: for the table it never moved
                await self._press(seat, glance, do="move", to=place)
            await self._moved_on(glance)
        else:  # on the road: no socket there, so the table asks and a phone answers
            await self._press(seat, glance, do="move", to=place)

    async def _tablet_die(self, glance: Glance, view: Json, seat: int) -> None:
        await self._throw(glance)

    async def _settle(self, glance: Glance, view: Json, seat: int) -> None:
        who = view["waiting_for"][0]
        todo = [c for c in view["prompts"][str(who)] if c["do"] in ("draw_card", "decline")]
        if todo[0]["do"] == "draw_card":
            await self._press(who, glance, do="draw_card", deck="expense")
        else:
            await self._press(who, glance, do="decline")

    async def _kept_card(self, glance: Glance, view: Json, seat: int) -> None:
        who = view["waiting_for"][0]
        own = await self.look_at_phone(who)
        fits = [card for c in own["prompts"] if c["do"] == "play_card" for card in c["card"]]
        if fits and self.mind.random() < 0.7:
            await self._press(who, glance, do="play_card", card=fits[0])
        else:
            await self._press(who, glance, do="decline")

    async def _debt(self, glance: Glance, view: Json, seat: int) -> None:
        who = view["waiting_for"][0]
        verbs = {c["do"] for c in view["prompts"][str(who)]}
        if "sell_plate" in verbs:
            await self._press(who, glance, do="sell_plate", count=1)
        else:
            await self._press(who, glance, do="declare_insolvent")

    async def _maybe_a_barrier(self, glance: Glance, view: Json) -> None:
        for seat in view["waiting_for"]:
            spots = [c for c in view["prompts"].get(str(seat), []) if c["do"] == "place_barrier"]
            if spots and seat != view["turn"] and self.mind.random() < 0.3:
                await self._press(seat, glance, do="place_barrier", on=self.mind.choice(spots[0]["on"]))
                return

    async def tidy_up(self, view: Json) -> None:
        """Before a turn every taxi lies where the pages say: on its socket, or off all of them."""
        for player in view["players"]:
            taxi = f"taxi:{player['seat']}"
            at = player["at"] if player["status"] == "in" else None
            socket = self.sockets[at][0] if at in self.sockets else None
            if self.lying.get(taxi) == socket:
                continue
            await self._lift(taxi)
            if socket is not None:
                await self._put(taxi, socket)
        await asyncio.sleep(SWEEP_SECONDS)

    def _nearest_to(self, goal: str, places: list[str]) -> str:
        """Of a dozen places that catch the eye, the one that looks nearest on the map."""
        x, y = self.board["points"][goal]

        def apart(place: str) -> float:
            ends = [self.board["points"][end] for end in place.split("~")]
            return abs(sum(e[0] for e in ends) / len(ends) - x) + abs(sum(e[1] for e in ends) / len(ends) - y)

        return min(self.mind.sample(places, min(12, len(places))), key=apart)

    def _place_of(self, destination: str) -> str:
        return str(self.board["base"] if destination == "base" else self.board["destinations"][destination]["at"])
