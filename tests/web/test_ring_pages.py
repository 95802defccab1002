"""Taxi Over on the pages: a whole evening by HTTP alone, exact odds, boarding, corrections, moments for all to see."""

from __future__ import annotations

import asyncio
import gzip
import json
import random
import re
from fractions import Fraction
from pathlib import Path
from typing import Any

import httpx
import pytest
from web_table import WebTable, form_fields

from companion.web.doorkeeper import Role
from shared_rules.engine import game

Json = dict[str, Any]
BUTTONS = re.compile(r'<form\b[^>]*action="/(?:seat|tablet)/act".*?</form>', re.DOTALL)


def plain(html: str) -> str:
    """What stands on a page, without its tags."""
    return " ".join(re.sub(r"<[^>]+>", " ", html).split())


def buttons(html: str) -> list[dict[str, str]]:
    """What can be pressed: the hidden fields of each button's form."""
    return [
        dict(re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)"', form)) for form in BUTTONS.findall(html)
    ]


def decision(html: str) -> str:
    """The part of a tablet or a phone that asks."""
    return re.findall(r'<section class="(?:dec|do)".*?</section>', html, re.DOTALL)[0]


def position(*players: Json, **changes: Any) -> Json:
    """A game in progress; who is not named is a new player at START."""
    return {"game": "taxi_over", "board": "carousel", "players": [*players, *[{}] * (4 - len(players))], **changes}


async def command(web: WebTable, number: int, **fields: Any) -> None:
    receipt = await web.table.submit(fields, command_id=f"command-{number}", actor="bank")
    assert receipt.accepted, receipt.refusal


@pytest.mark.parametrize("seed", [2, 9])
def test_a_whole_evening_by_http(tmp_path: Path, seed: int) -> None:
    """Set up by the form, played from the phones' own buttons, watched on the wall, saved at the end."""

    async def play() -> None:
        async with WebTable(tmp_path, chance=random.Random(seed)) as web:  # noqa: S311
            mind = random.Random(seed)  # noqa: S311
            bank = await web.bank(htmx=True)
            form = {
                "game": "taxi_over", "title": "Round and round", "dice": "digital",
                "name1": "Ann", "colour1": "violet", "name2": "Bo", "colour2": "red", "name3": "Cy", "colour3": "white",
                "option_target_tokens": '{"3": 5}', "option_sinkhole_driver": "ejected",
            }  # fmt: skip
            answer = await bank.post("/evenings", data=form)
            assert answer.status_code in (200, 303), answer.text[-500:]
            table = web.table
            assert (table.game.name, table.title) == ("taxi_over", "Round and round")
            assert table.view("bank")["target"] == 5
            wall = await web.joined(Role.SPECTATOR)
            phones = {seat: await web.joined(Role.SEAT, seat, htmx=True) for seat in (1, 2, 3)}
            seen: set[str] = set()
            for step in range(400):
                view = table.view("bank")
                if view["phase"] == "over":
                    break
                turn = view["turn"]
                for seat, phone in phones.items():
                    page = (await phone.get("/seat")).text
                    can = buttons(decision(page))
                    if seat == turn:
                        assert can, f"{seat} has nothing to press at {view['phase']}"
                        mine = can
                    else:
                        assert can == [], "only the seat on turn may act"
                fields = mind.choice(mine)
                seen.add(fields["do"])
                stranger = phones[1 + turn % 3]
                assert (await stranger.post("/seat/act", data=fields)).status_code == 403
                assert (await phones[turn].post("/seat/act", data=fields)).status_code == 200
                assert (await phones[turn].post("/seat/act", data=fields)).status_code == 200, "twice is once"
                stale = {**fields, "command_id": f"another-{step}"}
                assert (await phones[turn].post("/seat/act", data=stale)).status_code == 409
                if step % 7 == 0:
                    for client, path in ((wall, "/wall"), (bank, "/tablet"), (bank, "/bench")):
                        assert (await client.get(path)).status_code == 200
            else:
                raise AssertionError("the evening had no end")
            assert {"roll", "stop"} <= seen
            assert table.check() == []
            winner = table.view("bank")["result"]["winners"][0]
            name = table.seat_name(winner)
            for client, path in ((wall, "/wall"), (bank, "/tablet"), (phones[1], "/seat")):
                page = plain((await client.get(path)).text)
                assert f"{name} wins" in page or "Wins the evening" in page
                assert name in page
            record = (await bank.get("/record")).json()
            state = game.load_position(record["start"])
            for row in record["entries"]:
                if row["kind"] == "play":
                    assert game.play(state, row["command"]) == row["events"]
            assert game.dump_position(state) == game.dump_position(table.state)

    asyncio.run(play())


