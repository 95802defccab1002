"""Writes a Destination London state as a position (docs/records.md): every key, in canonical order."""

from shared_rules.engine.options import changed_options
from shared_rules.games.destination_london import light_cards, meta
from shared_rules.games.destination_london.waiting import waiting_for
from shared_rules.portable.ordered import Ordered, ordered

MYPY = False
if MYPY:
    from typing import Any

    from shared_rules.games.destination_london.kinds import Card, Json
    from shared_rules.games.destination_london.state import State


def dump(s: "State") -> "Json":
    """The whole position."""
    return ordered(
        (
            ("game", meta.NAME),
            ("options", changed_options(s.options, meta.OPTIONS)),
            ("board", board(s)),
            ("players", [player(s, seat) for seat in range(1, s.seats + 1)]),
            ("phase", s.phase),
            ("turn", s.turn),
            ("waiting_for", waiting_for(s)),
            ("bank", bank(s)),
            ("fuel_bank", s.fuel[0]),
            ("pile", list(s.pile)),
            ("gone", list(s.gone)),
            ("lights", lights(s)),
            ("dice", list(s.dice)),
            ("moves", list(s.moves)),
            ("extra_turn", s.extra_turn),
            ("extra_turns", s.extra_turns),
            ("arrivals", arrivals(s)),
            ("debts", debts(s)),
            ("deals", list(s.deals)),
            ("offer", s.offer),
            ("asked", list(s.asked)),
            ("order", order(s)),
            ("first", s.first),
            ("ending", ending(s)),
            ("result", result(s)),
        )
    )


def board(s: "State") -> "Any":
    """The board as it was given: its id, or the whole object."""
    return s.board_ref if s.board_ref is not None else s.board.dump()


def player(s: "State", seat: int) -> "Json":
    """One entry of `players`."""
    return ordered(
        (
            ("seat", seat),
            ("name", s.names[seat]),
            ("colour", s.colours[seat]),
            ("cash", s.cash[seat]),
            ("fuel", s.fuel[seat]),
            ("bonus_fuel", cards(s.bonus[seat])),
            ("loan", s.loan[seat]),
            ("loan_used", s.loan_used[seat]),
            ("sections", s.sections[seat]),
            ("turbo", s.turbo[seat]),
            ("hand", list(s.hand[seat])),
            ("held", cards(s.held[seat])),
            ("at", s.at[seat]),
            ("status", "in" if s.playing[seat] else "out"),
        )
    )


def cards(held: "list[Card]") -> "list[Card]":
    """Light cards that are kept."""
    return [light_cards.shown(card) for card in held]


def bank(s: "State") -> "Json":
    """The bank's money."""
    return ordered((("cash", s.cash[0]),))


def lights(s: "State") -> "Json":
    """The lights deck: ids, or two numbers."""
    if s.typed:
        return ordered((("pile", s.lights_count), ("returned", s.returned_count)))
    return ordered((("pile", list(s.lights)), ("returned", list(s.returned))))


def arrivals(s: "State") -> "list[Json]":
    """The landings in work."""
    out = []
    for landing in s.arrivals:
        knocks, claims, card = landing["knocks"], landing["claims"], landing["card"]
        out.append(
            ordered(
                (
                    ("seat", landing["seat"]),
                    ("square", landing["square"]),
                    ("steps", list(landing["steps"])),
                    ("must_collect", landing["must_collect"]),
                    ("knocks", None if knocks is None else list(knocks)),
                    ("claims", None if claims is None else list(claims)),
                    ("knocked", landing["knocked"]),
                    ("home", landing["home"]),
                    ("card", None if card is None else light_cards.shown(card)),
                )
            )
        )
    return out


def debts(s: "State") -> "list[Json]":
    """The open debts."""
    return [ordered([(key, debt[key]) for key in ("seat", "amount", "to", "why")]) for debt in s.debts]


def order(s: "State") -> "Json | None":
    """The throws for who begins."""
    if s.order is None:
        return None
    among, thrown = s.order
    rolls = Ordered()
    for seat in sorted(thrown):
        rolls[str(seat)] = thrown[seat]
    return ordered((("among", list(among)), ("rolls", rolls)))


def ending(s: "State") -> "Json | None":
    """Who is home while the round is played to its end."""
    if s.ending is None:
        return None
    return ordered((("seat", s.ending["seat"]), ("reason", s.ending["reason"])))


def result(s: "State") -> "Json | None":
    """Who has won, once the game is over."""
    if s.result is None:
        return None
    totals = Ordered()
    for seat, total in s.result["totals"]:
        totals[str(seat)] = total
    return ordered((("winners", list(s.result["winners"])), ("reason", s.result["reason"]), ("totals", totals)))
