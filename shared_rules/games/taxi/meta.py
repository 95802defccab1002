"""TAXI! in figures and options: name, players, pieces, prices and house rules as data, for rules and set-up pages.

Rule numbers (T-…) and rulings (A-…) are those that receipts cite.
"""

from shared_rules.engine.options import Option, numbered, positive_multiple_of

NAME = "taxi"
TITLE = "TAXI!"
PLAYERS = (2, 6)  # A-03, T-002
MINUTES = (90, 300)  # 15 trips, or 30
# What a player's standing is counted by, a key of the players in a view; what it is counted in.
STANDING = ("wealth", "money")
COLOURS = ("red", "yellow", "blue", "green", "white", "black")

FLOAT = 9340  # T-017
BONUS = 6000  # T-113
HIRE_FEE = 500  # T-115
PLATE_TALLY = 15000  # T-129
PLATE_SALE = 5000  # T-126
NOTES = (5000, 1000, 500, 100, 50, 20, 10)  # T-015
SMALLEST_NOTE = 10

# Units of the ledger, and how many pieces there are of each (T-008 to T-012).
MONEY = "money"
GREEN = "green"
WHITE = "white"
PLATES = "plates"
BARRIERS = "barriers"
OWNERSHIP_CARDS = "ownership_cards"
PIECES = ((GREEN, 30), (WHITE, 12), (PLATES, 36), (BARRIERS, 12), (OWNERSHIP_CARDS, 6))
UNITS = (MONEY, GREEN, WHITE, PLATES, BARRIERS, OWNERSHIP_CARDS)

# Accounts besides the bank (0) and the seats: stakes of bets, fines by house rule, barriers on the board.
ESCROW = "escrow"
POT = "pot"
ON_BOARD = "board"
NAMED_ACCOUNTS = (ESCROW, POT, ON_BOARD)

DECKS = ("journey", "passenger", "expense")
TURN_DECKS = ("journey", "passenger")
EXPENSE = "expense"
CARDS_PER_DECK = 50  # T-013

# What a bet on a word stakes, and what a right one wins (T-088 to T-090): (unit, amount).
WORDS = ("money", "freeway", "taxi")
STAKES = {"money": (MONEY, 1000), "freeway": (GREEN, 1), "taxi": (MONEY, 5000)}
PRIZES = {"money": (MONEY, 3000), "freeway": (WHITE, 1), "taxi": (PLATES, 1)}
WORD_RULES = {"money": "T-088", "freeway": "T-089", "taxi": "T-090"}

DICE = ("d6", "d12")
D12_FACES = ("green", "white", "blank")  # T-007: 5, 2 and 5 of 12

# What the game can be waiting for, in the order of a turn.
PHASES = (
    "card_choice", "card_option", "gamble_bets", "gamble_reveal", "before_roll", "move", "tablet_die", "settle",
    "kept_card", "debt", "over",
)  # fmt: skip
# Why it ends (T-137, T-133).
REASONS = ("trips_done", "last_player", "nobody_left")
# Every code with which a command can be refused (docs/records.md).
REFUSALS = (
    "malformed", "unknown_command", "unknown_seat", "unknown_place", "unknown_card", "not_your_turn", "wrong_phase",
    "bad_face", "unreachable", "not_enough_money", "not_enough", "none_left", "not_allowed", "already_done",
    "game_over", "out_of_game", "why_missing",
)  # fmt: skip

# More turns to miss than any game can deal out; keeps a position readable in finite time.
MOST_SKIPS = 999

