"""What a person at a real table is told: what to do, what is watched, what no hand can do."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from companion.fault_scripts.script import Script, Step

DO = {
    "place_tag": "Put the taxi {uid} on socket {socket}.",
    "lift_tag": "Take the taxi {uid} off the table.",
    "press_button": "Press the button of {device} and let it go.",
    "throw_die": "Throw {device} ({kind}).",
    "handle_die": "Take {device} and move it about ({kind}) for {seconds} s, without a throw.",
    "bring_die": "Take {device} in your hand and lay it down with face {face} up.",
    "place_die": "Turn {device} so that face {face} is up, without a throw, and let go.",
    "power_cycle": "Take the supply of {device} away, wait for {off_s} s, and give it back.",
    "brown_out": "Take the supply of {device} away and give it back as fast as you can.",
    "drop_link": "Bring {device} and the companion out of each other's reach, or wrap the antenna, until the link is "
    "lost, and back again after {out_of_range_s} s; other steps may fall into that time.",
    "switch_off": "Switch {device} off.",
    "switch_on": "Switch {device} on.",
    "lights": "Look at the lights.",
}
"""Hand → what to do; the hands on cables, chargers and readers have words of their own below."""

ONLY_LOOKS = ("devices", "tags", "stats", "links", "log", "readers", "model_errors", "serial_port")
ASKED = {
    "faces": "tells the dice what their faces mean",
    "invite": "invites to a throw",
    "rest": "takes the invitation back",
    "light": "sets lights",
    "pair": "pairs with the device",
    "unpair": "ends the pairing",
    "identify": "has the device show itself",
    "restart": "restarts the device",
    "sleep": "sends the die to sleep",
    "calibrate": "asks for a calibration: {action}",
    "snapshots": "asks how all lies",
    "forget_events": "forgets which events it has heard",
    "lose_key": "loses the key of the device",
}
"""What the companion does by itself, so that nobody wonders."""
_IMPOSSIBLE = {
    "crash": "make a processor crash",
    "notify_enomem": "take the radio's memory away",
    "set_notify_spacing": "slow the radio down",
    "set_air_time": "slow the air down",
    "inject_notification": "send packets in a device's name",
    "force_entropy": "choose what chance gives",
    "serial_noise": "turn single bits on a cable",
    "power_cut": "cut the power in the middle of a write",
    "mute_accelerometer": "silence a sensor inside a die",
    "set_battery": "give a cell a voltage",
    "flap_tag": "show and hide a tag at every other look",
    "pull_tag": "pull a tag away in the middle of a read",
    "deafen_reader": "make a reader deaf after a while",
    "hold_miso": "have a chip hold the common line",
    "share_miso": "wire the readers anew",
    "crosstalk": "let one field reach into another",
    "set_coupling": "set how well a tag is read",
    "tag_field": "set how many tags a field can feed",
    "set_reader": "change a reader's chip",
    "set_readers": "change the readers' chips",
}
_DEFAULTS = {"kind": "table", "seconds": 5, "off_s": 1, "out_of_range_s": 5, "device": ""}


def is_work(hand: str) -> bool:
    """Whether a person has something to do."""
    return hand not in ONLY_LOOKS


def cannot(hand: str, arguments: Mapping[str, Any]) -> str:
    """What nobody can do by hand, as in "no person can …"; empty for what can be done."""
    if hand in DO or hand in ONLY_LOOKS or hand in ("plug_cable", "set_charging", "repair_reader"):
        return ""
    if hand == "mute_reader":
        return "" if arguments.get("trouble", "hung") == "dead" else "hang up a reader's chip"
    return _IMPOSSIBLE.get(hand, f"do {hand}")


def told(hand: str, arguments: Mapping[str, Any]) -> str:
    """What to do, in a sentence."""
    device = arguments.get("device") or ("the die" if "die" in hand or hand == "press_button" else "the table")
    if hand == "plug_cable":
        return f"Put the cable of {device} back." if arguments["plugged"] else f"Pull the cable of {device}."
    if hand == "set_charging":
        return f"Put {device} on its charger." if arguments["charging"] else f"Take {device} off its charger."
    if hand == "mute_reader":
        return f"Pull the plug of the reader under socket {arguments['socket']}."
    if hand == "repair_reader":
        return f"Plug the reader under socket {arguments['socket']} in again."
    return DO[hand].format(**{**_DEFAULTS, **arguments, "device": device})


def about(script: Script, hands: int) -> Iterator[str]:
    """What a person should know before it begins, line by line."""
    yield f"{script.name}: {script.title}."
    lasts = duration(script.lasts_ms / 1000)
    yield f"      It needs {', '.join(script.devices)}, takes {lasts} and your time."
    yield f"      It asks you {hands} times." if hands != 1 else "      It asks you once."
    taxis = {one.arguments["uid"] for one in script.steps if one.verb == "do" and "uid" in one.arguments}
    if taxis:
        yield f"      Taxis: {', '.join(sorted(taxis))}. Take any; each is called as you put it down first."
        yield "      Take all tags off the table now."
    yield "      Do what is printed, at once, then press Enter. s and Enter leaves a step out, Ctrl-C ends it."


def waiting(step: Step, seconds: float) -> str:
    """What is watched for."""
    assert step.pattern is not None
    return f"Watching for {duration(seconds)} at most, for: {plain(step.pattern.fact, step.pattern.values)}"


def asked(step: Step) -> str:
    """What the companion does now."""
    return f"The companion {ASKED[step.name].format(**{'action': '', **step.arguments})}."


def fact_in_words(fact: Mapping[str, Any], alone: bool) -> str:
    """A fact that has just come; whose it is goes without saying where a device is `alone`."""
    rest = {k: v for k, v in fact.items() if k not in ("fact", "at") and not (alone and k == "device")}
    return f"{fact['at']:6.1f} s  {plain(fact['fact'], rest)}"


def plain(fact: str, values: Mapping[str, Any]) -> str:
    """tag_appeared, socket 3 → tag appeared (socket 3)."""
    said = ", ".join(f"{name.replace('_', ' ')} {value}" for name, value in values.items())
    return fact.replace("_", " ") + (f" ({said})" if said else "")


def duration(seconds: float) -> str:
    """8 s, 2 min."""
    return f"{seconds:.0f} s" if seconds < 120 else f"{seconds / 60:.0f} min"
