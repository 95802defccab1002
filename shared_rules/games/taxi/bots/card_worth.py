"""What cards are worth before they are drawn, and bets before a gamble is shown: means over all cards that may come.

A seat knows the discards and what it keeps itself; every other card of the deck may come with the same chance, those
that others keep included. Worths are dollars of lead, as in `outlook`.
"""

from shared_rules.games.taxi.bots.outlook import Outlook, in_hand
from shared_rules.games.taxi.meta import GREEN, HIRE_FEE, MONEY, PLATE_TALLY, PRIZES, STAKES
from shared_rules.games.taxi.odds import shipped_cards, unseen
from shared_rules.games.taxi.state import State

# What a barrier in hand is worth, and kept cards (waived fine, waived fee or Expense, one light), while trips are left.
BARRIER = 350
KEEPS = {"waive_fine": 120, "waive_settlement_due": 420, "pass_one_light": 350}
# How often an opponent that can afford it is taken to bet on one's gamble.
BETS = 0.3
# A stake that leaves less than this in hand is not taken to be affordable.
WELL_OFF = 3000


class Turn:
    """A turn before its throw, as cards may change it; worths come from its outlook."""

    def __init__(self, outlook: Outlook, s: State, seat: int) -> None:
        self.place = s.at[seat]
        self.green, self.white = s.usable(seat)
        self.times = s.times
        self.add = s.add_streets
        self.again = s.again
        self.moves = not s.no_move
        self.no_d12 = s.no_d12
        self.missed = 0
        self.arrived = False
        self.money = 0.0
        # Tablets that are won now for later turns.
        self.later: list = []
        self.outlook = outlook

    def copy(self) -> "Turn":
        """An independent one."""
        other = Turn(self.outlook, self.outlook.s, self.outlook.seat)
        for name in ("place", "green", "white", "times", "add", "again", "moves", "no_d12", "missed", "arrived"):
            setattr(other, name, getattr(self, name))
        other.money = self.money
        return other

    def worth(self) -> float:
        """The mean worth of the turn from here on."""
        outlook = self.outlook
        options = outlook.s.options
        if self.arrived:
            d12 = options["d12_on_arrival"] and not self.no_d12
            return self.money + outlook.arrives(self.green, self.white, d12)
        d12 = not self.no_d12
        if not self.moves:
            stays = d12 and options["d12_after_no_move"]
            worth = outlook.left(self.place, self.green, self.white, 0, self.missed)
            return self.money + (outlook.stopped(self.place, self.green, self.white, stays) if stays else worth)
        total = 0.0
        if self.missed:
            for pips, chance in self.pips():
                total += chance * self._missing(pips)
        else:
            for pips, chance in self.pips():
                total += chance * outlook.thrown(self.place, self.green, self.white, pips, d12)
        return self.money + total

    def _missing(self, pips: int) -> float:
        """The worth of a throw if the next turn is missed."""
        outlook = self.outlook
        best = outlook.left(self.place, self.green, self.white, pips, self.missed)
        for streets, g, w in outlook.ways.profile(self.place, outlook.goal, self.green, self.white):
            if streets <= pips:
                # It is the first turn of the next trip that is missed.
                lost = outlook.weight * 1000
                best = max(best, outlook.now + outlook.kept(self.green - g, self.white - w) - lost)
        return best

    def pips(self) -> list:
        """[(streets that may be driven, chance), …]."""
        sums = {0: 1.0}
        for _ in range(1 + min(self.again, 2)):
            more: dict = {}
            for so_far in sorted(sums):
                for face in range(1, 7):
                    total = so_far + max(0, face * self.times + self.add)
                    more[total] = more.get(total, 0.0) + sums[so_far] / 6
            sums = more
        return [(total, sums[total]) for total in sorted(sums)]


