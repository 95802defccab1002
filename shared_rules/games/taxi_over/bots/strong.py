"""The player that reckons: every end of its turn is tried out and weighed, and the dice are reckoned through exactly.

It takes what gives the best chance of winning; how good an end is tell the prospects of all seats (see `prospects`).
"""

from shared_rules.games.taxi_over import evolution
from shared_rules.games.taxi_over.board import START_PLACE
from shared_rules.games.taxi_over.bots.futures import Futures
from shared_rules.games.taxi_over.bots.prospects import chances, outlooks
from shared_rules.games.taxi_over.bots.road_tables import RoadTables, tables_for
from shared_rules.games.taxi_over.legal import legal_commands
from shared_rules.games.taxi_over.odds import fraction, rolled, violation
from shared_rules.games.taxi_over.state import TAXI_IDS, State

MYPY = False
if MYPY:  # only type checkers come here
    from collections.abc import Callable
    from typing import Any


class Strong:
    """Plays for the best chance of winning. `random` is taken as all bots take it, and used for nothing."""

    UNIT = "chance of winning"

    def __init__(self, random: "Callable[[], float]") -> None:
        self._random = random

    def choose(self, s: State, seat: int) -> "dict[str, Any] | None":
        """A command of this seat, or None if it has none."""
        templates = legal_commands(s, seat)
        if not templates:
            return None
        if len(templates) == 1 and "taxi" not in templates[0]:
            # Nothing to think about.
            return templates[0]
        found: "dict[str, Any]" = self.ranked(s, seat)[0]["command"]
        return found

    def ranked(self, s: State, seat: int) -> "list[dict[str, Any]]":
        """[{"command", "score", "because": [[key, value], …]}, …], best first; the score is the chance of winning."""
        tables = tables_for(s)

        def worth(later: State) -> float:
            return chances(later, tables)[seat]

        out: "list[dict[str, Any]]" = []
        for template in legal_commands(s, seat):
            do = template["do"]
            if do == "board_taxi":
                # Empty taxis at START are alike.
                taxi = s.boardable(seat)[0]
                command = {"do": do, "seat": seat, "taxi": TAXI_IDS[taxi]}
                futures = Futures(after(s, [{"event": "driver_boarded", "seat": seat, "taxi": TAXI_IDS[taxi]}]), worth)
                out.append(_entry(command, futures.roll(0, 0), _rolling(futures.state, tables)))
            elif do == "decline":
                later = after(s, [{"event": "boarding_declined", "seat": seat}])
                out.append(_entry(template, worth(later), [["waits_for_a_turn", 1]]))
            elif do == "roll":
                futures = Futures(s, worth)
                out.append(_entry(template, futures.roll(len(s.dice), sum(s.dice)), _rolling(s, tables)))
            else:
                futures = Futures(s, worth)
                out.append(
                    _entry(template, futures.stop(len(s.dice), sum(s.dice)), _stopping(futures, s, seat, tables))
                )
        # The order of what is equal is fixed, so that a game is the same again.
        order = sorted(range(len(out)), key=lambda i: (-out[i]["score"], i))
        return [out[i] for i in order]


def _entry(command: "dict[str, Any]", score: float, because: "list[list[Any]]") -> "dict[str, Any]":
    return {"command": command, "score": round(score, 4), "because": because}


def after(s: State, events: "list[dict[str, Any]]") -> State:
    """The state after these events and what follows by itself."""
    later = s.copy()
    while events:
        for event in events:
            evolution.evolve(later, event)
        events = evolution.follow(later)
    return later


def _rolling(s: State, tables: RoadTables) -> "list[list[Any]]":
    ahead = s.board.to_mark[s.at[s.driver[s.turn]]]
    ways, total = rolled(s, s.dice, 1)
    count = len(s.dice) + 1
    enough = sum([ways[points] for points in ways if points * count >= ahead])
    return [
        ["violation", violation(s, s.dice, 1)],
        ["reaches_the_box", fraction(enough, total)],
        ["box_holds", s.tokens[-1]],
    ]


def _stopping(futures: Futures, s: State, seat: int, tables: RoadTables) -> "list[list[Any]]":
    later = futures.after(len(s.dice), sum(s.dice))
    because: "list[list[Any]]" = [["collects", later.tokens[seat] - s.tokens[seat]]]
    sent = []
    for taxi in range(1, s.taxis + 1):
        if later.at[taxi] == START_PLACE != s.at[taxi]:
            sent.append(TAXI_IDS[taxi])
    if sent:
        because.append(["sends_to_start", ", ".join(sent)])
    if later.result is None:
        looks = outlooks(later, tables)
        because.append(["next_at_the_box", round(looks[seat].first, 2)])
        because.append(["rival_next_at_the_box", round(max([looks[r].first for r in looks if r != seat]), 2)])
        because.append(["falls_before_next_turn", round(looks[seat].falls, 2)])
    return because
