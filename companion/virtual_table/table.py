"""The virtual table: real firmware, chip models and radio in this process, and the hands that move things on it.

    async with VirtualTable(flash) as table:
        scanner_class, client_class = table.backend()      # for bleak
        table.place_tag("04a1b2c3", 7)
        table.press_button()

On an ordinary loop it runs in real time; on a `VirtualTimeLoop` in virtual time, the same way in every run for the
same `seed`. UIDs are hex strings, sockets numbers from 0. Every hand raises `ValueError` for what cannot be done.
"""

from __future__ import annotations

import asyncio
import tempfile
from collections import deque
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from bleak.backends.client import BaseBleakClient
from bleak.backends.scanner import BaseBleakScanner

from companion.virtual_table.board import WDT_RESET, Board, BoardSetup, Message
from companion.virtual_table.chips.table_hardware import TableHardware, Wiring
from companion.virtual_table.chips.ws2812 import Colour, LedFrame
from companion.virtual_table.radio.air import Air
from companion.virtual_table.radio.bleak_backend import bleak_backend
from companion.virtual_table.radio.central import Central
from companion.virtual_table.radio.peripheral import Peripheral
from firmware import pins

ADDRESS = "F0:CA:B0:7A:B1:E0"
_FRAMES_KEPT = 2_000
_LOG_KEPT = 200