def percents(page: str, what: str) -> list[Fraction]:
    """The fractions behind one row of the table of chances."""
    row = re.findall(rf'<th scope="row">{what}</th>(.*?)</tr>', page, re.DOTALL)[0]
    return [Fraction(text) for text in re.findall(r'title="(\d+/\d+)"', row)]


def test_the_odds_are_exact_on_tablet_phone_and_wall(tmp_path: Path) -> None:
    async def play() -> None:
        async with WebTable(tmp_path) as web:
            start = position(taxis={"T1": {"at": "s10"}, "T2": {"at": "s17"}}, box=3)
            await web.evening(game="taxi_over", position=start)
            bank, phone = await web.bank(), await web.joined(Role.SEAT, 1)
            # Farthing Cross is five ahead. OP-01 … OP-04 of the rules page.
            page = decision((await phone.get("/seat")).text)
            assert percents(page, "reaches it") == [0, Fraction(5, 9), Fraction(4, 27)]
            assert percents(page, "too fast") == [0, Fraction(1, 3), Fraction(23, 27)]
            await command(web, 1, do="roll", seat=1, face=2)
            for client, path in ((bank, "/tablet"), (phone, "/seat")):
                page = decision((await client.get(path)).text)
                words = plain(page)
                assert percents(page, "reaches it") == [Fraction(2, 3), Fraction(1, 9)]
                assert percents(page, "too fast") == [Fraction(1, 3), Fraction(8, 9)]
                assert "33 % 6 · Space 16 · takes 3 tokens" in words
                assert "33 % 8 · Space 18 · takes 3 tokens · down the hole: Bo’s taxi" in words
                assert "33 % too fast" in words
                assert "Stop here: 2 spaces Space 12" in words
                assert "Throw a second die 33 % too fast" in words
            wall = plain((await bank.get("/wall")).text)
            assert "Stop: 2 spaces, Space 12" in wall
            assert "Farthing Cross, 2 dice 67 %" in wall
            await command(web, 2, do="roll", seat=1, face=2)
            words = plain(decision((await phone.get("/seat")).text))
            assert "always too fast, but nobody forbids it" in words
            (yellow,) = [form for form in BUTTONS.findall((await phone.get("/seat")).text) if 'class="btn go"' in form]
            assert buttons(yellow)[0]["do"] == "stop", "the yellow button is the wise one"

    asyncio.run(play())


def test_boarding_is_a_choice_and_can_be_declined(tmp_path: Path) -> None:
    async def play() -> None:
        async with WebTable(tmp_path) as web:
            start = position({"driver": None}, {"driver": None}, options={"boarding": "optional"})
            await web.evening(game="taxi_over", position=start)
            phone = await web.joined(Role.SEAT, 1, htmx=True)
            page = decision((await phone.get("/seat")).text)
            offered = {(form["do"], form.get("taxi")) for form in buttons(page)}
            assert offered == {("board_taxi", "T1"), ("board_taxi", "T2"), ("decline", None)}
            assert "2 empty taxis wait at START" in plain(page)
            second = form_fields(page, containing="Get into taxi 2")
            assert (await phone.post("/seat/act", data=second)).status_code == 200
            assert web.table.view("bank")["players"][0]["driver"] == "T2"
            assert "Throw the first die, Ann." in plain((await phone.get("/seat")).text)

    asyncio.run(play())


def test_forced_boarding_has_no_way_out(tmp_path: Path) -> None:
    async def play() -> None:
        async with WebTable(tmp_path) as web:
            start = position({"driver": None}, options={"boarding": "forced", "taxi_identity": "coloured"})
            await web.evening(game="taxi_over", position=start)
            page = decision((await (await web.joined(Role.SEAT, 1)).get("/seat")).text)
            assert [(form["do"], form.get("taxi")) for form in buttons(page)] == [("board_taxi", "T1")]

    asyncio.run(play())


