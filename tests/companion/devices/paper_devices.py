"""Devices on paper, for tests of the companion's half alone: they speak the protocol as docs/protocol.md has it, over
a radio that can be made to fail in every way, and over real pseudo-terminals. The firmware's own half is tested where
it really runs."""

import asyncio
import hashlib
import hmac
import os

from bleak.backends.client import BaseBleakClient
from bleak.backends.scanner import AdvertisementData, BaseBleakScanner
from bleak.exc import BleakError

from companion.devices.hub import DeviceHub
from companion.devices.link_state import LinkState
from companion.errors import StorageError
from companion.event_log.store import InboxMark
from companion.settings import Settings
from companion.virtual_table.clock import VirtualTimeLoop
from shared_rules.wire.message_table import TO_TABLE
from shared_rules.wire.messages import (
    COMMANDS_UUID,
    EVENTS_UUID,
    HANDHELD_DIE,
    INFO_UUID,
    NOT_PAIRED,
    SERVICE_UUID,
    TABLE_CONTROLLER,
    TABLE_DIE,
    decode,
    encode,
)
from shared_rules.wire.serial_frames import FrameReader, encode_frame

TABLE, DIE, RING = TABLE_CONTROLLER, HANDHELD_DIE, TABLE_DIE
HARMFUL = ("PAIR", "UNPAIR", "CALIBRATE_DIE", "RESTART")
HEARTBEAT_SECONDS = 1.0


