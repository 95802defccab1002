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
TWICE = re.compile(r"&amp;(?:amp|lt|gt|quot|apos|#3[49]);")
"""What a character of a name becomes when it is escaped and then escaped again."""


def said_rightly(path: str, html: str) -> None:
    """Names stand in a page as they were typed: neither taken for markup nor escaped twice."""
    assert "<red>" not in html, path
    twice = TWICE.search(html)
    assert twice is None, (path, html[max(0, twice.start() - 120) : twice.end() + 120])


async def evening_of(web: WebTable, name: str, level: str) -> None:
    """An evening in which this bot plays each seat, as fast as the pages are looked at."""
    meta = titles.find(name).meta
    seats = [SeatSetup(f"<{colour}> & D'Arcy", colour, level) for colour in meta.COLOURS[: max(3, meta.PLAYERS[0])]]
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
                    said_rightly(path, answer.text)
                await asyncio.sleep(0.03)
            assert len(phases) > 1
            for sheet in ("stock", "correct", "seat?seat=1", "more", "log", "phones", "bots", "consent"):
                answer = await bank.get(f"/tablet/sheet/{sheet}")
                assert answer.status_code == 200, (sheet, answer.text)
                said_rightly(sheet, answer.text)
            for path in ("/", "/ready", "/bench", "/devices"):
                answer = await bank.get(path)
                assert answer.status_code == 200, path
                said_rightly(path, answer.text)
            for sheet in ("more", "log", "bots"):
                said_rightly(sheet, (await phones[0].get(f"/seat/sheet/{sheet}")).text)

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
                said_rightly("/tablet", html)
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