def test_violations_falls_and_the_box_are_moments_for_all(tmp_path: Path) -> None:
    async def play() -> None:
        async with WebTable(tmp_path) as web:
            start = position(taxis={"T1": {"at": "s4"}, "T2": {"at": "s8"}, "T3": {"at": "s20"}}, box=4)
            await web.evening(game="taxi_over", position=start)
            wall = await web.joined(Role.SPECTATOR)
            stream = web.stream(wall, "/wall/stream")
            await stream.quiet()
            await command(web, 1, do="roll", seat=1, face=2)
            await command(web, 2, do="roll", seat=1, face=1)
            await stream.quiet()
            before = len(stream.text)
            await command(web, 3, do="stop", seat=1)
            await stream.until(f"id: {web.table.seq}\r\n")
            await stream.quiet()
            sent = stream.text[before:]
            assert "Bo fell into The Hole." in plain(sent)
            assert "Ann takes 4 tokens from the box." in plain(sent)
            changed: Json = {}
            for data in re.findall(r"data: (\{.*\})\r\n", sent):
                changed |= json.loads(data)
            assert {"taxis", "box", "homes", "fallen", "signs"} <= set(changed)
            assert "start-glow" not in changed, "only what changed travels"
            gliding = set(re.findall(r'id="([\w-]+)"[^>]*data-way', changed["taxis"]))
            assert gliding - {"on-turn"} == {"taxi-T1", "driver-red", "taxi-T2", "driver-blue"}
            assert set(re.findall(r'id="([\w-]+)"[^>]*data-under', changed["taxis"])) >= {"taxi-T2", "driver-blue"}
            assert changed["homes"].count("coin pay") == 4
            await command(web, 4, do="roll", seat=2, face=3)
            await command(web, 5, do="roll", seat=2, face=2)
            words = plain((await wall.get("/wall")).text)
            assert "5 is too fast! Bo’s driver gets out." in words
            assert "Bo throws 5: too fast." in words
            assert "The empty taxi rolls on to Space 5, Tuppenny Cross." in words

    asyncio.run(play())


def test_the_road_can_be_put_right_with_a_reason(tmp_path: Path) -> None:
    async def play() -> None:
        async with WebTable(tmp_path) as web:
            table = await web.evening(game="taxi_over", position=position(taxis={"T1": {"at": "s4"}}))
            bank, phone = await web.bank(htmx=True), await web.joined(Role.SEAT, 1, htmx=True)
            assert "/tablet/sheet/road" in (await bank.get("/tablet/sheet/correct")).text
            sheet = (await bank.get("/tablet/sheet/road")).text
            fields = form_fields(sheet, containing="at_T1")
            chosen = {name.removeprefix("was_"): value for name, value in fields.items() if name.startswith("was_")}
            assert chosen["at_T1"] == "s4"
            given = {**fields, **chosen, "at_T1": "s12", "in_2": "nobody", "box": "6", "why": "the cat"}
            assert (await phone.post("/seat/act", data=given)).status_code == 403, "no phone corrects"
            assert (await bank.post("/tablet/act", data=given)).status_code == 200
            view = table.view("bank")
            assert (view["taxis"]["T1"]["at"], view["box"], view["players"][1]["driver"]) == ("s12", 6, None)
            assert "Correction: the cat" in plain((await bank.get("/wall")).text)
            sheet = (await bank.get("/tablet/sheet/road")).text
            fields = form_fields(sheet, containing="at_T1")
            chosen = {name.removeprefix("was_"): value for name, value in fields.items() if name.startswith("was_")}
            both = {**fields, **chosen, "at_T3": "s12", "why": "two on one space"}
            refused: httpx.Response = await bank.post("/tablet/act", data=both)
            assert refused.status_code == 422
            assert "no legal position" in plain(refused.text)
            nothing = {**fields, **chosen, "why": "nothing"}
            assert (await bank.post("/tablet/act", data=nothing)).status_code == 422
            tokens = {"seat": "2", "was_held": "0", "held": "3", "why": "forgotten", "command_id": "held-three"}
            assert (await bank.post("/tablet/correct", data=tokens)).status_code == 200
            assert table.view("bank")["players"][1]["held"] == 3
            assert table.check() == []

    asyncio.run(play())


