"""One controller board: the MicroPython process that runs the firmware, and the link to it.

The process is told where the firmware lies and which folder is its flash; everything else goes over a socket pair in
frames that `shims/_table.py` describes. In real time the loop reads the socket; in virtual time the board works only
inside `step`, while the loop stands still. A reset ends the process and the next one starts after the boot time, with
the flash as it was and `machine.reset_cause()` telling why; deep sleep does the same until something wakes it.
"""

from __future__ import annotations

import asyncio
import json
import socket
import struct
import subprocess
from collections import deque
from collections.abc import Callable
from math import inf

from companion.virtual_table.board_timers import Later, PinWatch, Watchdog
from companion.virtual_table.cable import Cable
from companion.virtual_table.chips.die_hardware import DieHardware
from companion.virtual_table.chips.flash import NorFlash, PowerLost
from companion.virtual_table.chips.hardware import Hardware
from companion.virtual_table.clock import VirtualTimeLoop
from companion.virtual_table.deep_sleep import DeepSleep
from companion.virtual_table.firmware_desk import FirmwareDesk, Message
from companion.virtual_table.interpreter import SHIMS, SOURCES, BoardSetup, VirtualTableError, spawn
from companion.virtual_table.radio.peripheral import Peripheral

__all__ = ["SHIMS", "SOURCES", "Board", "BoardSetup", "Message", "VirtualTableError"]

PWRON_RESET, HARD_RESET, WDT_RESET, DEEPSLEEP_RESET, SOFT_RESET = 1, 2, 3, 4, 5

_HEADER = struct.Struct("<BHq")
_PATIENCE_S = 30.0  # in virtual time: a firmware that works longer than this without looking at its clock hangs


