"""Destination London's hands stay in them: whoever cannot know a card is sent the same bytes whatever it is.

The same evening is played with other cards in some hands and in the pile; everybody else's pages, sheets and streams
must not differ by a byte: while somebody drives, at a landing (L-014, LQ-78), while the landing may be claimed, at the
lights with a card that moves one, and when a card is picked up.
"""

import asyncio
import random
import re
from pathlib import Path
from typing import Any, NamedTuple

import page_bytes
import pytest
from web_table import WebTable

from companion.web.doorkeeper import Role
from shared_rules import library
from shared_rules.engine import game
from shared_rules.games.destination_london import movement

GAME = "destination_london"
BOARD: Any = library.board("thames")
SHEETS_OF_BANK = ("log", "stock", "correct", "more", "bots", "seat?seat=1", "seat?seat=2", "deal?seat=1")
MOVE_CARD = "move_1"


def plain(text: str) -> str:
    """Without what is random: as for TAXI!, and the numbers of sessions."""
    return re.sub(r'name="session" value="[0-9a-f]+', "session", page_bytes.plain(text))


def difference(one: str, two: str) -> str:
    """Where two texts part, with what stands round it."""
    at = next((i for i, (a, b) in enumerate(zip(one, two, strict=False)) if a != b), min(len(one), len(two)))
    return f"…{one[max(0, at - 150) : at + 100]}… is not …{two[max(0, at - 150) : at + 100]}…"


def square_of(card: str) -> str:
    return str(BOARD["attractions"][BOARD["cards"][card]["attraction"]]["square"])


def name_of(card: str) -> str:
    return str(BOARD["attractions"][BOARD["cards"][card]["attraction"]]["name"])


def a_position(start: str, hands: dict[int, list[str]]) -> dict[str, Any]:
    """Seat 1 is about to throw at `start`; everybody holds these cards."""
    colours = dict(zip((1, 2, 3, 4), ("red", "yellow", "blue", "green"), strict=True))
    players = [
        {"seat": seat, "colour": colours[seat], "hand": hand, "at": start if seat == 1 else BOARD["base"]}
        for seat, hand in hands.items()
    ]
    return {"game": GAME, "board": "thames", "players": players, "phase": "before_roll", "turn": 1}


class Drive(NamedTuple):
    """A drive that passes an attraction and ends at lights with another."""

    start: str
    squares: int
    passed: str
    end: str


def a_drive() -> Drive:
    sights = {square_of(card) for card in BOARD["cards"]}
    bare = set(BOARD["squares"]) - sights - set(BOARD["lights"]) - set(BOARD["garages"]) - {BOARD["base"]}
    some = {seat: sorted(BOARD["cards"])[3 * seat : 3 * seat + 3] for seat in (1, 2, 3, 4)}
    for start in sorted(bare):
        state = game.load_position(a_position(start, some))
        for squares in range(2, 7):
            ends, with_card = movement.public_ends(state, 1, squares)
            for end in ends:
                if end in sights and end in BOARD["lights"] and with_card:
                    return Drive(start, squares, with_card[0], end)
    raise AssertionError("the board has no such drive")


DRIVE = a_drive()
PASSED = [card for card in sorted(BOARD["cards"]) if square_of(card) == DRIVE.passed]
HERE = [card for card in sorted(BOARD["cards"]) if square_of(card) == DRIVE.end]
ELSEWHERE = [card for card in sorted(BOARD["cards"]) if card not in PASSED and card not in HERE]
HANDS = {1: [ELSEWHERE[0], *ELSEWHERE[1:3]], 2: ELSEWHERE[3:6], 3: ELSEWHERE[6:9], 4: ELSEWHERE[9:12]}
# Seat 1 always keeps the first card of its hand, since it is shown at the end.
OTHER_HANDS = [
    {1: [ELSEWHERE[0], PASSED[0], HERE[0]]},
    {2: [HERE[0], *ELSEWHERE[20:22]], 3: [ELSEWHERE[22], PASSED[0], ELSEWHERE[3]]},
    {1: [ELSEWHERE[0], *ELSEWHERE[30:32]], 2: ELSEWHERE[25:28], 3: [HERE[0], *ELSEWHERE[28:30]]},
]


