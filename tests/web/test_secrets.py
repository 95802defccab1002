"""What one seat, the wall and the bank are sent through a whole gamble tells nothing of the word and of others' bets.

The strongest way to say it: the same evening with another word and other bets sends them the same bytes, up to the
reveal.
"""

import asyncio
import re
from pathlib import Path

import pytest
from page_bytes import plain
from web_table import WebTable

from companion.web.doorkeeper import Role
from shared_rules import library

WORDS = ("money", "freeway", "taxi")
JOURNEY = library.deck("taxi", "journey")
GAMBLES = {word: next(c["id"] for c in JOURNEY if c["do"] == [["gamble", word]]) for word in WORDS}
TITLES = [
    library.card_text("taxi", "journey", str(card["id"]))["title"]
    for card in library.deck("taxi", "journey")
    if card["do"][0][0] == "gamble"
]


async def evening(folder: Path, word: str, bets: dict[int, str]) -> tuple[dict[str, str], dict[str, str], WebTable]:
    """What each looker-on was sent before the card was turned, and after."""
    async with WebTable(folder) as web:
        table = await web.evening(dice="digital")
        greens = [{"seat": seat, "green": 2} for seat in (1, 2, 3, 4)]
        await table.submit(
            {"do": "correct", "seat": 0, "set": {"players": greens}, "why": "for the test"},
            command_id="greens",
            actor="bank",
        )
        looks = {
            "seat": (await web.joined(Role.SEAT, 2), ("/seat", "/seat/sheet/log", "/seat/sheet/more")),
            "wall": (await web.joined(Role.SPECTATOR), ("/wall",)),
            "bank": (
                await web.bank(),
                ("/tablet", "/tablet/sheet/log", "/tablet/sheet/bet?seat=2", "/tablet/sheet/seat?seat=3", "/bench"),
            ),
        }
        streams = {name: web.stream(client, f"{pages[0]}/stream") for name, (client, pages) in looks.items()}
        said = dict.fromkeys(looks, "")

        async def look() -> None:
            for stream in streams.values():
                await stream.until(f"id: {table.seq}\r\n")
                await stream.quiet()
            for name, (client, pages) in looks.items():
                for page in pages:
                    said[name] += plain(
                        (await client.get(page, headers={"hx-request": "true"} if "sheet" in page else {})).text
                    )

        await look()
        await table.submit(
            {"do": "draw_card", "seat": 1, "deck": "journey", "card": GAMBLES[word]}, command_id="draw", actor="bank"
        )
        await look()
        for seat, bet in bets.items():
            command = (
                {"do": "place_bet", "seat": seat, "word": bet} if bet != "none" else {"do": "pass_bet", "seat": seat}
            )
            receipt = await table.submit(command, command_id=f"bet-{seat}", actor=f"seat:{seat}")
            assert receipt.accepted, receipt.refusal
            await look()
        for name, stream in streams.items():
            said[name] += plain(stream.text)
        before, said = said, dict.fromkeys(looks, "")
        await table.submit({"do": "reveal_card", "seat": 1}, command_id="reveal", actor="seat:1")
        await look()
        return before, said, web


@pytest.mark.parametrize(
    ("word", "bets"),
    [
        ("taxi", {2: "money", 3: "freeway", 4: "taxi"}),
        ("freeway", {2: "money", 3: "none", 4: "money"}),
        ("money", {2: "money", 3: "taxi", 4: "none"}),
    ],
)
def test_the_same_bytes_whatever_the_word_and_the_bets_of_others(
    tmp_path: Path, word: str, bets: dict[int, str]
) -> None:
    plain_evening = {2: "money", 3: "money", 4: "money"}
    first, revealed, _ = asyncio.run(evening(tmp_path / "a", "money", plain_evening))
    second, _, _ = asyncio.run(evening(tmp_path / "b", word, bets))
    for name in first:
        assert first[name] == second[name], f"what the {name} is sent differs"
        for text in (first[name], second[name]):
            assert len(text) > 10_000
            assert not any(title in text for title in TITLES)
            assert not any(str(card) in text for card in GAMBLES.values())
    assert "The word was" in revealed["wall"], "after the reveal everybody sees it"


def test_own_bet_is_seen_by_its_seat_alone(tmp_path: Path) -> None:
    one, _, _ = asyncio.run(evening(tmp_path / "a", "taxi", {2: "money", 3: "money"}))
    two, _, _ = asyncio.run(evening(tmp_path / "b", "taxi", {2: "taxi", 3: "money"}))
    assert one["seat"] != two["seat"]
    assert one["wall"] == two["wall"]
    assert one["bank"] == two["bank"]


def test_the_holder_reads_the_word_on_its_own_phone(tmp_path: Path) -> None:
    async def play() -> None:
        async with WebTable(tmp_path) as web:
            table = await web.evening()
            holder, other = await web.joined(Role.SEAT, 1), await web.joined(Role.SEAT, 2)
            card = {"do": "draw_card", "seat": 1, "deck": "journey", "card": GAMBLES["taxi"]}
            await table.submit(card, command_id="draw", actor="bank")
            assert "Your word: Taxi" in (await holder.get("/seat")).text
            assert "Your word" not in (await other.get("/seat")).text

    asyncio.run(play())


def test_kept_cards_are_their_owners(tmp_path: Path) -> None:
    decks = {name: library.deck("taxi", name) for name in ("journey", "passenger")}
    deck, kept = next((name, c) for name in decks for c in decks[name] if c["do"][0][0] == "keep")
    title = library.card_text("taxi", deck, str(kept["id"]))["title"]

    async def play() -> None:
        async with WebTable(tmp_path) as web:
            table = await web.evening()
            owner, other, bank = await web.joined(Role.SEAT, 1), await web.joined(Role.SEAT, 2), await web.bank()
            card = {"do": "draw_card", "seat": 1, "deck": deck, "card": kept["id"]}
            await table.submit(card, command_id="draw", actor="bank")
            mine = r'<ul class="mine".*?</ul>'
            assert title in re.findall(mine, (await owner.get("/seat")).text, re.DOTALL)[0]
            assert not re.findall(mine, (await other.get("/seat")).text, re.DOTALL)
            # Drawing it was public; that it is kept is told as a number.
            seats = re.findall(r'<ol class="seats".*?</ol>', (await bank.get("/tablet")).text, re.DOTALL)[0]
            assert title not in seats
            assert 'title="card"' in seats

    asyncio.run(play())
