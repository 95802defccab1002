"""Every message of a device, both ways, from the ready packets that the protocol page names: what a linter renames
somewhere must not break quietly."""

import json
from dataclasses import fields as fields_of
from pathlib import Path

import pytest

from companion.devices import facts
from companion.devices.device_state import DeviceState
from companion.devices.event_facts import as_fact
from companion.devices.facts import Origin, OtherEvent
from companion.devices.known_device import KnownDevice
from shared_rules.wire.message_table import TO_COMPANION, rows
from shared_rules.wire.messages import FIRST_EVENT, decode

VECTORS = json.loads((Path(__file__).parents[2] / "wire" / "golden_vectors.json").read_text("utf-8"))
WITHOUT_MEANING = {"DIE_ARMED"}
EVENTS = [row[1] for row in rows() if row[0] >= FIRST_EVENT]


def packets(name):
    found = []

    def look(value):
        if isinstance(value, dict):
            text = value.get("packet") or value.get("hex") or value.get("bytes")
            if isinstance(text, str):
                found.append(text)
            for inner in value.values():
                look(inner)
        elif isinstance(value, list):
            for inner in value:
                look(inner)

    look(VECTORS)
    decoded = []
    for text in found:
        try:
            message = decode(bytes.fromhex(text.replace(" ", "")), TO_COMPANION)
        except ValueError:
            continue
        if message.name == name:
            decoded.append(message)
    return decoded


@pytest.mark.parametrize("name", EVENTS)
def test_every_event_is_a_fact_of_its_own(name):
    ready = packets(name)
    assert ready, f"keep a ready packet of {name}"
    for message in ready:
        fact = as_fact(message, Origin("d1ce", 7, 9))
        assert fact.origin == Origin("d1ce", 7, 9)
        assert isinstance(fact, OtherEvent) == (name in WITHOUT_MEANING)
        if name in WITHOUT_MEANING:
            continue
        told = {field.name for field in fields_of(fact)}
        for key in ("socket", "other", "face", "map_id", "value", "tumbles", "digest", "percent", "millivolts", "tilt"):
            if key in message.fields:
                assert key in told, f"{name}.{key} is not handed on"
                assert getattr(fact, key) == message.fields[key]


@pytest.mark.parametrize("name", ["HEARTBEAT", "TELEMETRY", "SOCKET_HEALTH"])
def test_every_message_about_health_is_kept(name):
    (message, *_) = packets(name)
    device = KnownDevice(DeviceState("d1ce", number=1))
    device.hears_news(name, message.fields)
    if name == "SOCKET_HEALTH":
        (kept,) = device.state.sockets
        assert kept.socket == 32 + message.fields["socket"]
        assert (kept.polls, kept.corrupt) == (message.fields["polls"], message.fields["corrupt"])
        return
    for key, value in message.fields.items():
        if key != "battery":
            assert getattr(device.state, key) == value
    if name == "TELEMETRY":
        assert device.state.battery == (None if message.fields["battery"] == 255 else message.fields["battery"])


def test_what_a_device_says_of_itself_is_kept():
    (message, *_) = packets("HELLO")
    device = KnownDevice(DeviceState(bytes(message.fields["device_id"]).hex()))
    device.says_hello(message)
    assert device.state.boot_id == message.fields["boot_id"]
    assert device.state.name
    assert device.state.kind in ("table", "table_die", "handheld_die")


def test_facts_are_exhaustive():
    kinds = {kind for kind in vars(facts).values() if isinstance(kind, type) and issubclass(kind, facts.Fact)}
    made = {type(as_fact(message, Origin("d1ce", 7, 9))) for name in EVENTS for message in packets(name)}
    assert kinds - made == {facts.Fact, facts.EventsLost}