OPTIONS = (
    Option(
        "card_draw", ("optional_one", "mandatory_one", "one_of_each"),
        "How many cards a turn allows: one if you like, one you must draw, or one of each deck.",
        ("T-033", "A-08"),
    ),
    Option(
        "d12_after_no_move", (True, False),
        "Whether the tablet die is thrown after a turn in which the taxi did not move.",
        ("T-038", "A-11"),
    ),
    Option(
        "d12_on_arrival", (True, False),
        "Whether a player who has just arrived still throws the tablet die.",
        ("T-038", "A-12"),
    ),
    Option(
        "card_tablets_usable", ("this_turn", "next_turn"),
        "When tablets won in the card step may be handed in.",
        ("T-081", "A-13"),
    ),
    Option(
        "tablet_shortage", ("lost", "unlimited"),
        "What happens when the bank has no tablet of the colour: nothing is won, or there is always one more.",
        ("T-042", "A-14"),
    ),
    Option(
        "trading", ("none", "tablets", "tablets_and_money", "all"),
        "What players may give to one another.",
        ("T-080", "A-15"),
    ),
    Option(
        "fine_recipient", ("bank", "pot"),
        "Who gets traffic fines: the bank, or a pot that is paid out with the bonus.",
        ("T-083", "A-22"),
    ),
    Option(
        "stop_points", ("anywhere", "corners_only"),
        "Where a move may end: anywhere on a street, or only at corners and in front of lights and barriers.",
        ("T-054", "A-24"),
    ),
    Option(
        "bend_90_costs", (True, False),
        "Whether a sharp bend without a junction begins a new street.",
        ("T-050", "A-25"),
    ),
    Option(
        "node_light_scope", ("all_movements", "straight_only"),
        "Whether a light on a junction stops every taxi, or only those that drive straight on.",
        ("T-064", "A-29"),
    ),
    Option(
        "freeway_stop", ("forbidden", "allowed"),
        "Whether a move may end on the freeway itself.",
        ("T-056", "A-36"),
    ),
    Option(
        "base_through", ("junction", "terminal"),
        "Whether taxis may drive on through the base.",
        ("T-072", "A-41"),
    ),
    Option(
        "zero_move", ("allowed", "must_move_if_possible"),
        "Whether a taxi may stay where it is although it could move.",
        ("T-037", "A-42"),
    ),
    Option(
        "round_completion", ("complete_round", "one_more_turn_each", "immediate"),
        "When a trip is settled after the first arrival.",
        ("T-111", "A-46"),
    ),
    Option(
        "next_trip_starter", ("first_seat", "winner", "rotate", "after_last_arriver"),
        "Who begins the next trip.",
        ("T-119", "A-47"),
    ),
    Option(
        "card_move_arrival", ("counts", "does_not_count"),
        "Whether a card that moves a taxi to its destination makes it arrive.",
        ("T-110", "A-48"),
    ),
    Option(
        "fee_scope", ("everyone", "arrivers_only"),
        "Who pays a hire fee or draws an Expense card when a trip is settled.",
        ("T-115", "A-50"),
    ),
    Option(
        "owner_status_at", ("own_arrival", "settlement"),
        "When it is decided who counts as a taxi owner in a settlement.",
        ("T-117", "A-51"),
    ),
    Option(
        "expense_draws", ("per_owner", "per_plate"),
        "How many Expense cards an owner draws: one, or one a taxi.",
        ("T-116", "A-52"),
    ),
    Option(
        "final_hire_fee", ("charged", "waived"),
        "Whether players without a taxi pay a hire fee after the last trip.",
        ("T-138", "A-55"),
    ),
    Option(
        "plate_price", (PLATE_TALLY,),
        "What a taxi costs.",
        ("T-122", "A-64"),
        fits=positive_multiple_of(SMALLEST_NOTE), hint="a positive multiple of 10",
    ),
    Option(
        "purchase_window", ("own_turn_before_d6", "own_turn_any", "any_time", "settlement"),
        "When taxis may be bought.",
        ("T-123", "A-65"),
    ),
    Option(
        "purchase_limit", ("none", "one_per_turn"),
        "How many taxis may be bought: any number, one a turn, or so many in all.",
        ("T-123", "A-66"),
        fits=numbered("max_total_", 1, 36), hint="none, one_per_turn, max_total_1 to max_total_36",
    ),
    Option(
        "voluntary_sale", (False, True),
        "Whether a taxi may be sold to the bank without a debt.",
        ("T-126", "A-67"),
    ),
    Option(
        "insolvency", ("eliminate", "carry_debt", "forgive"),
        "What becomes of a player who cannot pay: out of the game, below zero, or let off.",
        ("T-132", "A-73"),
    ),
    Option(
        "bets_per_gambler", ("one", "one_per_word", "unlimited"),
        "How often one player may bet on one gamble card.",
        ("T-092", "A-81"),
    ),
    Option(
        "barriers_per_card", (1, 2, 4),
        "How many barriers a roadwork card brings.",
        ("T-099", "A-93"),
    ),
    Option(
        "barrier_extent", ("point", "link", "street"),
        "What a barrier closes: the spot where it stands, the piece of road, or the whole street.",
        ("T-104", "A-95"),
    ),
    Option(
        "barriers_per_victim_turn", ("unlimited", "one", "one_per_holder"),
        "How many barriers may be set against one player in one turn.",
        ("T-106", "A-98"),
    ),
    Option(
        "tie_break", ("shared", "most_taxis", "most_cash"),
        "Who wins among the equally wealthy.",
        ("T-141", "A-104"),
    ),
)  # fmt: skip