def test_other_dice_have_their_faces_on_every_page(tmp_path: Path) -> None:
    async def play() -> None:
        async with WebTable(tmp_path) as web:
            faces = [1, 2, 3, 4, 5, 6]
            await web.evening(game="taxi_over", dice="typed", options={"dice_faces": faces})
            phone = await web.joined(Role.SEAT, 1, htmx=True)
            page = decision((await phone.get("/seat")).text)
            assert sorted(form["face"] for form in buttons(page) if "face" in form) == list("123456")
            assert percents(page, "too fast")[0] == Fraction(1, 3)
            five = next(form for form in buttons(page) if form.get("face") == "5")
            assert (await phone.post("/seat/act", data=five)).status_code == 200
            assert web.table.view("bank")["players"][0]["driver"] is None

    asyncio.run(play())


def test_nobody_knows_more_than_another(tmp_path: Path) -> None:
    """Nothing is hidden in this game: all audiences see the same board, and prompts only where they may act."""

    async def look() -> None:
        async with WebTable(tmp_path) as web:
            table = await web.evening(game="taxi_over")
            views = {who: table.view(who) for who in ("bank", "spectator", 1, 2)}  # type: ignore[arg-type]
            bare = [{key: view[key] for key in view if key not in ("audience", "prompts")} for view in views.values()]
            assert all(one == bare[0] for one in bare)
            assert views["spectator"]["prompts"] == []
            assert views[2]["prompts"] == []
            assert views[1]["prompts"] == [{"do": "roll", "seat": 1, "die": "taxi"}]

    asyncio.run(look())


def test_a_phone_loads_little(tmp_path: Path) -> None:
    """As light as every seat's page: 60 kB compressed with scripts and styles, in the middle of a decision."""

    async def weigh() -> int:
        async with WebTable(tmp_path) as web:
            start = position(taxis={"T1": {"at": "s2"}, "T2": {"at": "s8"}, "T3": {"at": "s12"}}, box=30, dice=[1, 2])
            await web.evening(game="taxi_over", position=start)
            phone = await web.joined(Role.SEAT, 1)
            page = await phone.get("/seat")
            total = len(gzip.compress(page.content))
            for address in set(re.findall(r'(?:href|src)="(/static/[^"]+|/icon.svg)"', page.text)):
                total += len(gzip.compress((await phone.get(address)).content))
            return total

    assert asyncio.run(weigh()) <= 60_000


def test_a_bot_says_why_in_words(tmp_path: Path) -> None:
    async def play() -> None:
        async with WebTable(tmp_path) as web:
            web.application.settings.bot_pause = 0.01
            players = [{"driver": None}, {"driver": None}]
            table = await web.evening(game="taxi_over", position=position(*players, box=5))
            receipt = await table.set_bot(1, "strong", command_id="bot-plays-1", actor="bank")
            assert receipt.accepted
            for _ in range(2000):
                if table.bot_thoughts():
                    break
                await asyncio.sleep(0.02)
            words = plain((await (await web.bank()).get("/tablet/sheet/bots")).text)
            assert "gets into taxi 1" in words
            assert "stays out" in words
            assert "next die too fast" in words
            assert "in the box" in words
            assert not re.search(r"[a-z]_[a-z]", words)

    asyncio.run(play())


def test_stopping_and_throwing_on_stay_where_they_are(tmp_path: Path) -> None:
    """Whichever of the two is yellow: nobody presses the other because they changed sides between two dice."""

    async def play() -> None:
        async with WebTable(tmp_path) as web:
            await web.evening(game="taxi_over")
            bank, phone = await web.bank(), await web.joined(Role.SEAT, 1)
            seen = set()
            for number, face in enumerate((1, 3)):
                await command(web, number, do="roll", seat=1, die="taxi", face=face)
                for client, path in ((bank, "/tablet"), (phone, "/seat")):
                    part = decision((await client.get(path)).text)
                    verbs = [sent["do"] for sent in buttons(part) if "face" not in sent]
                    yellow = re.findall(r'name="do" value="(\w+)"[^§]*?<button class="btn( go)?"', part)
                    seen |= {do for do, go in yellow if go}
                    assert verbs == ["stop", "roll"], (path, number)
            assert seen == {"stop", "roll"}

    asyncio.run(play())
