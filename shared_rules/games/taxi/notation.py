"""The words of TAXI! records, for shared_rules.records: (word, command, fields in order, fixed fields)."""

WORDS: "tuple[tuple[str, str, tuple[str, ...], dict[str, str]], ...]" = (
    ("draw", "draw_card", ("deck", "card"), {}),
    ("choose", "choose", ("option",), {}),
    ("d6", "roll", ("face",), {"die": "d6"}),
    ("d12", "roll", ("face",), {"die": "d12"}),
    ("to", "move", ("to",), {}),
    ("end", "end_turn", (), {}),
    ("buy", "buy_taxi", ("count",), {}),
    ("sell", "sell_plate", ("count",), {}),
    ("barrier", "place_barrier", ("on",), {}),
    ("bet", "place_bet", ("word",), {}),
    ("pass", "pass_bet", (), {}),
    ("close", "close_bets", (), {}),
    ("reveal", "reveal_card", ("word",), {}),
    ("use", "play_card", ("card",), {}),
    ("decline", "decline", (), {}),
    ("give", "give", ("to",), {}),
    ("insolvent", "declare_insolvent", (), {}),
    ("resign", "resign", (), {}),
    ("correct", "correct", ("why",), {}),
)
