"""One hand on the virtual table, from a form of the bench page: which hands of `companion.virtual_table.control` it
means, done in order and written down while somebody records a fault script.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from companion.tables.lay_out import uids_of
from companion.web.context import Web
from companion.web.forms import BadFormError

Step = tuple[str, dict[str, Any]]
"""A hand's name and its arguments."""

LEAST_MV, MOST_MV = 2500, 4300
THROWS = (
    *("table", "tray", "cushion", "short", "spin", "twice"),
    *("against a wall", "on a piece", "in a fold"),
)
HANDLINGS = ("wobble", "handled", "knocked", "pocket", "car")
HANDLED_S = 5.0
_SEED = random.SystemRandom()


def number(form: Any, name: str, low: float, high: float) -> float:
    """A number of a form within its bounds. `BadFormError`."""
    try:
        value = float(str(form.get(name, "")))
    except ValueError:
        raise BadFormError from None
    if not low <= value <= high:
        raise BadFormError
    return value


def steps_of(web: Web, form: Any) -> list[Step]:
    """The hands that a form asks for. `BadFormError` when it makes no sense."""
    do = str(form.get("do", ""))
    if do in _ON_TAGS:
        return _ON_TAGS[do](web, str(form.get("uid", ""))[:40], form)
    make = _OTHERS.get(do)
    if make is None:
        raise BadFormError
    name, arguments = make(form)
    device = str(form.get("device", ""))[:20]
    if device and do not in _OF_NO_DEVICE:
        arguments["device"] = device
    return [(name, arguments)]


async def act(web: Web, steps: list[Step]) -> object:
    """Does them, and writes them down; what the virtual table answered to the first. `ValueError` with a sentence,
    `ConnectionError`."""
    hands = web.application.bench
    assert hands is not None
    answers = []
    for name, arguments in steps:
        answers.append(await hands.do(name, **arguments))
        if web.recording is not None:
            web.recording.hand(name, **arguments)
    return answers[0]


def _socket(form: Any) -> int:
    return int(number(form, "socket", 0, 255))


def _with_riders(web: Web, uid: str) -> list[str]:
    """A tag, and those of pieces that ride on its piece and are where it is: one hand moves them together."""
    table, hands = web.table, web.application.bench
    if table is None or hands is None:
        return [uid]
    uids = uids_of(table)
    seen = hands.tags_seen
    riding = table.explanations.glance.riding
    along = [uids[rider] for rider, carrier in riding.items() if uids[carrier] == uid]
    return [uid, *(one for one in along if seen.get(one) == seen.get(uid))]


_ON_TAGS: dict[str, Callable[[Web, str, Any], list[Step]]] = {
    "place_tag": lambda web, uid, form: [
        ("place_tag", {"uid": one, "socket": _socket(form)}) for one in _with_riders(web, uid)
    ],
    "lift_tag": lambda web, uid, form: [("lift_tag", {"uid": one}) for one in _with_riders(web, uid)],
    "flap_tag": lambda web, uid, form: [("flap_tag", {"uid": uid, "socket": _socket(form)})],
}


def _one_of(form: Any, name: str, words: tuple[str, ...]) -> str:
    word = str(form.get(name, ""))
    if word not in words:
        raise BadFormError
    return word


def _throw(form: Any) -> Step:
    return "press_button", {"hold_ms": number(form, "hold_ms", 20, 5000) if form.get("hold_ms") else 120}


def _throw_die(form: Any) -> Step:
    return "throw_die", {"kind": _one_of(form, "kind", THROWS), "seed": _SEED.randrange(10_000, 1 << 30)}


def _handle_die(form: Any) -> Step:
    kind = _one_of(form, "kind", HANDLINGS)
    return "handle_die", {"kind": kind, "seed": _SEED.randrange(10_000, 1 << 30), "seconds": HANDLED_S}


def _mute(form: Any) -> Step:
    trouble = _one_of(form, "trouble", ("hung", "deaf", "dead"))
    return "mute_reader", {"socket": _socket(form), "trouble": trouble}


_OTHERS: dict[str, Callable[[Any], Step]] = {
    "throw": _throw,
    "throw_die": _throw_die,
    "handle_die": _handle_die,
    "bring_die": lambda form: ("bring_die", {"face": int(number(form, "face", 1, 12))}),
    "set_battery": lambda form: ("set_battery", {"millivolts": number(form, "millivolts", LEAST_MV, MOST_MV)}),
    "drop_link": lambda form: ("drop_link", {"out_of_range_s": number(form, "seconds", 0, 600)}),
    "crash": lambda form: ("crash", {}),
    "power_cycle": lambda form: ("power_cycle", {}),
    "brown_out": lambda form: ("brown_out", {}),
    "notify_enomem": lambda form: ("notify_enomem", {"count": int(number(form, "count", 1, 1000))}),
    "air_time": lambda form: ("set_air_time", {"ms": number(form, "ms", 0, 10_000)}),
    "mute_reader": _mute,
    "repair_reader": lambda form: ("repair_reader", {"socket": _socket(form)}),
}
_OF_NO_DEVICE = ("air_time", "mute_reader", "repair_reader")
