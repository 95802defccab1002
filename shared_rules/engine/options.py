"""House rules as data: what a title offers, read and written in the title's order.

An option is an `Option`; a title lists them once, and set-up pages, the reader and the writer use that list.
"""

from shared_rules.engine.errors import PositionError
from shared_rules.engine.reading import an_object, is_whole, join
from shared_rules.portable.ordered import Ordered

MYPY = False
if MYPY:  # only type checkers come here
    from collections.abc import Callable, Iterable, Sequence
    from typing import Any

    Json = dict[str, Any]


class Option:
    """One house rule.

    `values` lists possible values, default first; `fits(value)` may let in more, and `hint` then says in words what
    fits. `explains` is one line for the set-up page, `rules` the numbers of the rulings it switches.
    """

    def __init__(
        self,
        name: str,
        values: "Iterable[Any]",
        explains: str,
        rules: "Iterable[str]",
        fits: "Callable[[Any], bool] | None" = None,
        default: "Any" = None,
        hint: str = "",
    ) -> None:
        self.name = name
        self.values = tuple(values)
        self.default = self.values[0] if default is None else default
        self.explains = explains
        self.rules = tuple(rules)
        self.hint = hint
        self._fits = fits

    def takes(self, value: "Any") -> bool:
        """Whether the value is one of this option's; kinds count, so true is not 1."""
        for known in self.values:
            if known == value and type(known) is type(value):
                return True
        return self._fits is not None and self._fits(value)


def positive_multiple_of(step: int) -> "Callable[[Any], bool]":
    """A test for numbers step, 2 * step, …"""

    def fits(value: "Any") -> bool:
        return is_whole(value) and bool(value > 0) and bool(value % step == 0)

    return fits


def numbered(prefix: str, least: int, most: int) -> "Callable[[Any], bool]":
    """A test for words such as `at_most_7` with a number within bounds and no leading 0."""

    def fits(value: "Any") -> bool:
        if not isinstance(value, str) or not value.startswith(prefix):
            return False
        for n in range(least, most + 1):
            if value == prefix + str(n):
                return True
        return False

    return fits


def read_options(given: "Any", options: "Sequence[Option]", at: str) -> "Json":
    """All options by name, with the given values and else the defaults. PositionError."""
    out = {}
    for option in options:
        out[option.name] = option.default
    for name in sorted(an_object(given, at)):
        option = find(options, name)
        if option is None:
            raise PositionError("unknown_option", "There is no house rule '" + name + "'.", join(at, name))
        if not option.takes(given[name]):
            words = option.hint or ", ".join([_shown(value) for value in option.values])
            raise PositionError("bad_option", "'" + name + "' is one of: " + words + ".", join(at, name))
        out[name] = given[name]
    return out


def changed_options(values: "Json", options: "Sequence[Option]") -> "Json":
    """Those that differ from the default, in the list's order."""
    out = Ordered()
    for option in options:
        value = values[option.name]
        if value != option.default:
            out[option.name] = value
    return out


def find(options: "Sequence[Option]", name: str) -> "Any":
    """The option of this name, or None."""
    for option in options:
        if option.name == name:
            return option
    return None


def _shown(value: "Any") -> str:
    return "true" if value is True else "false" if value is False else str(value)
