"""What each audience may see of a Destination London game: built key by key from what is allowed, never cut out of a
full copy.

Unknown to others are the Destination Cards in a hand (L-014), and with them which cards the pile holds. Light cards are
drawn, obeyed and kept in the open. Audiences are a seat, "spectator" and "bank"; the bank is often a player, so it
learns no more than a spectator. A window opens the same for everybody, whatever the hands hold (LQ-78).
"""

from shared_rules.engine.options import changed_options
from shared_rules.engine.reading import is_whole
from shared_rules.games.destination_london import legal, lights, meta, movement, position_writer
from shared_rules.games.destination_london.waiting import waiting_for
from shared_rules.portable.ordered import Ordered, ordered

MYPY = False
if MYPY:
    from typing import Any

    from shared_rules.games.destination_london.kinds import Json
    from shared_rules.games.destination_london.state import State


def view_for(s: "State", audience: "Any") -> "Json":
    """The position as the audience may see it, with `audience` and `prompts` (see docs/architecture.md).

    A hand is a list of cards for its own seat, for others their number; the pile is a number, and so is that of the
    lights. ValueError for an audience that there is not: a mistake of the caller, never answered with somebody else's
    view.
    """
    if audience not in ("spectator", "bank") and not (is_whole(audience) and 1 <= audience <= s.seats):
        raise ValueError("There is no audience " + str(audience) + ".")
    w = position_writer
    return ordered(
        (
            ("audience", audience),
            ("game", meta.NAME),
            ("options", changed_options(s.options, meta.OPTIONS)),
            ("board", w.board(s)),
            ("players", [_player(s, seat, audience) for seat in range(1, s.seats + 1)]),
            ("phase", s.phase),
            ("turn", s.turn),
            ("waiting_for", waiting_for(s)),
            ("bank", w.bank(s)),
            ("fuel_bank", s.fuel[0]),
            ("pile", len(s.pile)),
            ("gone", list(s.gone)),
            ("lights", _lights(s)),
            ("dice", list(s.dice)),
            ("moves", list(s.moves)),
            ("extra_turn", s.extra_turn),
            ("extra_turns", s.extra_turns),
            ("arrivals", w.arrivals(s)),
            ("debts", w.debts(s)),
            ("deals", list(s.deals)),
            ("offer", s.offer),
            ("asked", list(s.asked)),
            ("order", w.order(s)),
            ("first", s.first),
            ("ending", w.ending(s)),
            ("result", w.result(s)),
            ("prompts", _prompts(s, audience)),
        )
    )


def _player(s: "State", seat: int, audience: "Any") -> "Json":
    out = ordered(
        (
            ("seat", seat),
            ("name", s.names[seat]),
            ("colour", s.colours[seat]),
            ("cash", s.cash[seat]),
            ("fuel", s.fuel[seat]),
            ("bonus_fuel", position_writer.cards(s.bonus[seat])),
            ("loan", s.loan[seat]),
            ("loan_used", s.loan_used[seat]),
            ("sections", s.sections[seat]),
            ("turbo", s.turbo[seat]),
            ("hand", list(s.hand[seat]) if audience == seat else len(s.hand[seat])),
            ("held", position_writer.cards(s.held[seat])),
            ("at", s.at[seat]),
            ("status", "in" if s.playing[seat] else "out"),
        )
    )
    out["total_fuel"] = s.total_fuel(seat)
    return out


def _lights(s: "State") -> "Json":
    if s.typed:
        return position_writer.lights(s)
    return ordered((("pile", len(s.lights)), ("returned", list(s.returned))))


def _prompts(s: "State", audience: "Any") -> "Any":
    if audience == "bank":
        out = Ordered()
        for seat in range(s.seats + 1):
            out[str(seat)] = open_prompts(s, seat)
        return out
    if audience == "spectator":
        return []
    return legal.legal_commands(s, audience)


def open_prompts(s: "State", seat: int) -> "list[Json]":
    """What a seat may do, as everybody may know it: the same whatever its hand holds."""
    templates = [_without_cards(s, template) for template in legal.legal_commands(s, seat)]
    phase = s.phase
    if not seat or seat not in waiting_for(s):
        return templates
    if phase == meta.OWN_FARE:
        _always(templates, {"do": "collect", "seat": seat})
    elif phase == meta.CLAIMS:
        _always(templates, {"do": "claim", "seat": seat})
    elif phase == meta.LIGHTS and s.arrivals[-1]["card"] is not None:
        _always(templates, {"do": "choose_destination", "seat": seat})
    elif phase == "before_roll" and s.offer is None:
        playable = s.hand[seat] and s.total_fuel(seat) and lights.held_move_cards(s, seat)
        if playable:
            _always(templates, {"do": "play_move_card", "seat": seat})
    return templates


def _without_cards(s: "State", template: "Json") -> "Json":
    """A template less the bounds that would tell a hand.

    A move has what everybody may reckon, and every attraction on the way (`with_card`), where the seat can stop if it
    has a card for it.
    """
    if template["do"] == "move":
        to, with_card = movement.public_ends(s, template["seat"], s.moves[0])
        return {"do": "move", "seat": template["seat"], "to": to, "with_card": with_card}
    if template["do"] in ("collect", "claim", "choose_destination", "play_move_card"):
        return {"do": template["do"], "seat": template["seat"]}
    return template


def _always(templates: "list[Json]", template: "Json") -> None:
    """The template is offered, and stands first."""
    for i, given in enumerate(templates):
        if given["do"] == template["do"]:
            del templates[i]
            break
    templates.insert(0, template)


def event_for(s: "State", event: "Json", audience: "Any") -> "Json | None":
    """An event as the audience may see it, given the state before it; None if there is nothing to see."""
    name = event["event"]
    out = dict(event)
    if name == "CardDealt" and event["seat"] != audience:
        out["card"] = None
    elif name == "Corrected":
        # What was set may be the hand of one seat; the reason and the parts are for all.
        del out["booked"]
        out["set"] = sorted(event["set"])
    return out
