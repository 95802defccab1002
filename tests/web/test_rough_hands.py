"""What clumsy, curious and rude visitors send gets a sentence, changes nothing that it should not, and never breaks a
page."""

from __future__ import annotations

import asyncio
from pathlib import Path

import httpx
import pytest
from web_table import WebTable, form_fields

from companion.errors import SetupError
from companion.tables.setup import EveningSetup, SeatSetup
from companion.web.app import doorkeeper_of
from companion.web.doorkeeper import Doorkeeper, Role
from companion.web.guards import MAX_BODY
from companion.web.rendering import LANGUAGE_COOKIE
from companion.web.texts import texts

NO_NUMBERS = ["²", "٣", "--5", "-", "1e9", "0x1", "1_0", "½", "9" * 5000, "-" * 50, "NaN"]
BROKEN = "Something went wrong inside"


@pytest.mark.parametrize("number", NO_NUMBERS)
def test_no_number_breaks_a_page(tmp_path: Path, number: str) -> None:
    async def play() -> None:
        async with WebTable(tmp_path) as web:
            table = await web.evening(cards="paper")
            bank, seq = await web.bank(htmx=True), table.seq
            named = {"command_id": "long-enough", "seat": "1", "why": "for the test"}
            answers = [
                await bank.get("/tablet/sheet/seat", params={"seat": number}),
                await bank.get("/tablet/sheet/correct", params={"seat": number}),
                await bank.post("/tags/learn", data={"seat": number}),
                await bank.post("/tablet/rename", data={"seat": number, "name": "Zoe"}),
                await bank.post("/tablet/correct", data={**named, "cash": number}),
                await bank.post("/tablet/correct", data={**named, "seat": number, "cash": "500"}),
                await bank.post("/tablet/undo", data={**named, "expected_seq": number}),
                await bank.post(
                    "/tablet/act",
                    data={**named, "do": "draw_card", "deck": "journey", "verb1": "pay_bank", "amount1": number},
                ),
            ]
            for answer in answers:
                assert answer.status_code < 500, (answer.request.url, answer.text)
                assert BROKEN not in answer.text
            assert table.seq == seq
            assert table.learning is None
            assert [seat["name"] for seat in table.setup["seats"]] == ["Ann", "Bo", "Carla", "Dev"]

    asyncio.run(play())


def test_a_page_of_another_evening_is_old(tmp_path: Path) -> None:
    async def play() -> None:
        async with WebTable(tmp_path) as web:
            await web.evening(dice="digital")
            bank = await web.bank()
            form = form_fields((await bank.get("/tablet")).text, containing='value="roll"')
            assert form["do"] == "roll"
            second = await web.evening(dice="digital")
            seq = second.seq
            answer = await bank.post("/tablet/act", data=form)
            assert answer.status_code == 409
            assert str(texts()("refusal.stale")) in answer.text
            assert second.seq == seq
            undo = {"command_id": "undo-of-old-page", "consent": "yes", "expected_seq": form["expected_seq"]}
            assert (await bank.post("/tablet/undo", data=undo)).status_code == 409
            form = form_fields((await bank.get("/tablet")).text, containing='value="roll"')
            assert (await bank.post("/tablet/act", data=form)).status_code == 303

    asyncio.run(play())


@pytest.mark.parametrize("path", ["/tablet/stream", "/ready/stream", "/bench/stream", "/wall/stream"])
def test_a_lost_device_hears_nothing_more_on_any_page(tmp_path: Path, path: str) -> None:
    async def play() -> None:
        async with WebTable(tmp_path) as web:
            table = await web.evening()
            tablet = await web.joined(Role.BANK)
            stream = web.stream(tablet, path)
            await stream.quiet()
            doors = doorkeeper_of(web.app)
            for session in doors.sessions():
                doors.revoke(session.session)
            before = len(stream.text)
            await table.rename_seat(1, "Somebody new")
            await stream.until("event: reload")
            assert "Somebody new" not in stream.text[before:]
            await asyncio.wait_for(stream.ended.wait(), 40)

    asyncio.run(play())


@pytest.mark.parametrize(
    "kind",
    [
        "application/json",
        "text/plain",
        "multipart/form-data; boundary=x",
        "multipart/form-data; boundary=x; charset=utf-7",
        "multipart/form-data",
    ],
)
def test_only_forms_are_taken(tmp_path: Path, kind: str) -> None:
    async def play() -> None:
        async with WebTable(tmp_path) as web:
            await web.evening()
            bank = await web.bank()
            body = b'--x\r\nContent-Disposition: form-data; name="title"\r\n\r\n+2AA-x\r\n--x--\r\n'
            for path in ("/tablet/act", "/evenings", "/join", "/theme", "/bench/act"):
                answer = await bank.post(path, content=body, headers={"content-type": kind})
                assert answer.status_code == 415
                assert "nothing was done" in answer.text
            assert len(await web.application.tables.list_evenings()) == 1

    asyncio.run(play())


