"""Where the firmware's requests are served: pins and buses by the hardware, Bluetooth by the radio, chance by seed."""

from __future__ import annotations

import os
import random
import struct
from collections.abc import Callable
from typing import Any

from companion.virtual_table.chips.table_hardware import TableHardware
from companion.virtual_table.interpreter import VirtualTableError
from companion.virtual_table.radio.peripheral import Peripheral

Message = dict[str, Any]


class FirmwareDesk:
    """Serves one board. `feed` is called when the watchdog is fed; `reset_cause` is what the firmware is told."""

    def __init__(
        self,
        hardware: TableHardware,
        radio: Peripheral,
        device_id: bytes,
        seed: int | None,
        feed: Callable[[], None],
    ) -> None:
        self.hardware = hardware
        self.radio = radio
        self._device_id = device_id
        self._entropy = random.Random(seed) if seed is not None else None
        self._feed = feed
        self.reset_cause = 0
        self.forced_entropy = bytearray()
        """Bytes that `os.urandom` gives before any others: loaded dice for tests."""

    def operate(self, body: bytes, t: int) -> bytes:
        """A batch of operations, see `shims/_table.py`, the first at `t` microseconds; what the last transfer read."""
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

    def call(self, message: Message) -> Message:
        """The answer to a call."""
        op = message["op"]
        if op == "ble_notify" or op == "ble_indicate":
            value = bytes.fromhex(message["v"])
            return {"e": self.radio.notify(message["c"], message["h"], value, op == "ble_indicate")}
        if op == "pin":
            return {"v": self.hardware.pin(message["p"])}
        if op == "urandom":
            return {"v": self._urandom(message["n"])}
        if op == "reset_cause":
            return {"v": self.reset_cause}
        if op == "unique_id":
            return {"v": self._device_id.hex()}
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


def _bytes(text: str | None) -> bytes | None:
    return None if text is None else bytes.fromhex(text)