class PaperDevice:
    """`id` in hex. `report` numbers an event and keeps it until it is acknowledged; `commands` are those that were
    carried out, in order; `statuses` what a command is answered with; `silent` says nothing
    more, not even heartbeats; `proofs` how often a companion has proved itself."""

    def __init__(self, device_id, kind=TABLE, *, key=b"", boot=77, faces=None):
        self.id, self.kind, self.key, self.boot = device_id, kind, key, boot
        self.sockets, self.leds = (32, 64) if kind == TABLE else (0, 12)
        self.faces = 12 if faces is None else faces
        self.tags, self.die_state = {}, 0
        self.events, self.newest = {}, 0
        self.commands, self.numbers, self.statuses, self.results = [], [], {}, {}
        self.acked = 0
        self.silent = self.deaf = False
        self.lost_results = 0
        self.log = ""
        self.speak = None
        self.resumed = self.proved = False
        self.nonce = bytes(range(12))
        self.companion_id = 0
        self.proves_wrongly = False
        self.resumes = self.proofs = 0

    def hello(self):
        return encode(
            "HELLO",
            self.newest & 0xFFFF,
            0,
            {
                "device_id": bytes.fromhex(self.id),
                "boot_id": self.boot,
                "protocol_minor": 1,
                "firmware_major": 0,
                "firmware_minor": 2,
                "firmware_patch": 0,
                "reset_cause": 1,
                "sockets": self.sockets,
                "leds": self.leds,
                "die_faces": self.faces,
                "device_kind": self.kind,
                "paired": int(bool(self.key)),
                "mode": 0,
            },
        )

    def say(self, name, fields=None, seq=None, ref=0):
        if self.speak is not None and not self.silent:
            self.speak(encode(name, (self.newest if seq is None else seq) & 0xFFFF, ref, fields or {}))

    def report(self, name, fields, ref=0):
        self.newest += 1
        self.events[self.newest] = (name, fields, ref)
        if self.resumed:
            self.say(name, fields, self.newest, ref)

    def place(self, uid, socket):
        for other, where in list(self.tags.items()):
            if other == uid:
                self.lift(uid, where)
        self.tags[uid] = socket
        self.report("TAG_APPEARED", {"socket": socket, "uid": bytes.fromhex(uid)})

    def lift(self, uid, socket):
        del self.tags[uid]
        self.report("TAG_GONE", {"socket": socket, "uid": bytes.fromhex(uid)})

    def roll(self, face, map_id, value, ref=None):
        """A throw that answers the newest invitation, or `ref`."""
        if ref is None:
            done = zip(self.numbers, self.commands, strict=True)
            ref = max((number for number, (name, _) in done if name == "ARM_DIE"), default=0)
        self.report("ROLL_STARTED", {"roll": 1, "map_id": map_id}, ref)
        self.report(
            "ROLL_SETTLED",
            {
                "roll": 1,
                "face": face,
                "map_id": map_id,
                "value": value,
                "tumbles": 9,
                "duration": 900,
                "digest": 0xBEEF,
            },
            ref,
        )

    def gone(self, speak):
        """A way to it has ended; another one may be in use by now."""
        if self.speak == speak:
            self.speak, self.resumed, self.proved = None, False, False

    def hear(self, packet, speak):
        """`speak` is the way back."""
        if self.deaf:
            return
        message = decode(packet, TO_TABLE)
        name, fields = message.name, message.fields
        if name == "ASK_HELLO":
            speak(self.hello())
        elif name == "RESUME":
            self.companion_id, self.asked = fields["companion_id"], fields
            self.resumes += 1
            self.speak, self.resumed, self.proved = speak, False, False
            if self.key:
                self.say("CHALLENGE", {"nonce": self.nonce})
            else:
                self._go_on()
        elif name == "PROOF":
            if fields["proof"] != self._proof(b"companion", fields["nonce"]):
                self.say("REFUSED", {"reason": 1})
                return
            self.proved = True
            self.proofs += 1
            mine = bytes(12) if self.proves_wrongly else self._proof(b"device", fields["nonce"])
            self.say("PROVED", {"proof": mine})
            self._go_on()
        elif name == "ACK":
            self.acked = max(self.acked, self._whole(message.ref))
            self.events = {seq: row for seq, row in self.events.items() if seq > self.acked}
        elif name == "REPLAY":
            self._send_from(self._whole(fields["from_seq"]))
        elif name == "ASK_SNAPSHOT":
            self._snapshot()
        else:
            self._command(message)

    def beat(self):
        if self.resumed:
            self.say("HEARTBEAT", {"uptime": 9, "heap_free": 40000, "waiting": len(self.events), "sweep": 400})

    def _whole(self, seq):
        return next(n for n in range(self.newest + 1, -1, -1) if n & 0xFFFF == seq)

    def _proof(self, who, nonce):
        ids = self.boot.to_bytes(4, "little") + self.companion_id.to_bytes(4, "little")
        return hmac.new(self.key, who + self.nonce + nonce + ids, hashlib.sha256).digest()[:12]

    def _go_on(self):
        known = self.asked["boot_id"] == self.boot
        last = self._whole(self.asked["last_seq"]) if known else 0
        oldest = min(self.events, default=self.newest + 1) & 0xFFFF
        fields = {"boot_id": self.boot, "oldest": oldest, "newest": self.newest & 0xFFFF}
        self.resumed = True
        if known:
            self.say("RESUMED", fields)
        else:
            self.say("NEW_BOOT", {**fields, "reset_cause": 1})
        self._send_from(last + 1)
        self._snapshot()

    def _send_from(self, first):
        for seq, (name, fields, ref) in sorted(self.events.items()):
            if seq >= first:
                self.say(name, fields, seq, ref)

    def _snapshot(self):
        self.say("SNAPSHOT_BEGIN", {"tags": len(self.tags), "troubles": 0})
        for uid, socket in self.tags.items():
            self.say("SNAPSHOT_TAG", {"socket": socket, "uid": bytes.fromhex(uid)})
        self.say("SNAPSHOT_DIE", {"state": self.die_state, "face": 0, "map_id": 0, "roll": 0})
        self.say("SNAPSHOT_END", {"tags": len(self.tags), "troubles": 0})

    def _command(self, message):
        name, fields = message.name, message.fields
        if message.seq in self.results:
            self.say("RESULT", {"status": self.results[message.seq], "detail": 0}, ref=message.seq)
            return
        status = self.statuses.get(name, 0)
        in_hand = name == "PAIR" and isinstance(getattr(self.speak, "__self__", None), PaperCable)
        if name in HARMFUL and self.key and not self.proved and not in_hand:
            status = NOT_PAIRED
        if status == 0:
            self.commands.append((name, fields))
            self.numbers.append(message.seq)
            if name == "PAIR":
                self.key, self.proved = bytes(fields["key"]), True
            elif name == "UNPAIR":
                self.key = b""
        self.results[message.seq] = status
        if self.lost_results:
            self.lost_results -= 1
            return
        self.say("RESULT", {"status": status, "detail": 0}, ref=message.seq)
        if name == "READ_LOG":
            for at in range(fields["offset"], len(self.log), 9):
                self.say("LOG_TEXT", {"offset": at, "text": self.log[at : at + 9]})
            self.say("LOG_TEXT", {"offset": len(self.log), "text": ""})

    def did(self, name):
        """The fields of all commands of this name."""
        return [fields for done, fields in self.commands if done == name]