def test_a_body_without_a_length_has_an_end_too(tmp_path: Path) -> None:
    async def pieces():  # type: ignore[no-untyped-def]
        for _ in range(MAX_BODY // 1000):
            yield b"a=1&" * 500

    async def play() -> None:
        async with WebTable(tmp_path) as web:
            table = await web.evening()
            bank, seq = await web.bank(), table.seq
            for path in ("/tablet/act", "/evenings", "/join", "/theme"):
                answer = await bank.post(
                    path, content=pieces(), headers={"content-type": "application/x-www-form-urlencoded"}
                )
                assert answer.status_code in (400, 413)
                assert "nothing was done" in answer.text
            assert table.seq == seq

    asyncio.run(play())


def test_a_language_that_there_is_none_for_costs_no_room(tmp_path: Path) -> None:
    async def play() -> None:
        async with WebTable(tmp_path) as web:
            await web.evening()
            client = web.client()
            await client.get("/join")
            known = texts.cache_info().currsize
            for number in range(50):
                answer = await client.get("/join", headers={"cookie": f"{LANGUAGE_COOKIE}=../{number}"})
                assert answer.status_code == 200
            assert texts.cache_info().currsize == known

    asyncio.run(play())


@pytest.mark.parametrize("path", ["//elsewhere", "/\\elsewhere", "https://elsewhere", "///x", "/wall//x", ""])
def test_nobody_is_led_to_another_machine(tmp_path: Path, path: str) -> None:
    async def play() -> None:
        async with WebTable(tmp_path) as web:
            bank = await web.bank()
            look = await bank.post("/theme", data={"look": "night", "back": path})
            start = await bank.get("/start/used", params={"to": path})
            for answer in (look, start):
                assert (answer.status_code, answer.headers["location"]) == (303, "/")
            assert (await bank.post("/theme", data={"look": "night", "back": "/wall"})).headers["location"] == "/wall"

    asyncio.run(play())


def test_a_fault_of_ours_is_a_page_and_the_next_one_works(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def play() -> None:
        async with WebTable(tmp_path) as web:
            bank = await web.bank()

            async def fails() -> None:
                raise RuntimeError("a fault")

            with monkeypatch.context() as patched:
                patched.setattr(web.application.tables, "list_evenings", fails)
                answer: httpx.Response = await bank.get("/")
            assert answer.status_code == 500
            assert BROKEN in answer.text
            assert "RuntimeError" not in answer.text
            assert (await bank.get("/")).status_code == 200

    asyncio.run(play())


@pytest.mark.parametrize("name", ["\x00", "\u202e\u2066", "\u200d", "\ud800", " \t\n ", "\ufeff"])
def test_a_name_that_nobody_can_see_is_none(tmp_path: Path, name: str) -> None:
    async def play() -> None:
        async with WebTable(tmp_path) as web:
            table = await web.evening()
            bank = await web.bank(htmx=True)
            if name != "\ud800":  # no form can carry half a character
                assert (await bank.post("/tablet/rename", data={"seat": "1", "name": name})).status_code == 422
                renamed = await bank.post(f"/evenings/{table.table_id}/rename", data={"title": name})
                assert renamed.status_code in (409, 422)
            assert table.title == "An evening of TAXI!"
            seats = [SeatSetup(name, "red"), SeatSetup("Bo", "blue")]
            with pytest.raises(SetupError, match="needs a name"):
                await web.application.tables.create_evening(EveningSetup(seats=seats))

    asyncio.run(play())


def test_names_turn_no_text_round_and_stay_text(tmp_path: Path) -> None:
    async def play() -> None:
        async with WebTable(tmp_path) as web:
            table = await web.evening()
            bank = await web.bank()
            for seat, name in ((1, "\u202egna"), (2, "<b>{{ 7*7 }}"), (3, "Zoe\u0308 \U0001f468\u200d\U0001f469")):
                assert (await bank.post("/tablet/rename", data={"seat": str(seat), "name": name})).status_code == 303
            names = [seat["name"] for seat in table.setup["seats"]]
            assert names[:3] == ["gna", "<b>{{ 7*7 }}", "Zo\u00eb \U0001f468\u200d\U0001f469"]
            await web.application.tables.rename(table.table_id, '</title><script>alert("x")</script>')
            for page in ("/", "/tablet", "/wall", "/ready", "/bench", "/tablet/sheet/seat?seat=2", "/tablet/sheet/log"):
                text = (await bank.get(page)).text
                assert "<script>alert" not in text
                assert "<b>{{" not in text
                assert "\u202e" not in text

    asyncio.run(play())


@pytest.mark.parametrize("text", ["[" * 200_000, "\ufffd{", '{"a": 1}', "[1]", '{"a": {"role": "king"}}', ""])
def test_a_sessions_file_of_any_kind_starts(tmp_path: Path, text: str) -> None:
    store = tmp_path / "sessions.json"
    store.write_text(text, encoding="utf-8")
    doors = Doorkeeper(store)
    assert doors.sessions() == []
    assert doors.visitor(doors.claim_start(doors.start_token())).role is Role.BANK


def test_a_folder_that_cannot_be_written_keeps_nobody_out(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder")
    for store in (tmp_path / "file" / "sessions.json", tmp_path / "taken"):
        if store.name == "taken":
            store.mkdir()
        doors = Doorkeeper(store)
        cookie = doors.claim_start(doors.start_token())
        assert doors.visitor(cookie).role is Role.BANK
        assert doors.revoke(doors.visitor(cookie).session)
        assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".sessions")] == []
