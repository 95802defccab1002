"""What each card verb does, one after the other, and where a card goes when it is done (rules part E, T-082 to T-098).

`next_step` gives the events of the card's next verb, or of its end; [] when its drawer must choose or throw.
"""

from shared_rules.engine.commands import refuse, whole
from shared_rules.engine.ledger import transfer
from shared_rules.games.taxi.cards import DIE_OF
from shared_rules.games.taxi.meta import BARRIERS, MONEY
from shared_rules.games.taxi.moves import arrival, d12_due
from shared_rules.games.taxi.state import ENDING, WORKING, State


def next_step(s: State) -> list:
    """The events of the next verb of the card, or of its end."""
    verbs = s.card["do"]
    if not verbs:
        return _end_of_card(s)
    verb = verbs[0]
    name = verb[0]
    if name in DIE_OF or name == "choose":
        if s.phase == "card_option":
            return []
        return [{"event": "CardWaits", "seat": s.card["seat"], "for": DIE_OF.get(name, "choice")}]
    events = [{"event": "EffectBegun", "seat": s.card["seat"], "verb": verb}]
    if name == "if_owner":
        events[0]["next"] = verb[1] if s.plates[s.card["seat"]] > 0 else verb[2]
    elif name != "nothing":
        _VERBS[name](s, s.card["seat"], verb, events)
    return events


def decide_choose(s: State, seat: int, command: dict) -> list:
    """`choose`: the verbs of an option come next."""
    if s.phase != "card_option" or s.card["do"][0][0] != "choose":
        raise refuse("wrong_phase", "No card asks for a choice.", "T-036")
    if s.card["seat"] != seat:
        raise refuse("not_your_turn", "Seat " + str(s.card["seat"]) + " chooses.", "T-036")
    options = s.card["do"][0][1]
    option = whole(command, "option")
    if option >= len(options):
        raise refuse("malformed", "The options are 0 to " + str(len(options) - 1) + ".")
    return [{"event": "OptionChosen", "seat": seat, "option": option, "next": options[option], "rules": ["T-036"]}]


def by_die(s: State, seat: int, face: int) -> list:
    """The throw that `pay_by_die` or `collect_by_die` waits for."""
    verb = s.card["do"][0]
    events: list = [{"event": "D6Thrown", "seat": seat, "face": face, "for": "card", "rules": ["T-082"]}]
    if verb[0] == "pay_by_die":
        _due(s, seat, [[0, verb[1] * face]], events)
    else:
        _collect(s, seat, verb[1] * face, events)
    return events


def card_throw(s: State, seat: int, face: str) -> list:
    """A throw of the tablet die that a card orders; its tablets are for later turns (T-040)."""
    events: list = [{"event": "D12Thrown", "seat": seat, "face": face, "for": "card", "rules": ["T-078", "T-079"]}]
    if face != "blank":
        if s.bank_serves(face, 1):
            won = transfer("TabletMoved", face, 0, seat, 1, ["T-039", "T-040"])
            if s.settle is None:
                won["fresh"] = True
            events.append(won)
        else:
            events.append({"event": "NothingWon", "seat": seat, "unit": face, "rules": ["T-042"]})
    return events


def kind_of_due(s: State) -> str:
    """The kind of the dues that the card raises."""
    return "fine" if s.card["fine"] else "expense" if s.settle is not None else "card"


def _due(s: State, payer: int, to: list, events: list) -> None:
    to = [entry for entry in to if entry[1] > 0]
    if to:
        kind = kind_of_due(s)
        rules = ["T-083"] if kind == "fine" else ["T-116"] if kind == "expense" else ["T-082"]
        events.append({"event": "DueRaised", "seat": payer, "kind": kind, "to": to, "rules": rules + ["T-130"]})


def _collect(s: State, seat: int, amount: int, events: list) -> None:
    if amount > 0:
        events.append(transfer("MoneyPaid", MONEY, 0, seat, amount, ["T-082"]))


