"""Every title that can be played here: while bots play an evening, each page of it opens at each step, in all
audiences, and a sheet of each kind too."""

import asyncio
import re
from pathlib import Path

import pytest
from web_table import WebTable

from companion import titles
from companion.tables.setup import EveningSetup, SeatSetup
from companion.web.doorkeeper import Role

STEPS = 45


async def evening_of(web: WebTable, name: str, level: str) -> None:
    """An evening in which this bot plays each seat, as fast as the pages are looked at."""
    meta = titles.find(name).meta
    seats = [SeatSetup(f"<{colour}>", colour, level) for colour in meta.COLOURS[: max(3, meta.PLAYERS[0])]]
    web.application.settings.bot_pause = 0.01
    await web.application.tables.create_evening(EveningSetup(seats, game=name))


@pytest.mark.parametrize("name", titles.names())
def test_all_pages_open_at_every_step(tmp_path: Path, name: str) -> None:
    async def play() -> None:
        async with WebTable(tmp_path) as web:
            await evening_of(web, name, "random")
            bank, wall = await web.bank(), await web.joined(Role.SPECTATOR)
            phones = [await web.joined(Role.SEAT, seat) for seat in (1, 2, 3)]
            phases = set()
            for _ in range(STEPS):
                phases.add(web.table.view("bank")["phase"])
                for client, path in [(bank, "/tablet"), (wall, "/wall"), *((phone, "/seat") for phone in phones)]:
                    answer = await client.get(path)
                    assert answer.status_code == 200, (path, web.table.view("bank")["phase"], answer.text[-600:])
                    assert "<red>" not in answer.text
                await asyncio.sleep(0.03)
            assert len(phases) > 1
            for sheet in ("stock", "correct", "seat?seat=1", "more", "log", "phones", "bots", "consent"):
                answer = await bank.get(f"/tablet/sheet/{sheet}")
                assert answer.status_code == 200, (sheet, answer.text)
            assert (await bank.get("/bench")).status_code == 200
            assert (await bank.get("/ready")).status_code == 200

    asyncio.run(play())


@pytest.mark.parametrize("name", titles.names())
def test_every_button_that_is_offered_is_taken(tmp_path: Path, name: str) -> None:
    """One person presses the first button of each decision on the tablet: nothing offered is refused."""

    async def play() -> None:
        async with WebTable(tmp_path) as web:
            await evening_of(web, name, "")
            bank = await web.bank()
            pressed = 0
            for _ in range(STEPS):
                html = (await bank.get("/tablet")).text
                forms = [form for form in re.findall(r"<form\b.*?</form>", html, re.DOTALL) if "/tablet/act" in form]
                found = [
                    form for form in forms if 'name="do"' in form and "<select" not in form and "radio" not in form
                ]
                ways = [form for form in forms if 'id="where-to"' in form]
                if not found and not ways:
                    break
                # The yellow button comes last; a way is taken where there is one.
                form = (ways or [one for one in found if "btn go" in one] or found)[-1]
                fields = dict(re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)"', form))
                if ways:
                    fields["to"] = re.findall(r'<option value="([^"]*)"', form)[0]
                answer = await bank.post("/tablet/act", data=fields)
                assert answer.status_code == 303, (fields, answer.text[-400:])
                pressed += 1
            assert pressed >= 10

    asyncio.run(play())
