"""The people of an evening of Destination London: they drive towards their own cards or the Garage, answer every
landing on their phones, buy, sell and borrow, and say where they stopped when no reader could see it.

Each looks at its own phone alone to know its cards; where the squares are and how far apart, everybody can count.
"""

from __future__ import annotations

import asyncio
from collections import deque
from dataclasses import dataclass, field
from typing import Any, ClassVar

from evening_people import SWEEP_SECONDS, Glance, Json, People

LOW_FUEL = 1
"""With so little left one thinks of the Garage."""
RICH = 400
"""With so much one buys a Turbo or pays a loan back."""
NEAR_HOME = 6
"""From here one die is better than two, as a rule."""


@dataclass
class TitlePeople(People):
    """Who play Destination London."""

    GAME: ClassVar[str] = "destination_london"
    BOARD: ClassVar[str] = "thames"
    COLOURS: ClassVar = ("red", "blue", "green", "yellow")
    CHAPTERS: ClassVar[int] = 2
    HAPPENS: ClassVar = frozenset(
        ("TurboBought", "FarePaid", "LandingClaimed", "ClaimsClosed", "KnockedBack", "LightDrawn", "MovedByCard")
        + ("FuelBought", "FuelSold", "CameHome", "GameEnded")
    )

    turns: int = 0
    _last: int = 0
    _far: dict[str, dict[str, int]] = field(default_factory=dict)

    def pieces(self) -> list[str]:
        return [f"taxi:{seat}" for seat in range(1, self.seats + 1)]

    def base_socket(self, piece: str) -> int:
        return self.sockets[self.board["base"]][0]

    def chapter(self, view: Json) -> int:
        """A few turns: with four seats everybody has had one, and somebody another."""
        if view["phase"] != "order_roll" and view["turn"] != self._last:
            self.turns += 1
            self._last = view["turn"]
        return 1 + max(0, self.turns - 1) // (self.seats + 1)

    # -- phases -------------------------------------------------------------------------------------------------------

    async def _order_roll(self, glance: Glance, view: Json, seat: int) -> None:
        await self._throw(glance)

    async def _deal(self, glance: Glance, view: Json, seat: int) -> None:
        """The cards come by themselves, over a crash too."""
        await self._moved_on(glance)

    async def _before_roll(self, glance: Glance, view: Json, seat: int) -> None:
        await self.tidy_up(view)
        own = await self._own(seat)
        cash = view["players"][seat - 1]["cash"]
        if "play_move_card" in own:
            card, goal = own["play_move_card"]["card"][0], own["play_move_card"]["destination"][0]
            await self._press(seat, glance, do="play_move_card", card=card, destination=goal)
        elif "buy_fuel" in own:
            await self._press(seat, glance, do="buy_fuel", count=own["buy_fuel"]["count"][1])
        elif "repay_loan" in own and cash >= RICH:
            await self._press(seat, glance, do="repay_loan")
        elif "buy_turbo" in own and cash >= RICH:
            await self._press(seat, glance, do="buy_turbo")
        else:
            await self._throw_dice(glance, view, seat, own["roll"])

    async def _moving(self, glance: Glance, view: Json, seat: int) -> None:
        own = await self._own(seat)
        if "move" not in own:
            await self._press(seat, glance, do="stay")
            return
        player = view["players"][seat - 1]
        far = self._distances(self._goals(view, await self.look_at_phone(seat), seat))
        place = min(sorted(own["move"]["to"]), key=lambda square: far.get(square, 999))
        taxi = f"taxi:{seat}"
        await self._lift(taxi)
        if self.sockets.get(place):
            await self._put(taxi, self.sockets[place][0])
            await self._misfortune()
            if place == player["at"]:  # put back where it stood: for the table it never moved
                await self._press(seat, glance, do="move", to=place)
            await self._moved_on(glance)
        else:  # no reader there: "Where did Ann stop?"
            await self._press(seat, glance, do="move", to=place)

    async def _own_fare(self, glance: Glance, view: Json, seat: int) -> None:
        own = await self._own(seat)
        cards = own.get("collect", {}).get("cards", [])
        if cards and ("keep_quiet" not in own or self.mind.random() < 0.9):
            await self._press(seat, glance, do="answer_fare", cards=cards[0])
        else:
            await self._press(seat, glance, do="answer_fare")

    async def _knock_back(self, glance: Glance, view: Json, seat: int) -> None:
        own = await self._own(seat)
        verb = self.mind.choice(sorted(set(own) & {"knock", "spare"}))
        await self._press(seat, glance, do=verb, whom=own[verb]["whom"][0])

    async def _claims(self, glance: Glance, view: Json, seat: int) -> None:
        """One after the other, from the lander's left; now and then the banker has waited long enough."""
        who = next(other for other in view["waiting_for"] if other)
        closes = any(prompt["do"] == "close_claims" for prompt in view["prompts"].get("0", []))
        if closes and self.mind.random() < 0.05:
            form = {"do": "close_claims", "seat": "0", "command_id": f"close-{glance.seq}", "expected_seq": glance.seq}
            answer = await self.tablet.post("/tablet/act", data=form)
            assert answer.status_code < 400, answer.text[:400]
            return
        cards = (await self._own(who)).get("claim", {}).get("cards", [])
        if cards and self.mind.random() < 0.9:
            await self._press(who, glance, do="answer_claim", cards=cards[0])
        else:
            await self._press(who, glance, do="answer_claim")

    async def _lights(self, glance: Glance, view: Json, seat: int) -> None:
        own = await self._own(seat)
        if "choose_destination" in own:
            await self._press(seat, glance, do="choose_destination", card=own["choose_destination"]["card"][0])
        else:
            await self._press(seat, glance, do="draw_light")

    async def _garage(self, glance: Glance, view: Json, seat: int) -> None:
        own = await self._own(seat)
        if "buy_fuel" in own:
            await self._press(seat, glance, do="buy_fuel", count=own["buy_fuel"]["count"][1])
        else:
            await self._press(seat, glance, do="done")

    async def _stranded(self, glance: Glance, view: Json, seat: int) -> None:
        if view["offer"] is not None:
            verb = "sell" if self.mind.random() < 0.7 else "refuse"
            await self._press(view["offer"], glance, do=verb)
            return
        own = await self._own(seat)
        if "buy_fuel" in own:
            await self._press(seat, glance, do="buy_fuel", count=own["buy_fuel"]["count"][1])
        elif "ask_fuel" in own:
            await self._press(seat, glance, do="ask_fuel", of=own["ask_fuel"]["of"][0])
        elif "take_loan" in own:
            await self._press(seat, glance, do="take_loan")
        else:
            await self._press(seat, glance, do="wait")

    async def _debt(self, glance: Glance, view: Json, seat: int) -> None:
        who = next(other for other in view["waiting_for"] if other)
        await self._press(who, glance, do="take_loan")

    async def _extra_turn(self, glance: Glance, view: Json, seat: int) -> None:
        verb = "take_extra_turn" if self.mind.random() < 0.9 else "decline_extra_turn"
        await self._press(seat, glance, do=verb)

    # -- what they do -------------------------------------------------------------------------------------------------

    async def _own(self, seat: int) -> dict[str, Json]:
        """What a seat may do, as its own phone says: verb → template."""
        return {prompt["do"]: prompt for prompt in (await self.look_at_phone(seat))["prompts"]}

    async def _throw_dice(self, glance: Glance, view: Json, seat: int, prompt: Json) -> None:
        """One die, or the same die twice; a Turbo near home says on its phone that it throws once."""
        bounds = prompt.get("dice") or [1, 1]
        count = bounds[-1]
        player = view["players"][seat - 1]
        home = not player["hand"] and not view["pile"]
        if count > bounds[0] and home and self._distances([self.board["base"]]).get(player["at"], 99) <= NEAR_HOME:
            count = bounds[0]
            self._ids += 1
            form = {"seat": str(seat), "count": str(count), "command_id": f"dice-{self._ids:06d}"}
            answer = await self.phones[seat].post(self.page.replace("/act", "/dice"), data=form)
            assert answer.status_code < 400, answer.text[:400]
        for _ in range(count - 1):
            await self.hands.press_button()
            self.presses += 1
            await self._misfortune()
            await self._lies_there()
        await self._throw(glance)

    async def _lies_there(self) -> None:
        """Until the tablet says that one of the dice lies there."""
        loop = asyncio.get_running_loop()
        end = loop.time() + self.patience
        while "lies there." not in (await self.tablet.get("/tablet")).text:
            assert loop.time() < end, "the first of two throws was lost"
            await asyncio.sleep(0.5)

    def _goals(self, view: Json, own: Json, seat: int) -> list[str]:
        """Where a seat wants to go."""
        player = own["players"][seat - 1]
        if player["total_fuel"] <= LOW_FUEL:
            return list(self.board["garages"])
        if player["hand"]:
            cards, sights = self.board["cards"], self.board["attractions"]
            return [sights[cards[card]["attraction"]]["square"] for card in player["hand"]]
        return [self.board["base"]]

    def _distances(self, goals: list[str]) -> dict[str, int]:
        """Squares from everywhere to the nearest of these, counted on the map: one-way roads kept, not through the
        Base."""
        key = " ".join(sorted(goals))
        if key not in self._far:
            into: dict[str, set[str]] = {}
            for road in self.board["roads"]:
                for here, there in zip(road["via"], road["via"][1:], strict=False):
                    into.setdefault(there, set()).add(here)
                    if not road.get("one_way"):
                        into.setdefault(here, set()).add(there)
            found: dict[str, int] = dict.fromkeys(goals, 0)
            queue: deque[str] = deque(goals)
            while queue:
                square = queue.popleft()
                for before in sorted(into.get(square, ())):
                    if before not in found:
                        found[before] = found[square] + 1
                        if before != self.board["base"]:
                            queue.append(before)
            self._far[key] = found
        return self._far[key]

    async def tidy_up(self, view: Json) -> None:
        """Whoever was knocked back, claimed a landing or went by a card is put where the pages say; on a square
        without a reader, off all of them."""
        for player in view["players"]:
            taxi = f"taxi:{player['seat']}"
            sockets: Any = self.sockets.get(player["at"]) if player["status"] == "in" else None
            wanted = sockets[0] if sockets else None
            if self.lying.get(taxi) != wanted:
                await self._lift(taxi)
                if wanted is not None:
                    await self._put(taxi, wanted)
        await asyncio.sleep(SWEEP_SECONDS)
