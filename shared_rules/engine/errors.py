"""The two ways in which the rules core says no, for every caller of it.

Both carry a stable `code` (the list stands in docs/records.md) and a sentence for people; text in other languages is
made at the edge.
"""


class PositionError(Exception):
    """A position, board or deck that is none. `at` is a path inside it (`players[1].cash`), "" for the whole."""

    def __init__(self, code: str, message: str, at: str = "") -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.at = at


class RuleViolation(Exception):  # noqa: N818 - a refusal is no error of the program
    """A command that the rules refuse; nothing has changed. `rules` are the rule numbers that it rests on."""

    def __init__(self, code: str, message: str, rules: "tuple[str, ...]" = ()) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.rules = tuple(rules)
