"""How the strong player weighs each kind of command: one function each, which adds entries to a ranking."""

from shared_rules.games.destination_london import fares
from shared_rules.games.destination_london.bots import home_run
from shared_rules.games.destination_london.bots.thoughts import SENT_BACK, Thoughts, entry, sets
from shared_rules.games.destination_london.meta import FUEL_PRICE, LOAN, TURBO_PRICE
from shared_rules.games.destination_london.movement import ends_of

MYPY = False
if MYPY:
    from collections.abc import Callable

    from shared_rules.games.destination_london.kinds import Json

# What stays in hand for fuel and fines when money is spent that need not be.
RESERVE = 30
# What a Fuel Card in hand is worth beyond the cards that are planned for; more than it costs.
FUEL_WORTH = 6.0
_CHOICES = ("to", "whom", "of", "cards", "card", "destination", "count", "dice", "spend")


def settled(template: "Json") -> bool:
    """Whether a template leaves nothing to be chosen."""
    for key in _CHOICES:
        if key in template and not (key == "dice" and template[key][0] == template[key][1]):
            return False
    return True


def plain(template: "Json", **chosen: object) -> "Json":
    """The command of a template with these choices; the bonus card is spent first."""
    command = {}
    for key in template:
        if key != "also":
            command[key] = template[key]
    if "dice" in command:
        command["dice"] = command["dice"][1]
    if "spend" in command:
        command["spend"] = command["spend"][0]
    command.update(chosen)
    return command


def _roll(t: Thoughts, template: "Json", out: "list[Json]") -> None:
    s, seat = t.s, t.seat
    if s.phase == "order_roll":
        out.append(entry(plain(template), 0.0, []))
        return
    here = s.at[seat] or ""
    worth = t.stay_worth()
    least, most = template["dice"]
    if s.bound_home(seat):
        for dice in range(least, most + 1):
            ways = home_run.entry_ways(s, here, dice)
            out.append(entry(plain(template, dice=dice), worth + ways, [["comes_home", [ways, 36]]]))
        # From far away two dice are faster.
        if most > least and out[-1]["score"] == out[-2]["score"]:
            out[-1]["score"] += 0.1
        return
    for dice in range(least, most + 1):
        out.append(entry(plain(template, dice=dice), worth - (most - dice) * 10.0, [["dice", dice]]))


def _buy_turbo(t: Thoughts, template: "Json", out: "list[Json]") -> None:
    s, seat = t.s, t.seat
    turns = len(s.pile) / max(1, s.left) + len(s.hand[seat])
    worth = 45.0 * turns - TURBO_PRICE
    if s.cash[seat] < TURBO_PRICE + RESERVE or s.loan[seat]:
        worth = -1.0
    out.append(entry(plain(template), t.stay_worth() + worth, [["saves_throws", round(turns)]]))


def _buy_fuel(t: Thoughts, template: "Json", out: "list[Json]") -> None:
    s, seat = t.s, t.seat
    most = template["count"][1]
    here = s.at[seat] or ""
    fuel = s.total_fuel(seat)
    for count in range(most, 0, -1):
        worth = t.place_worth(here, s.hand[seat], fuel + count) - FUEL_PRICE * count + FUEL_WORTH * (fuel + count)
        if s.bound_home(seat) and fuel:
            worth = t.stay_worth() - FUEL_PRICE * count
        out.append(entry(plain(template, count=count), worth, [["fuel", fuel + count]]))


def _done(t: Thoughts, template: "Json", out: "list[Json]") -> None:
    fuel = t.s.total_fuel(t.seat)
    out.append(entry(plain(template), t.stay_worth() + FUEL_WORTH * fuel, [["fuel", fuel]]))


def _driven(t: Thoughts, template: "Json", field: str, out: "list[Json]", **chosen: object) -> None:
    s = t.s
    for card in template[field]:
        square = s.board.home[card]
        also = template.get("also", {}).get(card, [])
        fare, after = t.played([card] + also, square)
        because: "list[list[object]]" = [["fare", round(fare)]]
        worth = fare + after
        if s.options["card_move_counts_as_landing"] == "yes":
            worth += t.knocks(square, because) - t.risk(square, after)
            if square in s.board.light_squares:
                worth -= t.lights_cost()
        command = plain(template, **chosen)
        command[field] = card
        if also:
            command["also"] = also
        out.append(entry(command, worth, because))


def _play_move_card(t: Thoughts, template: "Json", out: "list[Json]") -> None:
    _driven(t, template, "destination", out, card=template["card"][0])


def _choose_destination(t: Thoughts, template: "Json", out: "list[Json]") -> None:
    _driven(t, template, "card", out)


def _keep(t: Thoughts, template: "Json", out: "list[Json]") -> None:
    out.append(entry(plain(template), t.stay_worth() + 60.0, [["fuel", t.s.total_fuel(t.seat)]]))


def _draw_light(t: Thoughts, template: "Json", out: "list[Json]") -> None:
    out.append(entry(plain(template), 0.0, []))


def _move(t: Thoughts, template: "Json", out: "list[Json]") -> None:
    s, seat = t.s, t.seat
    ends = ends_of(s, seat, s.moves[0])
    for square in template["to"]:
        if square == s.board.base:
            if s.bound_home(seat) and s.ending is None:
                out.append(entry(plain(template, to=square), t.home_worth(), [["bonus", 250]]))
                continue
            worth = t.place_worth(square, s.hand[seat], s.total_fuel(seat))
            out.append(entry(plain(template, to=square), worth, []))
            continue
        worth, because = t.landing_worth(square, ends.must_collect(square))
        out.append(entry(plain(template, to=square), worth, because))


