"""`cabstand play` and its neighbours as processes: one address, a taken port, an end in three seconds."""

import os
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path

import psutil
import pytest

from companion.devices.serial_port import usb_ports
from companion.server import lan_address

CABSTAND = Path(sys.executable).with_name("cabstand")
GONE_WITHIN = 3
"""s that Ctrl-C may take."""
BUSY = 6
"""s for a start, from which on the machine has so much else to do that an end may take as long, too."""
PATIENCE = 60
"""s for whatever must come."""


def start(*arguments, **options):
    return subprocess.Popen(
        [CABSTAND, *arguments], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **options
    )


def run(*arguments):
    return subprocess.run([CABSTAND, *arguments], capture_output=True, text=True, timeout=2 * PATIENCE)


def until_address(process):
    said = ""
    for line in process.stdout:
        said += line
        found = re.search(r"Cabstand is at (http://[\d.]+:(\d+)\S*)", line)
        if found:
            return said, found[1], int(found[2])
    raise AssertionError(f"it named no address: {said}")


def ended_in_time(process, started_in):
    """Whether it ends in order after a signal that was just sent, and in time; on a busy machine the last resort may
    come before all is in order."""
    status = process.wait(timeout=max(GONE_WITHIN, started_in))
    return status == 0 or (started_in > BUSY and status == 1)


@pytest.fixture
def playing(tmp_path):
    running = []

    def play(*arguments, data=tmp_path / "data"):
        process = start("play", "--no-browser", "--port", "8461", "--data", str(data), *arguments)
        running.append(process)
        return process

    yield play
    for process in running:
        if process.poll() is None:
            process.kill()
        process.stdout.close()
        process.wait()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_it_serves_and_ends_with_everything_it_started(playing, number):
    began = time.monotonic()
    process = playing("--table", "virtual")
    said, address, _ = until_address(process)
    started_in = time.monotonic() - began
    assert said.count("http://") == 1
    family = psutil.Process(process.pid).children(recursive=True)
    assert len(family) >= 2  # the virtual table and its interpreter
    browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())
    with browser.open(address, timeout=PATIENCE) as page:
        assert page.status == 200
    process.send_signal(number)
    assert ended_in_time(process, started_in)
    assert psutil.wait_procs(family, timeout=max(GONE_WITHIN, started_in))[1] == []


def test_open_streams_do_not_hold_it_up(playing):
    began = time.monotonic()
    process = playing("--table", "none")
    _, address, port = until_address(process)
    started_in = time.monotonic() - began
    browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())
    browser.open(address, timeout=PATIENCE).close()
    idle = [socket.create_connection(("127.0.0.1", port)) for _ in range(5)]
    for connection in idle[:3]:
        connection.sendall(b"GET / HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n" % port)  # half a request
    process.send_signal(signal.SIGINT)
    assert ended_in_time(process, started_in)
    for connection in idle:
        connection.close()


@pytest.mark.parametrize(
    ("table", "sentence"),
    [
        ("ble", "bluetooth”; the game goes on by hand meanwhile."),
        ("serial", "No USB port is there. Plug the cable in."),
        ("serial:NOSUCH", "No port NOSUCH is there. Plug the cable in."),
    ],
)
def test_what_keeps_devices_away_is_said_once_in_the_terminal(playing, table, sentence):
    if table == "ble" and Path("/run/dbus/system_bus_socket").exists():
        pytest.skip("this machine has a system bus, so its Bluetooth may work")
    if table == "serial" and usb_ports():
        pytest.skip("something is plugged in at this machine's USB")
    process = playing("--table", table)
    said, *_ = until_address(process)
    for line in process.stdout:
        said += line
        if sentence in said:
            break
    process.send_signal(signal.SIGINT)
    said += process.stdout.read()
    assert said.count(sentence) == 1, said


def test_it_ends_with_how_to_go_on_and_shows_no_code_that_leads_nowhere(playing):
    process = playing("--table", "none")
    said, *_ = until_address(process)
    process.send_signal(signal.SIGINT)
    said += process.stdout.read()
    assert "Good night. The same command opens the table again." in said
    assert "start with --phones" in said
    assert not set("█▀▄") & set(said), "a code for phones, which cannot open it"


def test_phones_get_a_code_to_scan(playing):
    if lan_address() is None:
        pytest.skip("this machine is in no network")
    process = playing("--table", "none", "--phones")
    said, address, _ = until_address(process)
    assert "127.0.0.1" not in address
    process.send_signal(signal.SIGINT)
    assert set("█▀▄") & set(said + process.stdout.read())


def test_it_listens_on_this_machine_only_until_phones_are_asked_for(playing):
    process = playing("--table", "none")
    _, _, port = until_address(process)
    addresses = {c.laddr.ip for c in psutil.Process(process.pid).net_connections() if c.laddr.port == port}
    assert addresses == {"127.0.0.1"}


def test_a_taken_port_is_replaced_and_said(playing):
    with socket.socket() as taken:
        taken.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        taken.bind(("127.0.0.1", 8461))
        taken.listen()
        said, _, port = until_address(playing("--table", "none"))
    assert port == 8462
    assert "Port 8461 is taken, so this is port 8462." in said