class VirtualTable:
    """One table. `on_change` hears what can be seen of it: dicts with `kind` tags, lights, button, link or log."""

    def __init__(
        self,
        flash: Path | None = None,
        *,
        setup: BoardSetup | None = None,
        air_time_ms: float = 0.0,
        on_change: Callable[[Message], None] = lambda change: None,
    ) -> None:
        self._temporary: tempfile.TemporaryDirectory[str] | None = None
        if flash is None and setup is None:
            self._temporary = tempfile.TemporaryDirectory(prefix="cabstand-flash-")
            flash = Path(self._temporary.name)
        if setup is None:
            assert flash is not None
            setup = BoardSetup(flash)
        elif flash is not None:
            setup = replace(setup, flash=flash)
        self.setup = setup
        self.on_change = on_change
        self.air = Air(air_time_ms / 1000)
        self.hardware = TableHardware(Wiring.of_pins(pins), self._on_frame)
        self.log: deque[str] = deque(maxlen=_LOG_KEPT)
        self._frames: dict[str, deque[LedFrame]] = {
            "board": deque(maxlen=_FRAMES_KEPT),
            "die": deque(maxlen=_FRAMES_KEPT),
        }
        self._link = "off"
        self.board = Board(setup, self.hardware, self._radio_for, self._on_report)
        self._central: Central | None = None
        self._button_timer: asyncio.TimerHandle | None = None

    async def __aenter__(self) -> VirtualTable:
        self.start()
        return self

    async def __aexit__(self, *exc_info: object) -> None:
        await self.close()

    def start(self) -> None:
        """Switches the supply on."""
        self.board.start()

    async def close(self) -> None:
        if self._central is not None:
            await self._central.close()
        if self._button_timer is not None:
            self._button_timer.cancel()
        self.board.close()
        if self._temporary is not None:
            self._temporary.cleanup()

    # -- the radio's other end ----------------------------------------------------------------------------------------

    @property
    def central(self) -> Central:
        """The companion's adapter in this process."""
        if self._central is None:
            self._central = Central.in_process(self.air)
        return self._central

    def backend(self) -> tuple[type[BaseBleakScanner], type[BaseBleakClient]]:
        """Scanner and client classes for bleak's `backend=`."""
        return bleak_backend(self.central)

    # -- hands --------------------------------------------------------------------------------------------------------

    def place_tag(self, uid: str, socket: int) -> None:
        """Puts a taxi's tag on a socket, from wherever it was."""
        self.hardware.place_tag(_uid(uid), socket)
        self._changed_tags()

    def lift_tag(self, uid: str) -> None:
        """Takes a tag off the table; nothing happens when it is not there."""
        if self.hardware.lift_tag(_uid(uid)):
            self._changed_tags()

    def flap_tag(self, uid: str, socket: int, pattern: str = "10") -> None:
        """Puts a tag at the edge of a field: at each look the next character says whether it is seen (1) or not (0)."""
        self.hardware.place_tag(_uid(uid), socket, pattern)
        self._changed_tags()

    def tags(self) -> dict[str, int]:
        """UID → socket."""
        return {uid.hex(): socket for uid, socket in self.hardware.tags().items()}

    def press_button(self, hold_ms: float = 120) -> None:
        """Presses the die's button and lets it go."""
        if self._button_timer is not None:
            self._button_timer.cancel()
        self._set_button(True)
        loop = asyncio.get_running_loop()
        self._button_timer = loop.call_later(hold_ms / 1000, self._set_button, False)

    def lights(self, strip: str = "board") -> list[Colour]:
        """What the strip (board or die) shows now: (red, green, blue) each."""
        return list(self._strip(strip).frame.lights)

    def led_frames(self, strip: str = "board") -> list[LedFrame]:
        """The newest frames that went out, at most 2,000."""
        if strip not in self._frames:
            raise ValueError(f"there are the strips board and die, not {strip!r}")
        return list(self._frames[strip])

    @property
    def link(self) -> str:
        """off, silent, advertising or connected."""
        return self.board.radio.state

    async def stats(self) -> Message:
        """Figures of the firmware's work; heap in bytes of a 64-bit heap, after a collection."""
        counters = self.hardware.counters
        heap: Message = {}
        if self.board.running:
            measured = await self.board.measure_heap()
            size = measured["free"] + measured["used"]
            heap = {**measured, "size": size, "free_percent": round(100 * measured["free"] / size, 1)}
        return {
            "uptime_s": round(self.board.uptime_s, 3),
            "boots": self.board.boots,
            "heap": heap,
            "link": self.link,
            "spi_transfers": counters.spi_transfers,
            "spi_bytes": counters.spi_bytes,
            "sweeps": counters.sweeps,
            "transfers_of_last_sweep": counters.transfers_of_last_sweep,
            "most_fields_on": counters.most_fields_on,
            "led_frames": counters.led_frames,
            "notifications": self.board.radio.notifications,
            "model_errors": self.hardware.model_errors_total,
        }

    def model_errors(self) -> list[str]:
        """What the chips would have suffered from: the first 200, with the time in seconds."""
        return [f"{t / 1e6:.6f} {text}" for t, text in self.hardware.model_errors]

    # -- faults -------------------------------------------------------------------------------------------------------

    def drop_link(self, out_of_range_s: float = 0.0) -> None:
        """Both ends lose the connection, as when somebody walks away; for that long nothing is heard."""
        self.air.lose_links()
        if out_of_range_s > 0:
            self.air.out_of_range = True
            asyncio.get_running_loop().call_later(out_of_range_s, self._come_back)
        self._note("the link was lost")

    def set_air_time(self, ms: float) -> None:
        """How long a packet is under way."""
        if not 0 <= ms <= 10_000:
            raise ValueError("air time is from 0 to 10,000 ms")
        self.air.air_time_s = ms / 1000

    def notify_enomem(self, count: int) -> None:
        """The next `count` notifications of the firmware find no buffer (OSError ENOMEM)."""
        self.board.radio.enomem_left = count

    def inject_notification(self, packet: bytes) -> None:
        """Bytes reach the companion that the firmware never sent."""
        if not self.board.radio.inject(packet):
            raise ValueError("nobody is connected")

    def mute_reader(self, socket: int, trouble: str = "hung") -> None:
        """A reader breaks: dead (until repaired), hung or deaf (until it is reset)."""
        self._reader(socket).fail(trouble, self.hardware.now)

    def repair_reader(self, socket: int) -> None:
        self._reader(socket).repair(self.hardware.now)

    def crash(self) -> None:
        """The processor dies in the middle of whatever it does; its watchdog starts it again."""
        self.board.reset(WDT_RESET, "crash")

    def power_cycle(self, off_s: float = 0.5) -> None:
        """The plug is pulled and put back; the flash keeps what was in it, the lights go dark."""
        self.board.power_cycle(off_s)

    def power_off(self) -> None:
        """The plug is pulled."""
        self.board.stop()
        self.hardware.power_on(self.hardware.now)

    # -- inside -------------------------------------------------------------------------------------------------------

    def snapshot(self) -> list[Message]:
        """What `on_change` would have said so far, as one change of each kind."""
        return [
            {"kind": "tags", "tags": self.tags()},
            {"kind": "lights", "strip": "board", "lights": self.lights("board")},
            {"kind": "lights", "strip": "die", "lights": self.lights("die")},
            {"kind": "button", "pressed": self.hardware.button_pressed},
            {"kind": "link", "link": self.link},
        ]

    def _radio_for(self, board: Board) -> Peripheral:
        return Peripheral(self.air, ADDRESS, board.send_event, self.hardware.complain, board.defer, self._changed_link)

    def _strip(self, name: str) -> Any:
        wiring = self.hardware.wiring
        if name not in ("board", "die"):
            raise ValueError(f"there are the strips board and die, not {name!r}")
        return self.hardware.strips[wiring.board_strip if name == "board" else wiring.die_strip]

    def _reader(self, socket: int) -> Any:
        if not 0 <= socket < len(self.hardware.readers):
            raise ValueError(f"sockets have numbers from 0 to {len(self.hardware.readers) - 1}, not {socket}")
        return self.hardware.readers[socket]

    def _set_button(self, pressed: bool) -> None:
        self.board.set_button(pressed)
        self.on_change({"kind": "button", "pressed": pressed})

    def _come_back(self) -> None:
        self.air.out_of_range = False

    def _changed_tags(self) -> None:
        self.on_change({"kind": "tags", "tags": self.tags()})

    def _changed_link(self) -> None:
        state = self.link
        if state != self._link:
            self._link = state
            self.on_change({"kind": "link", "link": state})

    def _on_frame(self, strip: str, frame: LedFrame) -> None:
        frames = self._frames[strip]
        changed = not frames or frames[-1].lights != frame.lights
        frames.append(frame)
        if changed:
            self.on_change({"kind": "lights", "strip": strip, "lights": list(frame.lights)})

    def _on_report(self, kind: str, data: Message) -> None:
        if kind == "booted":
            self._note(f"the board started (reset cause {data['cause']})")
        elif kind == "reset":
            self._note(f"the board was reset: {data['why']}")
        else:
            self._note(f"the firmware stopped: {data['text']}")

    def _note(self, text: str) -> None:
        self.log.append(text)
        self.on_change({"kind": "log", "text": text})


def _uid(text: str) -> bytes:
    try:
        uid = bytes.fromhex(text)
    except ValueError:
        uid = b""
    if len(uid) not in (4, 7, 10):
        raise ValueError(f"a tag's UID is 4, 7 or 10 bytes in hex, not {text!r}")
    return uid
