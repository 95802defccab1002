"""The table of all messages, as text, and the rows that are read out of it; for `shared_rules.wire.messages`.

A row is (kind, name, direction, fields), each field (name, type, unit, lowest, highest).
"""

MYPY = False
if MYPY:  # only type checkers come here
    from typing import Any

# Directions
TO_COMPANION = "table to companion"
TO_TABLE = "companion to table"

SIZES = {"u8": 1, "u16": 2, "u32": 4}

# One line a message: `kind in hex, name, > to the companion or < to the table, fields`. A field is
# `name:type:lowest:highest:unit`; the bounds are of the value, or of the length for uid, id, list and text. A whole
# range and no unit are left out. It is text that is read when it is needed, since tuples would take a sixth of the heap
# of a device.
# Types: u8, u16, u32; "id" bytes of a fixed number; "uid" a length byte and 4, 7, 8 or 10 bytes; "list" a count byte
# and that many u8; "text" a length byte and ASCII; "faces" six bytes with twelve four-bit values, face 1 in the low
# half first.
_TEXT = (
    # link
    "\n01 RESUME < boot_id:u32 last_seq:u16 companion_id:u32"
    "\n02 ACK <"
    "\n03 RESUMED > boot_id:u32 oldest:u16 newest:u16"
    "\n04 NEW_BOOT > boot_id:u32 oldest:u16 newest:u16 reset_cause:u8"
    "\n05 BUSY > retry_after:u8:0:255:s"
    "\n06 GAP > first:u16 lost:u16:1:65535:events"
    "\n07 HEARTBEAT > uptime:u32:0:4294967295:s heap_free:u32:0:4294967295:bytes waiting:u16:0:65535:events"
    " sweep:u16:0:65535:ms"
    "\n08 SNAPSHOT_BEGIN > tags:u8 troubles:u8"
    "\n09 SNAPSHOT_TAG > socket:u8:0:31 uid:uid:4:10"
    "\n0A SNAPSHOT_SOCKET > socket:u8:0:31 state:u8:1:2"
    "\n0B SNAPSHOT_DIE > state:u8:0:5 face:u8:0:12 map_id:u8 roll:u16"
    "\n0C SNAPSHOT_END > tags:u8 troubles:u8"
    "\n0D RESULT > status:u8 detail:u8"
    "\n0E HELLO > device_id:id:6:6 boot_id:u32 protocol_minor:u8 firmware_major:u8 firmware_minor:u8"
    " firmware_patch:u8 reset_cause:u8 sockets:u8:0:32 leds:u8 die_faces:u8:0:12 device_kind:u8 paired:u8:0:1"
    " mode:u8"
    "\n0F REPLAY < from_seq:u16"
    "\n10 ASK_SNAPSHOT <"
    "\n11 ASK_HELLO <"
    "\n12 CHALLENGE > nonce:id:12:12"
    "\n13 PROOF < nonce:id:12:12 proof:id:12:12"
    "\n14 PROVED > proof:id:12:12"
    "\n15 REFUSED > reason:u8"
    "\n16 TELEMETRY > heap_low:u32:0:4294967295:bytes loop_worst:u16:0:65535:ms lost_writes:u16 faults:u8"
    " battery:u8:0:255:% millivolts:u16:0:65535:mV"
    "\n17 SOCKET_HEALTH > socket:u8:0:31 reader:u8 version:u8 state:u8:0:2 polls:u16 corrupt:u16 restarts:u8"
    " crosstalk:u8"
    "\n18 LOG_TEXT > offset:u16 text:text:0:9"
    # commands
    "\n20 IDENTIFY < seconds:u8:1:60:s"
    "\n21 SET_LIGHTS < look:u8 seconds:u8:0:255:s leds:list:1:100"
    "\n22 CLEAR_LIGHTS < look:u8"
    "\n23 SET_FACE_MAP < map_id:u8:1:255 style:u8:0:1 faces:faces:0:15"
    "\n24 ARM_DIE < map_id:u8:1:255 seat:u8"
    "\n25 DISARM_DIE <"
    "\n26 PAIR < key:id:16:16"
    "\n27 UNPAIR <"
    "\n28 CALIBRATE_DIE < action:u8:0:2"
    "\n29 READ_LOG < offset:u16"
    "\n2A RESTART < mode:u8:0:1"
    "\n2B SLEEP_DIE <"
    # events
    "\n80 TAG_APPEARED > socket:u8:0:31 uid:uid:4:10"
    "\n81 TAG_GONE > socket:u8:0:31 uid:uid:4:10"
    "\n82 SEVERAL_UNREADABLE > socket:u8:0:31 readable:u8:0:255:tags"
    "\n83 SEVERAL_RESOLVED > socket:u8:0:31"
    "\n84 READER_MUTE > socket:u8:0:31 version:u8"
    "\n85 READER_BACK > socket:u8:0:31 version:u8"
    "\n86 DIE_ARMED > map_id:u8"
    "\n87 ROLL_STARTED > roll:u16 map_id:u8"
    "\n88 ROLL_SETTLED > roll:u16 face:u8:1:12 map_id:u8 value:u8:0:15 tumbles:u8 duration:u16:0:65535:ms digest:u32"
    "\n89 DIE_REFUSED > reason:u8:1:255"
    "\n8A FAULT > task:u8 error:text:0:10"
    "\n8B DIE_COCKED > roll:u16 map_id:u8 face:u8:0:12 tilt:u8:0:90:degrees"
    "\n8C BATTERY > level:u8:0:2 percent:u8:0:100:% millivolts:u16:0:65535:mV"
    "\n8D DIE_SLEEPS > reason:u8:1:255"
    "\n8E CROSSTALK > socket:u8:0:31 other:u8:0:31"
    "\n8F ACCESS_REFUSED > command:u8"
    "\n90 DIE_CALIBRATED > result:u8:0:2 residual:u16:0:65535:mg faces:u16:0:4095"
    "\n91 DIE_PLACED > face:u8:1:12"
    "\n92 FACE_MEASURED > face:u8:1:12 faces:u16:0:4095"
    "\n"
)


def _row(at: int) -> "tuple[Any, ...]":
    """The message whose line begins at `at`."""
    words = _TEXT[at : _TEXT.index("\n", at)].split(" ")
    fields = []
    for word in words[3:]:
        parts = word.split(":")
        size = SIZES.get(parts[1], 0)
        low, high = (int(parts[2]), int(parts[3])) if len(parts) > 2 else (0, (1 << 8 * size) - 1)
        fields.append((parts[0], parts[1], parts[4] if len(parts) > 4 else "", low, high))
    return int(words[0], 16), words[1], TO_COMPANION if words[2] == ">" else TO_TABLE, tuple(fields)


def row_named(name: str) -> "tuple[Any, ...] | None":
    """The message of this name, or None."""
    for mark in (" >", " <"):
        at = _TEXT.find(" " + name + mark)
        if at >= 0 and " " not in name:
            return _row(at - 2)
    return None


def row_of(kind: int) -> "tuple[Any, ...] | None":
    """The message of this kind, or None."""
    at = _TEXT.find("\n%02X " % kind)
    return _row(at + 1) if at >= 0 else None


def rows() -> "list[tuple[Any, ...]]":
    """Every message in order; for pages and tests, on a device it would be large."""
    found = []
    at = 1
    while at < len(_TEXT):
        found.append(_row(at))
        at = _TEXT.index("\n", at) + 1
    return found
