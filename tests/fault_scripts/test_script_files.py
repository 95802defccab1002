"""What a script may hold, and what is said of one that cannot be used."""

import random

import pytest

from companion.devices.table_output import FaceTable, Show
from companion.fault_scripts.judging import never_came
from companion.fault_scripts.recorder import MOST_STEPS, Recorder, value
from companion.fault_scripts.script import FORMAT, ScriptError, parse_script

HEAD = f'format = "{FORMAT}"\nname = "n"\ntitle = "t"\nsource = "s"\nlasts_ms = 9000\n'
STEP = '[[steps]]\nat_ms = 1\ndo = "place_tag"\nuid = "04a1b2c3"\nsocket = 3\n'
NEVER = '[[never]]\nfact = "tag_gone"\n'


def test_a_whole_script():
    script = parse_script(HEAD + STEP + NEVER + '[[expect]]\nfact = "tag_appeared"\nsocket = 3\nby_ms = 5\n')
    assert (script.devices, script.seed, script.lasts_ms) == (("table",), 1, 9000)
    assert script.steps[0].arguments == {"uid": "04a1b2c3", "socket": 3}
    assert script.expected[0].pattern.fits({"fact": "tag_appeared", "socket": 3, "uid": "x"})
    assert not script.expected[0].pattern.fits({"fact": "tag_appeared", "socket": 4, "uid": "x"})


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("format = 3", "format"),
        ("=", "no TOML"),
        (HEAD + NEVER, "steps"),
        (HEAD + STEP, "proves nothing"),
        (HEAD.replace("lasts_ms = 9000\n", "") + STEP + NEVER, "lasts_ms"),
        (HEAD + "colour = 3\n" + STEP + NEVER, "colour"),
        (HEAD + STEP.replace("place_tag", "eat_tag") + NEVER, r"steps\[0\].do"),
        (HEAD + STEP.replace("socket = 3", "sock = 3") + NEVER, r"steps\[0\].socket"),
        (HEAD + STEP + "depth = 3\n" + NEVER, r"steps\[0\].depth"),
        (HEAD + STEP + 'ask = "pair"\n' + NEVER, "one of do, ask and wait"),
        (HEAD + STEP + "times = 0\n" + NEVER, "times"),
        (HEAD + STEP.replace("at_ms = 1", "at_ms = -1") + NEVER, "at_ms"),
        (HEAD + STEP + NEVER.replace("tag_gone", "tag_lost"), r"never\[0\].fact"),
        (HEAD + STEP + NEVER + "colour = 3\n", r"never\[0\].colour"),
        (HEAD + STEP + '[[expect]]\nfact = "tag_gone"\nwithin_ms = 3\n', "belong together"),
        (HEAD + STEP + '[[expect]]\nfact = "tag_gone"\nwithin_ms = 3\nafter = "x"\n', "no step has the label"),
        (HEAD + STEP + '[[count]]\nfact = "tag_gone"\n', "exactly"),
        (HEAD + STEP + '[[state]]\ndevice = "die"\nfield = "state"\nis = "connected"\n', r"state\[0\].device"),
        (HEAD + STEP + '[[state]]\ndevice = "table"\nfield = "mood"\nis = "good"\n', r"state\[0\].field"),
        (HEAD + 'devices = ["lorry"]\n' + STEP + NEVER, "devices"),
        (HEAD + 'cables = ["die"]\n' + STEP + NEVER, "cables"),
        (HEAD + '[[steps]]\ndo = "plug_cable"\nplugged = false\n' + NEVER, "is on no cable"),
        (HEAD + STEP + 'outcome = "fails"\n' + NEVER, "outcome"),
        (HEAD + '[[steps]]\nask = "pair"\noutcome = "perhaps"\n' + NEVER, "works, fails or either"),
    ],
)
def test_what_is_wrong_is_said_with_file_and_field(text, says):
    with pytest.raises(ScriptError, match=says) as caught:
        parse_script(text, "mine.toml")
    assert str(caught.value).startswith("mine.toml: ")


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("format = 3\n", 1),
        (HEAD + "colour = 3\n" + STEP + NEVER, 6),
        (HEAD + STEP + STEP.replace("place_tag", "eat_tag") + NEVER, 13),
        (HEAD + STEP + STEP.replace("uid =", "sock =") + NEVER, 11),  # absent: where its table begins
        (HEAD + STEP + NEVER + NEVER.replace("tag_gone", "tag_lost"), 14),
    ],
)
def test_what_is_wrong_is_said_with_its_line(text, line):
    with pytest.raises(ScriptError, match=f"^mine.toml: line {line}: "):
        parse_script(text, "mine.toml")


