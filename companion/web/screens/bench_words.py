"""What the bench says after each hand, for whoever pressed and for screen readers: what was done, to what, and what to
look for now.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from markupsafe import Markup

from companion.web.screens.bench_state import Held
from companion.web.texts import Texts

Step = tuple[str, Mapping[str, Any]]
"""A hand's name and its arguments."""

LEANS = "leans"


def said(step: Step, result: object, pieces: Sequence[Held], devices: Sequence[str], t: Texts) -> Markup:
    """The sentence for a hand that was done. `result` is what the virtual table answered, `pieces` are those of the
    evening, `devices` the names of the virtual devices, the first one first.
    """
    name, given = step
    arguments = dict(given)
    uid = arguments.get("uid")
    piece = next((held.name for held in pieces if held.uid == uid), str(uid))
    device = str(arguments.get("device") or next(iter(devices), ""))
    places: dict[str, Any] = {"piece": piece, "device": device, "n": arguments.get("socket", 0)}
    key = f"bench.did.{name}"
    if name == "throw_die":
        places |= {"how": t(f"bench.throw.{str(arguments['kind']).replace(' ', '_')}")}
        if isinstance(result, Mapping) and result.get("doing") == LEANS:
            key += ".leans"
    elif name == "handle_die":
        places |= {"how": t(f"bench.handle.{arguments['kind']}"), "seconds": f"{arguments['seconds']:g}"}
    elif name == "bring_die":
        places |= {"face": arguments["face"]}
    elif name == "set_battery":
        places |= {"volts": f"{arguments['millivolts'] / 1000:.2f}"}
    elif name == "drop_link":
        seconds = arguments["out_of_range_s"]
        places |= {"seconds": f"{seconds:g}"}
        key += ".away" if seconds else ""
    elif name == "notify_enomem":
        places |= {"n": arguments["count"]}
    elif name == "set_air_time":
        places |= {"ms": f"{arguments['ms']:g}"}
    elif name == "mute_reader":
        places |= {"trouble": t(f"bench.{arguments['trouble']}")}
    return t(key, **places)