def _pay_bank(s: State, seat: int, verb: list, events: list) -> None:
    _due(s, seat, [[0, verb[1]]], events)


def _collect_bank(s: State, seat: int, verb: list, events: list) -> None:
    _collect(s, seat, verb[1], events)


def _pay_each(s: State, seat: int, verb: list, events: list) -> None:
    _due(s, seat, [[other, verb[1]] for other in s.others_from_left(seat)], events)


def _collect_each(s: State, seat: int, verb: list, events: list) -> None:
    for other in s.others_from_left(seat):
        _due(s, other, [[seat, verb[1]]], events)


def _collect_from(s: State, seat: int, verb: list, events: list) -> None:
    others = s.others_from_left(seat)
    payer = others[0]
    if verb[1] == "richest":
        for other in others:
            if s.wealth(other) > s.wealth(payer):
                payer = other
    elif verb[1] == "most_taxis":
        for other in others:
            if s.plates[other] > s.plates[payer]:
                payer = other
        if s.plates[payer] == 0:
            return
    _due(s, payer, [[seat, verb[2]]], events)


def _pay_per_taxi(s: State, seat: int, verb: list, events: list) -> None:
    _due(s, seat, [[0, verb[1] * s.plates[seat]]], events)


def _collect_per_taxi(s: State, seat: int, verb: list, events: list) -> None:
    _collect(s, seat, verb[1] * s.plates[seat], events)


def _lose_tablet(s: State, seat: int, verb: list, events: list) -> None:
    lost = min(verb[2], s.ledger.held[verb[1]][seat])
    if lost:
        events.append(transfer("TabletMoved", verb[1], seat, 0, lost, ["T-077"]))


def _win_tablet(s: State, seat: int, verb: list, events: list) -> None:
    won = s.bank_serves(verb[1], verb[2])
    if won > 0:
        event = transfer("TabletMoved", verb[1], 0, seat, won, ["T-081", "A-23"])
        if s.settle is None and s.options["card_tablets_usable"] == "next_turn":
            event["fresh"] = True
        events.append(event)
    else:
        events.append({"event": "NothingWon", "seat": seat, "unit": verb[1], "rules": ["T-042"]})


def _gamble(s: State, seat: int, verb: list, events: list) -> None:
    events.append({"event": "GambleOffered", "seat": seat, "word": verb[1], "rules": ["T-086", "T-087"]})


def _barrier(s: State, seat: int, verb: list, events: list) -> None:
    got = s.bank_serves(BARRIERS, verb[1] * s.options["barriers_per_card"])
    if got:
        events.append(transfer("BarrierEarned", BARRIERS, 0, seat, got, ["T-099"]))


def _turn_changed(s: State, events: list, **changes) -> None:
    event = {"event": "TurnChanged", "rules": ["T-036"]}
    event.update(changes)
    events.append(event)


def _add_streets(s: State, seat: int, verb: list, events: list) -> None:
    if s.d6 is None:
        _turn_changed(s, events, add_streets=s.add_streets + verb[1])
    else:
        _turn_changed(s, events, d6=max(0, s.d6 + verb[1]))


def _double_move(s: State, seat: int, verb: list, events: list) -> None:
    if s.d6 is None:
        _turn_changed(s, events, times=s.times * 2)
    else:
        _turn_changed(s, events, d6=s.d6 * 2)


def _throw_again(s: State, seat: int, verb: list, events: list) -> None:
    _turn_changed(s, events, again=s.again + 1)


def _no_move_now(s: State, seat: int, verb: list, events: list) -> None:
    _turn_changed(s, events, no_move=True)


def _no_d12_now(s: State, seat: int, verb: list, events: list) -> None:
    _turn_changed(s, events, no_d12=True)


def _miss_next_turn(s: State, seat: int, verb: list, events: list) -> None:
    events.append({"event": "TurnToMiss", "seat": seat, "rules": ["T-085"]})


