"""The pages in play: hostile names, every question there is, sheets, looks, pairing, records."""

import asyncio
import random
import re
from pathlib import Path
from typing import Any

import httpx
import pytest
from web_table import WebTable

from companion.tables.setup import EveningSetup, SeatSetup
from companion.web.doorkeeper import Role

SHEETS = ("stock", "correct?seat=2", "seat?seat=1", "more", "log", "phones", "card?deck=passenger&seat=1")
HOSTILE = '"><img src=x>'


def test_hostile_names_stay_text(tmp_path: Path) -> None:
    async def look() -> None:
        async with WebTable(tmp_path) as web:
            seats = [SeatSetup(HOSTILE, "red"), SeatSetup("{{7*191}}", "blue")]
            table = await web.application.tables.create_evening(EveningSetup(seats=seats, title=HOSTILE, cards="paper"))
            bank = await web.bank()
            typed = {"title": "<script>alert(1)</script>", "do": [["pay_bank", 100]]}
            card = {"do": "draw_card", "seat": 1, "deck": "journey", "card": typed}
            assert (await table.submit(card, command_id="card", actor="bank")).accepted
            correction = {"do": "correct", "seat": 0, "set": {"players": [{"seat": 1, "cash": 50}]}, "why": HOSTILE}
            assert (await table.submit(correction, command_id="why", actor="bank")).accepted
            phones = [await web.joined(Role.SEAT, 1), await web.joined(Role.SEAT, 2)]
            pages = [await bank.get(path) for path in ("/", "/ready", "/tablet", "/wall", "/bench")]
            pages += [await bank.get(f"/tablet/sheet/{name}") for name in SHEETS]
            pages += [await phone.get("/seat") for phone in phones]
            assert sum("img src=x" in page.text for page in pages) > 6, "it is shown"
            for page in pages:
                assert page.status_code == 200
                assert "<img" not in page.text, page.url
                assert "<script>alert" not in page.text, page.url
                assert "1337" not in page.text, page.url

    asyncio.run(look())


def choices(page: str) -> list[dict[str, str]]:
    """What can be pressed in the tablet's decision: the fields of each form, with a choice made."""
    decision = re.findall(r'<section class="dec".*?</section>', page, re.DOTALL)[0]
    found = []
    for form in re.findall(r"<form\b.*?</form>", decision, re.DOTALL):
        if 'action="/tablet/act"' not in form:
            continue
        fields = dict(re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)"', form))
        if options := re.findall(r'<option value="([^"]+)"', form):
            fields["to"] = random.choice(options[:3] or options)  # noqa: S311 - a player, not a secret
        found.append(fields)
    return found


async def press_something(bank: httpx.AsyncClient, web: WebTable, step: int) -> str:
    """One press of somebody who tries everything; the question that was asked."""
    answer = await bank.get("/tablet")
    page = answer.text
    assert answer.status_code == 200, page
    question = re.findall(r'<h2 class="q">(.*?)</h2>', page)[0]
    can = choices(page)
    view = web.table.view("bank")
    if view["phase"] == "gamble_bets":
        waiting = [s for s in view["waiting_for"] if s]
        word = random.choice(["money", "freeway", "taxi", "none"])  # noqa: S311
        can = [{"do": "bet", "seat": str(s), "word": word, "command_id": f"bet-{step}-{s}"} for s in waiting]
    assert can, f"nothing to press at “{question}”: {view['phase']} {view['waiting_for']} {view['prompts']}"
    answer = await bank.post("/tablet/act", data=random.choice(can))  # noqa: S311
    assert answer.status_code in (200, 422), answer.text
    return question


@pytest.mark.parametrize("seed", [3, 7, 10, 11])
def test_one_person_runs_the_game_from_the_tablet(tmp_path: Path, seed: int) -> None:
    """Dead hardware, one tablet: whatever is pressed, there is always something to press next, and every page can be
    drawn.
    """
    random.seed(seed)

    async def play() -> None:
        async with WebTable(tmp_path, chance=random.Random(seed)) as web:  # noqa: S311
            rules = {
                "card_draw": "mandatory_one",
                "purchase_window": "any_time",
                "voluntary_sale": True,
                "trading": "all",
            }
            await web.evening(options=rules, money="by_hand")
            rich = [
                {"seat": s, "cash": c, "green": 4, "white": 1} for s, c in ((1, 16000), (2, 900), (3, 40000), (4, 120))
            ]
            correction = {"do": "correct", "seat": 0, "set": {"players": rich}, "why": "for variety"}
            assert (await web.table.submit(correction, command_id="rich", actor="bank")).accepted
            bank = await web.bank(htmx=True)
            phones = [await web.joined(Role.SEAT, seat) for seat in (1, 2, 3, 4)]
            asked: set[str] = set()
            for step in range(110):
                if web.table.view("bank")["phase"] == "over":
                    break
                asked.add(re.sub(r"\b(Ann|Bo|Carla|Dev)\b|\$[\d,]+|\d+", "…", await press_something(bank, web, step)))
                if step % 10 == 0:
                    for client, path in ((bank, "/wall"), *((phone, "/seat") for phone in phones)):
                        assert (await client.get(path)).status_code == 200
            assert len(asked) > 5, asked

    asyncio.run(play())


