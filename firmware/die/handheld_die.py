"""What happens to a handheld die, told to the companion: invitations, rolls, cocked and placed dice.

Takes the answers of `RollDetector` and the commands SET_FACE_MAP, ARM_DIE and DISARM_DIE. Knows no hardware.

A die that was thrown and lies aslant is no roll: the invitation stays, and so does its number. A throw that somebody
catches is none either: DIE_PLACED follows once the die is laid down. Shaken in the hand so that it looks thrown, and
then thrown, is one roll.
"""

import binascii
import struct

from firmware.die.face_maps import FaceMaps
from firmware.die.seat_looks import is_seat
from shared_rules.wire.messages import (
    BAD_FIELD,
    DIE_AT_REST,
    DIE_COCKED,
    DIE_HANDLED,
    DIE_INVITES,
    DIE_TUMBLES,
    DIE_UNKNOWN,
    DONE,
    NOT_NOW,
    REFUSED_NO_FACE_MAP,
    STYLE_PIPS,
)

_MEMORY = "<HHBBB"  # roll, armed by, seat, invited, face


class HandheldDie:
    """`report(name, fields, ref)` is called with each event.

    `face` is the face on top, 0 while none is; `value` what the last roll gave, None until there is one that still
    lies; `style` how that is to be shown; `seat` the look of whoever is invited, 0 for nobody's; `settled_event` the
    number of the last ROLL_SETTLED.
    """

    def __init__(self, report) -> None:
        self._report = report
        self.maps = FaceMaps()
        self.roll = 0
        self.face = 0
        self.invited = False
        self.seat = 0
        self.value: int | None = None
        self.style = STYLE_PIPS
        self.settled_event: int | None = None
        self._armed_by = 0
        self._motion = DIE_UNKNOWN  # at rest, tumbling, handled, cocked or unknown
        self._counts = False  # whether the roll that goes on is one: a face map was known at its start
        self._caught = False  # whether it was begun, then caught
        self._lay_on = 0  # the face that was last told
        self._woken = False
        self.quiet = False  # while it is calibrated, nothing is told

    @property
    def state(self) -> int:
        """DIE_… of `shared_rules.wire.messages`."""
        if self._motion == DIE_AT_REST and self.invited:
            return DIE_INVITES
        return self._motion

    def seen(self):
        """The fields of SNAPSHOT_DIE."""
        return {"state": self.state, "face": self.face, "map_id": self.maps.map_id, "roll": self.roll}

    # commands

    def set_face_map(self, map_id, style, faces):
        """Learns what the faces mean. A status of `shared_rules.wire.messages`."""
        self.maps.learn(map_id, style, faces)
        return DONE

    def arm(self, map_id, seat, command):
        """Invites to a roll by this map; (status, position of the bad field)."""
        if self._motion == DIE_TUMBLES or self.quiet:
            return NOT_NOW, 0
        if not is_seat(seat):
            return BAD_FIELD, 2
        if not self.maps.choose(map_id):
            return BAD_FIELD, 1
        self.invited = True
        self._caught = False
        self.seat = seat
        self._armed_by = command
        self.value = None
        self._report("DIE_ARMED", {"map_id": map_id}, command)
        return DONE, 0

    def disarm(self):
        """Takes the invitation back. A status."""
        if self._motion == DIE_TUMBLES:
            return NOT_NOW
        self._uninvited()
        return DONE

    # motion

    def hear(self, answer) -> None:
        """Takes what a `RollDetector` has just found out."""
        what = answer[0]
        if what == "started":
            self._start()
        elif what == "settled":
            self._settle(answer[1], answer[2], answer[3], answer[4])
        elif what == "cocked":
            self._cocked(answer[1], answer[2])
        elif what == "placed":
            self._placed(answer[1])
        else:
            self._caught = self._caught or (self._counts and self._motion == DIE_TUMBLES)
            self._motion = DIE_HANDLED
            self.face = 0
            self.value = None

    def _start(self) -> None:
        self._motion = DIE_TUMBLES
        self.face = 0
        self.value = None
        self._lay_on = 0
        if self._caught:
            return
        self._counts = False
        if self.quiet:
            return
        entry = self.maps.entry
        if not entry:
            self._report("DIE_REFUSED", {"reason": REFUSED_NO_FACE_MAP}, 0)
            return
        self._counts = True
        self.roll = (self.roll + 1) & 0xFFFF
        self._report("ROLL_STARTED", {"roll": self.roll, "map_id": entry[0]}, self._armed_by)

    def _settle(self, face, tumbles, duration, digest) -> None:
        self._lies(face)
        if not self._counts or self.quiet:
            return
        entry = self.maps.entry
        fields = {"roll": self.roll, "face": face, "map_id": entry[0], "value": entry[1 + face]}
        fields["tumbles"] = tumbles
        fields["duration"] = duration
        fields["digest"] = digest
        self.settled_event = self._report("ROLL_SETTLED", fields, self._armed_by)
        self.value = entry[1 + face]
        self.style = entry[1]
        self._uninvited()

    def _cocked(self, nearest, tilt) -> None:
        self._motion = DIE_COCKED
        self._woken = self._caught = False
        if self._counts and not self.quiet:
            fields = {"roll": self.roll, "map_id": self.maps.map_id, "face": nearest, "tilt": min(tilt, 90)}
            self._report("DIE_COCKED", fields, self._armed_by)

    def _placed(self, face) -> None:
        told = self._lay_on
        known = self._motion != DIE_UNKNOWN
        woken = self._woken
        self._lies(face)
        if not self.quiet and (known or woken or (told and told != face)):
            self._report("DIE_PLACED", {"face": face}, 0)

    def _lies(self, face) -> None:
        self._motion = DIE_AT_REST
        self.face = face
        self._lay_on = face
        self._woken = self._caught = False

    def _uninvited(self) -> None:
        self.invited = self._caught = False
        self.seat = 0
        self._armed_by = 0

    # sleep

    def save(self) -> bytes:
        """What a die must still know when it wakes: its maps, its invitation, its count of rolls, how it lay."""
        packed = struct.pack(_MEMORY, self.roll, self._armed_by, self.seat, self.invited, self._lay_on)
        packed += self.maps.save()
        return packed + struct.pack("<I", binascii.crc32(packed))

    def restore(self, saved: bytes, woken: bool) -> None:
        """Takes over what `save` packed; nothing when that is absent or damaged.

        `woken`: by motion. Wherever the die then comes to lie is told, also when nothing else was seen of that motion.
        """
        self._woken = woken
        size = struct.calcsize(_MEMORY)
        if len(saved) < size + 4 or struct.unpack("<I", saved[-4:])[0] != binascii.crc32(saved[:-4]):
            return
        self.roll, self._armed_by, self.seat, invited, self._lay_on = struct.unpack(_MEMORY, saved[:size])
        self.invited = bool(invited)
        self.maps.restore(saved[size:-4])
