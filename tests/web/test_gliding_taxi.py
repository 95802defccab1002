"""Which taxi the map lets glide, and along what: the one that drove last, until something is taken back."""

import asyncio
import re
from pathlib import Path
from typing import Any

from web_table import WebTable

from companion.web.pages.table_page import map_of


def test_the_taxi_that_drove_last_knows_its_way(tmp_path: Path) -> None:
    async def play() -> None:
        async with WebTable(tmp_path) as web:
            await web.evening()
            numbers = iter(range(100))

            async def command(**asked: Any) -> None:
                receipt = await web.table.submit(asked, command_id=f"c{next(numbers)}", actor="bank")
                assert receipt.accepted, receipt.refusal

            def gliding() -> dict[str, int]:
                """Colour of each taxi with a way, and the milliseconds it takes."""
                group = map_of(web.app.state.web, web.table)["taxis"]
                return {c: int(ms) for c, ms in re.findall(r'id="taxi-(\w+)"[^>]* data-way="(\d+) ', group)}

            assert gliding() == {}
            await command(do="roll", seat=1, die="d6", face=3)
            assert gliding() == {}, "nobody has moved yet"
            base = web.table.view("bank")["players"][0]["at"]
            rows = next(p["to"] for p in web.table.view("bank")["prompts"]["1"] if p["do"] == "move")
            to = next(row for row in rows if row[1:] == [2, 0, 0] and row[0] != base)
            await command(do="move", seat=1, to=to[0])
            assert gliding() == {"red": 1400}
            await command(do="end_turn", seat=1)
            assert gliding() == {"red": 1400}, "a page that gets both at once still sees it drive"
            await command(do="roll", seat=2, die="d6", face=1)
            near = next(row for row in rows if row[1] == 1 and row[2:] == [0, 0] and row[0] != base)
            await command(do="move", seat=2, to=near[0])
            assert gliding() == {"yellow": 700}
            # Moved by a correction: it did not drive there.
            moved = {"players": [{"seat": 2, "at": base}]}
            await command(do="correct", seat=0, set=moved, why="it lay elsewhere")
            assert gliding() == {}
            receipt = await web.table.undo("bank", command_id="undo")
            assert receipt.accepted, receipt.refusal
            assert gliding() == {}, "taken back: it did not drive there either"

    asyncio.run(play())
