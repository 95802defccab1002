"""The people of an evening, for tests: they press buttons on pages, move taxis with their hands and throw the die.

They know only what people know: the view of the banker's tablet and the table in front of them. Every press of a page's
button is an HTTP request of the right device, with its own `command_id` and the `expected_seq` of the page.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any, Protocol

import httpx

Json = dict[str, Any]


class Hands(Protocol):
    """What hands can do at a table: `companion.virtual_table.client.VirtualTableClient`, or one in this process."""

    async def place_tag(self, uid: str, socket: int) -> None: ...
    async def lift_tag(self, uid: str) -> None: ...
    async def press_button(self) -> None: ...


@dataclass
class Glance:
    """What the people see before they act."""

    view: Json
    seq: int
    """The newest entry of the log that changed the game: what a fresh page would carry."""


class NothingHappenedError(AssertionError):
    """Somebody waited in vain."""


@dataclass
class People:
    """Everybody at the table. `phones` are HTTP clients by seat, `tablet` the banker's; `look` reads the table."""

    tablet: httpx.AsyncClient
    phones: dict[int, httpx.AsyncClient]
    hands: Hands
    look: Callable[[], Awaitable[Glance]]
    look_at_phone: Callable[[int], Awaitable[Json]]
    """What a seat sees on its own phone: which cards it keeps is nobody else's affair."""
    newest: Callable[[], Awaitable[int]]
    """Number of the newest change, without looking at the whole table."""
    tags: dict[int, str]
    sockets: dict[str, int]
    mind: random.Random
    patience: float = 40.0
    poll: float = 0.05
    presses: int = 0
    lying: dict[int, int | None] = field(default_factory=dict)
    """Seat → socket on which its taxi lies, as the people have put it."""
    misfortunes: list[Callable[[], Awaitable[None]]] = field(default_factory=list)
    """Happen one after another, each in the middle of the next throw or move."""
    page: str = "/seat/act"
    """Where the buttons lead: a phone's, or the banker's "/tablet/act"."""
    places: dict[str, str] = field(default_factory=dict)
    """Destination id → its point on the board, "base" included."""
    points: dict[str, list[float]] = field(default_factory=dict)
    """Where the points of the board are."""
    _ids: int = 0

    async def turn_of_events(self) -> str:
        """Somebody does the one thing that the table waits for; the phase it was done in."""
        glance = await self.look()
        view = glance.view
        phase = view["phase"]
        await getattr(self, f"_{phase}")(glance, view, view["turn"])
        return str(phase)

    # -- phases -------------------------------------------------------------------------------------------------------

    async def _card_choice(self, glance: Glance, view: Json, seat: int) -> None:
        await self._tidy_up(view)
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
        await self._lift(seat)
        if place in self.sockets:
            await self._put(seat, self.sockets[place])
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

    # -- what they do -------------------------------------------------------------------------------------------------

    async def _maybe_a_barrier(self, glance: Glance, view: Json) -> None:
        for seat in view["waiting_for"]:
            spots = [c for c in view["prompts"].get(str(seat), []) if c["do"] == "place_barrier"]
            if spots and seat != view["turn"] and self.mind.random() < 0.3:
                await self._press(seat, glance, do="place_barrier", on=self.mind.choice(spots[0]["on"]))
                return

    async def _press(self, seat: int, glance: Glance | None, **fields: Any) -> None:
        """A button on the seat's phone; twice, now and then, as impatient fingers do."""
        self._ids += 1
        form = {"seat": str(seat), "command_id": f"press-{self._ids:06d}-{self.mind.getrandbits(32):08x}"}
        form |= {name: str(value) for name, value in fields.items()}
        if glance is not None:
            form["expected_seq"] = str(glance.seq)
        for _ in range(2 if self.mind.random() < 0.2 else 1):
            answer = await self.phones[seat].post(self.page, data=form)
            if answer.status_code >= 400:
                raise AssertionError(f"{fields} of seat {seat} was refused ({answer.status_code}): {answer.text[:400]}")

    async def _throw(self, glance: Glance) -> None:
        """A press of the table's die; the page changes when it has come to rest."""
        await self.hands.press_button()
        self.presses += 1
        await self._misfortune()
        await self._moved_on(glance)

    async def _misfortune(self) -> None:
        if self.misfortunes:
            await asyncio.sleep(self.mind.uniform(0.1, 0.9))
            await self.misfortunes.pop(0)()

    async def _moved_on(self, before: Glance) -> None:
        """Waits as people do: glances again and again, and loses patience."""
        loop = asyncio.get_running_loop()
        end = loop.time() + self.patience
        while await self.newest() <= before.seq:
            if loop.time() > end:
                phase = (await self.look()).view["phase"]
                raise NothingHappenedError(f"nothing followed entry {before.seq} for {self.patience} s; phase {phase}")
            await asyncio.sleep(self.poll)

    async def _tidy_up(self, view: Json) -> None:
        """Before a turn every taxi lies where the pages say: on its socket, or off all of them."""
        for player in view["players"]:
            seat = player["seat"]
            socket = self.sockets.get(player["at"]) if player["status"] == "in" else None
            if self.lying.get(seat) == socket:
                continue
            await self._lift(seat)
            if socket is not None:
                await self._put(seat, socket)
        await asyncio.sleep(2.5)  # somebody fetches the crisps; the readers have swept the table by then

    async def _lift(self, seat: int) -> None:
        if self.lying.get(seat) is not None:
            await self.hands.lift_tag(self.tags[seat])
            self.lying[seat] = None
            await asyncio.sleep(1.6)

    async def _put(self, seat: int, socket: int) -> None:
        await self.hands.place_tag(self.tags[seat], socket)
        self.lying[seat] = socket

    def _nearest_to(self, goal: str, places: list[str]) -> str:
        """Of a dozen places that catch the eye, the one that looks nearest on the map."""
        x, y = self.points[goal]

        def apart(place: str) -> float:
            ends = [self.points[end] for end in place.split("~")]
            return abs(sum(e[0] for e in ends) / len(ends) - x) + abs(sum(e[1] for e in ends) / len(ends) - y)

        return min(self.mind.sample(places, min(12, len(places))), key=apart)

    def _place_of(self, destination: str) -> str:
        return self.places[destination]
