"""Writes a Taxi Over state as a position (docs/records.md): every key, in canonical order, the caller's own."""

from shared_rules.engine.options import changed_options
from shared_rules.games.taxi_over import meta
from shared_rules.games.taxi_over.state import OVER, TAXI_IDS, State
from shared_rules.portable.ordered import Ordered, ordered

MYPY = False
if MYPY:  # only type checkers come here
    from typing import Any


def dump(s: State) -> "dict[str, Any]":
    """The whole position."""
    return ordered(pairs(s))


def pairs(s: State) -> "list[tuple[str, Any]]":
    """The position's keys and values, in order."""
    return [
        ("game", meta.NAME),
        ("options", _options(s)),
        ("board", s.board_ref if s.board_ref is not None else s.board.dump()),
        ("players", [_player(s, seat) for seat in range(1, s.seats + 1)]),
        ("taxis", ordered([(TAXI_IDS[taxi], _taxi(s, taxi)) for taxi in range(1, s.taxis + 1)])),
        ("dice", list(s.dice)),
        ("box", s.tokens[-1]),
        ("supply", s.tokens[meta.SUPPLY]),
        ("target", s.target),
        ("phase", s.phase),
        ("turn", s.turn),
        ("waiting_for", waiting_for(s)),
        ("result", _result(s)),
    ]


def waiting_for(s: State) -> list[int]:
    """The seats that may act now; questions, corrections and leaving apart."""
    return [] if s.phase == OVER else [s.turn]


def _options(s: State) -> "dict[str, Any]":
    out: dict[str, Any] = changed_options(s.options, meta.OPTIONS)
    if "dice_faces" in out:
        out["dice_faces"] = list(out["dice_faces"])
    if "target_tokens" in out:
        out["target_tokens"] = _by_key(out["target_tokens"])
    return out


def _by_key(values: "dict[str, Any]") -> "dict[str, Any]":
    out: dict[str, Any] = Ordered()
    for key in sorted(values):
        out[key] = values[key]
    return out


def _player(s: State, seat: int) -> "dict[str, Any]":
    taxi = s.driver[seat]
    return ordered(
        (
            ("seat", seat),
            ("name", s.names[seat]),
            ("colour", s.colours[seat]),
            ("held", s.tokens[seat]),
            ("driver", TAXI_IDS[taxi] if taxi else None),
            ("status", "in" if s.playing[seat] else "out"),
        )
    )


def _taxi(s: State, taxi: int) -> "dict[str, Any]":
    place = s.at[taxi]
    out = ordered((("at", s.board.names[place]), ("fresh", s.fresh[taxi])))
    came_from = s.board.came_from[place]
    if came_from is not None:
        out["came_from"] = came_from
    return out


def _result(s: State) -> "dict[str, Any] | None":
    if s.result is None:
        return None
    return ordered(
        (
            ("winners", list(s.result["winners"])),
            ("reason", s.result["reason"]),
            ("totals", _by_key(s.result["totals"])),
        )
    )
