"""All parts together on a virtual table in virtual time: facts play, lights and die follow, a crash loses nothing."""

import asyncio
import random

import pytest

from companion.application import Application
from companion.devices.hardware import Wanted, parse_table
from companion.devices.serial_port import ANY
from companion.errors import SetupError
from companion.settings import Settings
from companion.tables.setup import EveningSetup, SeatSetup
from companion.virtual_table.clock import VirtualTimeLoop
from companion.virtual_table.table import VirtualTable
from shared_rules import library
from shared_rules.engine import game

SOCKETS = library.layout("fumbling")["sockets"]
LEDS = library.layout("fumbling")["leds"]
BASE = library.board("fumbling")["base"]
TAGS = {1: "04a1b2c3", 2: "04d4e5f60718aa"}


def in_virtual_time(work):
    with asyncio.Runner(loop_factory=VirtualTimeLoop) as runner:
        return runner.run(work())


def settings(folder, table, **changes):
    scanner, client = table.backend()
    return Settings(
        folder,
        database_on_loop=True,
        scanner_backend=scanner,
        client_backend=client,
        chance=random.Random(4),
        **changes,
    )


async def until(condition, seconds=30):
    async with asyncio.timeout(seconds):
        while not condition():
            await asyncio.sleep(0.05)


async def at_the_table(application, table):
    """A new evening with both taxis learnt on the base."""
    evening = await application.tables.create_evening(EveningSetup([SeatSetup("Ann", "red"), SeatSetup("Ben", "blue")]))
    for seat, uid in TAGS.items():
        await evening.learn_tag(seat)
        table.place_tag(uid, SOCKETS[BASE])
        await until(lambda: evening.learning is None)
    return evening


def crash(application):
    """Everything is dropped where it stands; nothing is closed."""
    for task in [*application.tasks, application.current.task]:
        task.cancel()


def throw_six(table):
    """Presses the die, whose next bytes of chance are told: tumbles, then the sixth face."""
    table.board.desk.forced_entropy.extend(b"\x05\x05")
    table.press_button()


def goal(evening):
    """A socket that the taxi can reach now."""
    answer = game.ask(evening.state, {"do": "ask", "seat": evening.view(1)["turn"], "what": "reachable"})
    return next(row[0] for row in answer["reachable"] if row[0] in SOCKETS and row[0] != BASE)


def test_a_turn_at_the_table(tmp_path):
    async def work():
        async with VirtualTable() as table:
            application = await Application.start(settings(tmp_path, table))
            evening = await at_the_table(application, table)
            await until(lambda: application.link.state == "connected")
            await asyncio.sleep(2)
            reds = [table.lights()[LEDS[name]] for name in ("L01", "L20")]
            gate = table.lights()[LEDS["Gate1"]]
            throw_six(table)
            await until(lambda: evening.view(1)["phase"] == "move")
            to = goal(evening)
            table.lift_tag(TAGS[1])
            await until(lambda: evening.on_road is not None)
            table.place_tag(TAGS[1], SOCKETS[to])
            await until(lambda: evening.view(1)["phase"] == "tablet_die")
            table.press_button()
            await until(lambda: evening.view(1)["turn"] == 2)
            rows = [(row.do, row.evidence) for row in evening.log()]
            left = asyncio.all_tasks() - {asyncio.current_task()}
            await application.close()
            await asyncio.sleep(0)
            still = {task for task in left if not task.done() and "companion" in str(task.get_coro())}
            return reds, gate, rows, evening.view(1)["players"][0]["at"] == to, still, table.model_errors()

    reds, gate, rows, moved, still, errors = in_virtual_time(work)
    assert reds[0] == reds[1] != (0, 0, 0)
    assert gate not in ((0, 0, 0), reds[0])
    assert rows == [("roll", "die"), ("move", "tag"), ("roll", "die")]
    assert moved
    assert still == set()
    assert errors == []


