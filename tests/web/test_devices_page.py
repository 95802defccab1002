"""The devices page says how each device is and what can be asked of it; only the banker gets it."""

import asyncio
import re
from pathlib import Path
from typing import Any

from web_table import WebTable

from companion.devices.device_state import DeviceState, SocketState
from companion.devices.known_device import KnownDevice
from companion.web.doorkeeper import Role

BOARD = "f0cab07ab1e0"
DIE = "d1e0000000aa"


def sockets() -> list[SocketState]:
    states = {5: "several", 9: "mute"}
    return [
        SocketState(n, "none" if n == 31 else "mfrc522", 0x92, states.get(n, "ok"), 1000, 20 if n == 3 else 0, 0, 0)
        for n in range(32)
    ]


def with_devices(web: WebTable) -> None:
    hub = web.application.devices
    board = DeviceState(BOARD, "table", "The board", 0, "cable", "connected", firmware="0.2.0", uptime=8000)
    board.sockets, board.socket_count, board.sweep, board.die_faces = sockets(), 32, 412, 12
    die = DeviceState(DIE, "handheld_die", "Ann's <die>", None, "", "asleep", battery=14, millivolts=3540)
    die.battery_level = "low"
    for state in (board, die):
        hub.known[state.id] = KnownDevice(state)
    hub.known[BOARD].crosstalk = "3 and 4"


def text_of(html: str) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", html))


def card(html: str, device_id: str) -> str:
    found = re.search(rf'<li class="dev [^"]*" id="dev-{device_id}">.*?</details></li>', html, re.S)
    assert found is not None
    return found.group(0)


def test_what_each_device_is_and_how_it_is(tmp_path: Path) -> None:
    async def work() -> str:
        async with WebTable(tmp_path) as web:
            with_devices(web)
            bank = await web.bank()
            return (await bank.get("/devices")).text

    html = asyncio.run(work())
    board, die = card(html, BOARD), card(html, DIE)
    words = text_of(board)
    assert "Table controller" in words
    assert "connected by cable" in words
    assert "2 h 13 min" in words
    assert "412 ms" in words
    assert "Readers 0–31: 29 of 31 well" in words
    assert board.count('<li class="ok"') == 29
    assert re.search(r'<li class="several" title="Reader 5: several', board)
    assert re.search(r'<li class="mute" title="Reader 9: silent', board)
    assert re.search(r'<li class="none" title="Reader 31: no reader', board)
    assert "2.0 % disturbed" in board
    assert "Sockets 3 and 4 of The board read the same tag" in words
    words = text_of(die)
    assert "asleep" in words
    assert "14 % · 3.54 V" in words
    assert "battery of Ann&#39;s &lt;die&gt; is low (14 %)" in die
    assert "<die>" not in die
    assert 'value="identify"' in board
    assert 'value="identify"' not in die  # nothing can be asked of one that sleeps


def test_what_is_done_and_what_is_refused(tmp_path: Path) -> None:
    async def work() -> None:
        async with WebTable(tmp_path) as web:
            with_devices(web)
            bank = await web.bank()

            async def ask(**fields: Any) -> Any:
                return await bank.post("/devices/act", data=fields, headers={"hx-request": "true"})

            hub = web.application.devices
            assert (await ask(id=DIE, do="rename", name="Red die")).status_code == 200
            assert hub.known[DIE].state.name == "Red die"
            for name in ("", "x" * 41, "a\x00b"):
                refused = await ask(id=DIE, do="rename", name=name)
                assert refused.status_code == 409
                assert "A name has 1 to 40 letters" in refused.text
            assert (await ask(id=BOARD, do="number", number="1")).status_code == 200
            assert hub.known[BOARD].state.number == 1
            assert (await ask(id=DIE, do="number", number="1")).status_code == 409
            for fields in ({"do": "explode"}, {"do": "number", "number": "x"}, {"do": "understood", "kind": "all"}, {}):
                assert (await ask(id=BOARD, **fields)).status_code == 422
            assert (await ask(id="nobody", do="identify")).status_code == 409
            asleep = await ask(id=DIE, do="calibrate", action="start")
            assert asleep.status_code == 409
            assert "Red die" in asleep.text
            assert (await ask(id=BOARD, do="understood", kind="crosstalk")).status_code == 200
            assert not hub.known[BOARD].crosstalk
            assert "Tick the box" in (await ask(id=DIE, do="forget")).text
            assert not hub.known[DIE].forgotten
            assert (await ask(id=DIE, do="forget", sure="yes")).status_code == 200
            html = (await bank.get("/devices")).text
            assert f'id="dev-{DIE}"' not in html
            assert "Devices that are left alone" in html
            assert (await ask(id=DIE, do="remember")).status_code == 200
            assert f'id="dev-{DIE}"' in (await bank.get("/devices")).text
            log = await bank.get(f"/devices/{DIE}/log", headers={"hx-request": "true"})
            assert log.status_code == 409

    asyncio.run(work())


def test_the_tablet_says_quietly_what_a_device_needs(tmp_path: Path) -> None:
    async def work() -> None:
        async with WebTable(tmp_path) as web:
            await web.evening()
            bank = await web.bank()
            stream = web.stream(bank, "/tablet/stream")
            assert "gear-note" not in (await bank.get("/tablet")).text
            with_devices(web)
            web.application.touch()
            await stream.until("is low (14 %). Charge it after this evening.")
            seat = await web.joined(Role.SEAT, 1)
            assert "gear-note" not in (await seat.get("/seat")).text

    asyncio.run(work())


