"""The words of Taxi Over records, for shared_rules.records: (word, command, fields in order, fixed fields)."""

WORDS: "tuple[tuple[str, str, tuple[str, ...], dict[str, str]], ...]" = (
    ("board", "board_taxi", ("taxi",), {}),
    ("decline", "decline", (), {}),
    ("die", "roll", ("face",), {"die": "taxi"}),
    ("roll", "roll", ("face",), {}),
    ("stop", "stop", (), {}),
    ("resign", "resign", (), {}),
    ("correct", "correct", ("why",), {}),
)
