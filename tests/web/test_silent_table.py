"""Pages and set-up go on while a virtual table's process has stopped and answers nothing."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from web_table import WebTable

from companion.web.pages import bench


class SilentHands:
    """A table that never answers; `asked` counts what it was asked."""

    tags_seen: dict[str, int] = {}
    lights_seen: dict[str, list[list[int]]] = {"board": [], "die": []}
    lights_of: dict[tuple[str, str], list[list[int]]] = {}
    links: dict[str, str] = {}
    dice: dict[str, dict[str, Any]] = {}

    def __init__(self) -> None:
        self.asked = 0

    async def _silence(self, *_: Any) -> dict[str, Any]:
        self.asked += 1
        await asyncio.Event().wait()
        return {}

    stats = place_tag = lift_tag = _silence

    async def changes(self) -> AsyncIterator[object]:
        await asyncio.Event().wait()
        yield None


async def _closed(_: object) -> None:
    return


def test_nobody_waits_for_a_table_that_has_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench, "PATIENCE", 0.05)

    async def play() -> None:
        async with WebTable(tmp_path) as web:
            hands = SilentHands()
            web.application._hardware = type("Hardware", (), {"bench": hands, "virtual": None, "close": _closed})()
            bank = await web.bank()
            async with asyncio.timeout(40):
                assert (await bank.post("/evenings", data={"quick": "1"})).headers["location"] == "/ready"
                assert hands.asked == 1, "after the first silence it is left alone"
                for page in ("/bench", "/tablet", "/wall", "/ready"):
                    assert (await bank.get(page)).status_code == 200
            assert all(seat["tag"] for seat in web.table.setup["seats"][:1])

    asyncio.run(play())
