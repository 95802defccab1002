"""Devices on cables: a real pseudo-terminal, real pyserial, real time."""

import asyncio
import contextlib
import fcntl
import logging
import os
import struct
import termios

import pytest
from paper_companion import Companion, cabled, mute_and_table, numbers
from paper_devices import PaperCable, PaperDevice
from paper_radio import PaperRadio

from companion.devices import facts
from companion.devices.serial_port import PortError, SerialPort
from companion.devices.table_output import RED, Show
from companion.doctor import examine
from companion.settings import Settings

TAXI, OTHER = "04a1b2c3", "04d4e5f6"


def line_ioctls(monkeypatch):
    """Every request that touches modem lines, and what it asked for."""
    seen = []
    original = fcntl.ioctl
    lines = {termios.TIOCMBIS, termios.TIOCMBIC, termios.TIOCMSET}

    def ioctl(fd, request, *arguments):
        if request in lines:
            seen.append((request, struct.unpack("I", arguments[0])[0]))
        return original(fd, request, *arguments)

    monkeypatch.setattr(fcntl, "ioctl", ioctl)
    return seen


def test_dtr_and_rts_are_left_alone_from_opening_to_closing(monkeypatch, tmp_path):
    seen = line_ioctls(monkeypatch)

    async def work():
        master, slave = os.openpty()
        row = termios.tcgetattr(slave)
        row[2] |= termios.HUPCL  # as real ports have it
        termios.tcsetattr(slave, termios.TCSANOW, row)
        assert termios.tcgetattr(slave)[2] & termios.HUPCL
        port = SerialPort(os.ttyname(slave))
        hupcl = termios.tcgetattr(slave)[2] & termios.HUPCL
        await port.send(b"hello")
        port.close()
        os.close(master)
        os.close(slave)
        return hupcl

    assert asyncio.run(work()) == 0
    assert seen == []


def test_what_is_watched_for_would_be_seen(monkeypatch):
    """pyserial by itself does set both lines; without this the test above could never fail."""
    import serial

    seen = line_ioctls(monkeypatch)
    master, slave = os.openpty()
    with contextlib.suppress(OSError):
        serial.Serial(os.ttyname(slave)).close()
    os.close(master)
    os.close(slave)
    assert seen


def test_a_port_is_opened_by_one_alone(tmp_path):
    async def work():
        master, slave = os.openpty()
        first = SerialPort(os.ttyname(slave))
        try:
            with pytest.raises(PortError) as caught:
                SerialPort(os.ttyname(slave))
        finally:
            first.close()
            os.close(master)
            os.close(slave)
        return str(caught.value)

    assert "used by another program" in asyncio.run(work())


@pytest.mark.parametrize("path", ["/nowhere/at/all", "/dev/null", "/etc/hostname"])
def test_what_is_no_port_is_one_sentence(path):
    async def work():
        with pytest.raises(PortError) as caught:
            SerialPort(path)
        return str(caught.value)

    sentence = asyncio.run(work())
    assert path in sentence
    assert sentence.endswith(".")


def test_the_dialogue_works_over_a_cable_with_noise_on_it(tmp_path):
    async def work():
        table = PaperDevice("000000000001")
        async with cabled(table, tmp_path) as cable, Companion(ports=(cable.path,)) as companion:
            cable.plug()
            companion.hub.output.show(Show({4: RED}))
            await companion.until_connected(table)
            for socket in range(20):
                cable.noise(os.urandom(17))
                table.place(TAXI, socket)
                cable.noise(b"\x00garbage\x00")
                await asyncio.sleep(0.01)
            await companion.until(lambda: len(companion.desk.of(facts.TagAppeared)) == 20)
            await companion.until(lambda: table.did("SET_LIGHTS"))
            return table, companion.desk, companion.hub.devices()[0].way

    table, desk, way = asyncio.run(work())
    assert [fact.socket for fact in desk.of(facts.TagAppeared)] == list(range(20))
    assert numbers(desk.taken, table) == list(range(1, table.newest + 1))
    assert way == "cable"


