"""Gamble cards: sealed bets, their close, the reveal and the settling of each bet by itself (T-086 to T-098)."""

from shared_rules.engine.commands import refuse, text
from shared_rules.engine.ledger import transfer
from shared_rules.engine.pending import all_answered, close_answers
from shared_rules.games.taxi.meta import ESCROW, GREEN, MONEY, PLATES, PRIZES, STAKES, WHITE, WORD_RULES, WORDS
from shared_rules.games.taxi.order import wrong_phase
from shared_rules.games.taxi.state import WORKING, State
from shared_rules.games.taxi.trade import plates_to


def next_step(s: State) -> list:
    """The bets close when every opponent in has answered; [] until then, and while the holder is to reveal."""
    if s.phase == "gamble_bets" and all_answered(s.gamble["bets"], s.others_from_left(s.gamble["holder"])):
        return [{"event": "BetsClosed", "rules": ["T-094"]}]
    return []


def _need_bettor(s: State, seat: int) -> None:
    if seat == s.gamble["holder"]:
        raise refuse("not_allowed", "The holder cannot bet.", "T-087")


def betting_words(s: State, seat: int) -> list:
    """The words that a seat could bet on now by supply, stake and house rule; its earlier bet counts as taken back."""
    return [word for word in WORDS if _bet_fault(s, seat, word) is None]


def _bet_fault(s: State, seat: int, word: str):
    bet = s.gamble["bets"][seat]
    unit, stake = STAKES[word]
    has = s.ledger.held[unit][seat]
    if bet is not None:
        if s.options["bets_per_gambler"] == "one":
            for old in bet[0]:
                if STAKES[old][0] == unit:
                    has += STAKES[old][1]
        elif bet[1] or (word in bet[0] and s.options["bets_per_gambler"] == "one_per_word"):
            return refuse("already_done", "This bet is made.", "T-092", "A-81")
    prize, amount = PRIZES[word]
    if prize != MONEY and s.bank_serves(prize, amount) < amount:
        return refuse("none_left", "The bank could not serve a winner.", "T-096")
    if has < stake:
        code = "not_enough_money" if unit == MONEY else "not_enough"
        return refuse(code, "The stake must be in hand.", WORD_RULES[word], "T-093")
    return None


def decide_bet(s: State, seat: int, command: dict) -> list:
    """`place_bet`."""
    if s.phase != "gamble_bets":
        raise wrong_phase(s, "bet", "T-094")
    word = text(command, "word")
    if word not in WORDS:
        raise refuse("malformed", "A bet is on money, freeway or taxi.")
    _need_bettor(s, seat)
    fault = _bet_fault(s, seat, word)
    if fault is not None:
        raise fault
    one = s.options["bets_per_gambler"] == "one"
    events = stakes_out(s, seat, seat, "StakeTakenBack", ["A-90"]) if one else []
    unit, stake = STAKES[word]
    sealed = transfer("BetSealed", unit, seat, ESCROW, stake, [WORD_RULES[word], "T-092", "T-094"])
    sealed["seat"] = seat
    sealed["word"] = word
    sealed["done"] = one
    events.append(sealed)
    return events


def stakes_out(s: State, seat: int, to: int, name: str, rules: list) -> list:
    """All stakes of a seat leave escrow."""
    bet = s.gamble["bets"][seat]
    return [] if bet is None else [_stake_out(name, seat, word, to, rules) for word in bet[0]]


def _stake_out(name: str, seat: int, word: str, to: int, rules: list) -> dict:
    unit, amount = STAKES[word]
    event = transfer(name, unit, ESCROW, to, amount, rules)
    event["seat"] = seat
    event["word"] = word
    return event


def decide_pass(s: State, seat: int, command: dict) -> list:
    """`pass_bet`: no bet, or no more."""
    if s.phase != "gamble_bets":
        raise wrong_phase(s, "pass", "T-094")
    _need_bettor(s, seat)
    one = s.options["bets_per_gambler"] == "one"
    events = stakes_out(s, seat, seat, "StakeTakenBack", ["A-90"]) if one else []
    events.append({"event": "BetPassed", "seat": seat, "rules": ["T-087"]})
    return events