def test_one_companion_for_a_folder_and_the_second_tells_how_to_get_in(playing, tmp_path):
    first = playing("--table", "none")
    _said, _address, port = until_address(first)
    second = playing("--table", "none")
    said = second.stdout.read()
    assert second.wait(timeout=PATIENCE) == 1
    assert f"A companion (process {first.pid}) is already running" in said
    told = re.search(rf": (http://127\.0\.0\.1:{port}/start/\S+) opens it on this machine\. Use that one", said)
    assert told, said
    # As often as it is opened, by browsers that know nothing of one another; only its owner may read where it is kept.
    for _ in range(2):
        browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())
        assert browser.open(told[1]).status == 200
    assert (tmp_path / "data" / "companion.lock").stat().st_mode & 0o777 == 0o600
    assert "Traceback" not in said


def test_after_a_kill_it_starts_again_at_once(playing):
    first = playing("--table", "virtual")
    until_address(first)
    family = psutil.Process(first.pid).children(recursive=True)
    os.kill(first.pid, signal.SIGKILL)
    first.wait()
    left = psutil.wait_procs(family, timeout=PATIENCE)[1]
    assert left == [], "the virtual table ends with its companion, whatever ends it"
    until_address(playing("--table", "none"))


@pytest.mark.parametrize(
    ("arguments", "status", "sentence"),
    [
        (["play", "--table", "carrier-pigeon"], 1, "choose virtual, none, ble, or hci:HOST:PORT"),
        (["play", "--table", "hci:nowhere"], 1, "the radio is hci:HOST:PORT"),
        (["play", "--table", "hci::1"], 1, "the radio is hci:HOST:PORT"),
        (["play", "--table", "serial::"], 1, "write serial:PORT, with a path"),
        (["play", "--table", ":"], 1, "--table “:” names no table: choose"),
        (["doctor", "--table", "virtual:table+"], 1, "devices are called table, die, ring"),
        (["fault", "run", "nosuch.toml"], 1, "There is no file or folder nosuch.toml. Name a fault script"),
        (["fault", "run", "/usr/bin/env"], 1, "/usr/bin/env is no text"),
        (["play", "--port", "0"], 2, "a port is a number from 1 to 65535"),
        (["play", "--data", "/proc/nothing/here"], 1, "--data"),
        (["restore", "/nowhere/at/all.db"], 1, "There is no file /nowhere/at/all.db."),
        (["board", "check", "atlantis"], 2, "atlantis"),
        (["backup", ""], 2, "the name of a file is missing"),
        (["restore", " "], 2, "the name of a file is missing"),
        (["play", "--data", "/etc/hosts"], 1, "/etc/hosts is no folder. Choose another one with --data."),
        (["fly"], 2, "invalid choice"),
    ],
)
def test_what_cannot_be_is_one_clear_sentence(tmp_path, arguments, status, sentence):
    if arguments[0] in ("play", "restore") and "--data" not in arguments:
        arguments = [*arguments, "--data", str(tmp_path)]
    if arguments[0] == "play":
        arguments = [*arguments, "--no-browser"]
    done = run(*arguments)
    said = done.stdout + done.stderr
    assert done.returncode == status, said
    assert sentence in said
    assert "Traceback" not in said
    assert "Errno" not in said


def test_back_up_and_restore_from_the_command_line(tmp_path):
    data, copy = str(tmp_path / "data"), tmp_path / "copy.db"
    made = run("backup", str(copy), "--data", data)
    assert made.returncode == 0, made.stderr
    assert str(copy) in made.stdout
    again = run("backup", str(copy), "--data", data)
    assert again.returncode == 1
    assert "exists already" in again.stderr
    back = run("restore", str(copy), "--data", data)
    assert back.returncode == 0, back.stderr
    assert "before-restore" in back.stdout


def test_the_doctor_speaks_plainly(tmp_path):
    done = run("doctor", "--data", str(tmp_path), "--table", "none")
    assert done.returncode == 0, done.stdout
    assert "Everything is there." in done.stdout
    radio = run("doctor", "--data", str(tmp_path))
    assert "Traceback" not in radio.stdout + radio.stderr
    assert re.search(r"^(ok  |LOOK)  Bluetooth: .+[.a-z]", radio.stdout, re.MULTILINE)


def test_a_doctor_for_a_damaged_evening(tmp_path):
    (tmp_path / "cabstand.db").write_bytes(b"no database" * 1000)
    done = run("doctor", "--data", str(tmp_path), "--table", "none")
    assert done.returncode == 1
    assert re.search(r"^LOOK  evenings: .*damaged or no Cabstand data", done.stdout, re.MULTILINE)


def test_the_version_is_said():
    assert re.fullmatch(r"cabstand \d+\.\d+\.\d+\n", run("--version").stdout)


def test_a_stop_during_the_start_is_a_stop(playing, tmp_path):
    process = playing("--table", "virtual")
    while not (tmp_path / "data" / "companion.lock").exists():
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    process.wait(timeout=PATIENCE)
    assert "Traceback" not in process.stdout.read()


def test_a_page_of_a_stranger_is_refused(playing):
    _, _, port = until_address(playing("--table", "none"))
    request = urllib.request.Request(f"http://127.0.0.1:{port}/", headers={"Host": "evil.example"})
    with pytest.raises(urllib.error.HTTPError) as caught:
        urllib.request.urlopen(request, timeout=PATIENCE)
    assert caught.value.code in (400, 403, 421)