def test_a_port_that_vanishes_is_one_clear_line_and_is_waited_for(tmp_path, caplog):
    """An exporter died when its port vanished: a traceback instead of a message."""

    async def work():
        table = PaperDevice("000000000001")
        async with cabled(table, tmp_path) as cable, Companion(ports=(cable.path,)) as companion:
            cable.plug()
            await companion.until_connected(table)
            caplog.clear()
            cable.pull()
            await companion.until(lambda: companion.state(table) == "lost", 5)
            await asyncio.sleep(1.2)
            said = companion.hub.troubles()
            cable.plug()
            await companion.until_connected(table)
            table.place(TAXI, 7)
            await companion.until(lambda: companion.desk.of(facts.TagAppeared))
            return said, companion.hub.troubles(), companion.desk.of(facts.TagAppeared)

    with caplog.at_level(logging.WARNING):
        (said,), later, appeared = asyncio.run(work())
    lines = [row.getMessage() for row in caplog.records]
    assert len(lines) == len(set(lines)) <= 2
    assert not any(row.exc_info for row in caplog.records)
    assert "port" in said
    assert later == []
    assert [fact.socket for fact in appeared] == [7]


def test_a_mute_device_is_named_within_its_limit(tmp_path, caplog):
    """A read without a limit hung the whole rig."""

    async def work():
        table = PaperDevice("000000000001")
        table.silent = table.deaf = True
        async with cabled(table, tmp_path) as cable, Companion(ports=(cable.path,)) as companion:
            cable.plug()
            async with asyncio.timeout(60):
                await companion.until(lambda: companion.hub.troubles())
            (said,) = companion.hub.troubles()
            table.silent = table.deaf = False
            await companion.until_connected(table)
            return said, cable.path

    said, path = asyncio.run(work())
    assert path in said
    assert "Nobody of ours answers" in said


def test_one_port_that_hangs_does_not_disturb_the_next(tmp_path):
    """One hung case broke the next one, and two-board runs failed at random."""

    async def work():
        async with (
            mute_and_table(tmp_path) as (table, one, other),
            Companion(ports=(one.path, other.path)) as companion,
        ):
            one.plug()
            other.plug()
            await companion.until_connected(table)
            for socket in range(5):
                table.place(TAXI, socket)
                await asyncio.sleep(0.3)
            await companion.until(lambda: len(companion.desk.of(facts.TagAppeared)) == 5, 5)
            return companion.state(table)

    assert asyncio.run(work()) == "connected"


def test_a_device_by_air_and_by_cable_is_one_and_the_cable_is_preferred(tmp_path):
    async def work():
        table = PaperDevice("000000000001")
        radio = PaperRadio(table)
        cable = PaperCable(table, tmp_path / "port")
        async with Companion(radio, ports=(cable.path,)) as companion:
            await companion.until_connected(table)
            ways = [companion.hub.devices()[0].way]
            ids = {table.companion_id}
            table.place(TAXI, 1)
            await companion.until(lambda: companion.desk.of(facts.TagAppeared))
            cable.plug()
            await companion.until(lambda: companion.hub.devices()[0].way == "cable")
            ways.append("cable")
            ids.add(table.companion_id)
            handles = radio.open_handles
            table.place(TAXI, 2)
            await companion.until(lambda: len(companion.desk.of(facts.TagAppeared)) == 2)
            cable.pull()
            await companion.until(lambda: companion.hub.devices()[0].way == "air")
            ways.append("air")
            table.place(OTHER, 3)
            await companion.until(lambda: len(companion.desk.of(facts.TagAppeared)) == 3)
            return ways, ids, handles, companion, table

    ways, ids, handles, companion, table = asyncio.run(work())
    assert ways == ["air", "cable", "air"]
    assert len(ids) == 1
    assert handles == 0
    assert len(companion.hub.devices()) == 1
    assert [fact.socket for fact in companion.desk.of(facts.TagAppeared)] == [1, 2, 3]
    assert numbers(companion.desk.taken, table) == list(range(1, table.newest + 1))


