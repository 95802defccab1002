"""Bots on the pages: who may hand a seat over, what a bot's reasons look like, and the way on after an undo."""

import asyncio
from pathlib import Path
from typing import Any

from web_table import WebTable, form_fields

from companion.tables.table_actor import TableActor
from companion.web.doorkeeper import Role


async def until(holds: Any, seconds: float = 30) -> None:
    async with asyncio.timeout(seconds):
        while not holds():
            await asyncio.sleep(0.02)


async def bots_turn(web: WebTable, level: str) -> TableActor:
    """An evening in which a bot has played the first seat's turn."""
    web.application.settings.bot_pause = 0.01
    table = await web.evening()
    await table.set_bot(1, level, command_id="hand-over", actor="bank")
    await until(lambda: table.view("bank")["turn"] == 2)
    return table


def test_a_seat_hands_itself_over_and_no_other(tmp_path: Path) -> None:
    async def play() -> None:
        async with WebTable(tmp_path) as web:
            web.application.settings.bot_pause = 600
            table = await web.evening()
            bo = await web.joined(Role.SEAT, 2)
            assert 'action="/seat/bot"' in (await bo.get("/seat/sheet/more")).text
            form = {"seat": "1", "level": "greedy", "command_id": "mine-alone"}
            assert (await bo.post("/seat/bot", data=form)).status_code == 303
            assert [table.bot_of(seat) for seat in (1, 2)] == ["", "greedy"]
            back = {"level": "", "command_id": "mine-again"}
            assert (await bo.post("/seat/bot", data=back)).status_code == 303
            assert table.bot_of(2) == ""
            assert (await bo.post("/tablet/bot", data=form)).status_code == 403
            assert (await bo.post("/seat/bot", data={**form, "command_id": "x"})).status_code == 422
            wrong = await bo.post("/seat/bot", data={"level": "divine", "command_id": "no-such-bot"})
            assert wrong.status_code == 422
            assert "There is no bot" in wrong.text

    asyncio.run(play())


def test_the_log_says_what_a_bot_did(tmp_path: Path) -> None:
    async def play() -> None:
        async with WebTable(tmp_path) as web:
            await bots_turn(web, "greedy")
            html = (await (await web.bank()).get("/tablet/sheet/log")).text
            assert "A bot plays for <b>Ann</b> now." in html
            assert "(bot)" in html

    asyncio.run(play())


def test_a_strong_bot_explains_itself_on_every_screen(tmp_path: Path) -> None:
    async def play() -> None:
        async with WebTable(tmp_path) as web:
            await bots_turn(web, "strong")
            for client, path in (
                (await web.bank(), "/tablet/sheet/bots"),
                (await web.joined(Role.SPECTATOR), "/wall/sheet/bots"),
                (await web.joined(Role.SEAT, 2), "/seat/sheet/bots"),
            ):
                html = (await client.get(path)).text
                assert "drives to" in html
                assert '<li class="chosen">' in html
                assert "dollars" in html
            assert "/wall/sheet/bots" in (await (await web.joined(Role.SPECTATOR)).get("/wall")).text

    asyncio.run(play())


def test_after_an_undo_the_banker_lets_bots_go_on(tmp_path: Path) -> None:
    async def play() -> None:
        async with WebTable(tmp_path) as web:
            table = await bots_turn(web, "greedy")
            bank = await web.bank()
            fields = form_fields((await bank.get("/tablet/sheet/consent")).text, containing="The table agrees")
            assert (await bank.post("/tablet/undo", data=fields)).status_code == 303
            assert table.bots_hold
            html = (await bank.get("/tablet")).text
            assert "the bots hold still" in html
            go_on = form_fields(html, containing="Bots, play on")
            assert (await bank.post("/tablet/bot", data=go_on)).status_code == 303
            await until(lambda: table.view("bank")["turn"] == 2)
            assert not table.bots_hold

    asyncio.run(play())


def test_exact_odds_stand_beside_the_decision(tmp_path: Path) -> None:
    async def play() -> None:
        async with WebTable(tmp_path) as web:
            table = await web.evening()
            bank, ann = await web.bank(), await web.joined(Role.SEAT, 1)
            to = table.view("bank")["players"][0]["at"]
            for command in ({"do": "roll", "die": "d6", "face": 1}, {"do": "move", "to": to}):
                receipt = await table.submit({"seat": 1, **command}, command_id=str(command), actor="bank")
                assert receipt.accepted
            for client, path in ((bank, "/tablet"), (ann, "/seat")):
                html = (await client.get(path)).text
                assert "a green tablet" in html
                assert '<b title="5/12">42 %</b>' in html
                assert '<b title="2/12">17 %</b>' in html

    asyncio.run(play())
