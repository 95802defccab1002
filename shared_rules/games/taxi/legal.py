"""What a seat may do now, as templates with bounds, for pages and bots; questions, corrections and leaving apart.

Every template has `do` and `seat`. What is to be chosen has its bounds in place of a value: `count` and `option` are
[least, most]; `word`, `on` and `card` list the choices; `to` of a move lists [place, streets, green, white] with the
least costs, `to` of a gift lists seats, and its amounts are [0, most]. `face` and an undrawn `card` are chance's and
left out.
"""

from shared_rules.engine.pending import has_answered
from shared_rules.games.taxi import barriers, commands, debts, gambles, moves, trade, turn
from shared_rules.games.taxi.meta import EXPENSE, WORDS
from shared_rules.games.taxi.position_writer import may_place_barrier
from shared_rules.games.taxi.state import TURN_PHASES, State


def legal_commands(s: State, seat: int) -> list:
    """The templates of one seat; 0 is the operator."""
    phase = s.phase
    if phase == "over":
        return []
    if seat == 0:
        return [{"do": "close_bets", "seat": 0}] if phase == "gamble_bets" else []
    if not s.playing[seat]:
        return []
    out: list = []
    by_phase = _BY_PHASE.get(phase)
    if by_phase is not None:
        by_phase(s, seat, out)
    if trade.may_buy_now(s, seat) and trade.can_buy(s, seat):
        out.append({"do": "buy_taxi", "seat": seat, "count": [1, trade.most_to_buy(s, seat)]})
    if phase in TURN_PHASES and s.options["voluntary_sale"] and seat == s.turn and s.plates[seat]:
        out.append({"do": "sell_plate", "seat": seat, "count": [1, s.plates[seat]]})
    if phase in trade.GIVING_PHASES and s.options["trading"] != "none":
        _giving(s, seat, out)
    return out


def _before_throw(s: State, seat: int, out: list) -> None:
    if seat != s.turn:
        if may_place_barrier(s, seat):
            on = barriers.spots(s)
            if on:
                out.append({"do": "place_barrier", "seat": seat, "on": on})
        return
    decks = turn.decks_to_draw(s)
    for deck in decks:
        out.append({"do": "draw_card", "seat": seat, "deck": deck})
    if s.phase == "before_roll" or not decks or s.options["card_draw"] != "mandatory_one":
        out.append({"do": "roll", "seat": seat, "die": "d6"})


def _card_option(s: State, seat: int, out: list) -> None:
    if s.card["seat"] != seat:
        return
    die = turn.die_due(s)
    if die is not None:
        out.append({"do": "roll", "seat": seat, "die": die})
    else:
        out.append({"do": "choose", "seat": seat, "option": [0, len(s.card["do"][0][1]) - 1]})


def _bets(s: State, seat: int, out: list) -> None:
    if seat == s.gamble["holder"]:
        return
    if has_answered(s.gamble["bets"], seat) and s.options["bets_per_gambler"] != "one":
        return
    words = gambles.betting_words(s, seat)
    if words:
        out.append({"do": "place_bet", "seat": seat, "word": words})
    out.append({"do": "pass_bet", "seat": seat})


def _reveal(s: State, seat: int, out: list) -> None:
    if seat == s.gamble["holder"]:
        word = s.gamble["word"]
        out.append({"do": "reveal_card", "seat": seat, "word": list(WORDS) if word is None else [word]})


def _move(s: State, seat: int, out: list) -> None:
    if seat != s.turn:
        return
    out.append({"do": "move", "seat": seat, "to": moves.reach(s, seat)})
    _kept(s, seat, out)


def _kept(s: State, seat: int, out: list) -> None:
    cards = [i for i, card in enumerate(s.kept[seat]) if debts.fits(s, card)]
    if cards:
        out.append({"do": "play_card", "seat": seat, "card": cards})


def _tablet_die(s: State, seat: int, out: list) -> None:
    if seat == s.turn:
        out.append({"do": "roll", "seat": seat, "die": "d12"})
        out.append({"do": "end_turn", "seat": seat})
        return
    # The seat that is next may begin, and the tablet die is lost.
    after = commands.ended_for(s, seat, {"do": "roll", "die": "d6"})
    if after is not None:
        for template in legal_commands(after[1], seat):
            if template["do"] in ("draw_card", "roll", "buy_taxi") and not _offered(s, seat, template):
                out.append(template)


def _offered(s: State, seat: int, template: dict) -> bool:
    return template["do"] == "buy_taxi" and trade.may_buy_now(s, seat)


def _settle(s: State, seat: int, out: list) -> None:
    if s.settle[0][0] != seat:
        return
    if s.settle[0][1] == EXPENSE:
        if not s.decks[EXPENSE].empty():
            out.append({"do": "draw_card", "seat": seat, "deck": EXPENSE})
    else:
        out.append({"do": "decline", "seat": seat})


def _kept_card(s: State, seat: int, out: list) -> None:
    if s.dues[0]["seat"] == seat:
        _kept(s, seat, out)
        out.append({"do": "decline", "seat": seat})


def _debt(s: State, seat: int, out: list) -> None:
    due = s.dues[0]
    if due["seat"] != seat:
        return
    most = min(debts.plates_needed(s, due), s.plates[seat])
    if most:
        out.append({"do": "sell_plate", "seat": seat, "count": [1, most]})
    if debts.insolvent(s, due):
        out.append({"do": "declare_insolvent", "seat": seat})


def _giving(s: State, seat: int, out: list) -> None:
    template = {"do": "give", "seat": seat, "to": [other for other in s.seats_in() if other != seat]}
    for field, unit in trade.GIFT_FIELDS:
        held = s.ledger.held[unit][seat]
        if unit in trade.GIFTS[s.options["trading"]] and held > 0:
            template[field] = [0, held]
    if len(template) > 3:
        out.append(template)


_BY_PHASE = {
    "card_choice": _before_throw,
    "before_roll": _before_throw,
    "card_option": _card_option,
    "gamble_bets": _bets,
    "gamble_reveal": _reveal,
    "move": _move,
    "tablet_die": _tablet_die,
    "settle": _settle,
    "kept_card": _kept_card,
    "debt": _debt,
}