async def evening(folder: Path, hands: dict[int, list[str]]) -> dict[str, list[tuple[str, str]]]:
    """What each looker-on was sent: (moment, text) in order."""
    async with WebTable(folder, chance=random.Random(5)) as web:
        table = await web.evening(game=GAME, board="thames", dice="digital", position=a_position(DRIVE.start, hands))
        looks: dict[str, tuple[Any, tuple[str, ...]]] = {
            f"seat {seat}": (await web.joined(Role.SEAT, seat), ("/seat", "/seat/sheet/log", "/seat/sheet/more"))
            for seat in (1, 2, 3, 4)
        }
        looks["wall"] = (await web.joined(Role.SPECTATOR), ("/wall", "/record"))
        bank_pages = ("/tablet", "/bench", "/record", *(f"/tablet/sheet/{sheet}" for sheet in SHEETS_OF_BANK))
        looks["bank"] = (await web.bank(), bank_pages)
        streams = {name: web.stream(client, f"{pages[0]}/stream") for name, (client, pages) in looks.items()}
        said: dict[str, list[tuple[str, str]]] = {name: [] for name in looks}

        async def look(moment: str) -> None:
            assert table.view("bank")["phase"] == moment.split(",")[0], table.view("bank")["phase"]
            for stream in streams.values():
                await stream.until(f"id: {table.seq}\r\n")
                await stream.quiet()
            for name, (client, pages) in looks.items():
                for page in pages:
                    answer = await client.get(page, headers={"hx-request": "true"} if "sheet" in page else {})
                    said[name].append((f"{moment}: {page}", plain(answer.text)))

        async def do(**command: Any) -> None:
            receipt = await table.submit(command, command_id=f"c{table.seq}-{command['do']}", actor="bank")
            assert receipt.accepted, receipt.refusal

        await look("before_roll")
        await do(do="roll", seat=1, faces=[DRIVE.squares])
        await look("moving")
        await do(do="move", seat=1, to=DRIVE.end)
        await look("own_fare")
        await do(do="keep_quiet", seat=1)
        await look("claims, seat 2 is asked")
        await do(do="pass", seat=2)
        await look("claims, seat 3 is asked")
        await do(do="pass", seat=3)
        await look("claims, seat 4 is asked")
        await do(do="pass", seat=4)
        await look("lights")
        await do(do="draw_light", seat=1, card=MOVE_CARD)
        await look("lights, with a card that moves")
        await do(do="choose_destination", seat=1, card=HANDS[1][0])
        await look("claims, elsewhere, with a new card in hand")
        for name, stream in streams.items():
            said[name].append(("stream", plain(stream.text)))
        return said


@pytest.fixture(scope="module")
def usual(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[tuple[str, str]]]:
    return asyncio.run(evening(tmp_path_factory.mktemp("usual"), HANDS))


@pytest.mark.parametrize("changed", OTHER_HANDS, ids=["the lander's", "two opponents'", "three seats'"])
def test_the_same_bytes_whatever_others_hold(
    tmp_path: Path, usual: dict[str, list[tuple[str, str]]], changed: dict[int, list[str]]
) -> None:
    other = asyncio.run(evening(tmp_path, {**HANDS, **changed}))
    told = {name for name in usual if name not in {f"seat {seat}" for seat in changed}}
    assert {"wall", "bank", "seat 4"} <= told
    for name in sorted(told):
        for (moment, one), (_, two) in zip(usual[name], other[name], strict=True):
            if one != two:
                pytest.fail(f"{name} can tell the hands apart, {moment}: {difference(one, two)}", pytrace=False)
    for seat in changed:
        assert usual[f"seat {seat}"] != other[f"seat {seat}"], "a seat sees its own hand"


def test_no_hidden_card_is_named_to_the_bank_or_the_wall(usual: dict[str, list[tuple[str, str]]]) -> None:
    hidden = [card for hand in HANDS.values() for card in hand if card != HANDS[1][0]]
    for name in ("wall", "bank"):
        for moment, text in usual[name]:
            if "deal?" in moment:
                continue  # The list of all cards, for a deck of paper.
            ids = re.findall(r"\bD\d\d\b", text)
            assert [card for card in ids if card in hidden] == [], f"{name}, {moment}"
    # A name stands on the map and in lists of places; in the log and at the seats it would be somebody's card.
    for moment, text in usual["bank"]:
        parts = re.findall(r'<ol class="seats".*?</ol>', text, re.DOTALL)
        parts += [text] if "sheet/log" in moment or "sheet/seat" in moment else []
        for part in parts:
            told = [name_of(card) for card in hidden if name_of(card) in part]
            assert told == [], moment


async def a_table(web: WebTable) -> Any:
    """Seat 1 has landed, seat 2 is asked first and has the card."""
    position = a_position(DRIVE.start, {**HANDS, **OTHER_HANDS[1]})
    table = await web.evening(game=GAME, board="thames", dice="digital", position=position)
    for command in (
        {"do": "roll", "seat": 1, "faces": [DRIVE.squares]},
        {"do": "move", "seat": 1, "to": DRIVE.end},
        {"do": "keep_quiet", "seat": 1},
    ):
        assert (await table.submit(command, command_id=f"c-{command['do']}", actor="bank")).accepted
    assert table.view("bank")["phase"] == "claims"
    return table