def test_a_port_is_found_by_the_serial_number_of_its_usb_device(tmp_path, monkeypatch):
    """It may be another path after each plugging."""
    from companion.devices import serial_port

    class Port:
        def __init__(self, device, number):
            self.device, self.serial_number, self.vid = device, number, 0x303A

    async def work():
        table = PaperDevice("000000000001")
        listed = []
        monkeypatch.setattr(serial_port.list_ports, "comports", lambda: listed)
        async with cabled(table, tmp_path) as cable, Companion(ports=("7CDFA1",)) as companion:
            await asyncio.sleep(0.2)
            said = companion.hub.troubles()
            cable.plug()
            listed.append(Port("/dev/ttyS0", None))
            listed.append(Port(cable.path, "7CDFA1"))
            await companion.until_connected(table)
            return said, serial_port.usb_ports()

    (said,), ports = asyncio.run(work())
    assert "No port 7CDFA1" in said
    assert str(tmp_path / "port") in ports


def test_a_port_that_takes_nothing_blocks_nobody(tmp_path):
    async def work():
        master, slave = os.openpty()  # nobody reads the master
        port = SerialPort(os.ttyname(slave))
        turns = 0

        async def count():
            nonlocal turns
            while True:
                await asyncio.sleep(0.01)
                turns += 1

        async def fill():
            while True:
                await port.send(bytes(100))

        counting = asyncio.create_task(count())
        with pytest.raises(ConnectionError):
            await fill()
        counting.cancel()
        port.close()
        os.close(master)
        os.close(slave)
        return turns

    assert asyncio.run(work()) > 20


def test_a_forgotten_device_on_a_cable_is_left_alone(tmp_path):
    async def work():
        table = PaperDevice("000000000001")
        async with cabled(table, tmp_path) as cable, Companion(ports=(cable.path,)) as companion:
            cable.plug()
            await companion.until_connected(table)
            await companion.hub.forget(table.id)
            await asyncio.sleep(0.5)
            return companion.hub.devices(), companion.hub.troubles(), companion.hub.known[table.id].dialogue

    assert asyncio.run(work()) == ([], [], None)


@pytest.mark.parametrize("there", [True, False])
def test_the_doctor_looks_at_cables(tmp_path, capsys, there):
    async def work():
        master, slave = os.openpty()
        path = os.ttyname(slave) if there else "/dev/ttyNOWHERE"
        try:
            return await examine(Settings(tmp_path, table=f"serial:{path}"))
        finally:
            os.close(master)
            os.close(slave)

    status = asyncio.run(work())
    line = next(line for line in capsys.readouterr().out.splitlines() if "cables" in line)
    assert line.startswith("ok" if there else "LOOK")
    assert status == 0 or not there


def test_every_usb_port_is_tried_once_each_time_it_is_plugged_in(tmp_path, monkeypatch):
    from companion.devices import hub, serial_port

    monkeypatch.setattr(hub, "PORTS_SECONDS", 0.2)
    ports, opened = [], []
    monkeypatch.setattr(hub, "usb_ports", lambda: list(ports))
    original = serial_port.SerialPort.__init__

    def watched(self, path):
        opened.append(path)
        original(self, path)

    monkeypatch.setattr(serial_port.SerialPort, "__init__", watched)

    async def work():
        async with (
            mute_and_table(tmp_path) as (table, one, other),
            Companion(ports=(serial_port.ANY,)) as companion,
        ):
            one.plug()
            other.plug()
            ports.extend([one.path, other.path])
            await companion.until_connected(table)
            await asyncio.sleep(4)
            before = list(opened)
            other.pull()
            ports.remove(other.path)
            await asyncio.sleep(1)
            other.plug()
            ports.append(other.path)
            await companion.until_connected(table)
            return sorted(before), opened[len(before) :], one.path, other.path

    before, after, one, other = asyncio.run(work())
    assert before == sorted([one, other])
    assert after == [other]
