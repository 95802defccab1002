"""The states of a type A tag (ISO/IEC 14443-3, 6.3, figure 8) beside a second description of them, as a table."""

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from companion.virtual_table.chips.crc_a import crc_a
from companion.virtual_table.chips.iso14443a import AirFrame, Tag

HLTA = AirFrame(b"\x50\x00" + crc_a(b"\x50\x00"))


class States(RuleBasedStateMachine):
    """A tag of seven bytes: READY at two cascade levels, each also as reached from HALT."""

    @initialize()
    def begin(self):
        self.tag = Tag(bytes.fromhex("04 11 22 33 44 55 66"))
        self.now = 0
        self.state, self.level, self.starred = "OFF", 0, False

    def say(self, frame: AirFrame | None) -> bool:
        self.now += 10_000
        return self.tag.receive(frame, self.now) is not None

    def fall_back(self):
        if self.state in ("READY", "ACTIVE"):
            self.state, self.level = ("HALT" if self.starred else "IDLE"), 0

    @rule()
    def field_comes(self):
        self.tag.power_up(self.now)
        self.state, self.level, self.starred = "IDLE", 0, False

    @rule()
    def field_goes(self):
        self.tag.power_down()
        self.state, self.level, self.starred = "OFF", 0, False

    @rule(everybody=st.booleans())
    def request(self, everybody):
        wakes = self.state == "IDLE" or (self.state == "HALT" and everybody)
        assert self.say(AirFrame(b"\x52" if everybody else b"\x26", 7)) == wakes
        if wakes:
            self.starred = self.state == "HALT"
            self.state, self.level = "READY", 0
        else:
            self.fall_back()

    @rule(level=st.integers(0, 2), mine=st.booleans())
    def anticollision(self, level, mine):
        code = (0x93, 0x95, 0x97)[level]
        first = self.tag.levels[min(level, 1)][0] ^ (0 if mine else 1)
        hears = self.state == "READY" and level == self.level and mine
        assert self.say(AirFrame(bytes((code, 0x30, first)))) == hears
        if not hears:
            self.fall_back()

    @rule(level=st.integers(0, 1), right_sum=st.booleans())
    def select(self, level, right_sum):
        body = bytes(((0x93, 0x95)[level], 0x70)) + self.tag.levels[level]
        crc = crc_a(body) if right_sum else b"\0\0"
        hears = self.state == "READY" and level == self.level and right_sum
        assert self.say(AirFrame(body + crc)) == hears
        if not hears:
            self.fall_back()
        elif level == 1:
            self.state = "ACTIVE"
        else:
            self.level = 1

    @rule()
    def halt(self):
        assert not self.say(HLTA)
        if self.state == "ACTIVE":
            self.state, self.starred = "HALT", False
        else:
            self.fall_back()

    @rule()
    def noise(self):
        assert not self.say(None)
        self.fall_back()

    @invariant()
    def same_state(self):
        if hasattr(self, "tag"):
            assert self.tag.state == self.state
            assert self.tag.level == self.level or self.state != "READY"


TestStates = States.TestCase
TestStates.settings = settings(max_examples=80, stateful_step_count=40, deadline=None)
