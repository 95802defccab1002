"""Taxi Over in figures and options: name, players, pieces and house rules as data, for rules and set-up pages.

Rule numbers (O-…) and rulings (OQ-…) are those that receipts cite.
"""

from shared_rules.engine.options import Option
from shared_rules.engine.reading import is_whole

NAME = "taxi_over"
TITLE = "Taxi Over"
PLAYERS = (2, 4)  # O-008
MINUTES = (10, 20)
# What a player's standing is counted by, a key of the players in a view; what it is counted in.
STANDING = ("held", "tokens")
COLOURS = ("red", "blue", "white", "violet")  # O-005

ALL_TOKENS = 36  # O-007
FIRST_BOX = 1  # O-010
MOST_TAXIS = 4  # O-004
MOST_DICE = 3  # O-003
LIMIT = 4  # O-024: a sum above it is a violation
TARGETS = {"2": 8, "3": 10, "4": 10}  # O-060, OQ-31

# The one unit of the ledger, and the account beside the supply (the bank, 0) and the seats.
TOKENS = "tokens"
BOX = "box"
SUPPLY = 0

START = "START"
DIE = "taxi"
DICE = (DIE,)
DECKS = ()

PHASES = ("board", "roll", "over")
REASONS = ("target", "stalemate", "next_intersection", "last_player")
# Every code with which a command can be refused (docs/records.md).
REFUSALS = (
    "malformed", "unknown_command", "unknown_seat", "game_over", "out_of_game", "not_your_turn", "wrong_phase",
    "unknown_taxi", "not_allowed", "bad_face", "why_missing",
)  # fmt: skip

LARGEST_FACE = 20


def _six_faces(value: object) -> bool:
    if not isinstance(value, list) or len(value) != 6:
        return False
    for face in value:
        if not is_whole(face) or not 1 <= face <= LARGEST_FACE:
            return False
    return True


def _targets(value: object) -> bool:
    if not isinstance(value, dict):
        return False
    for key in value:
        if key not in TARGETS or not is_whole(value[key]) or not 1 <= value[key] <= ALL_TOKENS:
            return False
    return True


OPTIONS = (
    Option(
        "dice_faces", (),
        "What stands on the six faces of a taxi die.",
        ("OQ-01",),
        fits=_six_faces, default=[1, 1, 2, 2, 3, 3], hint="a list of six whole numbers from 1 to 20",
    ),
    Option(
        "first_die_can_bust", ("yes", "no"),
        "Whether a first die that shows more than 4 is already a speeding violation.",
        ("OQ-02",),
    ),
    Option(
        "minimum_dice", (1, 0),
        "How many dice a seated driver has to roll; with 0 a turn may be passed.",
        ("OQ-03",),
    ),
    Option(
        "violation_moves", ("no", "move_then_exit"),
        "Whether a speeding taxi stays where it is, or drives first and then loses its driver.",
        ("OQ-04",),
    ),
    Option(
        "empty_taxi_advance", ("since_start", "start_only", "always_next", "never"),
        "Which taxi is moved on to the next intersection after a violation: one that has reached none since it was at"
        " START, only one at START, any that stands on none, or no taxi.",
        ("OQ-05",),
    ),
    Option(
        "empty_taxi_placement", ("place_and_push", "drive_and_push", "space_behind"),
        "How it gets there: placed and pushing whoever stands there, driven and pushing all the way, or into the first"
        " free space before it.",
        ("OQ-07",),
    ),
    Option(
        "taxi_identity", ("neutral", "coloured"),
        "Whether a driver may board any empty taxi at START, or only the own one.",
        ("OQ-13",),
    ),
    Option(
        "boarding", ("optional", "forced"),
        "Whether a driver may leave an empty taxi at START to others.",
        ("OQ-14",),
    ),
    Option(
        "taxis_in_play", ("per_player", "all_four"),
        "How many taxis there are: one a player, or all four, with the spare ones empty at START.",
        ("OQ-15",),
    ),
    Option(
        "push_timing", ("each_step", "landing_only"),
        "Whether a taxi sweeps along whoever is in its way, or passes others by and pushes only where it ends.",
        ("OQ-16",),
    ),
    Option(
        "sinkhole_entry", ("pushed_only", "any"),
        "Whether only pushed taxis fall into a sinkhole, or also one that drives on from a bend.",
        ("OQ-19",),
    ),
    Option(
        "sinkhole_driver", ("stays", "ejected"),
        "Whether the driver stays in a taxi that falls into a sinkhole.",
        ("OQ-20",),
    ),
    Option(
        "sinkhole_token", (0, 1),
        "How many tokens go into the For Hire box when a taxi falls into a sinkhole.",
        ("OQ-21",),
    ),
    Option(
        "pushed_driver_collects", ("no", "yes"),
        "Whether drivers who are pushed onto an intersection collect as well.",
        ("OQ-23",),
    ),
    Option(
        "collect_per_move", ("once", "per_intersection"),
        "Whether the box is taken once a move, or at every intersection that is entered.",
        ("OQ-24",),
    ),
    Option(
        "supply_exhausted", ("limited", "substitute"),
        "Whether there are 36 tokens and no more, or anything else serves when they run out.",
        ("OQ-28",),
    ),
    Option(
        "stalemate", ("shared_win", "next_intersection_wins"),
        "What happens when box and supply are empty and nobody has won: the leaders share the win, or the next to reach"
        " an intersection wins.",
        ("OQ-29",),
    ),
    Option(
        "target_tokens", (),
        "How many tokens win, by the number of players.",
        ("OQ-31",),
        fits=_targets, default=TARGETS, hint='an object such as {"2": 8, "3": 10, "4": 10}, each from 1 to 36',
    ),
    Option(
        "crossing_push", ("pusher_heading", "own_heading"),
        "Where a taxi goes that is pushed on a crossing: on along the pusher's road, or along its own.",
        ("OQ-47",),
    ),
)  # fmt: skip
