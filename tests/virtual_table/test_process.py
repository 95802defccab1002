"""A virtual table in its own process: reached over sockets, killed and orphaned, and never left behind."""

import asyncio
import gc
import json
import signal
import subprocess
import sys
from contextlib import asynccontextmanager
from pathlib import Path

import psutil
import pytest
from bleak import BleakClient, BleakScanner
from bleak.exc import BleakError
from bleak_retry_connector import establish_connection
from table_partner import Partner

from companion.virtual_table.board import SOURCES
from companion.virtual_table.client import ControlAddress, VirtualTableClient, VirtualTableGoneError
from companion.virtual_table.launch import VirtualTableNotStartedError, start_virtual_table
from companion.virtual_table.radio.bleak_backend import bleak_backend
from companion.virtual_table.radio.central import Central
from shared_rules.wire.messages import SERVICE_UUID

HERE = Path(__file__).parent


@asynccontextmanager
async def running_table(**options):
    running = await start_virtual_table(**options)
    try:
        client = await VirtualTableClient.connect(running.control)
        try:
            yield running, client
        finally:
            await client.close()
    finally:
        await running.stop()


async def until(condition, seconds=60.0):
    async with asyncio.timeout(seconds):
        while not condition():
            await asyncio.sleep(0.02)


def gone(pid):
    try:
        return psutil.Process(pid).status() == psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return True


async def connect(central):
    scanner_class, client_class = bleak_backend(central)
    device = await BleakScanner.find_device_by_filter(
        lambda _, seen: SERVICE_UUID in seen.service_uuids, backend=scanner_class, timeout=60
    )
    assert device is not None
    lost = asyncio.Event()
    client = await establish_connection(
        BleakClient, device, "table", disconnected_callback=lambda _: lost.set(), backend=client_class
    )
    return client, lost


def test_hands_and_radio_reach_the_firmware(tmp_path):
    async def work():
        async with running_table(flash=tmp_path, air_time_ms=1) as (running, hands):
            central = Central.over_socket(running.hci_port)
            async with Partner(bleak_backend(central)) as partner:
                await hands.place_tag("04a1b2c3", 7)
                await partner.until(lambda: partner.tags())
                await partner.command("SET_FACE_MAP", map_id=1, style=0, faces=[1, 2, 3, 4, 5, 6] * 2)
                await partner.command("SET_LIGHTS", look=1, seconds=0, leds=[4])
                await hands.force_entropy(bytes([0, 4]))
                await hands.press_button()
                await partner.until(lambda: "ROLL_SETTLED" in partner.names())
                await until(lambda: hands.lights_seen["board"] and hands.lights_seen["board"][4][0])
                stats = await hands.stats()
                assert stats["link"] == hands.link == "connected"
                assert await hands.tags() == hands.tags_seen == {"04a1b2c3": 7}
                assert await hands.model_errors() == []
                rolled = partner.events[-1][3]["value"]
            await central.close()
            return partner.tags(), rolled, stats["heap"]["free_percent"]

    tags, rolled, free = asyncio.run(work())
    assert tags == [("TAG_APPEARED", 7, "04a1b2c3")]
    assert rolled == 5
    assert free > 0


def test_a_killed_companion_is_a_lost_link_and_the_next_one_is_welcome():
    async def work():
        async with running_table() as (running, hands):
            for _ in range(2):
                companion = subprocess.Popen(
                    [sys.executable, str(HERE / "lonely_companion.py"), str(running.hci_port)],
                    stdout=subprocess.PIPE,
                    cwd=SOURCES,
                    text=True,
                    env={"PYTHONPATH": str(SOURCES), "PATH": ""},
                )
                line = await asyncio.to_thread(companion.stdout.readline)
                assert line == "resumed\n" or len(line) > 20
                assert hands.link == "connected"
                companion.send_signal(signal.SIGKILL)
                companion.wait()
                companion.stdout.close()
                await until(lambda: hands.link == "advertising")
            central = Central.over_socket(running.hci_port)
            client, _ = await connect(central)
            assert client.is_connected
            await central.close()

    asyncio.run(work())


def test_a_killed_table_is_heard_of_and_leaves_no_interpreter():
    async def work():
        async with running_table() as (running, hands):
            central = Central.over_socket(running.hci_port)
            client, lost = await connect(central)
            interpreter = psutil.Process(running.process.pid).children()[0].pid
            running.kill()
            await asyncio.wait_for(lost.wait(), 60)
            assert not client.is_connected
            await until(lambda: hands.closed)
            with pytest.raises(VirtualTableGoneError):
                await hands.crash()
            with pytest.raises(BleakError):
                await connect(central)
            await until(lambda: gone(interpreter))
            await asyncio.wait_for(running.process.wait(), 60)
            assert not running.alive

    asyncio.run(work())


