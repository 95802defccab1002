"""How good everybody's prospects are at the beginning of a turn: chances of winning, from what the table shows.

Each seat gets a few figures (`figures_of`), a weighted sum of them is its strength, and chances of winning go with the
exponential of strength. The weights were learned from games, of greedy bots first and then of its own, by the
chances that fit what came of them best (a conditional logit, a set of weights each for 2, 3 and 4 players); nothing in
the figures hangs on a certain board. How well that plays, docs/proofs/bots.md tells.
"""

import math

from shared_rules.games.taxi_over.board import START_PLACE
from shared_rules.games.taxi_over.bots.road_tables import LONGEST, TURNS, WAIT, RoadTables
from shared_rules.games.taxi_over.bots.weights import WEIGHTS
from shared_rules.games.taxi_over.state import State

# The farthest drive by ordinary taxi dice: who is farther behind pushes nobody into a sinkhole now.
FARTHEST = 12

FIGURES = (
    "log_need", "need", "one_by_need", "box_wins", "box_wins_next", "box_gain", "box_gain_next", "first", "first_next",
    "turns", "turns_need", "turns_log_need", "turns_by_need", "boards", "waits", "falls", "falls_turns", "reach",
    "doubt",
)  # fmt: skip


class Outlook:
    """One seat at the beginning of a turn.

    `need` tokens to the target, `first` chance to be the next at the box (`first_next`: in its next turn), `ahead`
    steps to the next intersection, `wait` turns to wait for a taxi, `boards` whether it first has to get into one,
    `falls` chance of being pushed into a sinkhole before its next turn.
    """

    __slots__ = ("need", "first", "first_next", "ahead", "wait", "boards", "falls", "_so_far")

    def __init__(self, need: int) -> None:
        self.need = need
        self.first = 0.0
        self.first_next = 0.0
        self.ahead = 0
        self.wait = 0
        self.boards = False
        self.falls = 0.0
        self._so_far = 0.0


def outlooks(s: State, tables: RoadTables) -> "dict[int, Outlook]":
    """The outlook of every seat in the game, by seat."""
    order = []
    seat = s.turn
    for _ in range(s.seats):
        if s.playing[seat]:
            order.append(seat)
        seat = seat % s.seats + 1
    free = len([taxi for taxi in range(1, s.taxis + 1) if s.at[taxi] == START_PLACE and not s.rider[taxi]])
    out: dict[int, Outlook] = {}
    for seat in order:
        look = out[seat] = Outlook(max(1, s.target - s.tokens[seat]))
        taxi = s.driver[seat]
        if taxi:
            look.ahead = min(LONGEST, s.board.to_mark[s.at[taxi]])
            look.falls = _falls(s, seat, order, tables)
        else:
            look.ahead = tables.start
            look.boards = free > 0
            look.wait = 0 if free > 0 else WAIT
            free -= 1
    _race(order, out, tables)
    return out


def _race(order: list[int], out: "dict[int, Outlook]", tables: RoadTables) -> None:
    """Who is first at the box, turn by turn, if everybody hurries."""
    open_still = 1.0
    for turns in range(1, TURNS + 1):
        for seat in order:
            look = out[seat]
            if turns <= look.wait:
                continue
            reached = tables.reach[turns - look.wait][look.ahead]
            if look._so_far < 1.0:
                now = open_still * (reached - look._so_far) / (1.0 - look._so_far)
                look.first += now
                if turns == 1:
                    look.first_next = now
                open_still -= now
                look._so_far = reached


def _falls(s: State, seat: int, order: list[int], tables: RoadTables) -> float:
    """The chance that another's drive pushes this seat's taxi off the next bend ahead."""
    board = s.board
    place = s.at[s.driver[seat]]
    if place == START_PLACE:
        return 0.0
    to_bend = 0
    bend = place
    while board.pits[bend] is None:
        to_bend += 1
        if to_bend >= FARTHEST:
            return 0.0
        bend = board.next[bend]
    safe = 1.0
    for other in order:
        if other == seat or not s.driver[other]:
            continue
        behind = 1
        on_way = board.next[s.at[s.driver[other]]]
        while on_way != place and behind + to_bend <= FARTHEST:
            behind += 1
            on_way = board.next[on_way]
        if behind + to_bend <= FARTHEST and behind + to_bend < len(tables.at_least):
            safe *= 1.0 - tables.at_least[behind + to_bend]
    return 1.0 - safe


def figures_of(look: Outlook, box: int, tables: RoadTables) -> list[float]:
    """The figures of one seat, in the order of FIGURES."""
    need, first = look.need, look.first
    wins = 1.0 if box >= need else 0.0
    left = 1 if wins else need - box
    gain = min(box, need)
    log_need = math.log(need)
    turns = tables.turns[look.ahead] + look.wait
    goes_on = 1.0 - first * wins
    return [
        goes_on * ((1.0 - first) * log_need + first * math.log(left)),
        goes_on * ((1.0 - first) * need + first * left),
        (1.0 - first) / need + first * (1.0 - wins) / left,
        first * wins,
        look.first_next * wins,
        first * gain,
        look.first_next * gain,
        first,
        look.first_next,
        turns,
        need * turns,
        log_need * turns,
        turns / need,
        1.0 if look.boards else 0.0,
        1.0 if look.wait else 0.0,
        look.falls,
        look.falls * (tables.turns[tables.start] - turns),
        0.0 if look.wait else tables.reach[1][look.ahead],
        first * (1.0 - first),
    ]


def chances(s: State, tables: RoadTables) -> "dict[int, float]":
    """Everybody's chance of winning at the beginning of a turn, by seat; when the game is over, what came of it."""
    out: dict[int, float] = {}
    if s.result is not None:
        winners = s.result["winners"]
        for seat in s.seats_in():
            out[seat] = 1.0 / len(winners) if seat in winners else 0.0
        return out
    weights = WEIGHTS[len(s.seats_in())]
    looks = outlooks(s, tables)
    strength: dict[int, float] = {}
    for seat in looks:
        strength[seat] = sum([a * b for a, b in zip(weights, figures_of(looks[seat], s.tokens[-1], tables))])
    most = max(strength.values())
    total = 0.0
    for seat in looks:
        out[seat] = math.exp(strength[seat] - most)
        total += out[seat]
    for seat in looks:
        out[seat] /= total
    return out
