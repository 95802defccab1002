"""What must hold at every moment: money and pieces are all there, cards are somewhere once (L-083 to L-088)."""

from shared_rules.games.destination_london import light_cards, meta
from shared_rules.games.destination_london.state import COUNT

MYPY = False
if MYPY:
    from shared_rules.games.destination_london.kinds import Card
    from shared_rules.games.destination_london.state import State


def check_invariants(s: "State") -> "list[str]":
    """[] if everything adds up, else sentences with the numbers of the rules that are broken."""
    out: "list[str]" = []
    _cards(s, out)
    _money_and_fuel(s, out)
    if not s.typed:
        _lights(s, out)
    elif s.lights_count < 0 or s.returned_count < 0:
        out.append("L-085: The lights deck has less than no card.")
    owing = [debt["seat"] for debt in s.debts if debt["why"] == "licence"]
    for seat in range(1, s.seats + 1):
        _player(s, seat, owing, out)
    if s.left != len(s.seats_in()):
        out.append("LQ-72: The seats that are left are counted wrongly.")
    if s.result is None and s.left > 1 and s.stage != COUNT and not s.playing[s.turn]:
        out.append("LQ-72: It is the turn of a seat that is out.")
    return out


def _cards(s: "State", out: "list[str]") -> None:
    cards = s.pile + s.gone
    for hand in s.hand:
        cards = cards + hand
    if sorted(cards) != s.board.card_ids:
        out.append("L-083: Hands, pile and cards out of the game do not hold each card once.")
    for part in [s.pile, s.gone] + s.hand:
        if part != sorted(part):
            out.append("L-083: Destination Cards are out of order.")


def _money_and_fuel(s: "State", out: "list[str]") -> None:
    if s.ledger.total(meta.MONEY) != 0:
        out.append("L-086: Bank and players together have " + str(s.ledger.total(meta.MONEY)) + " too much.")
    if s.ledger.total(meta.FUEL) != meta.FUEL_CARDS or s.fuel[0] < 0:
        out.append("L-084: There are not 30 Fuel Cards.")


def _lights(s: "State", out: "list[str]") -> None:
    cards: "list[Card]" = []
    cards += s.lights + s.returned
    for seat in range(1, s.seats + 1):
        cards += s.bonus[seat] + s.held[seat]
    cards += [landing["card"] for landing in s.arrivals if landing["card"] is not None]
    if light_cards.in_order(cards) != list(light_cards.IDS):
        out.append("L-085: Pile, returned and kept light cards are not the 30 of the deck.")


def _player(s: "State", seat: int, owing: "list[int]", out: "list[str]") -> None:
    name = "Seat " + str(seat)
    if s.cash[seat] < 0:
        out.append("L-086: " + name + " has less than no money.")
    if not 0 <= s.fuel[seat] <= meta.MOST_FUEL:
        out.append("L-084: " + name + " holds " + str(s.fuel[seat]) + " Fuel Cards.")
    if (s.at[seat] is None) == s.playing[seat]:
        out.append("LQ-72: " + name + "'s taxi is not where it belongs.")
    if s.playing[seat] and s.result is None:
        if s.sections[seat] > meta.LICENCE_SECTIONS:
            out.append("L-087: " + name + " has a fifth section.")
        if s.sections[seat] == meta.LICENCE_SECTIONS and seat not in owing:
            out.append("L-087: " + name + " stands at four sections.")
    if s.loan[seat] and not s.loan_used[seat]:
        out.append("L-051: " + name + " has a loan that was never taken.")
    if not s.playing[seat] and s.result is None:
        if s.cash[seat] or s.fuel[seat] or s.hand[seat] or s.bonus[seat] or s.held[seat]:
            out.append("LQ-72: " + name + " is out and still holds something.")