def test_a_throw_while_nobody_listens_counts_once(tmp_path):
    """The die comes to rest while the companion is dead; the next one plays it, and plays it once."""

    async def work():
        async with VirtualTable() as table:
            application = await Application.start(settings(tmp_path, table))
            await at_the_table(application, table)
            await until(lambda: application.link.state == "connected")
            await asyncio.sleep(2)
            crash(application)
            table.drop_link()
            table.press_button()
            await asyncio.sleep(4)
            second = await Application.start(settings(tmp_path, table))
            assert second.current.view(1)["phase"] == "card_choice"
            await until(lambda: second.current.view(1)["phase"] == "move")
            await asyncio.sleep(2)
            crash(second)
            table.drop_link()
            third = await Application.start(settings(tmp_path, table))
            await until(lambda: third.link.state == "connected")
            await asyncio.sleep(3)
            rows = [(row.kind, row.do) for row in third.current.log()]
            case = third.current.pending_explanation
            await third.close()
            return rows, case

    rows, case = in_virtual_time(work)
    assert rows == [("play", "roll")]
    assert case is None


def test_events_are_acknowledged_after_an_evening_was_resumed(tmp_path):
    async def work():
        async with VirtualTable() as table:
            first = await Application.start(settings(tmp_path, table))
            await at_the_table(first, table)
            await first.close()
            application = await Application.start(settings(tmp_path, table))
            await until(lambda: application.link.state == "connected")
            for _ in range(3):
                table.lift_tag(TAGS[1])
                await asyncio.sleep(3)
                table.place_tag(TAGS[1], SOCKETS[BASE])
                await asyncio.sleep(3)
            events, waiting = application.link.counters["events"], application.devices.devices()[0].waiting
            await application.close()
            return events, waiting

    events, waiting = in_virtual_time(work)
    assert events >= 6
    assert waiting == 0


def test_moves_during_a_lost_link_are_caught_up(tmp_path):
    async def work():
        async with VirtualTable() as table:
            application = await Application.start(settings(tmp_path, table))
            evening = await at_the_table(application, table)
            await until(lambda: application.link.state == "connected")
            await asyncio.sleep(1)
            throw_six(table)
            await until(lambda: evening.view(1)["phase"] == "move")
            to = goal(evening)
            table.drop_link(out_of_range_s=6)
            await until(lambda: application.link.state == "lost")
            badge = application.link.error
            table.lift_tag(TAGS[1])
            await asyncio.sleep(1)
            table.place_tag(TAGS[1], SOCKETS[to])
            await asyncio.sleep(1)
            table.press_button()
            await until(lambda: evening.view(1)["turn"] == 2)
            rows = [(row.do, row.evidence) for row in evening.log()]
            await application.close()
            return badge, rows, evening.view(1)["players"][0]["at"] == to

    badge, rows, moved = in_virtual_time(work)
    assert "goes on by hand" in badge
    assert rows == [("roll", "die"), ("move", "tag"), ("roll", "die")]
    assert moved


def test_a_wrong_place_warns_with_the_nearest_light(tmp_path):
    async def work():
        async with VirtualTable() as table:
            application = await Application.start(settings(tmp_path, table))
            evening = await at_the_table(application, table)
            await until(lambda: application.link.state == "connected")
            await asyncio.sleep(2)
            calm = table.lights()
            table.lift_tag(TAGS[2])
            await asyncio.sleep(1)
            table.place_tag(TAGS[2], SOCKETS["X_lady_hatt"])
            await until(lambda: evening.pending_explanation is not None)
            await asyncio.sleep(2)
            lit = {tuple(frame.lights) for frame in table.led_frames()[-12:]}
            await application.close()
            return calm, lit, evening.pending_explanation

    calm, lit, case = in_virtual_time(work)
    assert case["kind"] == "wrong_place"
    winking = {led for name, led in LEDS.items() if name.startswith("Gate")}
    changed = {led for frame in lit for led, light in enumerate(frame) if light != calm[led]} - winking
    assert len(changed) == 1


