"""Whether a Taxi Over state adds up (O-065 to O-070); asked after every event in tests, and on request at the table."""

from shared_rules.games.taxi_over.board import START_PLACE
from shared_rules.games.taxi_over.meta import ALL_TOKENS, MOST_DICE, SUPPLY, TOKENS
from shared_rules.games.taxi_over.state import BOARDING, OVER, ROLLING, TAXI_IDS, State


def check_invariants(s: State) -> list[str]:
    """[] if all hold, else sentences with the numbers of the rules that are broken."""
    wrong: list[str] = []
    _tokens(s, wrong)
    _taxis(s, wrong)
    _drivers(s, wrong)
    _turn(s, wrong)
    return wrong


def _tokens(s: State, wrong: list[str]) -> None:
    total = s.ledger.total(TOKENS)
    if total != ALL_TOKENS:
        wrong.append("O-065: there are " + str(total) + " tokens, not " + str(ALL_TOKENS) + ".")
    for account in range(len(s.tokens)):
        endless = account == SUPPLY and s.options["supply_exhausted"] == "substitute"
        if s.tokens[account] < 0 and not endless:
            wrong.append("O-065: account " + str(account) + " holds " + str(s.tokens[account]) + " tokens.")
    for seat in range(1, s.seats + 1):
        if s.tokens[seat] >= s.target and s.phase != OVER and s.phase in (BOARDING, ROLLING):
            wrong.append("O-058: seat " + str(seat) + " has reached the target, and the game goes on.")


def _taxis(s: State, wrong: list[str]) -> None:
    standing: list[int] = []
    for taxi in range(1, s.taxis + 1):
        name = TAXI_IDS[taxi]
        place = s.at[taxi]
        if not START_PLACE <= place < len(s.board.loop):
            wrong.append("O-066: " + name + " is nowhere.")
            continue
        if place == START_PLACE:
            if not s.fresh[taxi]:
                wrong.append("OQ-05: " + name + " is at START and not fresh.")
            continue
        if s.board.marks[place] and s.fresh[taxi]:
            wrong.append("OQ-05: " + name + " stands on an intersection and is fresh.")
        if s.board.space[place] in standing:
            wrong.append("O-037: two taxis stand on " + s.board.names[place] + ".")
        standing.append(s.board.space[place])


def _drivers(s: State, wrong: list[str]) -> None:
    for seat in range(1, s.seats + 1):
        taxi = s.driver[seat]
        if taxi and s.rider[taxi] != seat:
            wrong.append("O-067: seat " + str(seat) + "'s driver is not in " + TAXI_IDS[taxi] + ".")
        if not s.playing[seat] and (taxi or s.tokens[seat]):
            wrong.append("O-067: seat " + str(seat) + " has left and still has a taxi or tokens.")
    for taxi in range(1, s.taxis + 1):
        seat = s.rider[taxi]
        if seat and s.driver[seat] != taxi:
            wrong.append("O-068: somebody sits in " + TAXI_IDS[taxi] + " who is elsewhere.")


def _turn(s: State, wrong: list[str]) -> None:
    if s.phase == OVER:
        if s.result is None or s.dice:
            wrong.append("O-058: a game that is over has a result and no dice on the table.")
        return
    if s.result is not None:
        wrong.append("O-058: there is a result, and the game goes on.")
    if len(s.dice) > MOST_DICE:
        wrong.append("O-020: more than three dice lie on the table.")
    if s.phase not in (BOARDING, ROLLING):
        return
    if not s.playing[s.turn]:
        wrong.append("O-018: it is the turn of a seat that has left.")
    if (s.driver[s.turn] == 0) != (s.phase == BOARDING):
        wrong.append("O-050: the phase is " + s.phase + ", and the driver is not where it should be.")
    if s.phase == BOARDING and (s.dice or not s.boardable(s.turn)):
        wrong.append("O-048: nothing can be boarded, or dice lie on the table.")
    if s.is_stranded():
        wrong.append("O-062: every driver is out, and not all taxis are at START.")
    if s.is_stalemate() and s.options["stalemate"] == "shared_win":
        wrong.append("OQ-29: nobody can collect any more, and the game goes on.")
