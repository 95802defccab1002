"""Bots on the pages: who may hand a seat over, what a bot's reasons look like, and the way on after an undo."""

import asyncio
import re
from pathlib import Path
from typing import Any

import pytest
from web_table import WebTable, form_fields

from companion import titles
from companion.phones import NoPhones
from companion.tables.table_actor import TableActor
from companion.web.doorkeeper import Role


class OpenPhones(NoPhones):
    """The house may join."""

    available = True
    url = "http://127.0.0.1:8000"


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


@pytest.mark.parametrize("dice", ["table", "digital", "typed"])
@pytest.mark.parametrize("game", titles.names())
def test_a_bot_that_acts_leaves_no_hasty_buttons(tmp_path: Path, game: str, dice: str) -> None:
    """Who acts is said, and the bot can be stopped; the dice that lie on the table can be told for it."""

    async def play() -> None:
        async with WebTable(tmp_path) as web:
            web.application.settings.bot_pause = 600
            table = await web.evening(game=game, dice=dice)
            bank = await web.bank()
            seat = table.view("bank")["waiting_for"][0]
            name = ("Ann", "Bo", "Carla", "Dev")[seat - 1]
            before = (await bank.get("/tablet")).text
            assert 'name="do" value="roll"' in before
            assert "Waiting for you" in before
            await table.set_bot(seat, "greedy", command_id="hand-over", actor="bank")
            html = (await bank.get("/tablet")).text
            assert "A bot plays" in html
            assert "Waiting for you" not in html
            sent = [form for form in re.findall(r"<form\b.*?</form>", html, re.DOTALL) if "/tablet/act" in form]
            told = [form for form in sent if 'name="face' in form]
            assert bool(told) == (dice != "digital")
            assert sent == told
            stop = form_fields(html, containing=f"Play for {name} by hand")
            assert (await bank.post("/tablet/bot", data=stop)).status_code == 303
            assert table.bot_of(seat) == ""
            assert "Waiting for you" in (await bank.get("/tablet")).text

    asyncio.run(play())


def test_what_a_bot_leaves_to_people_has_its_buttons(tmp_path: Path) -> None:
    """Cards of paper are drawn by hand, for a bot too: the page that waited for it is drawn anew."""

    async def play() -> None:
        async with WebTable(tmp_path) as web:
            web.application.settings.bot_pause = 600
            table = await web.evening(cards="paper")
            bank = await web.bank()
            stream = web.stream(bank, "/tablet/stream")
            await table.set_bot(1, "random", command_id="hand-over", actor="bank")
            await stream.until('"eyebrow">A bot plays<')
            # Long enough for the page to be drawn before the bot looks.
            web.application.settings.bot_pause = 0.5
            await table.set_bot(1, "greedy", command_id="a better one", actor="bank")
            await until(lambda: not table.bots_acting)
            assert "Waiting for you" in (await bank.get("/tablet")).text
            await until(lambda: '"eyebrow">Waiting for you<' in stream.text.rpartition('"eyebrow">A bot plays<')[2])

    asyncio.run(play())


def test_a_bots_seat_has_no_code_for_a_phone(tmp_path: Path) -> None:
    async def play() -> None:
        async with WebTable(tmp_path) as web:
            table = await web.evening()
            web.application.settings.bot_pause = 600
            web.application.phones = OpenPhones()
            await table.set_bot(2, "greedy", command_id="hand-over", actor="bank")
            bank = await web.bank()
            for path in ("/pairing", "/ready", "/tablet/sheet/phones"):
                html = (await bank.get(path)).text
                codes = html[html.index('<ul class="codes">') :].partition("</ul>")[0]
                assert [name for name in ("Ann", "Bo", "Carla", "Dev") if f"<b>{name}</b>" in codes] == [
                    "Ann", "Carla", "Dev",
                ], path  # fmt: skip

    asyncio.run(play())