class CardWorth:
    """What drawing is worth to a seat; `perk` is what a taxi more is worth beyond its tally."""

    def __init__(self, outlook: Outlook, perk: float) -> None:
        self.outlook = outlook
        self.s = outlook.s
        self.seat = outlook.seat
        self.perk = perk
        others = len(self.s.seats_in()) - 1
        self.others = max(1, others)
        # Money from one player to another counts for both.
        self.passed = 1 + 1 / self.others

    def deck(self, name: str, turn: Turn) -> float:
        """The mean worth of the turn after a card of this deck."""
        cards = unseen(self.s, self.seat, name)
        if not cards:
            return turn.worth()
        plain = turn.worth()
        total = 0.0
        for card in cards:
            total += self.verbs(card["do"], turn, plain)
        return total / len(cards)

    def verbs(self, verbs: list, turn: Turn, plain: float) -> float:
        """The worth of the turn after these effects; `plain` is its worth without them."""
        money = 0.0
        changed = None
        for verb in verbs:
            name = verb[0]
            if name in _CHANGES:
                if changed is None:
                    changed = turn.copy()
                _CHANGES[name](self, changed, verb)
            elif name == "choose":
                money += max([self.verbs(option, turn, plain) - plain for option in verb[1]])
            elif name == "if_owner":
                branch = verb[1] if self.s.plates[self.seat] else verb[2]
                money += self.verbs(branch, turn, plain) - plain
            elif name == "throw_d12":
                kept = self.outlook.waiting
                money += verb[1] * (
                    self.outlook.thrown_for(turn.green, turn.white, kept) - kept(turn.green, turn.white)
                )
            elif name in _MONEY:
                money += _MONEY[name](self, verb)
        return money + (plain if changed is None else changed.worth())

    def gamble(self) -> float:
        """What offering a gamble brings its holder: he wins what others lose, and others may win from the bank."""
        total = 0.0
        for other in self.s.seats_in():
            if other != self.seat and in_hand(self.s, other)[0] >= STAKES["taxi"][1] + WELL_OFF:
                lost = STAKES["taxi"][1] * self.passed * 2 / 3
                total += BETS * (lost - PLATE_TALLY / self.others / 3)
        return total

    def bet(self, word: str, chance: float) -> float:
        """The worth of a bet on a word that is right with this chance."""
        unit, stake = STAKES[word]
        prize, amount = PRIZES[word]
        _, green, white = in_hand(self.s, self.seat)
        if unit == GREEN:
            here = self.outlook.waiting(green, white)
            right = self.outlook.waiting(green, white + amount) - here
            # The holder gets the tablet; it is worth about as much to him.
            wrong = (here - self.outlook.waiting(green - stake, white)) * self.passed
        else:
            right = float(amount) if prize == MONEY else PLATE_TALLY + self.perk
            wrong = stake * self.passed
        return chance * right - (1 - chance) * wrong


def owner_costs(s: State) -> tuple:
    """(mean Expense card apart from what it costs a taxi, its mean cost a taxi)."""
    cards = shipped_cards("expense")
    fixed = each = 0
    for card in cards:
        for verb in card["do"]:
            if verb[0] == "pay_bank":
                fixed += verb[1]
            elif verb[0] == "pay_per_taxi":
                each += verb[1]
    return fixed / max(1, len(cards)), each / max(1, len(cards))


def taxi_perk(s: State, seat: int, plates: int) -> float:
    """What one taxi more is worth to an owner of so many beyond its tally: by fees, Expense cards, cards by taxi."""
    fixed, each = owner_costs(s)
    trips = s.trips - s.trip + 1
    draws = [0.0, 0.0]
    for i, deck in enumerate(("passenger", "journey")):
        cards = shipped_cards(deck)
        for card in cards:
            for verb in card["do"]:
                if verb[0] == "collect_per_taxi":
                    draws[i] += verb[1] / len(cards)
                elif verb[0] == "pay_per_taxi":
                    draws[i] -= verb[1] / len(cards)
    by_cards = 2 * max(draws) if s.options["card_draw"] != "one_of_each" else 2 * sum(draws)
    scope = 1.0
    if s.options["fee_scope"] == "arrivers_only":
        scope = 1.5 / len(s.seats_in())
    cost = scope * each
    if s.options["expense_draws"] == "per_plate":
        cost += scope * (fixed + each * plates) if plates else 0.0
    perk = trips * (by_cards - cost)
    if plates == 0:
        fees = trips - (1 if s.options["final_hire_fee"] == "waived" else 0)
        perk += scope * (fees * HIRE_FEE - trips * fixed)
    return perk


