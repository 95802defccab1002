"""The catalogue: every text that is used is there, every one that is there is used, each language has the same keys
and places.
"""

import json
import re
from pathlib import Path

from companion.web.screens.house_rules import all_rules, asked_rules, ruling_in_words
from companion.web.screens.narration import TELLERS
from companion.web.texts import FOLDER, languages, texts

WEB = Path(__file__).resolve().parents[2] / "companion" / "web"
CATALOGUE = json.loads((FOLDER / "en.json").read_text("utf-8"))
SOURCES = [
    p
    for p in WEB.rglob("*")
    if p.suffix in (".py", ".html", ".js") and "vendor" not in p.parts and "map" not in p.relative_to(WEB).parts[:1]
]


def test_every_text_that_is_named_is_there() -> None:
    named: set[str] = set()
    for path in SOURCES:
        text = path.read_text("utf-8")
        named |= set(re.findall(r"""\bt\(\s*"([a-z0-9_.]+)"\s*[,)]""", text, re.IGNORECASE))
        named |= set(re.findall(r"""answer\(request, "([a-z_.]+)\"""", text))
    assert len(named) > 150
    assert {key for key in named if key not in CATALOGUE} == set()


def test_every_text_is_used() -> None:
    everything = "\n".join(path.read_text("utf-8") for path in SOURCES)
    # Keys that are put together: what stands before the part that varies must be named somewhere.
    unused = [
        key
        for key in CATALOGUE
        if f'"{key}"' not in everything
        and not any(f'"{key[:i]}' in everything for i in range(3, len(key)) if key[i - 1] in "._")
    ]
    assert unused == []


def test_every_house_rule_has_words_for_each_value() -> None:
    t = texts("en")
    for rule in [*asked_rules(), *all_rules()]:
        assert t.has(f"option.{rule.name}")
        for value in () if rule.free else rule.values:
            assert t.has(f"option.{rule.name}.{value}"), (rule.name, value)


def test_events_of_the_game_are_spoken_of() -> None:
    rules = Path(__file__).resolve().parents[2] / "shared_rules" / "games" / "taxi"
    source = "\n".join(path.read_text("utf-8") for path in rules.glob("*.py"))
    told = set(re.findall(r'"event": "([A-Z]\w+)"', source)) | set(re.findall(r'transfer\(\s*"([A-Z]\w+)"', source))
    silent = {
        # Steps inside a command that the lines around them already tell.
        "BarrierReturned",
        "BarrierReturnedUnused",
        "CardDiscarded",
        "CardToKeep",
        "CardWaits",
        "Corrected",
        "DueClosed",
        "DueRaised",
        "EffectBegun",
        "GambleSettled",
        "KeptCardDeclined",
        "KeptCardOffered",
        "MoneyReturned",
        "OptionChosen",
        "OwnershipCardGiven",
        "OwnershipCardReturned",
        "RoundEnded",
        "RoundStarted",
        "SeatPassed",
        "SettlementBegun",
        "StakePaid",
        "StakeTakenBack",
        "StepTaken",
        "StepWaits",
        "TripEnded",
        "TurnChanged",
        "TurnEnded",
        "TurnStarted",
        "ExpenseDrawn",
    }
    assert len(told) > 40
    assert {name for name in told - silent if f"event.{name}" not in CATALOGUE and name not in TELLERS} == set()


def test_other_languages_have_the_same_keys_and_places() -> None:
    def places(entry: object) -> set[str]:
        texts_of_it = entry.values() if isinstance(entry, dict) else [entry]
        return {place for text in texts_of_it for place in re.findall(r"\{(\w+)\}", str(text))}

    for language in languages():
        other = json.loads((FOLDER / f"{language}.json").read_text("utf-8"))
        assert other.keys() == CATALOGUE.keys(), language
        for key, entry in CATALOGUE.items():
            assert places(other[key]) == places(entry), (language, key)


def test_names_are_escaped_and_texts_are_not() -> None:
    said = str(texts("en")("ask.card_choice.seat", name="<script>"))
    assert said == "Your turn, &lt;script&gt;."


def test_every_rule_that_can_be_stamped_has_a_sentence() -> None:
    root = Path(__file__).resolve().parents[2]
    sources = [*(root / "shared_rules" / "games" / "taxi").glob("*.py"), *WEB.rglob("*.py")]
    stamped = {rule for path in sources for rule in re.findall(r'"([TA]-\d+)"', path.read_text("utf-8"))}
    t = texts("en")
    unwritten = {
        rule for rule in stamped if not t.has(f"rule.{rule}") and "as the rule pages" in ruling_in_words(rule, t)
    }
    assert len(stamped) > 80
    assert unwritten == set()