class PaperRadio:
    """An adapter with devices in sight. `fail` may raise at each step of a connect: it is called with `scan`,
    `open`, `services`, `notify` or `write`, and the device. Counts what is open, and what must not overlap."""

    def __init__(self, *devices):
        self.devices = {device.id: device for device in devices}
        self.out_of_sight = set()
        self.fail = lambda step, device: None
        self.open_handles, self.scanning, self.connecting = 0, 0, 0
        self.overlaps, self.connects, self.scans = [], 0, 0
        self.handlers = {}
        self.clients = {}
        self.advertised = 1
        self.moved = False
        self.hang = set()
        self.tasks = []
        radio = self

        class Scanner(BaseBleakScanner):
            def __init__(self, callback, service_uuids, scanning_mode="active", **options):
                super().__init__(callback, service_uuids)
                self._task = None

            async def start(self):
                radio.fail("scan", None)
                radio.scanning += 1
                radio.scans += 1
                radio.check("scan")
                self.seen_devices = {}
                self._task = asyncio.create_task(self._advertise())

            async def stop(self):
                if self._task is not None:
                    self._task.cancel()
                    self._task = None
                    radio.scanning -= 1

            async def _advertise(self):
                while True:
                    await asyncio.sleep(0.1)
                    for device in list(radio.devices.values()):
                        if device.id in radio.out_of_sight or device.id in radio.clients or device.silent:
                            continue
                        for _ in range(radio.advertised):
                            self._see(device)

            def _see(self, device):
                seen = AdvertisementData(
                    "Cabstand", {0xFFFF: bytes.fromhex(device.id)}, {}, [SERVICE_UUID], None, -50, ()
                )
                address = ":".join(device.id[i : i + 2] for i in range(0, 12, 2)).upper()
                found = self.create_or_update_device(address, address, "Cabstand", {"paper": True}, seen)
                self.call_detection_callbacks(found, seen)

        class Client(BaseBleakClient):
            def __init__(self, address_or_ble_device, **options):
                super().__init__(address_or_ble_device, **options)
                self.device = radio.devices[self.address.replace(":", "").lower()]
                self._open = False
                self._connected = False
                self.speak = None

            @property
            def name(self):
                return "Cabstand"

            @property
            def mtu_size(self):
                return 185

            @property
            def is_connected(self):
                return self._connected

            async def connect(self, pair=False, **options):
                radio.connecting += 1
                radio.connects += 1
                radio.check("connect")
                try:
                    await asyncio.sleep(0.05)
                    radio.fail("open", self.device)
                    if not self._open:
                        self._open = True
                        radio.open_handles += 1
                    if self.device.id in radio.hang:
                        await asyncio.sleep(3600)
                    radio.fail("services", self.device)
                    if self.device.id in radio.out_of_sight:
                        raise BleakError("device not found")
                    self.services = _Services(radio.moved)
                    self._connected = True
                    radio.clients[self.device.id] = self
                finally:
                    radio.connecting -= 1

            async def disconnect(self):
                self.drop(told=False)
                if self._open:
                    self._open = False
                    radio.open_handles -= 1

            def drop(self, told=True):
                if not self._connected:
                    return
                self._connected = False
                radio.clients.pop(self.device.id, None)
                radio.handlers.pop(self.device.id, None)
                self.device.gone(self.speak)
                if told and self._disconnected_callback is not None:
                    self._disconnected_callback()

            def _must_be_connected(self):
                if not self._connected:
                    raise BleakError("Not connected")

            async def pair(self, *args, **options):
                raise AssertionError("nobody asked for a bond")

            async def unpair(self):
                raise AssertionError("nobody asked for a bond")

            async def read_gatt_char(self, characteristic, **options):
                self._must_be_connected()
                assert characteristic.uuid == INFO_UUID
                return bytearray(self.device.hello())

            async def read_gatt_descriptor(self, descriptor, **options):
                raise AssertionError("no descriptor is read")

            async def write_gatt_char(self, characteristic, data, response):
                self._must_be_connected()
                assert characteristic.uuid == COMMANDS_UUID
                assert response
                await asyncio.sleep(0.01)
                radio.fail("write", self.device)
                self._must_be_connected()
                self.device.hear(bytes(data), self.speak)

            async def write_gatt_descriptor(self, descriptor, data):
                raise AssertionError("no descriptor is written")

            async def start_notify(self, characteristic, callback, **options):
                self._must_be_connected()
                assert characteristic.uuid == EVENTS_UUID
                radio.fail("notify", self.device)
                self._must_be_connected()
                radio.handlers[self.device.id] = radio.handlers.get(self.device.id, 0) + 1
                self.speak = lambda packet: callback(bytearray(packet))

            async def stop_notify(self, characteristic):
                raise BleakError("Not connected")

        self.scanner, self.client = Scanner, Client

    def check(self, what):
        if self.scanning > 1 or self.connecting > 1 or (self.scanning and self.connecting):
            self.overlaps.append(what)

    def drop(self, device_id):
        """The stack reports that the link to this device is lost."""
        self.clients[device_id].drop()

    async def hearts(self):
        """Beats of all devices."""
        while True:
            await asyncio.sleep(HEARTBEAT_SECONDS)
            for device in self.devices.values():
                device.beat()


