"""The verbs of Taxi Over that a form may send, the bank's correction of the road among them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.tables.receipts import Json
from companion.tables.wording import plain_line
from companion.web.forms import BadFormError, whole_number

VERBS: Mapping[str, Mapping[str, str]] = {
    "roll": {"die": "word", "face": "face"},
    "stop": {},
    "board_taxi": {"taxi": "word"},
    "decline": {},
    "resign": {},
    "correct": {},
}
FOR_BANK = frozenset({"correct"})
LONGEST_WHY = 200
NOBODY = "nobody"


def verb(form: Mapping[str, Any]) -> str:
    """A form's own `do`."""
    return str(form.get("do", ""))


def finished(form: Mapping[str, Any], command: Json) -> Json:
    """The correction of the road: what differs from what the sheet was drawn with (`was_…`)."""
    if command["do"] != "correct":
        return command
    return {
        "do": "correct",
        "seat": 0,
        "set": _changes(form),
        "why": plain_line(str(form.get("why", "")))[:LONGEST_WHY],
    }


def _changes(form: Mapping[str, Any]) -> Json:
    """`at_T1` is where a taxi stands, `in_1` the taxi that a seat's driver sits in, `box` the tokens in the box."""
    taxis: Json = {}
    players = []
    changed: Json = {}
    for name in form:
        value = str(form.get(name, ""))
        if name.startswith("was_") or value == "" or value == form.get(f"was_{name}"):
            continue
        if name.startswith("at_"):
            taxis[name[3:]] = {"at": value}
        elif name.startswith("in_"):
            players.append({"seat": whole_number(name[3:]), "driver": None if value == NOBODY else value})
        elif name == "box":
            changed["box"] = whole_number(value)
    if taxis:
        changed["taxis"] = taxis
    if players:
        changed["players"] = players
    if not changed:
        raise BadFormError
    return changed