def test_the_tablet_shows_a_hand_only_where_its_seat_has_no_phone(tmp_path: Path) -> None:
    async def play() -> None:
        async with WebTable(tmp_path) as web:
            await a_table(web)
            bank, phone, wall = await web.bank(), await web.joined(Role.SEAT, 2), await web.joined(Role.SPECTATOR)
            refused = (await bank.get("/tablet/sheet/whisper?seat=2")).text
            assert "on a phone of their own" in refused
            assert not any(name_of(card) in refused for card in OTHER_HANDS[1][2])
            assert "answer_claim" not in refused
            shown = (await bank.get("/tablet/sheet/whisper?seat=3")).text
            assert all(name_of(card).split("’")[0] in shown for card in OTHER_HANDS[1][3])
            for client, path in ((phone, "/seat/sheet/whisper"), (wall, "/wall/sheet/whisper")):
                for query in ("", "?seat=3"):
                    answer = await client.get(path + query)
                    assert answer.status_code in (403, 404), (path, answer.status_code)
                    assert not any(name_of(card) in answer.text for card in OTHER_HANDS[1][3])
            for client in (phone, wall):
                assert (await client.get("/tablet/sheet/whisper?seat=3")).status_code == 403

    asyncio.run(play())


def test_nobody_looks_into_a_bots_hand_while_it_plays(tmp_path: Path) -> None:
    async def play() -> None:
        async with WebTable(tmp_path, bot_pause=600) as web:
            table = await a_table(web)
            bank = await web.bank()
            assert (await table.set_bot(3, "strong", command_id="hand-over", actor="bank")).accepted
            bots = (await bank.get("/tablet/sheet/whisper?seat=3")).text
            assert "a bot plays" in bots
            assert not any(name_of(card).split("’")[0] in bots for card in OTHER_HANDS[1][3])
            assert "answer_claim" not in bots
            # After an undo people may play for bots; and of course once the seat is theirs again.
            assert (await table.undo("bank", consent=True, command_id="taken-back")).accepted
            assert table.bots_hold
            held = (await bank.get("/tablet/sheet/whisper?seat=3")).text
            assert (await table.let_bots_go_on(command_id="go-on", actor="bank")).accepted
            assert "a bot plays" in (await bank.get("/tablet/sheet/whisper?seat=3")).text
            assert (await table.set_bot(3, "", command_id="hand-back", actor="bank")).accepted
            for shown in (held, (await bank.get("/tablet/sheet/whisper?seat=3")).text):
                assert all(name_of(card).split("’")[0] in shown for card in OTHER_HANDS[1][3])

    asyncio.run(play())


def own(command_id: str) -> dict[str, str]:
    return {"do": "answer_claim", "seat": "3", "command_id": command_id}


@pytest.mark.parametrize(
    "form",
    [
        {"do": "answer_claim", "seat": "2", "cards": HERE[0]},
        {"do": "claim", "seat": "2", "cards": HERE[0]},
        {"do": "answer_claim", "seat": "2"},
        {"do": "pass", "seat": "2"},
        {"do": "close_claims", "seat": "0"},
        {"do": "close_claims", "seat": "3"},
        {"do": "deal", "seat": "0", "card": HERE[0]},
        {"do": "deal", "seat": "3", "card": HERE[0]},
        {"do": "deal", "seat": "0"},
    ],
    ids=lambda form: f"{form['do']} for {form['seat']}",
)
def test_a_phone_answers_for_its_own_seat_alone(tmp_path: Path, form: dict[str, str]) -> None:
    async def play() -> None:
        async with WebTable(tmp_path) as web:
            table = await a_table(web)
            before = table.seq
            phone, wall = await web.joined(Role.SEAT, 3), await web.joined(Role.SPECTATOR)
            sent = {**form, "command_id": "a-command-of-seat-3"}
            assert (await phone.post("/seat/act", data=sent)).status_code == 403
            assert (await phone.post("/tablet/act", data=sent)).status_code == 403
            assert (await wall.post("/seat/act", data=sent)).status_code == 403
            assert table.seq == before
            # What a phone may send is refused by the rules only while it is not yet asked, and taken then.
            assert (await phone.post("/seat/act", data=own("too-early"))).status_code == 422
            assert (await table.submit({"do": "pass", "seat": 2}, command_id="pass-2", actor="seat:2")).accepted
            assert (await phone.post("/seat/act", data=own("in-time"))).status_code == 303

    asyncio.run(play())
