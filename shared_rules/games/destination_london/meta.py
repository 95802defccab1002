"""Destination London in figures and options, for rules and set-up pages: players, pieces, prices, house rules.

Rule numbers (L-…) and rulings (LQ-…) are those that receipts cite.
"""

from shared_rules.engine.options import Option
from shared_rules.engine.reading import is_whole

NAME = "destination_london"
TITLE = "Destination London"
LEAST_PLAYERS = 2  # LQ-01
MOST_PLAYERS = 6  # L-010
PLAYERS = (LEAST_PLAYERS, MOST_PLAYERS)
MINUTES = (40, 120)
# What a player's standing is counted by, a key of the players in a view; what it is counted in.
STANDING = ("cash", "money")
COLOURS = ("red", "blue", "green", "yellow", "black", "white")

FLOAT = 300  # L-016
START_FUEL = 3  # L-015
HAND = 3  # L-013, L-027
MOST_FUEL = 5  # L-036
FUEL_CARDS = 30  # L-007
FUEL_PRICE = 5  # L-035
LICENCE_SECTIONS = 4  # L-045
LICENCE_FINE = 200  # L-047
LOAN = 200  # L-050
TURBO_PRICE = 150  # L-055
BONUS = 250  # L-067
NOTES = (50, 20, 10, 5)  # L-008
SMALLEST_NOTE = 5

MONEY = "money"
FUEL = "fuel"
UNITS = (MONEY, FUEL)

# The steps of a landing, in their order (LQ-76).
OWN_FARE = "own_fare"
KNOCK_BACK = "knock_back"
CLAIMS = "claims"
LIGHTS = "lights"
GARAGE = "garage"
STEPS = (OWN_FARE, KNOCK_BACK, CLAIMS, LIGHTS, GARAGE)

PHASES = (
    "order_roll", "deal", "before_roll", "stranded", "moving", OWN_FARE, KNOCK_BACK, CLAIMS, LIGHTS, GARAGE, "debt",
    "extra_turn", "over",
)  # fmt: skip
REASONS = ("home", "knocked_home", "all_stranded", "last_survivor", "nobody_left")
REFUSALS = (
    "malformed", "unknown_command", "unknown_seat", "game_over", "out_of_game", "not_your_turn", "wrong_phase",
    "bad_face", "unknown_place", "unreachable", "not_held", "not_allowed", "not_enough", "not_enough_money",
    "none_left", "already_done", "why_missing",
)  # fmt: skip
DESTINATIONS = "destinations"
DECKS = (DESTINATIONS, LIGHTS)
DICE = ("d6",)
DEBTS = ("fine", "claim", "licence")


def _counting(value: object) -> bool:
    return is_whole(value) and value >= 1


def _a_price(value: object) -> bool:
    return is_whole(value) and value >= 0