def test_no_spoiled_script_breaks_the_reader():
    whole = HEAD + STEP + NEVER + '[[count]]\nfact = "tag_gone"\nexactly = 0\n'
    dice = random.Random(3)
    refused = 0
    for _ in range(400):
        at = dice.randrange(len(whole))
        spoiled = (
            whole[:at] + dice.choice(["", "\n", '"', "[", "3", "x", "= ", "\x00"]) + whole[at + dice.randrange(3) :]
        )
        try:
            parse_script(spoiled)
        except ScriptError:
            refused += 1
    assert refused > 200


class Clock:
    def __init__(self):
        self.now = 100.0

    def __call__(self):
        return self.now


def test_what_is_recorded_is_a_script():
    clock = Clock()
    recorder = Recorder("a_recording", ["table", "die"], clock, title='with "quotes" and ü', seed=9)
    clock.now += 0.25
    recorder.hand("place_tag", uid="04a1b2c3", socket=7)
    clock.now += 1
    recorder.heard({"fact": "tag_appeared", "at": 1.2, "device": "table", "uid": "04a1b2c3", "socket": 7})
    recorder.ask("light", look=1, leds=[1, 2], seconds=None)
    clock.now += 2
    recorder.hand("power_cycle", off_s=0.5)
    script = parse_script(recorder.toml())
    assert script.title == 'with "quotes" and ü'
    assert script.devices == ("table", "die")
    assert [(step.at_ms, step.verb, step.name) for step in script.steps] == [
        (250, "do", "place_tag"),
        (1250, "ask", "light"),
        (3250, "do", "power_cycle"),
    ]
    assert script.steps[1].arguments == {"look": 1, "leds": [1, 2]}
    assert script.expected[0].pattern.values == {"device": "table", "uid": "04a1b2c3", "socket": 7}
    assert script.lasts_ms > 3250


TAG = {"device": "table", "uid": "04a1b2c3", "socket": 7}


def recorded_facts(*done):
    """What must come after hands (name, arguments) and facts ({"fact": …}) in turn."""
    clock = Clock()
    recorder = Recorder("n", ["table", "die"], clock)
    for one in done:
        clock.now += 1
        if isinstance(one, dict):
            recorder.heard(one)
        else:
            recorder.hand(one[0], **one[1])
    recorder.hand("crash")
    text = recorder.toml() + ('[[never]]\nfact = "crosstalk"\n' if "[[expect]]" not in recorder.toml() else "")
    return [one.pattern.fact for one in parse_script(text).expected]


def test_only_what_hands_of_the_recording_cause_must_come():
    throw = ("throw_die", {"kind": "table", "seed": 3, "device": "die"})
    settled = {"fact": "die_settled", "device": "die", "face": 4, "value": 2}
    placed = {"fact": "die_placed", "device": "die", "face": 4}
    assert recorded_facts({"fact": "other_event", "device": "table", "name": "DIE_ARMED"}) == []
    assert recorded_facts(settled) == []
    assert recorded_facts(throw, placed, settled) == ["die_settled"]
    assert recorded_facts(("bring_die", {"face": 4, "device": "die"}), placed) == ["die_placed"]
    assert recorded_facts({"fact": "tag_gone", **TAG}) == []
    place = ("place_tag", {"uid": "04a1b2c3", "socket": 7})
    assert recorded_facts(place, {"fact": "tag_gone", **TAG}) == ["tag_gone"]
    assert recorded_facts({"fact": "battery_changed", "device": "die", "level": "low"}) == []