def test_another_table_at_the_same_port_is_found_by_the_same_adapter():
    async def work():
        first = await start_virtual_table()
        central = Central.over_socket(first.hci_port)
        _, lost = await connect(central)
        await first.stop()
        await asyncio.wait_for(lost.wait(), 60)
        again = subprocess.Popen(
            [sys.executable, "-m", "companion.virtual_table", "--hci-port", str(first.hci_port), "--with-parent"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            cwd=SOURCES,
        )
        try:
            await asyncio.to_thread(again.stdout.readline)
            client, _ = await connect(central)
            assert client.is_connected
            await central.close()
        finally:
            again.stdin.close()
            assert again.wait(60) == 0
            again.stdout.close()

    asyncio.run(work())


def test_stopping_ends_everything_within_a_second_or_two():
    async def work():
        running = await start_virtual_table()
        table = psutil.Process(running.process.pid)
        await until(lambda: table.children())
        interpreter = table.children()[0].pid
        await running.stop()
        assert running.process.returncode == 0
        assert gone(interpreter)

    asyncio.run(work())


def test_a_start_that_is_given_up_leaves_no_process():
    async def work():
        here = psutil.Process()
        before = set(here.children())
        starting = asyncio.create_task(start_virtual_table())
        await until(lambda: set(here.children()) - before)
        (table,) = set(here.children()) - before
        await asyncio.sleep(0.1)  # it loads its modules for longer than that
        starting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await starting
        assert gone(table.pid)

    asyncio.run(work())


def test_an_orphan_ends_by_itself():
    parent = subprocess.Popen(
        [sys.executable, str(HERE / "lonely_parent.py")],
        stdout=subprocess.PIPE,
        cwd=SOURCES,
        text=True,
        env={"PYTHONPATH": str(SOURCES), "PATH": ""},
    )
    table, interpreter = (int(pid) for pid in parent.stdout.readline().split())
    assert not gone(table)
    parent.send_signal(signal.SIGKILL)
    parent.wait()
    parent.stdout.close()
    asyncio.run(until(lambda: gone(table) and gone(interpreter)))


def test_the_flash_outlives_the_process(tmp_path):
    async def work():
        for boots in (b"1", b"2"):
            options = {"flash": tmp_path, "code": HERE / "boards", "entry": "small.echo"}
            async with running_table(**options) as (_, hands):
                await until(lambda: hands.link == "advertising")
            assert (tmp_path / "boots.txt").read_text() == "x" * int(boots)

    asyncio.run(work())


def test_the_port_file_is_private_and_goes_with_the_process(tmp_path):
    port_file = tmp_path / "table.json"
    table = subprocess.Popen(
        [sys.executable, "-m", "companion.virtual_table", "--port-file", str(port_file)],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        cwd=SOURCES,
    )
    said = json.loads(table.stdout.readline())
    assert json.loads(port_file.read_text()) == said
    assert port_file.stat().st_mode & 0o777 == 0o600
    assert said["pid"] == table.pid
    table.send_signal(signal.SIGTERM)
    assert table.wait(60) == 0
    table.stdout.close()
    assert not port_file.exists()


def test_whoever_does_not_know_the_word_moves_nothing():
    async def work():
        async with running_table() as (running, hands):
            reader, writer = await asyncio.open_connection("127.0.0.1", running.control.port)
            writer.write(b'POST / HTTP/1.1\r\nHost: x\r\n\r\n{"id": 1, "do": "crash"}\n')
            answer = await asyncio.wait_for(reader.read(), 60)
            writer.close()
            assert b"token" in answer
            assert b"event" not in answer
            stranger = await VirtualTableClient.connect(ControlAddress(running.control.port, "guessed"))
            await until(lambda: stranger.closed)
            await stranger.close()
            assert (await hands.stats())["boots"] == 1

    asyncio.run(work())


def test_what_cannot_be_done_is_said():
    async def work():
        async with running_table() as (_, hands):
            for call, reason in (
                (hands.place_tag("04a1", 3), "4, 7, 8 or 10 bytes"),
                (hands.place_tag("04a1b2c3", 32), "from 0 to 31"),
                (hands.flap_tag("04a1b2c3", 3, "abc"), "made of 0 and 1"),
                (hands.mute_reader(99), "from 0 to 31"),
                (hands.mute_reader(3, "sulking"), "dead, hung, deaf"),
                (hands.lights("moon"), "board and die"),
                (hands.set_air_time(-1), "from 0 to"),
                (hands.inject_notification(b"x"), "nobody is connected"),
                (hands.do("fly"), "there is no hand 'fly'"),
                (hands.do("place_tag"), "uid"),
            ):
                with pytest.raises(ValueError, match=reason):
                    await call

    asyncio.run(work())


def test_noise_at_the_radio_socket_harms_nobody():
    async def work():
        async with running_table() as (running, hands):
            for noise in (b"GET / HTTP/1.1\r\n\r\n", bytes(50), b"\xff" * 300, b"\x01\x03\x0c\x00\x02\xff\xff"):
                _, writer = await asyncio.open_connection("127.0.0.1", running.hci_port)
                writer.write(noise)
                writer.write(noise)
                await asyncio.sleep(0.05)
                writer.close()
            central = Central.over_socket(running.hci_port)
            client, _ = await connect(central)
            assert client.is_connected
            await central.close()
            assert (await hands.stats())["boots"] == 1

    asyncio.run(work())


def test_lines_that_are_no_request_are_answered_and_leave_no_trace(capfd):
    async def work():
        async with running_table() as (running, hands):
            token = json.dumps({"token": running.control.token}).encode() + b"\n"
            deep = b"[" * 9000 + b"\n"
            reader, writer = await asyncio.open_connection("127.0.0.1", running.control.port)
            writer.write(deep)
            assert b"token" in await asyncio.wait_for(reader.read(), 60)
            writer.close()
            reader, writer = await asyncio.open_connection("127.0.0.1", running.control.port)
            lines = (deep, b"[]\n", b'{"id": 1, "do": []}\n', b'{"id": 1, "do": "place_tag"}\n', b"\xff\n")
            writer.write(token + b"".join(lines))
            refused = 0
            while refused < len(lines):
                refused += b'"ok": false' in await asyncio.wait_for(reader.readline(), 60)
            writer.close()
            assert (await hands.stats())["boots"] == 1
            await asyncio.sleep(0.1)

    asyncio.run(work())
    assert "Traceback" not in capfd.readouterr().err


def test_a_table_that_stands_still_is_found_again(caplog):
    """Its process is stopped for longer than a radio waits, and then goes on."""

    async def work():
        async with running_table() as (running, _):
            central = Central.over_socket(running.hci_port)
            client, lost = await connect(central)
            running.process.send_signal(signal.SIGSTOP)
            try:
                await asyncio.wait_for(client.disconnect(), 60)
                scanner, _ = bleak_backend(central)
                with pytest.raises((BleakError, TimeoutError)):
                    await asyncio.wait_for(BleakScanner.discover(timeout=0.1, backend=scanner), 3)
                assert central.scanners == 0
            finally:
                running.process.send_signal(signal.SIGCONT)
            again, _ = await connect(central)
            assert again.is_connected
            await central.close()

    asyncio.run(work())
    gc.collect()
    assert [record.message for record in caplog.records if "never retrieved" in record.message] == []


def test_a_table_that_cannot_start_says_why(tmp_path):
    with pytest.raises(VirtualTableNotStartedError, match="there is no 'small' in"):
        asyncio.run(start_virtual_table(tmp_path, code=tmp_path, entry="small.echo"))


WITHOUT = """
import sys

class Absent:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in ("bumble", "micropython_unix", "micropython_run"):
            raise ModuleNotFoundError(name)

sys.meta_path.insert(0, Absent())
import asyncio, importlib.util
real = importlib.util.find_spec
importlib.util.find_spec = lambda name, package=None: None if name in ("bumble", "micropython_unix") else real(name)
import companion, companion.virtual_table
from companion.virtual_table import client, launch
try:
    asyncio.run(launch.start_virtual_table())
except launch.VirtualTableNotStartedError as error:
    print(error)
"""


def test_without_the_extra_the_rest_works_and_says_what_to_install():
    done = subprocess.run([sys.executable, "-c", WITHOUT], capture_output=True, text=True, cwd=SOURCES)
    assert done.stderr == ""
    assert "pip install 'cabstand[virtual]'" in done.stdout


def test_a_slow_hand_keeps_no_other_waiting_and_a_broken_one_ends_nothing(monkeypatch):
    """Both in this process: what a hand does is replaced, the connection is real."""
    from companion.virtual_table import control

    async def work():
        slow = asyncio.Event()

        async def figures(table):
            await slow.wait()
            return "at last"

        monkeypatch.setitem(control.HANDS, "figures", figures)
        monkeypatch.setitem(control.HANDS, "broken", lambda table: {}["nothing"])
        monkeypatch.setitem(control.HANDS, "quick", lambda table: "quick")

        class Table:
            def snapshot(self):
                return []

        server = control.ControlServer(Table(), "word")
        listening = await server.serve()
        client = await VirtualTableClient.connect(ControlAddress(listening.sockets[0].getsockname()[1], "word"))
        waiting = asyncio.create_task(client.do("figures"))
        assert await client.do("quick") == "quick"
        with pytest.raises(ValueError, match=r"Something broke inside the virtual table \(KeyError\)"):
            await client.do("broken")
        assert not waiting.done()
        slow.set()
        assert await waiting == "at last"
        await client.close()
        await server.close()
        listening.close()

    asyncio.run(work())
