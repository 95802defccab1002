"""The bench writes down what hands do and devices say, as a fault script that is read back whole."""

import asyncio
from pathlib import Path
from typing import Any

from web_table import WebTable

from companion.devices.facts import Origin, TagAppeared
from companion.fault_scripts import script
from companion.virtual_table import motion
from companion.virtual_table.motion import scenes
from companion.web.pages.bench_hands import HANDLINGS, THROWS
from companion.web.texts import texts


class Hands:
    """Stands in for the virtual table's process: remembers what was asked."""

    def __init__(self) -> None:
        self.tags_seen = {"04a1b2c3": 28}
        self.links = {"table": "connected", "die": "connected"}
        self.dice: dict[str, Any] = {"die": {"kind": "die", "doing": "rests", "face": 4}}
        self.lights_seen: dict[str, Any] = {"board": [], "die": []}
        self.lights_of: dict[Any, Any] = {}
        self.done: list[tuple[str, dict[str, Any]]] = []

    async def do(self, hand: str, **arguments: Any) -> None:
        if arguments.get("device") == "nobody":
            raise ValueError("there is no device nobody")
        self.done.append((hand, arguments))

    async def devices(self) -> dict[str, str]:
        return {"table": "table", "die": "handheld_die"}

    async def stats(self) -> dict[str, Any]:
        return {}

    async def place_tag(self, uid: str, socket: int) -> None:
        await self.do("place_tag", uid=uid, socket=socket)

    async def lift_tag(self, uid: str) -> None:
        await self.do("lift_tag", uid=uid)


def test_the_page_offers_what_a_hand_can_do() -> None:
    assert set(THROWS) <= set(scenes.KINDS)
    t = texts("en")
    for kind in THROWS:
        assert t("bench.throw." + kind.replace(" ", "_"))
    for kind in HANDLINGS:
        assert callable(getattr(motion, kind))
        assert t("bench.handle." + kind)


def test_what_was_done_is_a_script_that_can_be_read(tmp_path: Path, monkeypatch: Any) -> None:
    hands = Hands()

    async def work() -> str:
        async with WebTable(tmp_path) as web:
            monkeypatch.setattr(type(web.application), "bench", hands)
            await web.evening()
            bank = await web.bank()

            async def act(path: str = "/bench/act", **fields: Any) -> Any:
                return await bank.post(path, data=fields, headers={"hx-request": "true"})

            assert (await bank.get("/bench/script.toml", headers={"hx-request": "true"})).status_code == 404
            assert (await act("/bench/record", do="start", title="Cocked & dropped!")).status_code == 200
            assert (await act(do="throw_die", kind="against a wall", device="die")).status_code == 200
            assert (await act(do="drop_link", seconds="2")).status_code == 200
            assert (await act(do="crash", device="nobody")).status_code == 422
            assert (await act(do="throw_die", kind="to the moon", device="die")).status_code == 422
            assert (await act(do="set_battery", millivolts="9000", device="die")).status_code == 422
            await web.application.take(TagAppeared(Origin("f0cab07ab1e0", 7, 1), 7, "04a1b2c3"))
            html = (await bank.get("/bench")).text
            assert "“Cocked &amp; dropped!”" in html
            answer = await bank.get("/bench/script.toml")
            assert 'filename="cocked_dropped.toml"' in answer.headers["content-disposition"]
            assert (await act("/bench/record", do="stop")).status_code == 200
            assert web.app.state.web.recording is None
            assert web.application.witness is None
            await act("/bench/record", do="start", title="  ")
            assert "“Recorded on the bench”" in (await bank.get("/bench")).text
            return answer.text

    text = asyncio.run(work())
    read = script.parse_script(text)
    assert read.name == "cocked_dropped"
    assert list(read.devices) == ["table", "die"]
    assert [name for name, _ in hands.done] == ["throw_die", "drop_link"]
    assert text.count("[[steps]]") == 4  # how the die and the taxi lay there, and the two hands
    assert 'fact = "tag_appeared"' in text
    assert "nobody" not in text
    assert "moon" not in text


def test_a_virtual_table_that_does_not_answer_is_not_said_to_be_tidied(tmp_path: Path, monkeypatch: Any) -> None:
    class Gone(Hands):
        async def do(self, hand: str, **arguments: Any) -> None:
            raise ConnectionError("gone")

    class Ended:
        """A virtual table that ends again while its pieces are laid out."""

        state = "ended"

        async def start_again(self) -> None:
            pass

    async def work() -> None:
        async with WebTable(tmp_path) as web:
            await web.evening()
            bank = await web.bank(htmx=True)
            monkeypatch.setattr(type(web.application), "bench", Hands())
            answer = await bank.post("/bench/act", data={"do": "tidy"})
            assert (answer.status_code, "where the game has them" in answer.text) == (200, True)
            monkeypatch.setattr(type(web.application), "bench", Gone())
            answer = await bank.post("/bench/act", data={"do": "tidy"})
            assert (answer.status_code, "did not answer" in answer.text) == (503, True)
            monkeypatch.setattr(type(web.application), "virtual", Ended())
            answer = await bank.post("/bench/start")
            assert (answer.status_code, "has ended unexpectedly" in answer.text) == (503, True)

    asyncio.run(work())
