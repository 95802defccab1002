"""A turn from its start to the next seat's: drawing a card, throwing a die, ending the turn, going round the table.

`decide_…` check a command in the order of docs/records.md and give its events; `ending` gives the events after a turn;
the functions in EVOLVE apply events. Rules T-031 to T-043, T-084, T-085, T-111.
"""

from shared_rules.engine import titles
from shared_rules.engine.commands import refuse
from shared_rules.engine.reading import is_whole
from shared_rules.games.taxi import settlement
from shared_rules.games.taxi.cards import DIE_OF, fault_of, forbidden_on
from shared_rules.games.taxi.effects import by_die, card_throw
from shared_rules.games.taxi.meta import BARRIERS, D12_FACES, EXPENSE, NAME, ON_BOARD, TURN_DECKS
from shared_rules.games.taxi.order import go_round, need_turn, wrong_phase
from shared_rules.games.taxi.state import ENDING, WORKING, State


def die_due(s: State) -> "str | None":
    """The die that the acting seat may throw now."""
    if s.phase == "card_choice" or s.phase == "before_roll":
        return "d6"
    if s.phase == "tablet_die":
        return "d12"
    if s.phase == "card_option":
        return DIE_OF.get(s.card["do"][0][0])
    return None


def decks_to_draw(s: State) -> list:
    """The decks that the turn's seat may still draw from in this phase (T-033, A-08); [] outside the card step."""
    if s.phase == "card_choice":
        if s.drawn and s.options["card_draw"] != "one_of_each":
            return []
    elif s.phase != "before_roll" or s.options["card_draw"] != "one_of_each":
        return []
    return [deck for deck in TURN_DECKS if deck not in s.drawn and not s.decks[deck].empty()]


def decide_draw(s: State, seat: int, command: dict) -> list:
    """`draw_card`."""
    deck = command["deck"]
    if deck == EXPENSE:
        if s.phase != "settle" or s.settle[0][1] != "expense":
            raise wrong_phase(s, "draw an Expense card", "T-116")
        if s.settle[0][0] != seat:
            raise refuse("not_your_turn", "Seat " + str(s.settle[0][0]) + " draws first.", "T-118")
    else:
        need_turn(s, seat, "T-033")
        if s.phase != "card_choice" and s.phase != "before_roll":
            raise wrong_phase(s, "draw a card", "T-034")
    card = _card_of(command, deck)
    fault = forbidden_on(card["do"], deck, s.board.base is not None, s.trip)
    if fault:
        raise refuse("not_allowed", fault, "T-116" if deck == EXPENSE else "T-082")
    if deck != EXPENSE:
        if s.options["card_draw"] == "one_of_each":
            done = deck in s.drawn
        else:
            done = s.phase == "before_roll" or len(s.drawn) > 0
        if done:
            raise refuse("already_done", "The card of this turn is drawn.", "T-033", "A-08")
    if s.decks[deck].empty():
        raise refuse("none_left", "No card is left in this deck.", "T-084")
    if card["card"] is not None and not cards_left(s, deck, [card["card"]]):
        raise refuse("none_left", "Card " + card["card"] + " is not in the draw pile.", "T-144")
    events = []
    if s.decks[deck].draw == 0:
        cards = len(s.decks[deck].discard)
        events.append({"event": "DeckReshuffled", "deck": deck, "cards": cards, "rules": ["T-084"]})
    events.append(
        {
            "event": "ExpenseDrawn" if deck == EXPENSE else "CardDrawn",
            "seat": seat,
            "deck": deck,
            "card": card["card"],
            "title": card["title"],
            "fine": card["fine"],
            "do": card["do"],
            "rules": ["T-116"] if deck == EXPENSE else ["T-033", "T-036"],
        }
    )
    return events


def cards_left(s: State, deck: str, ids: list) -> list:
    """Those of the ids that can come up now: neither open on the discards, nor kept, nor being carried out."""
    out = [card["card"] for cards in s.kept for card in cards if card["deck"] == deck]
    if s.card is not None and s.card["deck"] == deck:
        out.append(s.card["card"])
    gone = s.decks[deck].undrawable(out)
    return [name for name in ids if name not in gone]


def _card_of(command: dict, deck: str) -> dict:
    given = command.get("card")
    if isinstance(given, str):
        for card in titles.shipped_cards(NAME, deck):
            if card["id"] == given:
                return {"card": given, "title": "", "fine": card["fine"], "do": card["do"]}
        raise refuse("unknown_card", "There is no card '" + given + "' in the " + deck + " deck.", "T-013")
    if not isinstance(given, dict):
        raise refuse("malformed", "'card' is the id of a card, or an object with title, fine and do.")
    title = given.get("title", "")
    fine = given.get("fine", False)
    if not isinstance(title, str) or (fine is not True and fine is not False):
        raise refuse("malformed", "A card's title is a text, fine is true or false.")
    fault = fault_of(given.get("do"))
    if fault:
        raise refuse("malformed", fault)
    return {"card": None, "title": title, "fine": fine, "do": given["do"]}


