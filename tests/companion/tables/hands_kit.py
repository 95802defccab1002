"""Somebody's hands at a table that is seen through facts alone, in virtual time; for the tests of facts."""

import asyncio
import itertools

from companion.devices import facts
from companion.devices.facts import Origin, TableSnapshot
from companion.titles.taxi.table import D6_MAP
from companion.virtual_table.clock import VirtualTimeLoop
from shared_rules import library
from shared_rules.engine import game

TAGS = {1: "04a1", 2: "04b2", 3: "04c3"}
SOCKETS = library.layout("fumbling")["sockets"]
BASE = library.board("fumbling")["base"]


def in_virtual_time(work):
    with asyncio.Runner(loop_factory=VirtualTimeLoop) as runner:
        return runner.run(work())


class Hands:
    """Somebody at a table that is seen through facts alone: numbers them as a table does and keeps what was
    acknowledged."""

    def __init__(self, table, boot=7, first=2):
        self.table, self.boot = table, boot
        self.numbers = itertools.count(first)
        self.acknowledged = []
        table.on_taken_in = lambda mark: self.acknowledged.append(mark.seq)

    def origin(self):
        return Origin("table", self.boot, next(self.numbers))

    async def put(self, seat, place, wait=1.0):
        await self.table.observe(facts.TagAppeared(self.origin(), SOCKETS[place], TAGS[seat]))
        await asyncio.sleep(wait)

    async def lift(self, seat, place, wait=0.0):
        await self.table.observe(facts.TagGone(self.origin(), SOCKETS[place], TAGS[seat]))
        await asyncio.sleep(wait)

    async def slide(self, seat, *places, wait=1.0):
        for place, to in itertools.pairwise(places):
            await self.lift(seat, place, 0.05)
            await self.put(seat, to, 0.1)
        await asyncio.sleep(wait)

    async def roll(self, face, map_id=D6_MAP):
        value = face if map_id == D6_MAP else {"blank": 0, "green": 1, "white": 2}[face]
        await self.table.observe(facts.DieSettled(self.origin(), value + 1, map_id, value, 9, 900))


async def seated(table, boot=7):
    """Hands with all taxis learnt and lying on the base."""
    for row in table.setup["seats"]:
        await table.assign_tag(TAGS[row["seat"]], row["seat"])
    hands = Hands(table, boot)
    await table.see(TableSnapshot("table", boot, {TAGS[row["seat"]]: SOCKETS[BASE] for row in table.setup["seats"]}))
    return hands


def reachable(table):
    answer = game.ask(table.state, {"do": "ask", "seat": table.view("bank")["turn"], "what": "reachable"})
    places = {row[0] for row in answer["reachable"]}
    return [place for place in SOCKETS if place in places and place != BASE]


def unreachable(table):
    answer = game.ask(table.state, {"do": "ask", "seat": table.view("bank")["turn"], "what": "reachable"})
    places = {row[0] for row in answer["reachable"]}
    return [place for place in SOCKETS if place not in places]


def player(table, seat):
    return table.view("bank")["players"][seat - 1]
