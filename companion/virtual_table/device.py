"""One device of a virtual table: its name, what runs on it, its hardware, its board, what can be seen of it."""

from __future__ import annotations

import asyncio
import re
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from companion.virtual_table.board import Board, BoardSetup, Message
from companion.virtual_table.chips.die_hardware import DieHardware, DieWiring, RingHardware
from companion.virtual_table.chips.table_hardware import TableHardware, Wiring
from companion.virtual_table.chips.ws2812 import LedFrame, Ws2812Strip
from companion.virtual_table.radio.air import Air
from companion.virtual_table.radio.peripheral import Peripheral

_FRAMES_KEPT = 2_000
_NAME = re.compile(r"(table|die|ring)([2-9])?")


@dataclass(frozen=True)
class Kind:
    """What all devices of a kind have in common. `entry` starts the firmware; `heap` is that of `BoardSetup` for
    bytecode, `source_heap` for sources, which a compiler on the board turns into bytecode first.
    """

    kind: str
    entry: str
    heap: str
    source_heap: str
    chip: str
    address: str
    """Bluetooth address without its last byte, which is the number of the device."""


KINDS = {
    "table": Kind("table", "firmware.table.main", "110wK", "110wK", "esp32", "F0:CA:B0:7A:B1"),
    "die": Kind("handheld_die", "firmware.die.handheld_main", "64wK", "128wK", "esp32c3", "F0:CA:B0:D1:CE"),
    "ring": Kind("table_die", "firmware.die.table_die_main", "64wK", "128wK", "esp32", "F0:CA:B0:D1:21"),
}
_FIRST = 0xE0
_CONTROLLER_MA = {"off": 18.0, "silent": 22.0, "advertising": 26.0, "connected": 30.0}  # an ESP32-C3 by its radio
_ASLEEP_MA = 0.005


def parse_name(name: str) -> tuple[Kind, int]:
    """`die2` → (the handheld die's kind, 2). Raises `ValueError` for anything that is no device's name."""
    found = _NAME.fullmatch(name)
    if found is None:
        raise ValueError(f"devices are called table, die, ring, table2, die2, … up to 9, not {name!r}")
    return KINDS[found[1]], int(found[2] or 1)


def check_names(names: tuple[str, ...]) -> tuple[str, ...]:
    """The same names. Raises `ValueError` for none, unknown or doubled ones."""
    if not names:
        raise ValueError("a virtual table has at least one device, for instance table")
    for name in names:
        parse_name(name)
    if len(set(names)) != len(names):
        raise ValueError(f"each device is there once: {', '.join(names)}")
    return names


def setup_of(name: str, flash: Path, *, place: int = 0, like: BoardSetup | None = None) -> BoardSetup:
    """What runs on the device of that name by default.

    `flash` is its own folder; `place` its place among the devices of its table, which makes its chance its own; `like`
    gives code, seed, boot time and file system.
    """
    kind, _ = parse_name(name)
    base = like or BoardSetup(flash)
    sources = (base.code / "firmware" / "__init__.py").exists()
    return replace(
        base,
        flash=flash,
        entry=kind.entry,
        heap=kind.source_heap if sources else kind.heap,
        chip=kind.chip,
        seed=None if base.seed is None else base.seed + 1_000_003 * place,
        device_id=device_id(name),
    )


def device_id(name: str) -> bytes:
    """The six bytes by which the device of that name is known, which are its Bluetooth address too."""
    kind, number = parse_name(name)
    return bytes.fromhex(kind.address.replace(":", "")) + bytes([_FIRST + number - 1])


def controllers(names: tuple[str, ...]) -> list[str]:
    """Those of these names that are table controllers, in the order in which they share the layout's sockets."""
    return [name for name in names if parse_name(name)[0].kind == "table"]


