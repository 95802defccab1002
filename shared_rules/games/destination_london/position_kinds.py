"""Whether the parts of a position are of the right kinds; whether they are possible together is for the reader.

Also used for what a correction sets. Every fault here is `malformed` and names its place.
"""

from shared_rules.engine.reading import (
    a_bool,
    a_list,
    a_text,
    a_whole,
    an_object,
    is_whole,
    join,
    malformed,
    only_keys,
)
from shared_rules.games.destination_london import light_cards

MYPY = False
if MYPY:
    from typing import Any

    from shared_rules.games.destination_london.kinds import Json

KEYS = (
    "game", "options", "board", "players", "phase", "turn", "waiting_for", "bank", "fuel_bank", "pile", "gone",
    "lights", "dice", "moves", "extra_turn", "extra_turns", "arrivals", "debts", "deals", "offer", "asked", "order",
    "first", "ending", "result",
)  # fmt: skip
PLAYER_KEYS = (
    "seat", "name", "colour", "cash", "fuel", "bonus_fuel", "loan", "loan_used", "sections", "turbo", "hand", "held",
    "at", "status",
)  # fmt: skip
_TEXTS = ("game", "phase")
_NUMBERS = ("turn", "fuel_bank", "extra_turns", "first")
_LISTS_OF_TEXTS = ("pile", "gone")
_LISTS_OF_NUMBERS = ("dice", "moves", "deals", "asked")
_PLAYER_TEXTS = ("name", "colour", "status")
_PLAYER_NUMBERS = ("seat", "cash", "fuel", "sections")
_PLAYER_BOOLS = ("loan", "loan_used", "turbo")
_ARRIVAL_KEYS = ("seat", "square", "steps", "must_collect", "knocks", "claims", "knocked", "home", "card")


def check(position: "Json") -> None:
    """All parts that are there."""
    for key in sorted(position):
        if key not in KEYS:
            raise malformed("There is no key '" + key + "' here; remove it.", key)
        value = position[key]
        if key in _TEXTS:
            a_text(value, key)
        elif key in _NUMBERS:
            a_whole(value, key)
        elif key in _LISTS_OF_TEXTS:
            texts(value, key)
        elif key in _LISTS_OF_NUMBERS:
            numbers(value, key)
    if "extra_turn" in position:
        a_bool(position["extra_turn"], "extra_turn")
    if position.get("offer") is not None:
        a_whole(position["offer"], "offer")
    if "options" in position:
        an_object(position["options"], "options")
    if "board" in position and not isinstance(position["board"], (str, dict)):
        raise malformed("A board is the id of a shipped one, or an object.", "board")
    if "bank" in position:
        only_keys(position["bank"], ("cash",), "bank")
        if "cash" in position["bank"]:
            a_whole(position["bank"]["cash"], "bank.cash")
    if "players" in position:
        for i, player in enumerate(a_list(position["players"], "players")):
            check_player(player, "players[" + str(i) + "]")
    if "lights" in position:
        _lights(position["lights"], "lights")
    if "arrivals" in position:
        for i, landing in enumerate(a_list(position["arrivals"], "arrivals")):
            _arrival(landing, "arrivals[" + str(i) + "]")
    if "debts" in position:
        for i, debt in enumerate(a_list(position["debts"], "debts")):
            _debt(debt, "debts[" + str(i) + "]")
    _progress(position)


def check_player(player: "Any", at: str) -> None:
    """One entry of `players`."""
    only_keys(player, PLAYER_KEYS, at)
    for key in sorted(player):
        value = player[key]
        where = join(at, key)
        if key in _PLAYER_NUMBERS:
            a_whole(value, where)
        elif key in _PLAYER_TEXTS:
            a_text(value, where)
        elif key in _PLAYER_BOOLS:
            a_bool(value, where)
        elif key == "hand":
            texts(value, where)
        elif key == "at":
            if value is not None:
                a_text(value, where)
        else:
            for i, card in enumerate(a_list(value, where)):
                light_card(card, where + "[" + str(i) + "]")


def light_card(card: "Any", at: str) -> None:
    """A light card: an id, or a typed one."""
    if isinstance(card, str):
        return
    fault = light_cards.fault_of(card)
    if fault:
        raise malformed(fault, at)


def texts(value: "Any", at: str) -> None:
    """A list of texts."""
    for i, entry in enumerate(a_list(value, at)):
        a_text(entry, at + "[" + str(i) + "]")


def numbers(value: "Any", at: str) -> None:
    """A list of whole numbers."""
    for i, entry in enumerate(a_list(value, at)):
        a_whole(entry, at + "[" + str(i) + "]")


def _needs(value: "Any", keys: "tuple[str, ...]", at: str) -> None:
    only_keys(value, keys, at)
    for key in keys:
        if key not in value:
            raise malformed("'" + key + "' is missing.", at)


def _lights(value: "Any", at: str) -> None:
    only_keys(value, ("pile", "returned"), at)
    counted = 0
    for key in ("pile", "returned"):
        if key in value:
            if is_whole(value[key]):
                counted += 1
            else:
                texts(value[key], join(at, key))
    if counted and counted != len(value):
        raise malformed("The lights deck is two lists of ids, or two numbers.", at)


def _arrival(value: "Any", at: str) -> None:
    only_keys(value, _ARRIVAL_KEYS, at)
    for key in ("square", "steps"):
        if key not in value:
            raise malformed("'" + key + "' is missing.", at)
    a_text(value["square"], join(at, "square"))
    texts(value["steps"], join(at, "steps"))
    if "seat" in value:
        a_whole(value["seat"], join(at, "seat"))
    for key in ("must_collect", "knocked", "home"):
        if key in value:
            a_bool(value[key], join(at, key))
    for key in ("knocks", "claims"):
        if value.get(key) is not None:
            numbers(value[key], join(at, key))
    if value.get("card") is not None:
        light_card(value["card"], join(at, "card"))


def _debt(value: "Any", at: str) -> None:
    _needs(value, ("seat", "amount", "to", "why"), at)
    for key in ("seat", "amount", "to"):
        a_whole(value[key], join(at, key))
    a_text(value["why"], join(at, "why"))


def _progress(position: "Json") -> None:
    if position.get("order") is not None:
        order = position["order"]
        _needs(order, ("among", "rolls"), "order")
        numbers(order["among"], "order.among")
        for seat in sorted(an_object(order["rolls"], "order.rolls")):
            a_whole(order["rolls"][seat], join("order.rolls", seat))
    if position.get("ending") is not None:
        ending = position["ending"]
        _needs(ending, ("seat", "reason"), "ending")
        a_whole(ending["seat"], "ending.seat")
        a_text(ending["reason"], "ending.reason")
    if position.get("result") is not None:
        result = position["result"]
        _needs(result, ("winners", "reason", "totals"), "result")
        numbers(result["winners"], "result.winners")
        a_text(result["reason"], "result.reason")
        for seat in sorted(an_object(result["totals"], "result.totals")):
            a_whole(result["totals"][seat], join("result.totals", seat))