def numbered(application, table):
    """Whether the controllers are numbered as the layout has them."""
    first = table.device("table").setup.device_id.hex()
    return next(state.number for state in application.devices.devices() if state.id == first) == 0


def test_two_controllers_serve_all_of_london(tmp_path):
    """Forty-two attraction squares, a tag on each of them in turn; then one controller goes, and comes back."""
    layout = library.layout("thames")["sockets"]
    board = library.board("thames")
    squares = sorted({attraction["square"] for attraction in board["attractions"].values()})
    sockets = {
        square: 32 * given["controller"] + given["socket"] if isinstance(given, dict) else given
        for square, given in layout.items()
    }

    async def work():
        async with VirtualTable(devices=("table", "table2")) as table:
            application = await Application.start(settings(tmp_path, table))
            seats = [SeatSetup("Ann", "red"), SeatSetup("Ben", "blue")]
            evening = await application.tables.create_evening(EveningSetup(seats, game="destination_london"))
            await until(lambda: application.devices.controllers() == {0: True, 1: True})
            if not numbered(application, table):
                await application.devices.set_number(application.devices.devices()[0].id, 1)
            assert numbered(application, table)
            await evening.assign_tag(TAGS[2], 2)
            seen = []
            for square in squares:
                table.place_tag(TAGS[2], sockets[square])
                await until(lambda square=square: evening.explanations.presence.tags.get(TAGS[2]) == sockets[square])
                seen.append(evening.explanations.plan.place_of(evening.explanations.presence.tags[TAGS[2]]))
            table.place_tag(TAGS[2], sockets["TOW"])
            await until(lambda: evening.pending_explanation is not None)
            await asyncio.sleep(2)
            case = evening.pending_explanation
            table.switch_off("table2")
            await until(lambda: application.devices.controllers() == {0: True, 1: False})
            await asyncio.sleep(1)
            away = evening.pending_explanation, application.link.state
            table.switch_on("table2")
            await until(lambda: application.devices.controllers() == {0: True, 1: True})
            await until(lambda: evening.pending_explanation is not None)
            await application.close()
            return seen, case, away, evening.explanations.presence.tags, table.model_errors()

    seen, case, away, tags, errors = in_virtual_time(work)
    assert len(squares) == 42
    assert seen == squares
    assert max(sockets[square] for square in squares) >= 32
    assert (case["kind"], case["seen"]) == ("wrong_place", "TOW")
    assert away == (None, "lost")
    assert tags[TAGS[2]] == sockets["TOW"]
    assert errors == []


@pytest.mark.parametrize(
    "table", ["ble,virtual", "serial:", "virtual:", "virtual:chair", "virtual:table+table", "none,ble", "hci:a:1,ble"]
)
def test_parts_that_do_not_go_together_are_said(table):
    with pytest.raises(SetupError) as caught:
        parse_table(table)
    assert str(caught.value).startswith(f"--table “{table}” names no table: ")


def test_cables_go_with_anything():
    both = parse_table("ble,serial:/dev/ttyACM0,serial")
    assert (both.base, both.ports) == ("ble", ("/dev/ttyACM0", ANY))
    assert parse_table("serial:7CDFA1") == Wanted("none", ("7CDFA1",))
    assert parse_table("virtual:table+table2+die").devices == ("table", "table2", "die")
    assert parse_table("hci:a:1,control:a:2:word,serial").base == "remote"


@pytest.mark.parametrize("table", ["virtuell", "hci:", "control:127.0.0.1:5:word", "hci:a:99999"])
def test_a_table_that_is_none_is_said(tmp_path, table):
    async def work():
        with pytest.raises(SetupError) as caught:
            await Application.start(Settings(tmp_path, table=table, database_on_loop=True))
        return str(caught.value)

    assert asyncio.run(work()).startswith(f"--table “{table}” names no table: ")