class VirtualDevice:
    """One device. `on_change` hears what can be seen of it, see `table.VirtualTable`; `air` is everybody's."""

    def __init__(
        self,
        name: str,
        setup: BoardSetup,
        air: Air,
        on_change: Callable[[Message], None],
        accelerometer: str = "lis2dw12",
    ) -> None:
        self.name = name
        self.kind, self.number = parse_name(name)
        self.setup = setup
        self.air = air
        self.address = f"{self.kind.address}:{_FIRST + self.number - 1:02X}"
        self._on_change = on_change
        self._frames: dict[str, deque[LedFrame]] = {}
        self.hardware: TableHardware | RingHardware | DieHardware
        self.strips: dict[str, Ws2812Strip]
        self.table: TableHardware | None = None
        self.die: DieHardware | None = None
        button: int | None = None
        if self.kind.kind == "table":
            from firmware import pins, pins_table_s3

            wiring = Wiring.of_pins(pins_table_s3 if setup.chip == "esp32s3" else pins)
            self.hardware = self.table = TableHardware(wiring, self._on_frame, seed=setup.seed or 0)
            button = wiring.die_button
            self.strips = {
                "board": self.table.strips[wiring.board_strip],
                "die": self.table.strips[wiring.die_strip],
            }
        elif self.kind.kind == "table_die":
            from firmware import pins_table_die

            ring = self.hardware = RingHardware.of_pins(pins_table_die, self._on_frame)
            button = ring.button_pin
            self.strips = {"die": ring.strip}
        else:
            from firmware import pins_handheld

            die = self.hardware = self.die = DieHardware(
                DieWiring.of_pins(pins_handheld),
                self._on_frame,
                chip=accelerometer,
                seed=setup.seed or 0,
            )
            self.strips = {"die": die.strip}
        for strip in self.strips:
            self._frames[strip] = deque(maxlen=_FRAMES_KEPT)
        self._link = "off"
        self._button_timer: asyncio.TimerHandle | None = None
        self.has_button = button is not None
        self.board = Board(setup, self.hardware, self._radio_for, self._on_report, button)
        if self.die is not None:
            self.die.controller_ma = self._controller_ma

    @property
    def link(self) -> str:
        """off, silent, advertising or connected."""
        return self.board.radio.state

    @property
    def led_frames(self) -> int:
        return self.table.counters.led_frames if self.table is not None else getattr(self.hardware, "led_frames", 0)

    def strip(self, name: str) -> Ws2812Strip:
        if name not in self.strips:
            there = " and ".join(self.strips)
            strips = f"strips {there}" if len(self.strips) > 1 else f"strip {there}"
            raise ValueError(f"there {'are' if len(self.strips) > 1 else 'is'} the {strips}, not {name!r}")
        return self.strips[name]

    def frames(self, strip: str) -> list[LedFrame]:
        """The newest frames that went out, at most 2,000."""
        self.strip(strip)
        return list(self._frames[strip])

    # -- hands --------------------------------------------------------------------------------------------------------

    def press_button(self, hold_ms: float) -> None:
        if not self.has_button:
            raise ValueError(f"{self.name} has no button: throw it")
        if self._button_timer is not None:
            self._button_timer.cancel()
        self._set_button(True)
        self._button_timer = asyncio.get_running_loop().call_later(hold_ms / 1000, self._set_button, False)

    def need_die(self) -> DieHardware:
        """The hardware of a handheld die; `ValueError` for other devices."""
        if self.die is None:
            raise ValueError(f"{self.name} is no handheld die")
        return self.die

    def lose_link(self, out_of_range_s: float) -> None:
        """Both ends lose this device's connection; for that long nobody hears it."""
        self.board.radio.lose_links()
        if out_of_range_s > 0:
            self.board.radio.out_of_range = True
            asyncio.get_running_loop().call_later(out_of_range_s, self._come_back)

    def power_off(self) -> None:
        self.board.stop()
        self.hardware.power_on(self.board.now_us)

    def close(self) -> None:
        if self._button_timer is not None:
            self._button_timer.cancel()
        self.board.close()

    # -- inside -------------------------------------------------------------------------------------------------------

    def state(self) -> list[Message]:
        """What `on_change` would have said so far, as one change of each kind."""
        changes: list[Message] = [
            {"kind": "lights", "device": self.name, "strip": strip, "lights": list(self.strips[strip].frame.lights)}
            for strip in self.strips
        ]
        if self.has_button:
            changes.append({"kind": "button", "device": self.name, "pressed": self.hardware.button_pressed})
        changes.append({"kind": "link", "device": self.name, "link": self.link})
        return changes

    def _controller_ma(self) -> float:
        if self.board.running:
            return _CONTROLLER_MA[self.link]
        return _ASLEEP_MA if self.board.asleep else 0.0

    def _come_back(self) -> None:
        self.board.radio.out_of_range = False

    def _set_button(self, pressed: bool) -> None:
        self.board.set_button(pressed)
        self._on_change({"kind": "button", "device": self.name, "pressed": pressed})

    def _radio_for(self, board: Board) -> Peripheral:
        return Peripheral(
            self.air,
            self.address,
            board.send_event,
            self.hardware.complain,
            board.defer,
            self._changed_link,
            lambda: board.now_us,
        )

    def _changed_link(self) -> None:
        state = self.link
        if self.die is not None:
            self.die.update_load(self.board.now_us)
        if state != self._link:
            self._link = state
            self._on_change({"kind": "link", "device": self.name, "link": state})

    def _on_frame(self, strip: str, frame: LedFrame) -> None:
        frames = self._frames[strip]
        changed = not frames or frames[-1].lights != frame.lights
        frames.append(frame)
        if changed:
            self._on_change({"kind": "lights", "device": self.name, "strip": strip, "lights": list(frame.lights)})

    def _on_report(self, kind: str, data: Message) -> None:
        if self.die is not None:
            self.die.update_load(self.board.now_us)
        if kind == "booted":
            self.note(f"the board started (reset cause {data['cause']})")
        elif kind == "reset":
            self.note(f"the board was reset: {data['why']}")
        elif kind == "ended":
            self.note(f"the firmware stopped: {data['text']}")
        elif kind == "sleeps":
            self.note("the board went to sleep")
        elif kind == "wakes":
            self.note(f"the board woke up (reason {data['reason']})")

    def note(self, text: str) -> None:
        self._on_change({"kind": "log", "device": self.name, "text": text})
