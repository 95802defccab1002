"""The house rules as the set-up page asks them: the few that change a game most, and all others, with their rulings
and presets. What there is to choose is data of the rules (`meta.OPTIONS`)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from markupsafe import Markup

from companion import titles
from companion.errors import SetupError
from companion.titles import Title
from companion.web.texts import Texts, texts
from shared_rules import library


@dataclass(frozen=True)
class HouseRule:
    """One option as a form shows it: its ruling, the rule it is about, its values as words of a form (default first;
    none: `free` text), the chosen one."""

    name: str
    ruling: str
    rules: tuple[str, ...]
    explains: str
    values: tuple[str, ...]
    free: bool
    chosen: str

    def question(self, t: Texts) -> Markup | str:
        """What is asked: the catalogue's short question, else the rules' own explanation."""
        key = f"option.{self.name}"
        return t(key) if t.has(key) else self.name.replace("_", " ").capitalize()

    def explained(self, t: Texts) -> Markup | str:
        """The rules' one-line explanation, in the page's language where the rules have it."""
        if t.game is None or t.language not in library.languages(t.game):
            return self.explains
        return library.option_texts(t.game, t.language).get(self.name, self.explains)

    def words(self, value: str, t: Texts) -> Markup | str:
        """A value in plain words."""
        for key in (f"option.{self.name}.{value}", f"option.value.{value}"):
            if t.has(key):
                return t(key)
        return value.replace("_", " ")


def word(value: object) -> str:
    """A value as a form writes it: `true`, `one`, `15000`, `[1, 2, 3]`."""
    if isinstance(value, (bool, list, dict)):
        return json.dumps(value)
    return str(value)


def _rule(title: Title, option: Any, form: Mapping[str, Any] | None) -> HouseRule:
    extra = title.house_rules.EXTRA.get(option.name, ())
    values = tuple(word(value) for value in (*option.values, *extra))
    chosen = str((form or {}).get(f"option_{option.name}", word(option.default)))
    free = option.name in title.house_rules.TYPED
    if not free and chosen not in values:
        values = (*values, chosen)
    return HouseRule(option.name, option.rules[-1], option.rules, option.explains, values, free, chosen)


def asked_rules(title: Title, form: Mapping[str, Any] | None = None) -> list[HouseRule]:
    """Those that are asked first, in the order in which they are asked."""
    by_name = {option.name: option for option in title.meta.OPTIONS}
    return [_rule(title, by_name[name], form) for name in title.house_rules.ASKED]


def all_rules(title: Title, form: Mapping[str, Any] | None = None) -> list[HouseRule]:
    """All others, in the rules' own order."""
    asked = title.house_rules.ASKED
    return [_rule(title, option, form) for option in title.meta.OPTIONS if option.name not in asked]


def ruling_in_words(title: Title, ruling: str, t: Texts) -> Markup | None:
    """A ruling that house rules can change, as the question and its answers; the usual one first. None for any other
    rule."""
    for rule in [*asked_rules(title), *all_rules(title)]:
        if ruling in rule.rules:
            answers = Markup(" / ").join(Markup.escape(rule.words(value, t)) for value in rule.values)
            return t("rule.house", question=rule.question(t), answers=answers)
    return None


def rule_in_words(rule: str, language: str, playing: Title | None) -> tuple[Title, Markup] | None:
    """The sentence behind a rule's number and whose rule it is: of the game that is played, else of whichever game has
    such a rule. None for a number that no game has."""
    known = [titles.find(name) for name in titles.names()]
    asked = [playing, *known] if playing is not None else known
    for title in asked:
        t = texts(language, title.name)
        if t.has(f"rule.{rule}"):
            return title, t(f"rule.{rule}")
        ruling = ruling_in_words(title, rule, t)
        if ruling is not None:
            return title, ruling
    return None


def options_of(title: Title, form: Mapping[str, Any]) -> dict[str, Any]:
    """The options that a form chose and that differ from the default. `SetupError` names the option that has no such
    value.
    """
    chosen: dict[str, Any] = {}
    for option in title.meta.OPTIONS:
        given = form.get(f"option_{option.name}")
        if given is None or given == "":
            continue
        value = _read(option, str(given).strip(), title)
        if not option.takes(value):
            words = option.hint or ", ".join(word(v) for v in option.values)
            raise SetupError(
                f"The house rule “{option.name.replace('_', ' ')}” takes: {words}.", f"option_{option.name}"
            )
        if value != option.default:
            chosen[option.name] = value
    return chosen


def form_of(title: Title, options: Mapping[str, Any]) -> dict[str, str]:
    """What a form with these house rules says: for presets."""
    return {f"option_{option.name}": word(options.get(option.name, option.default)) for option in title.meta.OPTIONS}


def _read(option: Any, text: str, title: Title) -> Any:
    for value in (*option.values, *title.house_rules.EXTRA.get(option.name, ())):
        if word(value) == text:
            return value
    bare = text.replace(",", "").removeprefix(title.money.SIGN)
    if bare.isascii() and bare.isdigit() and len(bare) < 8:
        return int(bare)
    if text[:1] in "[{":
        try:
            return json.loads(text)
        except (ValueError, RecursionError):
            return text
    return text
