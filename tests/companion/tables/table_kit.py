"""An evening in a folder, opened, played by chance and closed again; for the tests of tables."""

import asyncio
import contextlib
import itertools
import random
from datetime import UTC, datetime, timedelta

from companion.application import Application
from companion.settings import Settings
from companion.tables.setup import EveningSetup, SeatSetup
from shared_rules.engine import game

SEATS = [("Ann", "red"), ("Ben", "blue"), ("Cy", "green"), ("Di", "white")]
TWO_DICE = {
    "game": "destination_london",
    "board": "thames",
    "players": [{"hand": [], "turbo": True}, {"hand": []}],
    "phase": "before_roll",
}
"""A game in which the first seat may throw one die or two."""
_numbers = itertools.count()


def settings(folder, seed=1, **changes):
    start = datetime(2026, 1, 2, 20, tzinfo=UTC)
    ticks = itertools.count()
    chosen = {
        "data_dir": folder,
        "database_on_loop": True,
        "chance": random.Random(seed),
        "now": lambda: start + timedelta(seconds=next(ticks)),
    }
    return Settings(**{**chosen, **changes})


def an_evening(seats=2, **changes):
    return EveningSetup([SeatSetup(name, colour) for name, colour in SEATS[:seats]], title="Friday", **changes)


@contextlib.asynccontextmanager
async def opened(folder, seats=2, seed=1, evening=None, **changes):
    """(application, table): a new evening, or the one that was going on in this folder."""
    application = await Application.start(settings(folder, seed, **changes))
    try:
        table = application.current or await application.tables.create_evening(evening or an_evening(seats))
        yield application, table
    finally:
        await application.close()


def command_id():
    return f"test-{next(_numbers)}"


async def give(table, do, seat=0, actor="bank", **fields):
    """One command, accepted or refused."""
    return await table.submit({"do": do, "seat": seat, **fields}, command_id=command_id(), actor=actor)


async def throw(table, face, seat=None, die="d6", evidence=None):
    view = table.view("bank")
    return await table.submit(
        {"do": "roll", "seat": seat or view["turn"], "die": die, "face": face},
        command_id=command_id(),
        actor="bank",
        evidence=evidence,
    )


async def any_step(table, rng):
    """Something lawful for a seat that may act, chance from the companion; the receipt, or None when the game is
    over."""
    state = table.state
    for seat in rng.sample(range(1, len(table.setup["seats"]) + 1), len(table.setup["seats"])):
        templates = [t for t in game.legal_commands(state, seat) if t["do"] not in ("resign", "give", "buy_taxi")]
        if not templates:
            continue
        template = rng.choice(templates)
        if template["do"] == "roll":
            return await table.throw(template["die"], seat=seat, command_id=command_id(), actor="bank")
        if template["do"] == "draw_card":
            return await table.draw(template["deck"], seat=seat, command_id=command_id(), actor="bank")
        command = {key: value[0] if isinstance(value, list) and value else value for key, value in template.items()}
        if template["do"] == "move":
            command = {"do": "move", "seat": seat, "to": rng.choice(template["to"])[0]}
        return await table.submit(command, command_id=command_id(), actor="bank")
    return None


def run(work):
    return asyncio.run(work)