def _move_to(s: State, seat: int, verb: list, events: list) -> None:
    if s.arrived[seat]:
        # An arrival cannot be undone.
        return
    if verb[1] == "own_destination":
        to = s.goal(seat)
    elif verb[1] == "base" or s.trip == 1:
        to = s.point_of("base")
    else:
        to = s.point_of(s.guide[seat][s.trip - 2])
    events.append(
        {"event": "TaxiMoved", "seat": seat, "from": s.at[seat], "to": to, "by": "card", "rules": ["T-074"]}
    )
    if to == s.goal(seat) and s.options["card_move_arrival"] == "counts":
        events.append(arrival(s, seat, ["T-110"]))


def _keep(s: State, seat: int, verb: list, events: list) -> None:
    events.append({"event": "CardToKeep", "keep": verb[1], "rules": ["T-084"]})


_VERBS = {
    "pay_bank": _pay_bank,
    "collect_bank": _collect_bank,
    "pay_each": _pay_each,
    "collect_each": _collect_each,
    "collect_from": _collect_from,
    "pay_per_taxi": _pay_per_taxi,
    "collect_per_taxi": _collect_per_taxi,
    "lose_tablet": _lose_tablet,
    "win_tablet": _win_tablet,
    "gamble": _gamble,
    "barrier": _barrier,
    "add_streets": _add_streets,
    "double_move": _double_move,
    "throw_again": _throw_again,
    "no_move_now": _no_move_now,
    "no_d12_now": _no_d12_now,
    "miss_next_turn": _miss_next_turn,
    "move_to": _move_to,
    "keep": _keep,
}


def _end_of_card(s: State) -> list:
    card = s.card
    if card["keep"] is None:
        return [discarding(s)]
    return [
        {
            "event": "CardKept",
            "seat": card["seat"],
            "deck": card["deck"],
            "card": card["card"],
            "title": card["title"],
            "keep": card["keep"],
            "rules": ["T-084"],
        }
    ]


def discarding(s: State) -> dict:
    """The card being carried out goes to its discards."""
    return {"event": "CardDiscarded", "deck": s.card["deck"], "card": s.card["card"], "rules": ["T-084"]}


def _phase_after_card(s: State, seat: int) -> str:
    if s.settle is not None:
        return WORKING
    if s.arrived[seat] or s.no_move:
        return "tablet_die" if d12_due(s, s.arrived[seat]) else ENDING
    return "move" if s.d6 is not None else "before_roll"


def _waits(s: State, event: dict) -> None:
    s.phase = "card_option"


def _begun(s: State, event: dict) -> None:
    s.card["do"] = event.get("next", []) + s.card["do"][1:]
    s.phase = WORKING


def _changed(s: State, event: dict) -> None:
    for name in ("add_streets", "times", "again", "no_move", "no_d12", "d6"):
        if name in event:
            setattr(s, name, event[name])


def _to_miss(s: State, event: dict) -> None:
    s.skip[event["seat"]] += 1


def _to_keep(s: State, event: dict) -> None:
    s.card["keep"] = event["keep"]


def _kept(s: State, event: dict) -> None:
    seat = event["seat"]
    s.kept[seat].append({key: event[key] for key in ("deck", "card", "title", "keep")})
    s.card = None
    s.phase = _phase_after_card(s, seat)


def _discarded(s: State, event: dict) -> None:
    seat = s.card["seat"]
    s.decks[event["deck"]].discard.append(event["card"])
    s.card = None
    s.phase = _phase_after_card(s, seat)


EVOLVE = {
    "CardWaits": _waits,
    "EffectBegun": _begun,
    "OptionChosen": _begun,
    "TurnChanged": _changed,
    "TurnToMiss": _to_miss,
    "CardToKeep": _to_keep,
    "CardKept": _kept,
    "CardDiscarded": _discarded,
}