def _stay(t: Thoughts, template: "Json", out: "list[Json]") -> None:
    out.append(entry(plain(template), t.stay_worth(), []))


def _collect(t: Thoughts, template: "Json", out: "list[Json]") -> None:
    square = t.s.arrivals[-1]["square"]
    for cards in sets(template["cards"]):
        fare, after = t.played(cards, square)
        because: "list[list[object]]" = [["fare", round(fare)], ["fuel", t.s.total_fuel(t.seat) - 1]]
        out.append(entry(plain(template, cards=cards), fare + after, because))


def _keep_quiet(t: Thoughts, template: "Json", out: "list[Json]") -> None:
    out.append(entry(plain(template), t.stay_worth(), [["fuel", t.s.total_fuel(t.seat)]]))


def _claim(t: Thoughts, template: "Json", out: "list[Json]") -> None:
    s = t.s
    landing = s.arrivals[-1]
    lander: int = landing["seat"]
    square: str = landing["square"]
    ends = s.bound_home(lander) and s.options["knock_home_ends_game"] == "yes" and s.at[lander] == square
    for cards in sets(template["cards"]):
        fare, after = t.played(cards, square)
        printed = fares.total(s, cards) if t.times else 0
        because: "list[list[object]]" = [["fare", round(fare)], ["sends_back", s.names[lander]]]
        worth = fare + after + printed * t.known.rivalry
        if ends:
            worth = t.decided(lander, 250 - printed, int(fare))
        elif s.at[lander] == square:
            worth += SENT_BACK * t.known.rivalry
        out.append(entry(plain(template, cards=cards), worth, because))


def _pass(t: Thoughts, template: "Json", out: "list[Json]") -> None:
    out.append(entry(plain(template), t.stay_worth(), [["fuel", t.s.total_fuel(t.seat)]]))


def _knock(t: Thoughts, template: "Json", out: "list[Json]") -> None:
    for whom in template["whom"]:
        because: "list[list[object]]" = [["sends_back", t.s.names[whom]]]
        out.append(entry(plain(template, whom=whom), t.knock_worth(whom), because))


def _spare(t: Thoughts, template: "Json", out: "list[Json]") -> None:
    for whom in template["whom"]:
        out.append(entry(plain(template, whom=whom), 0.0, [["spares", t.s.names[whom]]]))


def _ask_fuel(t: Thoughts, template: "Json", out: "list[Json]") -> None:
    s, seat = t.s, t.seat
    price: int = s.options["fuel_resale_price"]
    worth = 50.0 - price * (1.0 + t.known.rivalry) if s.total_fuel(seat) else 300.0
    out.append(entry(plain(template, of=template["of"][0]), worth + t.stay_worth(), [["price", price]]))


def _wait(t: Thoughts, template: "Json", out: "list[Json]") -> None:
    out.append(entry(plain(template), t.stay_worth() - 100.0, []))


def _sell(t: Thoughts, template: "Json", out: "list[Json]") -> None:
    """Who has no fuel is out of the race while nobody sells: against few rivals that is worth more than the price."""
    s, seat = t.s, t.seat
    price: int = s.options["fuel_resale_price"]
    worth = price * (1.0 + t.known.rivalry) - 200.0 * t.known.rivalry
    if s.total_fuel(seat) < 4:
        worth -= 40.0
    out.append(entry(plain(template), worth, [["price", price]]))


def _refuse(t: Thoughts, template: "Json", out: "list[Json]") -> None:
    out.append(entry(plain(template), 0.0, [["strands", t.s.names[t.s.turn]]]))


def _take_loan(t: Thoughts, template: "Json", out: "list[Json]") -> None:
    s, seat = t.s, t.seat
    needed = s.phase == "debt" or (s.phase == "stranded" and s.turn == seat)
    out.append(entry(plain(template), t.stay_worth() + (500.0 if needed else -50.0), [["loan", LOAN]]))


def _repay_loan(t: Thoughts, template: "Json", out: "list[Json]") -> None:
    s, seat = t.s, t.seat
    soon = not s.pile and min([len(s.hand[other]) for other in s.seats_in()]) <= 1
    spare = s.cash[seat] - LOAN >= RESERVE or soon
    out.append(entry(plain(template), t.stay_worth() + (900.0 if spare else -100.0), [["loan", LOAN]]))


def _decline_loan(t: Thoughts, template: "Json", out: "list[Json]") -> None:
    out.append(entry(plain(template), -1000.0, []))


def _take_extra_turn(t: Thoughts, template: "Json", out: "list[Json]") -> None:
    out.append(entry(plain(template), t.stay_worth() + 1.0, []))


def _decline_extra_turn(t: Thoughts, template: "Json", out: "list[Json]") -> None:
    out.append(entry(plain(template), t.stay_worth() - 20.0, []))


WEIGH: "dict[str, Callable[[Thoughts, Json, list[Json]], None]]" = {
    "roll": _roll,
    "buy_turbo": _buy_turbo,
    "buy_fuel": _buy_fuel,
    "done": _done,
    "play_move_card": _play_move_card,
    "choose_destination": _choose_destination,
    "keep": _keep,
    "draw_light": _draw_light,
    "move": _move,
    "stay": _stay,
    "collect": _collect,
    "keep_quiet": _keep_quiet,
    "claim": _claim,
    "pass": _pass,
    "knock": _knock,
    "spare": _spare,
    "ask_fuel": _ask_fuel,
    "wait": _wait,
    "sell": _sell,
    "refuse": _refuse,
    "take_loan": _take_loan,
    "repay_loan": _repay_loan,
    "decline_loan": _decline_loan,
    "take_extra_turn": _take_extra_turn,
    "decline_extra_turn": _decline_extra_turn,
}
