"""The player that reckons: routes and tablets by the race's exact chances, cards and bets by what is still in the deck.

`ranked` gives every command that it thinks of with its score, the dollars by which the seat may expect to be ahead of
the others' mean, and the reasons. It looks with the eyes of its seat: what it chooses does not depend on a gamble's
word, on others' bets or on which cards others keep.
"""

from shared_rules.engine.pending import has_answered
from shared_rules.games.taxi.bots import barrier_choice, move_choice
from shared_rules.games.taxi.bots.card_worth import KEEPS, CardWorth, Turn, taxi_perk
from shared_rules.games.taxi.bots.outlook import Outlook
from shared_rules.games.taxi.bots.tablet_worth import TabletWorth, Ways
from shared_rules.games.taxi.debts import total
from shared_rules.games.taxi.legal import legal_commands
from shared_rules.games.taxi.meta import EXPENSE, MONEY, PLATE_SALE, PLATE_TALLY, STAKES
from shared_rules.games.taxi.odds import unseen, words
from shared_rules.games.taxi.state import TURN_PHASES, State

# Cash kept in hand when buying and betting, so that no taxi must be sold at a third of its price for a bill.
RESERVE = 2600
# Street maps whose distances are kept from game to game.
_KEPT_WAYS = 4
_ways: list = []


def ways_of(streets) -> Ways:
    """The distances of a street map, kept between games."""
    for known, ways in _ways:
        if known is streets:
            return ways
    if len(_ways) >= _KEPT_WAYS:
        _ways.pop(0)
    ways = Ways(streets)
    _ways.append((streets, ways))
    return ways


class Strong:
    """Plays what it expects most of. `random` is taken as all bots take it, and used for nothing."""

    UNIT = "dollars"

    def __init__(self, random) -> None:
        self._random = random
        self._worth: dict = {}

    def choose(self, s: State, seat: int) -> "dict | None":
        """A command of this seat, or None for now."""
        found = self._weighed(s, seat, False)
        if not found or (found[0]["score"] <= 0 and s.phase in TURN_PHASES and seat != s.turn):
            return None
        return found[0]["command"]

    def ranked(self, s: State, seat: int) -> list:
        """[{"command", "score", "because": [[key, value], …]}, …], best first."""
        return self._weighed(s, seat, True)

    def _weighed(self, s: State, seat: int, reasons: bool) -> list:
        if s.phase == "gamble_bets" and has_answered(s.gamble["bets"], seat):
            return []
        if s.phase == "tablet_die" and seat != s.turn:
            # Who begins now takes the tablet die from the one before; that is not done.
            return []
        by_do: dict = {}
        for template in legal_commands(s, seat):
            by_do.setdefault(template["do"], []).append(template)
        look = self.outlook(s, seat)
        look.reasons = reasons
        out: list = []
        # Buying ends nothing: what it brings comes on top of the best of the rest, so it is weighed last.
        for do in sorted(by_do, key=lambda do: (do == "buy_taxi", do)):
            weigh = _WEIGH.get(do)
            if weigh is not None:
                for template in by_do[do]:
                    weigh(self, look, template, out)
        # The order of what is equal is fixed, so that a game is the same again.
        order = sorted(range(len(out)), key=lambda i: (-out[i]["score"], i))
        return [out[i] for i in order]

    def outlook(self, s: State, seat: int) -> Outlook:
        """The race as this seat sees it."""
        ways = ways_of(s.streets)
        seats = s.seats_in()
        key = (seat, tuple(seats), tuple([tuple(guide) for guide in s.guide]))
        worth = self._worth.get(key)
        if worth is None:
            if len(self._worth) >= 2 * s.seats:
                self._worth.clear()
            worth = self._worth[key] = TabletWorth(s, seat, ways, len(seats) / max(1, len(seats) - 1))
        return Outlook(s, seat, ways, worth)


def _entry(command: dict, score: float, because: list) -> dict:
    return {"command": command, "score": round(score, 2), "because": because}


def _cards(look: Outlook) -> CardWorth:
    return CardWorth(look, taxi_perk(look.s, look.seat, look.s.plates[look.seat]))


def _roll(bot: Strong, look: Outlook, template: dict, out: list) -> None:
    s = look.s
    if template["die"] == "d12":
        green, white = s.green[look.seat], s.white[look.seat]
        worth = look.waiting(green, white)
        thrown = look.thrown_for(green, white, look.waiting)
        out.append(_entry(template, thrown, [["tablet_is_worth", round(thrown - worth)]]))
    elif s.phase == "card_option":
        out.append(_entry(template, 0.0, []))
    else:
        turn = Turn(look, s, look.seat)
        out.append(_entry(template, turn.worth(), [["arrives", arrival_odds(look, turn)]]))


