"""Stale and double posts, bad forms, other people's seats: one clear sentence each, and nothing done."""

import asyncio
import re
from pathlib import Path
from typing import Any

import httpx
import pytest
from web_table import WebTable, form_fields

from companion.web.doorkeeper import Role


def said(answer: httpx.Response) -> str:
    """The sentence that htmx puts on the page."""
    return " ".join(re.sub(r"<[^>]+>", " ", answer.text).split())


def test_a_double_post_is_one_command(tmp_path: Path) -> None:
    async def play() -> None:
        async with WebTable(tmp_path) as web:
            table = await web.evening()
            bank = await web.bank(htmx=True)
            fields = form_fields((await bank.get("/tablet")).text, containing="Throw the die")
            first, second = await asyncio.gather(*(bank.post("/tablet/act", data=fields) for _ in range(2)))
            assert (first.status_code, second.status_code) == (200, 200)
            assert [row.do for row in table.log(10)] == ["roll"]

    asyncio.run(play())


def test_a_stale_page_is_told_so(tmp_path: Path) -> None:
    async def play() -> None:
        async with WebTable(tmp_path) as web:
            table = await web.evening()
            bank = await web.bank(htmx=True)
            old = form_fields((await bank.get("/tablet")).text, containing="Throw the die")
            other = form_fields((await bank.get("/tablet")).text, containing="Journey card")
            assert (await bank.post("/tablet/act", data=other)).status_code == 200
            seq = table.seq
            answer = await bank.post("/tablet/act", data=old)
            assert answer.status_code == 409
            assert "went on meanwhile" in said(answer)
            assert table.seq == seq

    asyncio.run(play())


@pytest.mark.parametrize(
    "form",
    [
        {},
        {"do": "roll"},
        {"do": "print_money", "seat": "1"},
        {"do": "correct", "seat": "0", "set": "{}", "why": "x"},
        {"do": "roll", "seat": "-1", "die": "d6"},
        {"do": "roll", "seat": "1e3", "die": "d6"},
        {"do": "move", "seat": "1", "to": "a|b"},
        {"do": "move", "seat": "1", "to": "a|1|" + "9" * 30},
        {"do": "place_barrier", "seat": "2", "on": "x" * 500},
        {"do": "roll", "seat": "1", "die": "d6", "command_id": "short"},
        {"do": "roll", "seat": "1", "die": "d6", "expected_seq": "yesterday"},
        {"do": "buy_taxi", "seat": "1", "count": "٣"},
    ],
)
def test_forms_that_no_page_sends_do_nothing(tmp_path: Path, form: dict[str, str]) -> None:
    async def play() -> None:
        async with WebTable(tmp_path) as web:
            table = await web.evening()
            seq = table.seq
            for client in (await web.bank(htmx=True), await web.bank()):
                answer = await client.post("/tablet/act", data={"command_id": "long-enough", **form})
                assert answer.status_code == 422
                assert "Traceback" not in answer.text
                assert "nothing was done" in answer.text
            assert table.seq == seq

    asyncio.run(play())


@pytest.mark.parametrize(
    ("command", "sentence"),
    [
        ({"do": "roll", "seat": "1", "die": "d6", "face": "9"}, None),
        ({"do": "roll", "seat": "1", "die": "d20"}, None),
        ({"do": "draw_card", "seat": "1", "deck": "tarot"}, None),
        ({"do": "move", "seat": "1", "to": "nowhere"}, None),
        ({"do": "buy_taxi", "seat": "1", "count": "3"}, None),
        ({"do": "resign", "seat": "9"}, None),
    ],
)
def test_what_the_rules_refuse_is_said_in_a_sentence(tmp_path: Path, command: dict[str, str], sentence: Any) -> None:
    async def play() -> None:
        async with WebTable(tmp_path) as web:
            table = await web.evening()
            bank = await web.bank(htmx=True)
            answer = await bank.post("/tablet/act", data={"command_id": "long-enough", **command})
            assert answer.status_code == 422
            assert len(said(answer)) > 8
            assert said(answer).endswith(".")
            assert table.seq == 1

    asyncio.run(play())


def test_a_seat_acts_for_itself_alone(tmp_path: Path) -> None:
    async def play() -> None:
        async with WebTable(tmp_path) as web:
            table = await web.evening(dice="table")
            bo = await web.joined(Role.SEAT, 2, htmx=True)
            seq = table.seq
            for form in (
                {"do": "roll", "seat": "1", "die": "d6"},
                {"do": "close_bets", "seat": "2"},
                {"do": "close_bets", "seat": "0"},
                {"do": "resign", "seat": "3"},
            ):
                answer = await bo.post("/seat/act", data={"command_id": "long-enough", **form})
                assert answer.status_code == 403, form
                assert "another seat" in said(answer)
            assert (await bo.post("/tablet/act", data={"do": "roll"})).status_code == 403
            ann = await web.joined(Role.SEAT, 1, htmx=True)
            typed = await ann.post(
                "/seat/act", data={"command_id": "long-enough", "do": "roll", "seat": "1", "die": "d6", "face": "6"}
            )
            assert typed.status_code == 403, "a face is typed by the bank alone when the table has a die"
            assert table.seq == seq

    asyncio.run(play())


