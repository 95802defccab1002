"""What the start page says of the table, the way from it to the devices, and pages of rules that there are and are
not.
"""

import asyncio
from pathlib import Path

import pytest
from web_table import WebTable

WELCOMES = {
    "connected": "A table is ready.",
    "searching": "The table is being looked for; until it answers, all goes by hand.",
    "safe": "The table is in safe mode and sees nothing;",
    "lost": "The table was lost and is being looked for;",
    "none": "No table is asked for tonight, so all goes by hand.",
}


@pytest.mark.parametrize("state", WELCOMES)
def test_the_welcome_agrees_with_the_link(tmp_path: Path, state: str) -> None:
    async def look() -> None:
        async with WebTable(tmp_path) as web:
            web.application.link.state = state  # type: ignore[assignment]
            html = (await (await web.bank()).get("/")).text
            assert [each for each, words in WELCOMES.items() if words in html] == [state]

    asyncio.run(look())


def test_devices_are_one_press_from_the_start_page_without_an_evening(tmp_path: Path) -> None:
    async def look() -> None:
        async with WebTable(tmp_path) as web:
            bank = await web.bank()
            assert '<a class="btn quiet small" href="/devices">Devices</a>' in (await bank.get("/")).text
            assert (await bank.get("/devices")).status_code == 200

    asyncio.run(look())


def test_devices_are_tables_and_dice_and_never_phones(tmp_path: Path) -> None:
    async def look() -> None:
        async with WebTable(tmp_path) as web:
            await web.evening()
            html = (await (await web.bank()).get("/tablet/sheet/more")).text
            assert html.count("Devices") == 1
            assert "Phones and screens at the table" in html

    asyncio.run(look())


@pytest.mark.parametrize(
    ("address", "status", "sentence"),
    [
        ("L-020", 200, "The rule behind it"),
        ("T-033", 200, "A rule of TAXI!"),
        ("T-999", 404, "No game here has a rule T-999."),
        ("nonsense", 404, "There is no page with this address."),
    ],
)
def test_a_rule_is_that_of_its_game_or_there_is_none(tmp_path: Path, address: str, status: int, sentence: str) -> None:
    async def look() -> None:
        async with WebTable(tmp_path) as web:
            await web.evening(game="destination_london")
            answer = await (await web.bank()).get(f"/rules/{address}")
            assert (answer.status_code, sentence in answer.text) == (status, True), answer.text[-600:]

    asyncio.run(look())
