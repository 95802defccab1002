"""A taxi's move and what comes of it: rows pushed, falls, the For Hire box, the end of the game (O-032 to O-061).

`Outcome` gathers the events of a turn's end while it keeps count of box, supply and who has been thrown out, so that
nothing is changed before the events are applied.
"""

from shared_rules.engine.ledger import transfer
from shared_rules.games.taxi_over.board import START_PLACE
from shared_rules.games.taxi_over.meta import BOX, SUPPLY, TOKENS
from shared_rules.games.taxi_over.state import TAXI_IDS, State, spot
from shared_rules.games.taxi_over.traffic import Traffic

MYPY = False
if MYPY:  # only type checkers come here
    from typing import Any


class Outcome:
    """The end of a turn in the making; `events` are its events so far.

    `out` are the seats whose drivers have got out by them, `over` is whether they end the game.
    """

    __slots__ = ("s", "events", "box", "supply", "endless", "out", "at", "fresh", "over")

    def __init__(self, s: State, events: "list[dict[str, Any]]") -> None:
        self.s = s
        self.events = events
        self.box = s.tokens[-1]
        self.supply = s.tokens[SUPPLY]
        self.endless = s.options["supply_exhausted"] == "substitute"
        self.out: list[int] = []
        self.at = s.at
        self.fresh = s.fresh
        self.over = False

    def drive(self, seat: int, dice: list[int]) -> list[int]:
        """The active taxi drives; the taxis that entered an intersection, in order (O-032, O-036)."""
        s = self.s
        board = s.board
        taxi = s.driver[seat]
        steps = sum(dice) * len(dice)
        start = s.at[taxi]
        any_falls = s.options["sinkhole_entry"] == "any"
        way = board.way(start, steps)
        if any_falls or self._in_the_way(taxi, way):
            traffic = self._traffic()
            way = traffic.drive(taxi, steps, s.options["push_timing"] == "landing_only")
            end = traffic.at[taxi]
            rules = ["O-032", "O-036", "O-038"]
            taxis = self._spots(traffic)
            entered = traffic.entered
        else:
            # A free road: the way is known at once.
            traffic = None
            end = (board.next[start] + steps - 1) % len(board.loop)
            entered = []
            ahead = board.to_mark[start]
            place = start
            while ahead <= steps:
                entered.append(taxi)
                place = (board.next[place] + board.to_mark[place] - 1) % len(board.loop)
                ahead += board.to_mark[place]
            rules = ["O-032", "O-036"]
            self.at = list(self.at)
            self.fresh = list(self.fresh)
            self.at[taxi] = end
            if entered:
                self.fresh[taxi] = False
            taxis = {TAXI_IDS[taxi]: spot(board, end, self.fresh[taxi])}
        self.events.append(
            {
                "event": "moved", "seat": seat, "taxi": TAXI_IDS[taxi], "from": board.names[start],
                "to": board.names[end], "dice": dice, "distance": steps, "way": way, "taxis": taxis, "rules": rules,
            }
        )  # fmt: skip
        if traffic is not None:
            self._happened(traffic)
        return entered

    def place_empty(self, taxi: int) -> None:
        """The taxi of a violator is moved on to the next intersection, if the house rules say so (O-064, OQ-05)."""
        s = self.s
        board = s.board
        which = s.options["empty_taxi_advance"]
        place = self.at[taxi]
        if which == "since_start":
            moves_on = self.fresh[taxi]
        elif which == "start_only":
            moves_on = place == START_PLACE
        else:
            moves_on = which == "always_next" and not board.marks[place]
        if not moves_on:
            return
        traffic = self._traffic()
        how = s.options["empty_taxi_placement"]
        way: list[str] = []
        if how == "drive_and_push":
            way = traffic.drive(taxi, board.to_mark[place], False)
        elif how == "place_and_push":
            traffic.put(taxi, traffic.to_next_mark(taxi))
        else:
            traffic.put_behind(taxi)
        if traffic.at[taxi] == place and not way:
            return
        self.events.append(
            {
                "event": "taxi_advanced", "taxi": TAXI_IDS[taxi], "from": board.names[place],
                "to": board.names[traffic.at[taxi]], "way": way, "taxis": self._spots(traffic),
                "rules": ["O-064", "OQ-05", "OQ-07"],
            }
        )  # fmt: skip
        self._happened(traffic)

    def add_token(self, event: "dict[str, Any]") -> None:
        """Append an event by which a token goes into the box, if one is left (O-046, OQ-21, OQ-28)."""
        self.events.append(event)
        if self.supply > 0 or self.endless:
            event["unit"] = TOKENS
            event["from"] = SUPPLY
            event["to"] = BOX
            event["amount"] = 1
            self.supply -= 1
            self.box += 1
        else:
            self.events.append({"event": "supply_exhausted", "rules": ["OQ-28"]})

    def collect(self, seat: int, entered: list[int]) -> None:
        """Whoever entered an intersection takes the box, in order; that may end the game (O-053 to O-060)."""
        s = self.s
        everyone = s.options["pushed_driver_collects"] == "yes"
        once = s.options["collect_per_move"] == "once"
        served: list[int] = []
        for taxi in entered:
            taker = s.rider[taxi]
            if taker == 0 or taker in self.out or (taker != seat and not everyone) or (once and taker in served):
                continue
            served.append(taker)
            self._take(taker)
            if self.over:
                return

    def _take(self, seat: int) -> None:
        s = self.s
        events = self.events
        if self.box == 0 and self.supply == 0 and not self.endless:
            # Only by house rule: else the game ended when this came about (OQ-29).
            self.end([seat], "next_intersection", ["OQ-29"])
            return
        if self.box:
            events.append(transfer("collected", TOKENS, BOX, seat, self.box, ["O-053", "O-054", "O-055"]))
            self.box = 0
            if self._held(seat) >= s.target:
                self.end([seat], "target", ["O-058", "O-059"])
                return
        if self.supply > 0 or self.endless:
            events.append(transfer("refilled", TOKENS, SUPPLY, BOX, 1, ["O-056"]))
            self.supply -= 1
            self.box += 1
            return
        events.append({"event": "supply_exhausted", "rules": ["OQ-28"]})
        if s.options["stalemate"] == "shared_win":
            self.end(leaders([self._held(other) for other in range(s.seats + 1)], s.seats_in()), "stalemate", ["OQ-29"])

    def _held(self, seat: int) -> int:
        held = self.s.tokens[seat]
        for event in self.events:
            if event["event"] == "collected" and event["to"] == seat:
                held += event["amount"]
        return held

    def end(self, winners: list[int], reason: str, rules: list[str]) -> None:
        """The game is over."""
        s = self.s
        self.over = True
        self.events.append(game_over(winners, reason, [self._held(seat) for seat in range(1, s.seats + 1)], rules))

    def _in_the_way(self, mover: int, way: list[str]) -> bool:
        names = self.s.board.names
        at = self.at
        for taxi in range(1, len(at)):
            if taxi != mover and names[at[taxi]] in way:
                return True
        return False

    def _traffic(self) -> Traffic:
        options = self.s.options
        own_heading = options["crossing_push"] == "own_heading"
        return Traffic(self.s.board, self.at, self.fresh, own_heading, options["sinkhole_entry"] == "any")

    def _spots(self, traffic: Traffic) -> "dict[str, Any]":
        """The taxis that are elsewhere than before, as in a position."""
        out = {}
        for taxi in range(1, len(self.at)):
            if traffic.at[taxi] != self.at[taxi] or traffic.fresh[taxi] != self.fresh[taxi]:
                out[TAXI_IDS[taxi]] = spot(self.s.board, traffic.at[taxi], traffic.fresh[taxi])
        return out

    def _happened(self, traffic: Traffic) -> None:
        """Tell of pushes and falls, and carry on from where all stand now."""
        s = self.s
        names = s.board.names
        for taxi in range(1, len(self.at)):
            if taxi in traffic.ways:
                self.events.append(
                    {
                        "event": "pushed", "taxi": TAXI_IDS[taxi], "seat": s.rider[taxi],
                        "from": names[self.at[taxi]], "to": names[traffic.at[taxi]], "way": traffic.ways[taxi],
                        "rules": ["O-038", "O-039", "OQ-17"],
                    }
                )  # fmt: skip
        self.at = traffic.at
        self.fresh = traffic.fresh
        ejects = s.options["sinkhole_driver"] == "ejected"
        for taxi, pit in traffic.falls:
            seat = 0 if s.rider[taxi] in self.out else s.rider[taxi]
            fell = {"event": "fell", "taxi": TAXI_IDS[taxi], "seat": seat, "sinkhole": pit, "rules": ["O-041", "OQ-18"]}
            if s.options["sinkhole_token"]:
                fell["rules"] = ["O-041", "OQ-18", "OQ-21"]
                self.add_token(fell)
            else:
                self.events.append(fell)
            if ejects and seat:
                self.out.append(seat)
                self.events.append(
                    {"event": "driver_ejected", "seat": seat, "taxi": TAXI_IDS[taxi], "rules": ["OQ-20"]}
                )


def leaders(held: list[int], seats: list[int]) -> list[int]:
    """Those of the seats that hold the most; `held` by seat."""
    most = max([held[seat] for seat in seats])
    return [seat for seat in seats if held[seat] == most]


def game_over(winners: list[int], reason: str, held: list[int], rules: list[str]) -> "dict[str, Any]":
    """The event of the end; `held` from seat 1 on."""
    totals = {}
    for i, tokens in enumerate(held):
        totals[str(i + 1)] = tokens
    return {"event": "game_over", "winners": winners, "reason": reason, "totals": totals, "rules": rules}
