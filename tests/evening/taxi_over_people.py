"""The people of an evening of Taxi Over: they throw on or stop by a button or by hand, push each other's taxis where
the pages say, take their drivers out, and get into whichever empty taxi is nearest.

Taxis are neutral: what people know is in which taxi of wood each driver sits, not which number the game has for it.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import ClassVar

from evening_people import SWEEP_SECONDS, Glance, Json, People

START = "START"


@dataclass
class TitlePeople(People):
    """Who play Taxi Over."""

    GAME: ClassVar[str] = "taxi_over"
    BOARD: ClassVar[str] = "carousel"
    COLOURS: ClassVar = ("red", "blue", "white", "violet")
    SEATS: ClassVar[int] = 3
    CHAPTERS: ClassVar[int] = 2

    under: dict[int, str] = field(default_factory=dict)
    """Seat → the taxi of wood in which its driver sits."""
    turns: int = 0
    _last: int = 0

    @classmethod
    def form(cls, seats: int, **changes: str) -> dict[str, str]:
        return super().form(seats, **{"option_target_tokens": '{"3": 8}', **changes})

    def pieces(self) -> list[str]:
        seats = range(1, self.seats + 1)
        return [*(f"taxi:T{n}" for n in seats), *(f"driver:{seat}" for seat in seats)]

    def base_socket(self, piece: str) -> int:
        """Each taxi in a bay of its own, each driver in its taxi."""
        number = int(piece[-1])
        self.under[number] = f"taxi:T{number}"
        return self.sockets[START][number - 1]

    def chapter(self, view: Json) -> int:
        """A round: everybody has had a turn."""
        if view["turn"] != self._last:
            self.turns += 1
        self._last = view["turn"]
        return 1 + (self.turns - 1) // self.seats

    # -- phases -------------------------------------------------------------------------------------------------------

    async def _roll(self, glance: Glance, view: Json, seat: int) -> None:
        if not view["dice"]:
            await self.tidy_up(view)
            await self._throw(glance)
            return
        total, count = sum(view["dice"]), len(view["dice"])
        careless = self.mind.random() < 0.2
        if careless or total <= 2:
            await self._throw(glance)
        elif self.mind.random() < 0.5:
            await self._press(seat, glance, do="stop")
            await self._misfortune()
        else:
            await self._drive_by_hand(glance, view, seat, total * count)

    async def _drive_by_hand(self, glance: Glance, view: Json, seat: int, spaces: int) -> None:
        """The taxi with its driver is put where it ends: the table understands that as stopping."""
        loop = self.board["loop"]
        taxi = view["players"][seat - 1]["driver"]
        at = view["taxis"][taxi]["at"]
        before = loop.index(at) if at != START else loop.index(self.board["entry"]) - 1
        landing = self.sockets[loop[(before + spaces) % len(loop)]][0]
        moved = [self.under[seat], f"driver:{seat}"]
        await self._lift(*moved)
        for piece in moved:
            await self._put(piece, landing)
        await self._misfortune()
        await self._moved_on(glance)

    async def _board(self, glance: Glance, view: Json, seat: int) -> None:
        await self.tidy_up(view)
        choice = self.mind.random()
        if choice < 0.1:
            await self._press(seat, glance, do="decline")
            return
        waiting = [taxi for taxi in self._empty() if self.lying.get(taxi) in self.sockets[START]]
        taxi = self.mind.choice(waiting)
        if choice < 0.5:
            names = next(prompt["taxi"] for prompt in view["prompts"][str(seat)] if prompt["do"] == "board_taxi")
            await self._press(seat, glance, do="board_taxi", taxi=names[0])
            self.under[seat] = taxi
            await self._put(f"driver:{seat}", self.lying[taxi] or 0)
            return
        self.under[seat] = taxi
        await self._put(f"driver:{seat}", self.lying[taxi] or 0)
        await self._misfortune()
        await self._moved_on(glance)

    # -- what they do -------------------------------------------------------------------------------------------------

    def _empty(self) -> list[str]:
        taken = set(self.under.values())
        return [f"taxi:T{n}" for n in range(1, self.seats + 1) if f"taxi:T{n}" not in taken]

    async def tidy_up(self, view: Json) -> None:
        """What the pages say: taxis with their drivers where the game has them, empty ones wherever one belongs,
        drivers on foot off the board."""
        taxis = view["taxis"]
        wanted: dict[str, str] = {}
        for player in view["players"]:
            seat, name = player["seat"], player["driver"]
            if name is None:
                self.under.pop(seat, None)
                await self._lift(f"driver:{seat}")
                continue
            wanted[self.under.setdefault(seat, self._empty()[0] if self._empty() else "")] = taxis[name]["at"]
        ridden = {player["driver"] for player in view["players"]}
        places = [entry["at"] for name, entry in taxis.items() if name not in ridden]
        empty = self._empty()
        for place in list(places):
            here = next((taxi for taxi in empty if self.lying.get(taxi) in self.sockets[place]), None)
            if here is not None:
                wanted[here] = place
                empty.remove(here)
                places.remove(place)
        wanted.update(zip(empty, places, strict=True))
        await self._move_all(wanted)
        await asyncio.sleep(SWEEP_SECONDS)

    async def _move_all(self, wanted: dict[str, str]) -> None:
        riders = {taxi: f"driver:{seat}" for seat, taxi in self.under.items()}
        moved = [taxi for taxi, place in wanted.items() if self.lying.get(taxi) not in self.sockets[place]]
        await self._lift(*moved, *(riders[taxi] for taxi in moved if taxi in riders))
        for taxi in moved:
            free = [socket for socket in self.sockets[wanted[taxi]] if socket not in self.lying.values()]
            await self._put(taxi, (free or list(self.sockets[wanted[taxi]]))[0])
        for taxi, rider in riders.items():
            if self.lying.get(rider) != self.lying.get(taxi):
                await self._put(rider, self.lying[taxi] or 0)
