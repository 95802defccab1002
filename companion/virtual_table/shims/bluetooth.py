"""`bluetooth` as a peripheral knows it on an ESP32 with NimBLE; the radio itself is simulated by the host.

As on the chip: a value holds 20 bytes unless `gatts_set_buffer` says more, longer writes are cut; advertising ends when
a central connects; `gatts_notify` does not look at the CCCD, and raises OSError when the stack has no room.
"""

import binascii

import _table

FLAG_BROADCAST = 0x0001
FLAG_READ = 0x0002
FLAG_WRITE_NO_RESPONSE = 0x0004
FLAG_WRITE = 0x0008
FLAG_NOTIFY = 0x0010
FLAG_INDICATE = 0x0020
FLAG_AUTHENTICATED_SIGNED_WRITE = 0x0040
FLAG_AUX_WRITE = 0x0100
FLAG_READ_ENCRYPTED = 0x0200
FLAG_READ_AUTHENTICATED = 0x0400
FLAG_READ_AUTHORIZED = 0x0800
FLAG_WRITE_ENCRYPTED = 0x1000
FLAG_WRITE_AUTHENTICATED = 0x2000
FLAG_WRITE_AUTHORIZED = 0x4000

_DEFAULT_LENGTH = 20


def _hex(data):
    return binascii.hexlify(bytes(data)).decode()


class UUID(bytes):
    def __init__(self, value):
        if isinstance(value, int):
            value = bytes((value & 255, value >> 8))
        elif isinstance(value, str):
            raw = binascii.unhexlify(value.replace("-", ""))
            value = bytes([raw[i] for i in range(len(raw) - 1, -1, -1)])
        super().__init__(bytes(value))

    def __repr__(self):
        return "UUID(%s)" % _hex(self)


class BLE:
    _one = None

    def __new__(cls):
        if cls._one is None:
            cls._one = object.__new__(cls)
            cls._one._set_up()
        return cls._one

    def _set_up(self):
        self._handler = None
        self._active = False
        self._values = {}
        self._lengths = {}
        self._appending = {}
        self._config = {"gap_name": b"MPY ESP32", "mtu": 256, "rxbuf": 512}
        _table.on("ble", self._on_event)

    def _on_event(self, message):
        event = message["ev"]
        data = message["d"]
        if event == 3:
            handle = data[1]
            value = binascii.unhexlify(message["v"])
            kept = self._values.get(handle, b"") if self._appending.get(handle) else b""
            self._values[handle] = (kept + value)[: self._lengths.get(handle, _DEFAULT_LENGTH)]
        elif event in (1, 2):
            data[2] = binascii.unhexlify(data[2])
        if self._handler:
            self._handler(event, tuple(data))

    def active(self, on=None):
        if on is None:
            return self._active
        self._active = bool(on)
        _table.call({"op": "ble_active", "on": self._active})
        return self._active

    def config(self, *names, **values):
        if values:
            for key in values:
                if key == "mtu" and not 23 <= values[key] <= 517:
                    raise ValueError("mtu")
                self._config[key] = values[key]
            _table.note({"op": "ble_config", "mtu": self._config["mtu"]})
            return None
        if names[0] == "mac":
            self._need_active()
            return (0, binascii.unhexlify(_table.call({"op": "ble_mac"})["v"]))
        if names[0] not in self._config:
            raise ValueError("unknown config param")
        return self._config[names[0]]

    def _need_active(self):
        if not self._active:
            raise OSError(19)

    def irq(self, handler=None):
        self._handler = handler

    def gap_advertise(self, interval_us, adv_data=None, *, resp_data=None, connectable=True):
        self._need_active()
        if interval_us is None:
            _table.call({"op": "ble_advertise", "us": 0})
            return
        for data in (adv_data, resp_data):
            if data is not None and len(data) > 31:
                raise OSError(22)
        answer = _table.call({
            "op": "ble_advertise",
            "us": interval_us,
            "adv": None if adv_data is None else _hex(adv_data),
            "resp": None if resp_data is None else _hex(resp_data),
            "connectable": bool(connectable),
        })
        if answer.get("e"):
            raise OSError(answer["e"])

    def gatts_register_services(self, services):
        self._need_active()
        self._values.clear()
        described = []
        for uuid, characteristics in services:
            described.append([
                _hex(uuid),
                [
                    [_hex(c[0]), c[1], [[_hex(d[0]), d[1]] for d in (c[2] if len(c) > 2 else ())]]
                    for c in characteristics
                ],
            ])
        handles = _table.call({"op": "ble_register", "services": described})["handles"]
        for service in handles:
            for handle in service:
                self._values[handle] = b""
        return tuple([tuple(service) for service in handles])

    def gatts_read(self, handle):
        return self._values[handle]

    def gatts_write(self, handle, data, send_update=False):
        self._values[handle] = bytes(data)
        if len(data) > self._lengths.get(handle, _DEFAULT_LENGTH):
            self._lengths[handle] = len(data)
        _table.note({"op": "ble_value", "h": handle, "v": _hex(data), "update": bool(send_update)})
        return len(data)

    def gatts_set_buffer(self, handle, length, append=False):
        self._lengths[handle] = length
        self._appending[handle] = append

    def _notify(self, op, conn_handle, handle, data):
        value = self._values[handle] if data is None else data
        error = _table.call({"op": op, "c": conn_handle, "h": handle, "v": _hex(value)})["e"]
        if error:
            raise OSError(error)

    def gatts_notify(self, conn_handle, handle, data=None):
        self._notify("ble_notify", conn_handle, handle, data)

    def gatts_indicate(self, conn_handle, handle, data=None):
        self._notify("ble_indicate", conn_handle, handle, data)

    def gap_disconnect(self, conn_handle):
        return bool(_table.call({"op": "ble_disconnect", "c": conn_handle})["v"])