OPTIONS = (
    Option(
        "extra_turn", ("optional", "forced"),
        "Whether the extra turn for a six or a double may be declined.",
        ("L-023", "LQ-05"),
    ),
    Option(
        "fare_cancels_extra_turn", ("no", "yes"),
        "Whether collecting a fare loses the extra turn that the same throw has earned.",
        ("L-030", "LQ-06"),
    ),
    Option(
        "max_extra_turns", ("none",),
        "How many extra turns in a row can be earned: any number, or at most so many.",
        ("L-023", "LQ-07"),
        fits=_counting, hint="none, or a number from 1",
    ),
    Option(
        "third_in_row", ("nothing", "turn_ends", "back_to_base"),
        "What the third throw in a row that earns a turn does: nothing, or it is not moved and ends the turn, or the "
        "taxi goes back to the Base as well.",
        ("LQ-07",),
    ),
    Option(
        "turbo_six_extra", ("no", "yes"),
        "Whether one six among the two dice of a Turbo Taxi earns an extra turn, as a double does.",
        ("L-057", "LQ-08"),
    ),
    Option(
        "turbo_may_roll_one", ("yes", "no"),
        "Whether a Turbo Taxi may throw one die instead of two.",
        ("L-056", "LQ-09"),
    ),
    Option(
        "turbo_where", ("anywhere", "garage", "base"),
        "Where a Turbo Taxi can be bought.",
        ("L-055", "LQ-10"),
    ),
    Option(
        "short_moves", ("own_destination_and_garage", "own_destination_only", "free"),
        "Where a move may end before all squares are moved.",
        ("L-029", "LQ-15"),
    ),
    Option(
        "path_rule", ("no_immediate_reverse", "no_square_twice", "free"),
        "How taxis may drive: without turning straight back, without crossing a square twice, or anyhow.",
        ("L-024", "LQ-16"),
    ),
    Option(
        "must_stop_at_destination", ("no", "yes"),
        "Whether a taxi must stop at an own destination that it comes to.",
        ("L-072", "LQ-19"),
    ),
    Option(
        "collect_from_either_side", ("yes", "no"),
        "Whether an attraction on a two-lane road serves the squares of both lanes.",
        ("L-071", "LQ-22"),
    ),
    Option(
        "base_midgame", ("exact_entry", "forbidden"),
        "Whether the Base may be entered by the exact number before one is on the way home.",
        ("L-066", "LQ-23"),
    ),
    Option(
        "garage_entry", ("stop_when_reached", "exact"),
        "Whether the Garage is entered whenever it is reached, or by the exact number only.",
        ("L-034", "LQ-24"),
    ),
    Option(
        "ask_after_refusal", ("yes", "no"),
        "Whether another player may be asked for fuel after one has refused.",
        ("L-039", "LQ-35"),
    ),
    Option(
        "player_fuel_trade", ("only_when_empty", "any_time"),
        "Whether fuel may be bought from other players only without any, or before every throw.",
        ("L-037", "LQ-37"),
    ),
    Option(
        "fuel_resale_price", (50,),
        "What a Fuel Card costs among players.",
        ("L-038", "LQ-38"),
        fits=_a_price, hint="a number from 0",
    ),
    Option(
        "stranded_unsold", ("wait", "out"),
        "What becomes of a player without fuel to whom nobody sells: waits, or is out of the game.",
        ("L-040", "LQ-39"),
    ),
    Option(
        "all_stranded", ("end_and_count", "tow_to_garage"),
        "What happens when nobody has fuel any more: the game ends, or all taxis are towed to the Garage.",
        ("LQ-40",),
    ),
    Option(
        "home_run_needs_fuel", ("yes", "no"),
        "Whether the drive home without any Destination Cards needs fuel in hand.",
        ("L-037", "LQ-46"),
    ),
    Option(
        "move_card", ("keep_only_with_last_fuel", "always_keepable"),
        "When the card 'Move to your next destination' may be kept for later.",
        ("L-077", "LQ-49"),
    ),
    Option(
        "lights_after_claim", ("draw", "skip"),
        "Whether a player who was sent to the Base by a claim still draws for the lights.",
        ("L-042", "LQ-58"),
    ),
    Option(
        "card_move_counts_as_landing", ("yes", "no"),
        "Whether a taxi moved by a card lands as after a throw.",
        ("L-078", "LQ-60"),
    ),
    Option(
        "loan_when", ("need_only", "any_time"),
        "When a log book loan can be taken.",
        ("L-050", "LQ-64"),
    ),
    Option(
        "loan_limit", ("one_outstanding", "once_per_game"),
        "How often a player can take a loan.",
        ("L-051", "LQ-67"),
    ),
    Option(
        "loan_settlement", ("before_end_only", "settle_at_count"),
        "Whether a loan must be repaid before the game ends, or may be paid at the count.",
        ("L-053", "LQ-69"),
    ),
    Option(
        "unpaid_penalty", ("creditor_gets_cash", "bank_tops_up", "nothing"),
        "What a claimant gets from a player who is out and cannot pay the fare in full.",
        ("L-060", "LQ-71"),
    ),
    Option(
        "claim_window", ("until_next_throw", "ask_everyone"),
        "Whether the next throw closes the claims, or everybody has to answer.",
        ("L-058", "LQ-77"),
    ),
    Option(
        "claim_pays", ("lander_only", "lander_and_bank"),
        "Who pays the fare of a claim: the player who landed, or the bank as well.",
        ("L-060", "LQ-79"),
    ),
    Option(
        "multiple_claims", ("all", "first_only"),
        "Whether several players may claim one landing.",
        ("L-058", "LQ-80"),
    ),
    Option(
        "knock_back", ("optional", "forced"),
        "Whether taxis on the square where one lands may or must be knocked back to the Base.",
        ("L-063", "LQ-87"),
    ),
    Option(
        "knock_back_endgame", ("forced", "optional"),
        "Whether taxis on their way home must or may be knocked back to the Base.",
        ("L-073", "LQ-87"),
    ),
    Option(
        "knock_home_ends_game", ("yes", "no"),
        "Whether a player on the way home who is knocked to the Base is home, with the bonus.",
        ("L-073", "LQ-90", "LQ-92"),
    ),
    Option(
        "home_overshoot", ("choose", "stay", "must_move"),
        "What happens on the way home when the throw does not lead into the Base: move or stay, stay, or move.",
        ("L-066", "LQ-94"),
    ),
    Option(
        "finish_round", ("no", "yes"),
        "Whether the round is played to its end when a player has come home.",
        ("L-068", "LQ-96"),
    ),
    Option(
        "tie", ("shared", "bonus_holder_wins"),
        "Who wins among players with equally much money.",
        ("L-069", "LQ-98"),
    ),
)  # fmt: skip