def test_without_any_device_it_says_what_to_do(tmp_path: Path) -> None:
    async def work() -> str:
        async with WebTable(tmp_path) as web:
            bank = await web.bank()
            return (await bank.get("/devices")).text

    words = text_of(asyncio.run(work()))
    assert "No device yet" in words
    assert "started without a table" in words


def test_the_stream_tells_of_changes(tmp_path: Path) -> None:
    async def work() -> None:
        async with WebTable(tmp_path) as web:
            with_devices(web)
            bank = await web.bank()
            stream = web.stream(bank, "/devices/stream")
            await stream.until("The board")
            web.application.devices.known[BOARD].state.state = "lost"
            web.application.devices.known[BOARD].state.error = "It went away."
            web.application.touch()
            await stream.until("It went away.")

    asyncio.run(work())


def test_readers_that_were_not_heard_yet_are_said_to_be_looked_at(tmp_path: Path) -> None:
    async def work() -> list[str]:
        async with WebTable(tmp_path) as web:
            with_devices(web)
            bank = await web.bank()
            state = web.application.devices.known[BOARD].state
            told = sockets()
            pages = []
            for heard, way in ((32, "connected"), (31, "connected"), (0, "connected"), (0, "lost")):
                state.sockets, state.state = told[:heard], way  # type: ignore[assignment]
                pages.append(text_of(card((await bank.get("/devices")).text, BOARD)))
            return pages

    whole, one_left, none_yet, away = asyncio.run(work())
    assert "still looked at" not in whole
    assert "One reader is still looked at." in one_left
    assert "Readers 0–31:" in one_left
    assert "32 readers are still looked at." in none_yet
    assert "Readers" not in none_yet
    assert "still looked at" not in away


def test_a_small_controller_has_the_readers_that_it_has(tmp_path: Path) -> None:
    async def work() -> str:
        async with WebTable(tmp_path) as web:
            with_devices(web)
            state = web.application.devices.known[BOARD].state
            state.number, state.socket_count = 1, 16
            state.sockets = [SocketState(32 + n, "mfrc522", 0x92, "ok", 10, 0, 0, 0) for n in range(16)]
            return text_of(card((await (await web.bank()).get("/devices")).text, BOARD))

    assert "Readers 32–47: 16 of 16 well" in asyncio.run(work())


def test_there_is_a_number_for_each_controller(tmp_path: Path) -> None:
    async def work() -> tuple[list[list[str]], list[int], list[int | None]]:
        async with WebTable(tmp_path) as web:
            with_devices(web)
            bank = await web.bank()
            hub = web.application.devices
            offered = []
            for n in range(3):
                html = card((await bank.get("/devices")).text, BOARD)
                offered.append(re.findall(r'name="number" value="(\d)"', html))
                more = DeviceState(f"0000000000{n:02x}", "table", f"Board {n}", n + 1, "air", "connected")
                hub.known[more.id] = KnownDevice(more)
            status = []
            for number in ("2", "7", "8", "x"):
                answer = await bank.post("/devices/act", data={"id": BOARD, "do": "number", "number": number})
                status.append(answer.status_code)
            return offered, status, [hub.known[BOARD].state.number]

    offered, status, number = asyncio.run(work())
    assert offered == [["0", "1"], ["0", "1"], ["0", "1", "2"]]
    assert [code < 400 for code in status] == [True, True, False, False]
    assert number == [7]


def test_a_battery_that_was_remembered_has_no_voltage(tmp_path: Path) -> None:
    async def work() -> str:
        async with WebTable(tmp_path) as web:
            with_devices(web)
            web.application.devices.known[DIE].state.millivolts = 0
            return text_of(card((await (await web.bank()).get("/devices")).text, DIE))

    words = asyncio.run(work())
    assert "14 %" in words
    assert " V " not in words


def test_calibrating_is_stopped_only_while_it_goes_on(tmp_path: Path) -> None:
    async def work() -> list[list[str]]:
        async with WebTable(tmp_path) as web:
            with_devices(web)
            known = web.application.devices.known[DIE]
            known.state.state, known.state.paired = "connected", True
            bank, offered = await web.bank(), []
            for calibrating in (False, True):
                known.calibrating = calibrating
                html = card((await bank.get("/devices")).text, DIE)
                offered.append(re.findall(r'name="action" value="(\w+)"', html))
            known.state.state = "lost"
            offered.append(re.findall(r'name="action"', card((await bank.get("/devices")).text, DIE)))
            return offered

    assert asyncio.run(work()) == [["start"], ["stop"], []]


def test_marks_are_explained_where_they_are_and_what_is_away_shows_nothing_well(tmp_path: Path) -> None:
    async def work() -> list[str]:
        async with WebTable(tmp_path) as web:
            with_devices(web)
            bank, state = await web.bank(), web.application.devices.known[BOARD].state
            odd = card((await bank.get("/devices")).text, BOARD)
            state.sockets = [SocketState(n, "mfrc522", 0x92, "ok", 10, 0, 0, 0) for n in range(32)]
            well = card((await bank.get("/devices")).text, BOARD)
            state.state = "lost"
            return [odd, well, card((await bank.get("/devices")).text, BOARD)]

    odd, well, away = asyncio.run(work())
    assert re.findall(r'class="legend">(.*?)</p>', odd)[0].count("<span") == 3
    assert "legend" not in well
    assert '<ol class="socks" ' in well
    assert '<ol class="socks away" ' in away
    assert "Readers 0–31, as it last told" in away
    assert "32 of 32 well" not in away