def test_what_the_companion_tells_the_table_is_asked_for_and_waits_for_its_cause():
    clock = Clock()
    recorder = Recorder("n", ["table", "die"], clock, lead_ms=3000)
    faces = FaceTable(3, 1, (1, 2) * 6)
    recorder.shows(Show({4: 1, 5: 1}, 3, (faces,), 0, 9))
    clock.now += 1
    recorder.hand("press_button")
    clock.now += 1
    recorder.heard({"fact": "die_settled", "device": "table", "face": 4, "value": 2})
    clock.now += 0.01
    recorder.shows(Show({5: 2}, None, (faces,), 1, 9))
    clock.now += 3
    recorder.shows(Show({5: 2}, 3, (faces,), 1, 9))
    script = parse_script(recorder.toml())
    steps = [(step.at_ms, step.name or str(step.pattern), step.arguments) for step in script.steps]
    assert steps == [
        (0, "faces", {"map_id": 3, "style": 1, "faces": [1, 2] * 6}),
        (0, "invite", {"map_id": 3, "seat": 9}),
        (0, "light", {"look": 1, "leds": [4, 5]}),
        (4000, "press_button", {}),
        (5000, "die_settled device=table", {}),
        (5010, "rest", {}),
        (5010, "light", {"look": 0, "leds": [4]}),
        (5010, "light", {"look": 2, "leds": [5]}),
        (8010, "invite", {"map_id": 3, "seat": 9}),
    ]


@pytest.mark.parametrize(
    ("heard", "missing"),
    [
        ([("a", 1, "x"), ("b", 1.5, "x"), ("a", 9, "x")], []),
        ([("b", 1, "x"), ("a", 1.5, "x"), ("a", 9, "x")], []),  # what came together changes places
        ([("a", 1, "x"), ("b", 1.5, "x")], ["a"]),  # one fact answers one
        ([("a", 1, "x"), ("b", 30, "x"), ("a", 31, "x")], ["b", "a"]),  # too late
        ([("a", 8, "x"), ("b", 8.5, "x"), ("a", 9, "x")], []),
        ([("a", 1, "x"), ("a", 2, "x"), ("b", 7, "x")], ["a"]),  # the order of one device
        ([("a", 1, "x"), ("a", 2, "x"), ("b", 7, "y")], ["b"]),  # another device
    ],
)
def test_a_recording_is_judged_loosely(heard, missing):
    head = f'format = "{FORMAT}"\nname = "n"\ntitle = "t"\nsource = "s"\nlasts_ms = 9000\norder = "loose"\n'
    names = {"a": "die_started", "b": "die_cocked", "x": "table", "y": "die"}
    text = head + '[[steps]]\ndo = "crash"\n'
    for fact, about in (("a", 1000), ("b", 1500), ("a", 9000)):
        text += f'[[expect]]\nfact = "{names[fact]}"\ndevice = "table"\nabout_ms = {about}\n'
    facts = [{"fact": names[fact], "at": at, "device": names[device]} for fact, at, device in heard]
    wrong = never_came(parse_script(text).expected, facts, 1.0)
    assert [sentence.split()[0] for sentence in wrong] == [names[one] for one in missing]


def test_a_recording_has_an_end():
    clock = Clock()
    recorder = Recorder("long", ["table"], clock)
    for _ in range(MOST_STEPS + 10):
        recorder.hand("crash")
    assert recorder.full
    assert recorder.steps == MOST_STEPS


def test_values_that_toml_has_no_word_for():
    for odd in (None, {}, float("nan"), float("inf"), object()):
        with pytest.raises(ValueError, match="script"):
            value(odd)
    assert value("a\x7fb\n") == '"a\\u007Fb\\n"'