class Board:
    """Runs the firmware against `hardware` and `radio`. `report(kind, data)` hears boots, ends and resets."""

    def __init__(
        self,
        setup: BoardSetup,
        hardware: Hardware,
        radio: Callable[[Board], Peripheral],
        report: Callable[[str, Message], None],
        button_pin: int | None = None,
    ) -> None:
        self.setup = setup
        self.hardware = hardware
        self.radio = radio(self)
        self._report = report
        self._loop = asyncio.get_running_loop()
        self._virtual = isinstance(self._loop, VirtualTimeLoop)
        self._created = self._loop.time()
        self._button_pin = button_pin
        self._watchdog = Watchdog(lambda: self.reset(WDT_RESET, "the watchdog was not fed"))
        self._later = Later(self._virtual)
        self._live = hardware if isinstance(hardware, DieHardware) else None
        self._pins: PinWatch | None = None
        if self._live is not None:
            self._pins = PinWatch(self._live, lambda: self.now_us, self.loop_time, self.pin_changed)
        seed = setup.seed or 0
        self.cable = Cable(self._on_cable, self.loop_time, seed)
        self.flash: NorFlash | None = None
        if setup.littlefs:
            self.flash = NorFlash(setup.flash / "flash.img", setup.littlefs, seed, hardware.complain)
        self.desk = FirmwareDesk(
            hardware, self.radio, self.cable, self.flash, setup.device_id, setup.seed, self._watchdog.feed
        )
        self.restart = True
        """Whether a board that was reset starts again by itself."""
        self.boots = 0
        self.heap: Message = {}
        self._process: subprocess.Popen[bytes] | None = None
        self._socket: socket.socket | None = None
        self._buffer = bytearray()
        self._events: deque[Message] = deque()
        self._resting_until = inf
        self._base_us: int | None = None
        self._now_us = 0
        self._boot_timer: asyncio.TimerHandle | None = None
        self._sleep: DeepSleep | None = None
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
    def asleep(self) -> bool:
        """Whether it is in deep sleep."""
        return self._sleep is not None

    @property
    def uptime_s(self) -> float:
        return self._now_us / 1e6

    @property
    def now_us(self) -> int:
        """The device's time now: it goes on while the board is dark."""
        return max(self._now_us, round((self._loop.time() - (0 if self._virtual else self._created)) * 1e6))

    def loop_time(self, device_us: float) -> float:
        """When that time of the device is on the loop's clock."""
        return device_us / 1e6 + (0 if self._virtual else self._created)

    def start(self, cause: int = PWRON_RESET) -> None:
        """Switches the board on; returns at once, the firmware boots meanwhile."""
        if self._process is not None:
            return
        ours, theirs = socket.socketpair()
        start_us = round(self._loop.time() * 1e6) if self._virtual else 0
        self.desk.reset_cause = cause
        if cause != DEEPSLEEP_RESET:
            self.desk.wake_reason = 0
        if cause == PWRON_RESET:
            self.desk.rtc_memory = b""
        self._buffer.clear()
        self._events.clear()
        self._resting_until = -inf if self._virtual else inf
        try:
            self._process = spawn(self.setup, theirs.fileno(), self._virtual, start_us)
        except BaseException:
            ours.close()
            theirs.close()
            raise
        theirs.close()
        self._socket = ours
        self.boots += 1
        if self._virtual:
            ours.settimeout(_PATIENCE_S)
        else:
            self._loop.add_reader(ours.fileno(), self._readable)

    def stop(self) -> None:
        """Takes the supply away; nothing starts again by itself."""
        if self._boot_timer is not None:
            self._boot_timer.cancel()
            self._boot_timer = None
        if self._sleep is not None:
            self._sleep.stop()
            self._sleep = None
        self._watchdog.stop()
        self._later.stop()
        if self._pins is not None:
            self._pins.stop()
        self._end_process()

    def reset(self, cause: int, why: str) -> None:
        """Ends this life now and begins the next one after the boot time."""
        self.stop()
        self.hardware.controller_reset(self.now_us)
        self._report("reset", {"cause": cause, "why": why})
        if self.restart:
            self._boot_timer = self._loop.call_later(self.setup.boot_s, self._boot, cause)

    def power_cycle(self, off_s: float, why: str = "power cycle") -> None:
        """The supply goes and comes back; a brown-out is the same in short."""
        self.stop()
        self.desk.rtc_memory = b""
        self.hardware.power_on(self.now_us)
        self._report("reset", {"cause": PWRON_RESET, "why": why})
        self._boot_timer = self._loop.call_later(off_s + self.setup.boot_s, self._boot, PWRON_RESET)

    def _fall_asleep(self, message: Message) -> None:
        self.stop()
        self.hardware.controller_reset(self.now_us)
        self._sleep = DeepSleep(message["wake"], message["ms"], self.hardware.pin, self._wake)
        self._report("sleeps", {})
        self.watch_pins()
        if self._sleep is not None:
            self._sleep.begin()

    def _wake(self, reason: int) -> None:
        self._sleep = None
        self.desk.wake_reason = reason
        self._report("wakes", {"reason": reason})
        self._boot_timer = self._loop.call_later(self.setup.boot_s, self._boot, DEEPSLEEP_RESET)

    def close(self) -> None:
        self.stop()
        self.cable.close()
        if self.flash is not None:
            self.flash.close()
        if isinstance(self._loop, VirtualTimeLoop) and self in self._loop.boards:
            self._loop.boards.remove(self)

    def _boot(self, cause: int) -> None:
        self._boot_timer = None
        self.start(cause)

    def _end_process(self) -> None:
        process, self._process = self._process, None
        ours, self._socket = self._socket, None
        if process is not None:
            process.kill()  # first: a firmware that notices its socket's end would note a fault that no board has
            process.wait()
        if ours is not None:
            if not self._virtual:
                self._loop.remove_reader(ours.fileno())
            ours.close()
        self._resting_until = inf
        self._watchdog.stop()
        self._events.clear()
        self.cable.forget()
        self.radio.switch_off()
        for waiter in self._heap_waiters:
            if not waiter.done():
                waiter.set_exception(VirtualTableError("the board was reset meanwhile"))
        self._heap_waiters.clear()

    # -- events to the firmware ---------------------------------------------------------------------------------------

    def send_event(self, event: Message) -> None:
        """Something happens to the firmware: an interrupt, in the order of calls."""
        if self._process is not None and self._virtual:
            self._events.append(event)
        elif self._process is not None:
            self._send(b"e", json.dumps(event).encode())

    def set_button(self, pressed: bool) -> None:
        self.hardware.button_pressed = pressed
        if self._button_pin is not None:
            self.pin_changed(self._button_pin)

    def pin_changed(self, gpio: int) -> None:
        """An input has another level: an interrupt, or what a sleeping controller wakes by."""
        if self._sleep is not None:
            self._sleep.look()
        else:
            self.send_event({"k": "pin", "p": gpio, "v": self.hardware.pin(gpio)})

    def watch_pins(self) -> None:
        """Tells the firmware of inputs that have moved by themselves."""
        if self._pins is not None:
            self._pins.look()

    def _on_cable(self, gpio: int, data: bytes, baud: int) -> None:
        self.send_event({"k": "uart", "p": gpio, "v": data.hex(), "b": baud})

    async def measure_heap(self, collect: bool = True) -> Message:
        """`free` and `used` bytes of the firmware's heap (64-bit), after a collection unless told otherwise."""
        waiter: asyncio.Future[Message] = self._loop.create_future()
        self._heap_waiters.append(waiter)
        self.send_event({"k": "heap", "collect": collect})
        return await asyncio.wait_for(waiter, 10)

    def defer(self, work: Callable[[], None]) -> None:
        """Does it when the firmware's clock says: at once, but in virtual time the loop may be a little behind."""
        self._later.do(self._now_us / 1e6, work)

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
        if self._watchdog.is_set:
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
                self._base_us = json.loads(body)["base_us"] if self._virtual else t - self.now_us
            self._now_us = max(self._now_us, t - self._base_us)
            self._frame(kind, t - self._base_us, body)
            if self._process is None:
                return
        del buffer[:at]

    def _frame(self, kind: int, t: int, body: bytes) -> None:
        if kind == 0x42 or kind == 0x58:
            try:
                read = self.desk.operate(body, t)
            except PowerLost:
                self.power_cycle(0.5, "the power was cut while the flash was written")
                return
            if kind == 0x58:
                self._send(b"r", read)
                self.watch_pins()
        elif kind == 0x49:
            until = struct.unpack("<q", body)[0]
            self._resting_until = inf if until < 0 else (until - (self._base_us or 0)) / 1e6
        elif kind == 0x43:
            self._answer(b"c", json.dumps(self.desk.call(json.loads(body), t)).encode())
        elif kind == 0x4E:
            self._note(json.loads(body))

    def _note(self, message: Message) -> None:
        op = message["op"]
        if op == "booted":
            self.heap = {"free": message["free"], "used": message["used"], "base": message["used"]}
            self._report("booted", {"cause": self.desk.reset_cause})
        elif op == "reset":
            self.reset(message["cause"], "the firmware asked for it")
        elif op == "sleep":
            self._fall_asleep(message)
        elif op == "lightsleep":
            if self.radio.active:
                self.hardware.complain("light sleep with the radio on: connections are lost")
                self.radio.lose_links()
        elif op == "ended":
            self._report("ended", {"text": message["text"]})
        elif op == "wdt":
            self._watchdog.set(message["timeout"] / 1000)
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