def test_nobody_uses_up_the_id_of_anothers_command(tmp_path: Path) -> None:
    async def play() -> None:
        async with WebTable(tmp_path) as web:
            table = await web.evening(dice="digital")
            ann, bo = await web.joined(Role.SEAT, 1, htmx=True), await web.joined(Role.SEAT, 2, htmx=True)
            form = {"command_id": "the-same-id", "die": "d6", "do": "roll"}
            assert (await bo.post("/seat/act", data={**form, "seat": "2"})).status_code == 422, "not Bo's turn"
            assert (await ann.post("/seat/act", data={**form, "seat": "1"})).status_code == 200
            assert table.view("bank")["phase"] == "move"

    asyncio.run(play())


def test_a_phone_of_another_evening_waits_outside(tmp_path: Path) -> None:
    async def play() -> None:
        async with WebTable(tmp_path) as web:
            await web.evening()
            ann = await web.joined(Role.SEAT, 1)
            await web.evening()
            page, post = await ann.get("/seat"), await ann.post("/seat/act", data={"do": "roll", "seat": "1"})
            assert (page.status_code, post.status_code) == (409, 409)
            assert "another evening" in page.text

    asyncio.run(play())


def test_corrections_need_a_reason_and_numbers(tmp_path: Path) -> None:
    async def play() -> None:
        async with WebTable(tmp_path) as web:
            table = await web.evening()
            bank = await web.bank(htmx=True)
            sheet = (await bank.get("/tablet/sheet/correct?seat=1")).text
            fields = form_fields(sheet, containing="Correct it")
            for change, words in (
                ({"cash": "much", "why": "x"}, "not a number"),
                ({"cash": "9340", "why": "x"}, "Nothing was changed"),
                ({"cash": "9350", "why": ""}, "why"),
                ({"cash": "9345", "why": "x"}, "10"),
            ):
                answer = await bank.post(
                    "/tablet/correct", data={**fields, **change, "command_id": "correction-" + words.replace(" ", "-")}
                )
                assert answer.status_code == 422
                assert words in said(answer).lower() or words in said(answer), said(answer)
            assert table.seq == 1
            good = await bank.post("/tablet/correct", data={**fields, "cash": "9850", "why": "forgot the change"})
            assert good.status_code == 200
            assert table.view("bank")["players"][0]["cash"] == 9850
            assert "forgot the change" in (await (await web.joined(Role.SEAT, 2)).get("/seat")).text, (
                "everybody can see the reason"
            )

    asyncio.run(play())


def test_a_paper_card_is_picked_or_typed(tmp_path: Path) -> None:
    async def play() -> None:
        async with WebTable(tmp_path) as web:
            table = await web.evening(cards="paper", dice="typed")
            bank = await web.bank(htmx=True)
            sheet = (await bank.get("/tablet/sheet/card?deck=journey&seat=1")).text
            assert sheet.count('name="card" value="J') == 50
            typed = {
                "do": "draw_card",
                "deck": "journey",
                "seat": "1",
                "command_id": "typed-card",
                "title": "Our own fine",
                "fine": "yes",
            }
            bad = await bank.post("/tablet/act", data={**typed, "verb1": "pay_bank", "amount1": ""})
            assert (bad.status_code, "needs a number" in said(bad)) == (422, True)
            good = await bank.post("/tablet/act", data={**typed, "verb1": "pay_bank", "amount1": "250"})
            assert good.status_code == 200, said(good)
            assert table.view("bank")["players"][0]["cash"] == 9090
            assert "Our own fine" in (await bank.get("/tablet")).text

    asyncio.run(play())


@pytest.mark.parametrize(
    ("game", "form"),
    [
        ("taxi", {"do": "draw_card", "deck": "journey", "seat": "1"}),
        ("taxi", {"do": "draw_card", "deck": "journey", "seat": "1", "title": "Ours", "verb1": ""}),
        ("destination_london", {"do": "deal", "seat": "0"}),
        ("destination_london", {"do": "deal", "seat": "0", "card": ""}),
    ],
)
def test_a_card_of_a_paper_deck_is_never_made_up(tmp_path: Path, game: str, form: dict[str, str]) -> None:
    async def play() -> None:
        async with WebTable(tmp_path) as web:
            table = await web.evening(game=game, cards="paper", dice="typed")
            bank, before = await web.bank(htmx=True), table.seq
            answer = await bank.post("/tablet/act", data={**form, "command_id": "no-such-card"})
            assert answer.status_code == 422, said(answer)
            assert "say which it is" in said(answer)
            assert table.seq == before

    asyncio.run(play())