def _pay_each(self: CardWorth, verb: list) -> float:
    return -verb[1] * self.others * self.passed


def _collect_from(self: CardWorth, verb: list) -> float:
    if verb[1] == "most_taxis" and not any([self.s.plates[o] for o in self.s.others_from_left(self.seat)]):
        return 0.0
    return verb[2] * self.passed


def _per_taxi(self: CardWorth, verb: list) -> float:
    amount = float(verb[1] * self.s.plates[self.seat])
    return amount if verb[0] == "collect_per_taxi" else -amount


def _trips_matter(self: CardWorth, worth: float) -> float:
    """A worth that fades when the last trips come."""
    left = self.s.trips - self.s.trip
    return worth * min(1.0, (left + 1) / 4)


_MONEY = {
    "pay_bank": lambda self, verb: -float(verb[1]),
    "collect_bank": lambda self, verb: float(verb[1]),
    "pay_each": _pay_each,
    "collect_each": lambda self, verb: -_pay_each(self, verb),
    "collect_from": _collect_from,
    "pay_per_taxi": _per_taxi,
    "collect_per_taxi": _per_taxi,
    "pay_by_die": lambda self, verb: -3.5 * verb[1],
    "collect_by_die": lambda self, verb: 3.5 * verb[1],
    "gamble": lambda self, verb: self.gamble(),
    "barrier": lambda self, verb: _trips_matter(self, BARRIER) * verb[1] * self.s.options["barriers_per_card"],
    "keep": lambda self, verb: _trips_matter(self, KEEPS[verb[1]]),
}


def _lose(self: CardWorth, turn: Turn, verb: list) -> None:
    if verb[1] == GREEN:
        turn.green = max(0, turn.green - verb[2])
    else:
        turn.white = max(0, turn.white - verb[2])


def _win(self: CardWorth, turn: Turn, verb: list) -> None:
    if verb[1] == GREEN:
        turn.green += verb[2]
    else:
        turn.white += verb[2]


def _add(self: CardWorth, turn: Turn, verb: list) -> None:
    turn.add += verb[1]


def _double(self: CardWorth, turn: Turn, verb: list) -> None:
    turn.times *= 2


def _again(self: CardWorth, turn: Turn, verb: list) -> None:
    turn.again += 1


def _no_move(self: CardWorth, turn: Turn, verb: list) -> None:
    turn.moves = False


def _no_d12(self: CardWorth, turn: Turn, verb: list) -> None:
    turn.no_d12 = True


def _miss(self: CardWorth, turn: Turn, verb: list) -> None:
    turn.missed += 1


def _move_to(self: CardWorth, turn: Turn, verb: list) -> None:
    s = self.s
    if verb[1] == "own_destination":
        turn.place = s.goal(self.seat)
    elif verb[1] == "base" or s.trip == 1:
        turn.place = s.point_of("base")
    else:
        turn.place = s.point_of(s.guide[self.seat][s.trip - 2])
    if turn.place == s.goal(self.seat) and s.options["card_move_arrival"] == "counts":
        turn.arrived = True


_CHANGES = {
    "lose_tablet": _lose,
    "win_tablet": _win,
    "add_streets": _add,
    "double_move": _double,
    "throw_again": _again,
    "no_move_now": _no_move,
    "no_d12_now": _no_d12,
    "miss_next_turn": _miss,
    "move_to": _move_to,
}