def arrival_odds(look: Outlook, turn: Turn) -> list:
    """[faces of the d6 that are enough, 6], with all tablets in hand."""
    streets = min([entry[0] for entry in look.ways.profile(turn.place, look.goal, turn.green, turn.white)])
    enough = 0
    if turn.moves:
        for face in range(1, 7):
            if max(0, face * turn.times + turn.add) >= streets:
                enough += 1
    return [enough, 6]


def _end_turn(bot: Strong, look: Outlook, template: dict, out: list) -> None:
    s = look.s
    out.append(_entry(template, look.waiting(s.green[look.seat], s.white[look.seat]), []))


def _draw(bot: Strong, look: Outlook, template: dict, out: list) -> None:
    if template["deck"] == EXPENSE:
        out.append(_entry(template, 0.0, []))
        return
    turn = Turn(look, look.s, look.seat)
    plain = turn.worth()
    worth = _cards(look).deck(template["deck"], turn)
    cards = len(unseen(look.s, look.seat, template["deck"]))
    because = [["card_is_worth", round(worth - plain)], ["cards_that_may_come", cards]]
    out.append(_entry(template, worth, because))


def _choose_option(bot: Strong, look: Outlook, template: dict, out: list) -> None:
    cards = _cards(look)
    turn = Turn(look, look.s, look.seat)
    plain = turn.worth()
    for i, option in enumerate(look.s.card["do"][0][1]):
        score = cards.verbs(option, turn, plain) - plain
        out.append(_entry({"do": "choose", "seat": look.seat, "option": i}, score, []))


def _buy(bot: Strong, look: Outlook, template: dict, out: list) -> None:
    s, seat = look.s, look.seat
    price = s.options["plate_price"]
    affordable = (s.cash[seat] - RESERVE) // price
    count = 0
    gain = 0.0
    while count < min(template["count"][1], affordable):
        perk = PLATE_TALLY - price + taxi_perk(s, seat, s.plates[seat] + count)
        if perk <= 0:
            break
        gain += perk
        count += 1
    if count:
        best = max([entry["score"] for entry in out]) if out else 0.0
        command = {"do": "buy_taxi", "seat": seat, "count": count}
        because = [["taxis_bring", round(gain)], ["cash_left", s.cash[seat] - count * price]]
        out.append(_entry(command, best + gain, because))


def _bet(bot: Strong, look: Outlook, template: dict, out: list) -> None:
    s, seat = look.s, look.seat
    counts = words(s)
    cards = sum([counts[word] for word in sorted(counts)])
    for word in template["word"]:
        unit, stake = STAKES[word]
        right = [counts[word], cards] if cards else [1, 3]
        score = _cards(look).bet(word, right[0] / right[1])
        if unit == MONEY and s.plates[seat] and s.cash[seat] - stake < RESERVE:
            # A taxi sold for a bill loses two thirds of its price.
            score -= (PLATE_TALLY - PLATE_SALE) / 10
        command = {"do": "place_bet", "seat": seat, "word": word}
        because = [["word_is_right", right], ["stake_is", stake if unit == MONEY else "1 green"]]
        out.append(_entry(command, score, because))


def _stay_out(bot: Strong, look: Outlook, template: dict, out: list) -> None:
    out.append(_entry(template, 0.0, []))


def _reveal(bot: Strong, look: Outlook, template: dict, out: list) -> None:
    out.append(_entry({"do": "reveal_card", "seat": look.seat, "word": template["word"][0]}, 0.0, []))


def _sell(bot: Strong, look: Outlook, template: dict, out: list) -> None:
    if look.s.phase == "debt":
        command = {"do": "sell_plate", "seat": look.seat, "count": template["count"][1]}
        out.append(_entry(command, 1.0, []))


def _play_card(bot: Strong, look: Outlook, template: dict, out: list) -> None:
    s = look.s
    if s.phase == "move":
        move_choice.weigh_light(look, template, out)
        return
    due = total(s.dues[0])
    left = s.trips - s.trip
    for i in template["card"]:
        worth = KEEPS[s.kept[look.seat][i]["keep"]] * min(1.0, left / 4)
        out.append(_entry({"do": "play_card", "seat": look.seat, "card": i}, due - worth, [["saves", due]]))


_WEIGH = {
    "roll": _roll,
    "end_turn": _end_turn,
    "draw_card": _draw,
    "choose": _choose_option,
    "buy_taxi": _buy,
    "place_bet": _bet,
    "pass_bet": _stay_out,
    "decline": _stay_out,
    "declare_insolvent": _stay_out,
    "reveal_card": _reveal,
    "sell_plate": _sell,
    "play_card": _play_card,
    "move": lambda bot, look, template, out: move_choice.weigh(look, template, out),
    "place_barrier": lambda bot, look, template, out: barrier_choice.weigh(look, template, out),
}