Card = list[list[Any]]


@pytest.mark.parametrize(
    ("card", "seat", "question", "buttons"),
    [
        ([["pay_bank", 500]], {"cash": 100, "plates": 1}, "Ann owes the bank $500 and cannot pay.", ["Sell a taxi"]),
        ([["pay_bank", 500]], {"cash": 100}, "Ann owes the bank $500 and cannot pay.", ["Ann is out"]),
        (
            [["choose", [[["pay_bank", 200]], [["miss_next_turn"]]]]],
            {},
            "Ann’s card asks",
            ["Pay the bank $200", "Miss the next"],
        ),
        ([["throw_d12", 1]], {}, "Ann’s card asks", ["Throw the twelve-sider", "blank"]),
        ([["pay_by_die", 100]], {}, "Ann’s card asks", ["Throw the die"]),
        ([["gamble", None]], {}, "Ann holds a gamble card", ["whispers", "Close the bets"]),
        ([["keep", "waive_fine"]], {}, "Ann throws the die.", ["Throw the die"]),
        ([["no_move_now"]], {}, "Ann throws the twelve-sider.", ["No throw"]),
    ],
)
def test_each_question_has_its_buttons(
    tmp_path: Path, card: Card, seat: dict[str, int], question: str, buttons: list[str]
) -> None:
    async def play() -> None:
        async with WebTable(tmp_path) as web:
            table = await web.evening(cards="paper", dice="typed")
            if seat:
                correction = {"do": "correct", "seat": 0, "set": {"players": [{"seat": 1, **seat}]}, "why": "so"}
                assert (await table.submit(correction, command_id="correction", actor="bank")).accepted
            drawn = {"do": "draw_card", "seat": 1, "deck": "journey", "card": {"title": "Ours", "do": card}}
            assert (await table.submit(drawn, command_id="drawn", actor="bank")).accepted
            page = (await (await web.bank()).get("/tablet")).text
            decision = re.findall(r'<section class="dec".*?</section>', page, re.DOTALL)[0]
            assert question in decision
            for button in buttons:
                assert button in decision
            own = (await (await web.joined(Role.SEAT, 1)).get("/seat")).text
            assert 'class="do"' in own

    asyncio.run(play())


def test_a_kept_card_is_offered_when_it_fits(tmp_path: Path) -> None:
    async def play() -> None:
        async with WebTable(tmp_path) as web:
            table = await web.evening(cards="paper")
            kept = [{"deck": "journey", "card": None, "title": "A friend", "keep": "waive_fine"}]
            correction = {"do": "correct", "seat": 0, "set": {"players": [{"seat": 1, "kept": kept}]}, "why": "so"}
            assert (await table.submit(correction, command_id="correction", actor="bank")).accepted
            fine = {"title": "Too fast", "fine": True, "do": [["pay_bank", 250]]}
            drawn = {"do": "draw_card", "seat": 1, "deck": "journey", "card": fine}
            assert (await table.submit(drawn, command_id="drawn", actor="bank")).accepted
            own = (await (await web.joined(Role.SEAT, 1)).get("/seat")).text
            assert "Play “A friend”" in own
            assert "Tears up one traffic fine" in own
            bank = (await (await web.bank()).get("/tablet")).text
            assert "Play kept card 1" in bank
            assert "A friend" not in re.findall(r'<section class="dec".*?</section>', bank, re.DOTALL)[0]

    asyncio.run(play())