def decide_roll(s: State, seat: int, command: dict) -> list:
    """`roll`."""
    die = command["die"]
    need_turn(s, seat, "T-032")
    if die != die_due(s):
        raise wrong_phase(s, "throw the " + die, "T-032", "T-038")
    if "face" not in command:
        raise refuse("malformed", "'face' says what the die shows.")
    face = command["face"]
    if die == "d12":
        if not isinstance(face, str):
            raise refuse("malformed", "'face' of a d12 is green, white or blank.")
        if face not in D12_FACES:
            raise refuse("bad_face", "A d12 shows green, white or blank.", "T-007")
        return card_throw(s, seat, face) if s.phase == "card_option" else _tablet_throw(s, seat, face)
    if not is_whole(face):
        raise refuse("malformed", "'face' of a d6 is a number, 1 to 6.")
    if not 1 <= face <= 6:
        raise refuse("bad_face", "A d6 has the faces 1 to 6.", "T-006")
    if s.phase == "card_option":
        return by_die(s, seat, face)
    if s.phase == "card_choice":
        if s.options["card_draw"] == "mandatory_one" and decks_to_draw(s):
            raise refuse("not_allowed", "A card must be drawn first.", "T-033", "A-08")
        forfeited = [{"event": "CardForfeited", "seat": seat, "rules": ["T-035"]}] if not s.drawn else []
    else:
        forfeited = []
    streets = max(0, face * s.times + s.add_streets)
    forfeited.append(
        {"event": "D6Thrown", "seat": seat, "face": face, "streets": streets, "for": "turn", "rules": ["T-037"]}
    )
    return forfeited


def _tablet_throw(s: State, seat: int, face: str) -> list:
    events: list = [{"event": "D12Thrown", "seat": seat, "face": face, "for": "turn", "rules": ["T-038"]}]
    if face != "blank":
        if s.bank_serves(face, 1):
            events.append(
                {
                    "event": "TabletMoved", "unit": face, "from": 0, "to": seat, "amount": 1,
                    "rules": ["T-039", "T-040"],
                }
            )  # fmt: skip
        else:
            events.append({"event": "NothingWon", "seat": seat, "unit": face, "rules": ["T-042"]})
    return events


def decide_end_turn(s: State, seat: int, command: dict) -> list:
    """`end_turn`: the tablet die stays where it is."""
    need_turn(s, seat, "T-032")
    if s.phase != "tablet_die":
        raise wrong_phase(s, "end the turn", "T-032")
    return lapse(s)


def lapse(s: State) -> list:
    """The tablet die of the turn is not thrown any more."""
    return [{"event": "D12Lapsed", "seat": s.turn, "rules": ["T-041"]}]


def ending(s: State) -> list:
    """What follows a turn, up to the next turn or the settlement."""
    events: list = []
    for barrier in s.placed:
        events.append(
            {
                "event": "BarrierReturned", "unit": BARRIERS, "from": ON_BOARD, "to": 0, "amount": 1,
                "on": barrier["on"], "rules": ["T-101"],
            }
        )  # fmt: skip
    events.append({"event": "TurnEnded", "seat": s.turn})
    arrived = s.somebody_arrived()
    if arrived and s.options["round_completion"] == "immediate":
        events.append({"event": "RoundEnded", "round": s.round, "rules": ["A-46"]})
        events.extend(settlement.beginning(s))
        return events
    if not go_round(s, events, s.turn % s.seats + 1, s.round, s.starter, arrived, list(s.skip)):
        events.extend(settlement.beginning(s))
    return events




def _reshuffled(s: State, event: dict) -> None:
    deck = s.decks[event["deck"]]
    deck.draw += len(deck.discard)
    deck.discard = []


def _drawn(s: State, event: dict) -> None:
    deck = event["deck"]
    s.decks[deck].take()
    s.card = {
        "seat": event["seat"],
        "deck": deck,
        "card": event["card"],
        "title": event["title"],
        "fine": event["fine"],
        "do": event["do"],
        "keep": None,
    }
    if deck == EXPENSE:
        s.settle = s.settle[1:]
    else:
        s.drawn.append(deck)
    s.phase = WORKING


def _d6(s: State, event: dict) -> None:
    if event["for"] == "card":
        s.card["do"] = s.card["do"][1:]
        s.phase = WORKING
        return
    s.d6 = event["streets"]
    s.times = 1
    s.add_streets = 0
    s.phase = "move"


def _d12(s: State, event: dict) -> None:
    if event["for"] == "turn":
        s.phase = ENDING
        return
    count = s.card["do"][0][1]
    s.card["do"] = ([["throw_d12", count - 1]] if count > 1 else []) + s.card["do"][1:]
    s.phase = WORKING


def _ending(s: State, event: dict) -> None:
    s.phase = ENDING


def _barrier_returned(s: State, event: dict) -> None:
    s.placed = [barrier for barrier in s.placed if barrier["on"] != event["on"]]


def _turn_ended(s: State, event: dict) -> None:
    s.clear_turn()
    s.phase = WORKING


def _round_started(s: State, event: dict) -> None:
    s.round = event["round"]


def _passed(s: State, event: dict) -> None:
    s.turn = event["seat"]


def _skipped(s: State, event: dict) -> None:
    s.turn = event["seat"]
    s.skip[s.turn] -= 1


def _turn_started(s: State, event: dict) -> None:
    s.turn = event["seat"]
    s.phase = "card_choice"


EVOLVE = {
    "DeckReshuffled": _reshuffled,
    "CardDrawn": _drawn,
    "ExpenseDrawn": _drawn,
    "D6Thrown": _d6,
    "D12Thrown": _d12,
    "D12Lapsed": _ending,
    "BarrierReturned": _barrier_returned,
    "TurnEnded": _turn_ended,
    "RoundStarted": _round_started,
    "SeatPassed": _passed,
    "TurnSkipped": _skipped,
    "TurnStarted": _turn_started,
}
