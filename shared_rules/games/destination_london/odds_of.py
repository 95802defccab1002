"""Exact odds of what a seat may hope for, from what that seat may know: its own hand, places, and what lies open.

LP-01 to LP-13. A chance is [n, d] in lowest terms.
"""

from shared_rules.games.destination_london import light_cards, movement
from shared_rules.games.destination_london.commands import dice_of

MYPY = False
if MYPY:
    from shared_rules.games.destination_london.kinds import Json
    from shared_rules.games.destination_london.state import State


def odds(s: "State", seat: int) -> "list[Json]":
    """What the next throw can do for a seat, with each number of dice it may throw; and the next light card.

    `what` is reach_destination (with `card` and `square`), reach_garage, reach_lights, reach_base or extra_turn (all
    with `dice`), or nice_card, nasty_card. [] for who is out, and when the game is over. While a taxi is to be moved
    its seat has no next throw that could be reckoned with: where it will start is not known yet.
    """
    if s.result is not None or not s.playing[seat]:
        return []
    out: "list[Json]" = []
    if s.may_drive(seat) and not (seat == s.turn and s.phase == "moving"):
        least, most = dice_of(s, seat)
        for dice in range(least, most + 1):
            _throw(s, seat, dice, out)
    _light_card(s, out)
    return out


def fraction(n: int, d: int) -> "list[int]":
    """[n, d] in lowest terms."""
    a, b = n, d
    while b:
        a, b = b, a % b
    return [n // a, d // a]


def throws(dice: int) -> "list[tuple[int, int]]":
    """(squares, in how many of 6 or 36 throws) for so many dice."""
    if dice == 1:
        return [(n, 1) for n in range(1, 7)]
    return [(n, 6 - abs(n - 7)) for n in range(2, 13)]


def _throw(s: "State", seat: int, dice: int, out: "list[Json]") -> None:
    of = 6 if dice == 1 else 36
    ends = [(movement.ends_of(s, seat, squares), ways) for squares, ways in throws(dice)]
    if s.total_fuel(seat):
        for card in s.hand[seat]:
            squares = s.card_squares[card]
            ways = _ways(ends, squares)
            out.append(
                {
                    "what": "reach_destination", "card": card, "square": squares[0], "dice": dice,
                    "chance": fraction(ways, of),
                }
            )  # fmt: skip
    for what, places in (
        ("reach_garage", tuple(s.board.garages)),
        ("reach_lights", tuple(s.board.lights)),
        ("reach_base", (s.board.base,)),
    ):
        out.append({"what": what, "dice": dice, "chance": fraction(_ways(ends, places), of)})
    out.append({"what": "extra_turn", "dice": dice, "chance": _extra_turn(s, dice)})


def _ways(ends: "list[tuple[movement.Ends, int]]", places: "tuple[str, ...]") -> int:
    total = 0
    for reached, ways in ends:
        for place in places:
            if place in reached:
                total += ways
                break
    return total


def _extra_turn(s: "State", dice: int) -> "list[int]":
    if dice == 2 and s.options["turbo_six_extra"] == "yes":
        return [4, 9]
    return [1, 6]


def _light_card(s: "State", out: "list[Json]") -> None:
    """What lies open tells which cards can come: all that are neither kept nor, while there is a pile, returned."""
    if s.typed or not s.lights_left():
        return
    cards = s.lights if s.lights else s.returned
    nice = len([card for card in cards if light_cards.side_of(card) == light_cards.NICE])
    out.append({"what": "nice_card", "chance": fraction(nice, len(cards))})
    out.append({"what": "nasty_card", "chance": fraction(len(cards) - nice, len(cards))})
