"""Where the firmware's requests are served: pins and buses by the hardware, Bluetooth by the radio, chance by seed."""

from __future__ import annotations

import os
import random
import struct
from collections.abc import Callable
from typing import Any

from companion.virtual_table.cable import Cable
from companion.virtual_table.chips.die_hardware import ENODEV, DieHardware
from companion.virtual_table.chips.flash import NorFlash
from companion.virtual_table.chips.hardware import Hardware
from companion.virtual_table.interpreter import VirtualTableError
from companion.virtual_table.radio.peripheral import Peripheral

Message = dict[str, Any]


class FirmwareDesk:
    """Serves one board. `feed` is called when the watchdog is fed; `reset_cause` is what the firmware is told."""

    def __init__(
        self,
        hardware: Hardware,
        radio: Peripheral,
        cable: Cable,
        flash: NorFlash | None,
        device_id: bytes,
        seed: int | None,
        feed: Callable[[], None],
    ) -> None:
        self.hardware = hardware
        self.radio = radio
        self.cable = cable
        self.flash = flash
        self._die = hardware if isinstance(hardware, DieHardware) else None
        self._live_pins: frozenset[int] = frozenset(getattr(hardware, "live_pins", ()))
        self._device_id = device_id
        self._entropy = random.Random(seed) if seed is not None else None
        self._feed = feed
        self.reset_cause = 0
        self.wake_reason = 0
        self.rtc_memory = b""
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
            elif code == 7:
                sda, scl, address, size, count = struct.unpack_from("<BBBHH", body, at)
                read = self._i2c(sda, scl, address, body[at + 7 : at + 7 + size], count, t)
                at += 7 + size
            elif code == 8:
                end = at + 3 + (body[at + 1] | body[at + 2] << 8)
                self.cable.from_device(body[at + 3 : end], t)
                at = end
            elif code == 9:
                gpio = body[at]
                hardware.now = max(hardware.now, t)
                read = bytes((hardware.pin(gpio) | (2 if gpio in self._live_pins else 0),))
                at += 1
            elif code >= 10 and code <= 12 and self.flash is not None:
                read, at = self._flash(self.flash, code, body, at)
            else:
                raise VirtualTableError(f"unknown operation {code}")
        return read

    def _i2c(self, sda: int, scl: int, address: int, data: bytes, count: int, t: int) -> bytes:
        if self._die is None:
            return bytes((ENODEV,)) + bytes(count)
        status, read = self._die.i2c(sda, scl, address, data, count, t)
        return bytes((status,)) + read

    def _flash(self, flash: NorFlash, code: int, body: bytes, at: int) -> tuple[bytes, int]:
        (address,) = struct.unpack_from("<I", body, at)
        if code == 12:
            flash.erase(address)
            return b"\0", at + 4
        (size,) = struct.unpack_from("<H", body, at + 4)
        if code == 10:
            return flash.read(address, size), at + 6
        flash.program(address, body[at + 6 : at + 6 + size])
        return b"\0", at + 6 + size

    def call(self, message: Message, t: int) -> Message:
        """The answer to a call at `t` microseconds."""
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
        if op == "wake_reason":
            return {"v": self.wake_reason}
        if op == "rtc":
            if "v" in message:
                self.rtc_memory = bytes.fromhex(message["v"])
            return {"v": self.rtc_memory.hex()}
        if op == "adc":
            return self._convert(message["p"], message["a"], t)
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
        elif op == "uart":
            self.cable.attach(message["rx"], message["baud"])
        else:
            raise VirtualTableError(f"unknown call {op}")
        return {}

    def _convert(self, gpio: int, attenuation: int, t: int) -> Message:
        if self._die is None:
            self.hardware.complain(f"pin {gpio} is converted, where nothing is")
            return {"raw": 0, "uv": 0}
        raw, microvolts = self._die.adc(gpio, attenuation, t)
        return {"raw": raw, "uv": microvolts}

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
