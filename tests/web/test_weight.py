"""A seat's page is light enough for an old phone: at most 60 kB compressed with its scripts and styles, fonts at most
90 kB.
"""

import asyncio
import gzip
import re
from pathlib import Path

from web_table import WebTable

from companion.web.doorkeeper import Role
from companion.web.rendering import STATIC

KILO = 1000


def test_the_seat_page_and_its_fonts(tmp_path: Path) -> None:
    async def weigh() -> tuple[int, int]:
        async with WebTable(tmp_path) as web:
            await web.evening()
            phone = await web.joined(Role.SEAT, 1)
            # The heaviest moment: a throw with hundreds of places to drive to.
            greens = [{"seat": 1, "green": 5, "white": 2}]
            await web.table.submit(
                {"do": "correct", "seat": 0, "set": {"players": greens}, "why": "x"}, command_id="a", actor="bank"
            )
            await web.table.submit({"do": "roll", "seat": 1, "die": "d6", "face": 6}, command_id="b", actor="bank")
            page = await phone.get("/seat")
            total = len(gzip.compress(page.content))
            for address in set(re.findall(r'(?:href|src)="(/static/[^"]+|/icon.svg)"', page.text)):
                total += len(gzip.compress((await phone.get(address)).content))
            modules = re.findall(r'import .* from "(/static[^"]+)"', page.text)
            assert modules == []
            return total, sum(font.stat().st_size for font in (STATIC / "fonts").glob("*.woff2"))

    page, fonts = asyncio.run(weigh())
    assert page <= 60 * KILO, f"{page} bytes"
    assert fonts <= 90 * KILO, f"{fonts} bytes"


def test_pages_travel_compressed(tmp_path: Path) -> None:
    async def fetch() -> None:
        async with WebTable(tmp_path) as web:
            await web.evening()
            bank = await web.bank()
            for path in ("/tablet", "/wall", "/static/vendor/htmx.min.js"):
                assert (await bank.get(path)).headers.get("content-encoding") == "gzip", path

    asyncio.run(fetch())


def test_styles_travel_without_their_comments(tmp_path: Path) -> None:
    async def fetch() -> None:
        async with WebTable(tmp_path) as web:
            styles = await (await web.bank()).get("/static/look.css")
            assert styles.headers["content-type"].startswith("text/css")
            assert "/*" in (STATIC / "look.css").read_text("utf-8")
            assert "/*" not in styles.text
            assert ".btn.go{" in styles.text

    asyncio.run(fetch())