def decide_close(s: State, seat: int, command: dict) -> list:
    """`close_bets`: silent seats pass."""
    if s.phase != "gamble_bets":
        raise wrong_phase(s, "close the bets", "T-094")
    if seat != 0:
        raise refuse("not_allowed", "The operator closes the bets.", "A-90")
    return [{"event": "BetsClosed", "rules": ["T-094", "A-90"]}]


def decide_reveal(s: State, seat: int, command: dict) -> list:
    """`reveal_card`: the word is shown, every bet is settled by itself from the holder's left."""
    if s.phase != "gamble_reveal":
        raise wrong_phase(s, "reveal the card", "T-094")
    holder = s.gamble["holder"]
    if seat != holder:
        raise refuse("not_your_turn", "Seat " + str(holder) + " reveals the card.", "T-098")
    known = s.gamble["word"]
    word: str = command.get("word")  # type: ignore[assignment]
    if ("word" in command or known is None) and (not isinstance(word, str) or word not in WORDS):
        raise refuse("malformed", "The card says money, freeway or taxi; 'word' names it.")
    if known is not None:
        if word is not None and word != known:
            raise refuse("not_allowed", "The card says something else.", "T-095")
        word = known
    shown = []
    for other in s.others_from_left(holder):
        bet = s.gamble["bets"][other]
        shown.append([other, [] if bet is None else bet[0]])
    rules = ["T-095", "T-098"]
    events: list = [{"event": "GambleRevealed", "seat": holder, "word": word, "bets": shown, "rules": rules}]
    _settle_bets(s, holder, word, shown, events)
    events.append({"event": "GambleSettled", "seat": holder})
    return events


def _settle_bets(s: State, holder: int, word: str, bets: list, events: list) -> None:
    prize, amount = PRIZES[word]
    left = s.ledger.held[prize][0]
    endless = prize == MONEY or (prize == WHITE and s.options["tablet_shortage"] == "unlimited")
    for seat, words in bets:
        plates = s.plates[seat]
        for bet in words:
            unit = STAKES[bet][0]
            if bet != word:
                lost = _stake_out("StakeLost", seat, bet, holder, [WORD_RULES[bet], "T-091"])
                if unit == GREEN and s.options["card_tablets_usable"] == "next_turn":
                    lost["fresh"] = True
                events.append(lost)
                continue
            events.append(_stake_out("StakeReturned", seat, bet, seat, [WORD_RULES[bet]]))
            if not endless and left < amount:
                events.append({"event": "NothingWon", "seat": seat, "unit": prize, "rules": ["T-096"]})
                continue
            left -= amount
            if prize == PLATES:
                events.extend(plates_to(plates, seat, 0, amount, ["T-090"]))
                plates += amount
            else:
                name = "MoneyPaid" if prize == MONEY else "TabletMoved"
                events.append(transfer(name, prize, 0, seat, amount, [WORD_RULES[bet]]))


def _offered(s: State, event: dict) -> None:
    s.gamble = {"holder": event["seat"], "word": event["word"], "bets": [None] * (s.seats + 1)}
    s.phase = "gamble_bets"


def _sealed(s: State, event: dict) -> None:
    bets = s.gamble["bets"]
    seat = event["seat"]
    bets[seat] = [([] if bets[seat] is None else bets[seat][0]) + [event["word"]], event["done"]]


def _passed(s: State, event: dict) -> None:
    bets = s.gamble["bets"]
    seat = event["seat"]
    bets[seat] = [[] if bets[seat] is None else bets[seat][0], True]


def _out(s: State, event: dict) -> None:
    bet = s.gamble["bets"][event["seat"]]
    words = list(bet[0])
    words.remove(event["word"])
    bet[0] = words


def _closed(s: State, event: dict) -> None:
    close_answers(s.gamble["bets"], s.others_from_left(s.gamble["holder"]))
    s.phase = "gamble_reveal"


def _settled(s: State, event: dict) -> None:
    s.gamble = None
    s.phase = WORKING


EVOLVE = {
    "GambleOffered": _offered,
    "BetSealed": _sealed,
    "BetPassed": _passed,
    "StakeTakenBack": _out,
    "StakeReturned": _out,
    "StakeLost": _out,
    "StakeForfeited": _out,
    "BetsClosed": _closed,
    "GambleSettled": _settled,
    "GambleVoid": _settled,
}