class _Services:
    def __init__(self, moved):
        self._moved = moved

    def get_characteristic(self, uuid):
        if self._moved and uuid == INFO_UUID:
            return None
        return _Characteristic(uuid)


class _Characteristic:
    """What bleak's front end looks at before it hands it on."""

    def __init__(self, uuid):
        self.uuid, self.handle = uuid, 3
        self.properties = ["read", "write", "notify"]
        self.max_write_without_response_size = 180


class PaperCable:
    """A device at the other end of a real pseudo-terminal; `path` is the companion's end."""

    def __init__(self, device, link):
        self.device, self.path = device, str(link)
        self._link = link
        self._master = None
        self._reader = FrameReader()

    def plug(self):
        master, slave = os.openpty()
        name = os.ttyname(slave)
        import tty

        tty.setraw(master)
        tty.setraw(slave)
        self._slave = slave
        self._master = master
        os.set_blocking(master, False)
        self._link.unlink(missing_ok=True)
        self._link.symlink_to(name)
        asyncio.get_running_loop().add_reader(master, self._readable)

    def write(self, packet):
        if self._master is not None:
            os.write(self._master, encode_frame(packet))

    def noise(self, data):
        os.write(self._master, data)

    def pull(self):
        if self._master is None:
            return
        asyncio.get_running_loop().remove_reader(self._master)
        self._link.unlink(missing_ok=True)
        os.close(self._master)
        os.close(self._slave)
        self._master = None
        self.device.gone(self.write)

    def _readable(self):
        try:
            data = os.read(self._master, 4096)
        except OSError:
            return
        for packet in self._reader.feed(data):
            self.device.hear(bytes(packet), self.write)


class Desk:
    """Takes facts as a table would, and keeps marks and devices as the disk would. `broken`: the disk refuses."""

    def __init__(self):
        self.taken, self.snapshots, self.marks, self.rows = [], [], {}, {}
        self.broken = False
        self.hub = None

    async def take(self, fact):
        if self.broken:
            raise StorageError("The disk is full.")
        self.taken.append(fact)
        mark = InboxMark(fact.origin.device_id, fact.origin.boot_id, fact.origin.seq)
        self.marks[mark.device_id, mark.boot_id] = mark.seq
        self.hub.taken_in(mark)

    async def see(self, snapshot):
        self.snapshots.append(snapshot)

    async def load(self):
        return [dict(row) for row in self.rows.values()]

    async def save(self, row):
        if self.broken:
            raise StorageError("The disk is full.")
        self.rows[row["id"]] = dict(row)

    async def last_mark(self, device_id, boot_id):
        return self.marks.get((device_id, boot_id), 0)

    def of(self, kind):
        return [fact for fact in self.taken if isinstance(fact, kind)]


class Companion:
    """A hub on a paper radio and cables, as the application puts it together."""

    def __init__(self, radio=None, desk=None, ports=(), **settings):
        self.radio = radio
        self.desk = desk or Desk()
        self.link = LinkState()
        backends = {"scanner_backend": radio.scanner, "client_backend": radio.client} if radio else {}
        self.hub = DeviceHub(
            Settings(**backends, **settings), self.desk, self.desk, self.link, radio=radio is not None, ports=ports
        )
        self.desk.hub = self.hub
        self.changes = []
        self.hub.on_change = lambda: self.changes.append(self.link.state)

    async def __aenter__(self):
        await self.hub.open()
        self.tasks = [asyncio.create_task(self.hub.run())]
        if self.radio:
            self.tasks.append(asyncio.create_task(self.radio.hearts()))
        return self

    async def __aexit__(self, *exc_info):
        for task in self.tasks:
            task.cancel()
        async with asyncio.timeout(10):
            await asyncio.gather(*self.tasks, return_exceptions=True)

    def state(self, device):
        known = self.hub.known.get(device.id)
        return known.state.state if known else "unknown"

    async def until(self, condition, seconds=60):
        async with asyncio.timeout(seconds):
            while not condition():
                await asyncio.sleep(0.02)

    async def until_connected(self, *devices):
        await self.until(lambda: all(self.state(device) == "connected" for device in devices))


def in_virtual_time(work):
    with asyncio.Runner(loop_factory=VirtualTimeLoop) as runner:
        return runner.run(work())


def numbers(taken, device):
    return [fact.origin.seq for fact in taken if fact.origin.device_id == device.id]