def test_who_may_set_a_barrier_does_not_take_the_turn(tmp_path: Path) -> None:
    async def play() -> None:
        async with WebTable(tmp_path) as web:
            table = await web.evening()
            changes = {"players": [{"seat": 1, "barriers": 1}], "turn": 2}
            correction = {"do": "correct", "seat": 0, "set": changes, "why": "so"}
            assert (await table.submit(correction, command_id="correction", actor="bank")).accepted
            bank = await web.bank(htmx=True)
            assert "Bo: Journey card" in (await bank.get("/tablet")).text
            phone = (await (await web.joined(Role.SEAT, 1)).get("/seat")).text
            assert "Bo draws a card, or throws." in phone
            assert "Barrier against Bo" in phone
            sheet = (await bank.get("/tablet/sheet/barrier?seat=1")).text
            spot = re.findall(r'<option value="([^"]+)"', sheet)[5]
            fields = {"command_id": "barrier-1", "do": "place_barrier", "seat": "1", "on": spot}
            assert (await bank.post("/tablet/act", data=fields)).status_code == 200
            assert table.view("bank")["placed_barriers"] == [{"on": spot, "by": 1, "against": 2}]

    asyncio.run(play())


@pytest.mark.parametrize("path", ["//evil.example/", "https://evil.example", "/\\evil.example", "/tablet?x=1"])
def test_looks_lead_back_to_our_own_pages_only(tmp_path: Path, path: str) -> None:
    async def look() -> None:
        async with WebTable(tmp_path) as web:
            answer = await web.client().post("/theme", data={"look": "night", "back": path})
            assert (answer.status_code, answer.headers["location"]) == (303, "/")
            odd = await web.client().post("/theme", data={"look": "purple"})
            assert odd.status_code == 422
            page = await web.client().get("/join", headers={"cookie": "look=night; hand=left"})
            assert 'data-theme="night" data-hand="left">' in page.text
            assert "system_look.js" not in page.text
            back = await web.client().post("/theme", data={"look": "system"})
            assert back.headers["set-cookie"].startswith('look=""; expires=')
            assert "system_look.js" in (await web.client().get("/join", headers={"cookie": "look=purple"})).text

    asyncio.run(look())


def test_codes_are_drawn_once_phones_are_asked_for(tmp_path: Path) -> None:
    class Phones:
        available = True
        url: str | None = None

        async def open(self) -> str:
            self.url = "http://192.0.2.7:8000"
            return self.url

        async def close(self) -> None:
            self.url = None

        async def stop(self) -> None:
            self.url = None

    async def look() -> None:
        async with WebTable(tmp_path) as web:
            await web.evening()
            web.application.phones = Phones()
            bank = await web.bank()
            assert "<svg" not in (await bank.get("/pairing")).text
            assert (await bank.post("/phones/open")).status_code == 303
            page = (await bank.get("/ready")).text
            assert page.count('class="qr"') == 6, "four seats, a screen, a tablet"
            short = re.findall(r'<p class="short">.*?([A-Z0-9]{4} [A-Z0-9]{4})</p>', page)
            assert len(set(short)) == 6
            confirm = await web.client().get("/join", params={"code": short[0].lower()})
            assert "Play as Ann?" in confirm.text
            await bank.post("/phones/close")
            assert "qr" not in (await bank.get("/pairing")).text

    asyncio.run(look())


def test_the_record_is_kept_back_until_the_end(tmp_path: Path) -> None:
    async def play() -> None:
        async with WebTable(tmp_path) as web:
            await web.evening()
            bank = await web.bank()
            assert (await bank.get("/record")).status_code == 409
            for seat in (1, 2, 3):
                receipt = await web.table.submit(
                    {"do": "resign", "seat": seat}, command_id=f"leaves-{seat}", actor="bank"
                )
                assert receipt.accepted
            answer = await bank.get("/record")
            assert answer.status_code == 200
            assert answer.json()["table"] == web.table.table_id
            for path in ("/tablet", "/wall"):
                assert "Dev" in (await bank.get(path)).text

    asyncio.run(play())


def test_a_broken_page_says_so_without_a_traceback(tmp_path: Path) -> None:
    async def look() -> None:
        async with WebTable(tmp_path) as web:
            await web.evening()
            bank = await web.bank()

            def broken(*args: Any) -> Any:
                raise RuntimeError("a secret detail")

            web.table.log = broken  # type: ignore[method-assign]
            transport = httpx.ASGITransport(app=web.app, raise_app_exceptions=False)
            async with httpx.AsyncClient(transport=transport, base_url=bank.base_url, cookies=bank.cookies) as client:
                answer = await client.get("/tablet")
            assert answer.status_code == 500
            assert "The meter has jammed" in answer.text
            assert "secret detail" not in answer.text

    asyncio.run(look())
