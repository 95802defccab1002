"""The people of an evening, for tests: they press buttons on pages, move pieces with their hands and throw the die.

They know only what people know: the view of the banker's tablet and the table in front of them. Every press of a page's
button is an HTTP request of the right device, with its own `command_id` and the `expected_seq` of the page.

What people do is their game's: `<title>_people.py` beside this file has a class `TitlePeople(People)` with a method
`_<phase>` for each phase; a title without one has no evening test. Nothing else has to be edited.
"""

from __future__ import annotations

import asyncio
import random
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Sequence, Set
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Any, ClassVar, Protocol

import httpx

from companion.tables.table_plan import sockets_in
from shared_rules import library

Json = dict[str, Any]
LIFT_SECONDS = 1.6
"""Until every reader has noticed that something is gone."""
SWEEP_SECONDS = 2.5
"""Somebody fetches the crisps; the readers have swept the table by then."""


def titles_with_people() -> list[str]:
    """The titles whose evenings are tested."""
    found = sorted(path.stem.removesuffix("_people") for path in Path(__file__).parent.glob("*_people.py"))
    return [name for name in found if name != "evening"]


def people_of(title: str) -> type[People]:
    """The people who play a title."""
    found: type[People] = import_module(f"{title}_people").TitlePeople
    return found


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
class People(ABC):
    """Everybody at the table. `phones` are HTTP clients by seat, `tablet` the banker's; `look` reads the table."""

    GAME: ClassVar[str] = ""
    BOARD: ClassVar[str] = ""
    COLOURS: ClassVar[Sequence[str]] = ()
    NAMES: ClassVar[Sequence[str]] = ("Ann", "Bo", "Carla", "Dev")
    SEATS: ClassVar[int] = 4
    """In virtual time; in real time there are two."""
    CHAPTERS: ClassVar[int] = 3
    """Chapters of an evening in real time, each with a kill."""
    HAPPENS: ClassVar[Set[str]] = frozenset()
    """Events that a whole evening cannot do without."""

    tablet: httpx.AsyncClient
    phones: dict[int, httpx.AsyncClient]
    hands: Hands
    look: Callable[[], Awaitable[Glance]]
    look_at_phone: Callable[[int], Awaitable[Json]]
    """What a seat sees on its own phone: what it holds is nobody else's affair."""
    newest: Callable[[], Awaitable[int]]
    """Number of the newest change, without looking at the whole table."""
    mind: random.Random
    seats: int = 4
    patience: float = 60.0
    poll: float = 0.05
    presses: int = 0
    lying: dict[str, int | None] = field(default_factory=dict)
    """Piece → socket on which it lies, as the people have put it."""
    misfortunes: list[Callable[[], Awaitable[None]]] = field(default_factory=list)
    """Happen one after another, each in the middle of the next throw or move."""
    page: str = "/seat/act"
    """Where the buttons lead: a phone's, or the banker's "/tablet/act"."""
    _ids: int = 0

    def __post_init__(self) -> None:
        self.board: Json = dict(library.board(self.BOARD))
        given: Any = library.layout(self.BOARD)["sockets"]
        self.sockets = {place: sockets_in(numbers) for place, numbers in given.items()}
        # Tags of four bytes and of seven, as they are sold.
        self.tags = {piece: f"04c{n:x}{'a' * (6 * (n % 2))}{n * 517:04x}" for n, piece in enumerate(self.pieces(), 1)}

    # -- what a game says -----------------------------------------------------------------------------------------

    @classmethod
    def form(cls, seats: int, **changes: str) -> dict[str, str]:
        """What the set-up page sends."""
        found = {"game": cls.GAME, "dice": "table", "cards": "digital"}
        found |= {f"name{n}": name for n, name in enumerate(cls.NAMES[:seats], 1)}
        found |= {f"colour{n}": colour for n, colour in enumerate(cls.COLOURS[:seats], 1)}
        return found | changes

    @abstractmethod
    def pieces(self) -> list[str]:
        """Every piece with a tag, in the order in which they are learnt."""

    @abstractmethod
    def base_socket(self, piece: str) -> int:
        """Where this piece is learnt."""

    @abstractmethod
    def chapter(self, view: Json) -> int:
        """Which part of the evening it is, from 1: in each the link drops once and the companion crashes once."""

    @abstractmethod
    async def tidy_up(self, view: Json) -> None:
        """Puts every piece where the pages say."""

    # -- an evening ------------------------------------------------------------------------------------------------

    async def learn_tags(self, known: Callable[[], Awaitable[dict[str, str]]]) -> None:
        """“Put this piece on the base”, one after the other; `known` are the tags that the table knows."""
        for piece in self.pieces():
            answer = await self.tablet.post("/tags/learn", data={"piece": piece})
            assert answer.status_code < 400
            await self._put(piece, self.base_socket(piece))
            end = asyncio.get_running_loop().time() + self.patience
            while (await known()).get(piece) != self.tags[piece]:
                if asyncio.get_running_loop().time() > end:
                    raise AssertionError(f"the table did not learn the tag of {piece}")
                await asyncio.sleep(0.05)

    async def turn_of_events(self) -> str:
        """Somebody does the one thing that the table waits for; the phase it was done in."""
        glance = await self.look()
        view = glance.view
        phase = view["phase"]
        await getattr(self, f"_{phase}")(glance, view, view["turn"])
        return str(phase)

    # -- what they do -------------------------------------------------------------------------------------------------

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

    async def _lift(self, *pieces: str) -> None:
        lifted = [piece for piece in pieces if self.lying.get(piece) is not None]
        for piece in lifted:
            await self.hands.lift_tag(self.tags[piece])
            self.lying[piece] = None
        if lifted:
            await asyncio.sleep(LIFT_SECONDS)

    async def _put(self, piece: str, socket: int) -> None:
        await self.hands.place_tag(self.tags[piece], socket)
        self.lying[piece] = socket
