"""The house rules as the set-up page asks them: the nine that change a game most, and all others, with their
rulings.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from markupsafe import Markup

from companion.errors import SetupError
from companion.web.texts import Texts
from shared_rules.games.taxi import meta

ASKED = (
    "round_completion",
    "card_draw",
    "fee_scope",
    "purchase_window",
    "insolvency",
    "bets_per_gambler",
    "barrier_extent",
    "bend_90_costs",
    "freeway_stop",
)
"""A-46, A-08, A-50, A-65, A-73, A-81, A-95, A-25, A-36."""


@dataclass(frozen=True)
class HouseRule:
    """One option as a form shows it: its ruling (A-nn), its values as words of a form (default first; none: `free`
    text), the chosen one.
    """

    name: str
    ruling: str
    explains: str
    values: tuple[str, ...]
    free: bool
    chosen: str

    def words(self, value: str, t: Texts) -> Markup | str:
        """A value in plain words."""
        key = f"option.{self.name}.{value}"
        return t(key) if t.has(key) else value.replace("_", " ")


def _word(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _rule(option: Any, form: Mapping[str, Any] | None) -> HouseRule:
    values = tuple(_word(value) for value in option.values)
    ruling = next((rule for rule in option.rules if rule.startswith("A-")), option.rules[0])
    extra = EXTRA_VALUES.get(option.name, ())
    free = option.name == "plate_price"
    chosen = str((form or {}).get(f"option_{option.name}", _word(option.default)))
    return HouseRule(option.name, ruling, option.explains, values + extra, free, chosen)


EXTRA_VALUES = {"purchase_limit": ("max_total_1", "max_total_2", "max_total_3", "max_total_6")}
"""Values of an option that takes more than it lists, as a form offers them."""


def asked_rules(form: Mapping[str, Any] | None = None) -> list[HouseRule]:
    """The nine, in the order in which they are asked."""
    by_name = {option.name: option for option in meta.OPTIONS}
    return [_rule(by_name[name], form) for name in ASKED]


def all_rules(form: Mapping[str, Any] | None = None) -> list[HouseRule]:
    """All others, in the rules' own order."""
    return [_rule(option, form) for option in meta.OPTIONS if option.name not in ASKED]


def ruling_in_words(ruling: str, t: Texts) -> Markup:
    """A ruling that house rules can change, as the question and its answers; the usual one first."""
    for rule in [*asked_rules(), *all_rules()]:
        if rule.ruling == ruling:
            answers = Markup(" / ").join(Markup.escape(rule.words(value, t)) for value in rule.values)
            return t("rule.house", question=t(f"option.{rule.name}"), answers=answers)
    return t("rule.unwritten", rule=ruling)


def options_of(form: Mapping[str, Any]) -> dict[str, Any]:
    """The options that a form chose and that differ from the default. `SetupError` names the option that has no such
    value.
    """
    chosen: dict[str, Any] = {}
    for option in meta.OPTIONS:
        given = form.get(f"option_{option.name}")
        if given is None or given == "":
            continue
        text = str(given).strip().replace(",", "").lstrip("$")
        value: Any = next(
            (v for v in option.values if _word(v) == text), int(text) if text.isdigit() and len(text) < 8 else text
        )
        if not option.takes(value):
            words = option.hint or ", ".join(_word(v) for v in option.values)
            raise SetupError(
                f"The house rule “{option.name.replace('_', ' ')}” takes: {words}.", f"option_{option.name}"
            )
        if value != option.default:
            chosen[option.name] = value
    return chosen
