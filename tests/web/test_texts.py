"""The catalogues: every text that is used is there, every one that is there is used, each language has the same keys
and places; those of the pages, and those of each title.
"""

import json
import re
from pathlib import Path

import pytest

from companion import titles
from companion.web.screens.house_rules import all_rules, asked_rules, rule_in_words
from companion.web.texts import FOLDER, languages, texts

ROOT = Path(__file__).resolve().parents[2]
WEB = ROOT / "companion" / "web"
RULES = [("taxi", "[TA]", 80), ("taxi_over", "OQ?", 40), ("destination_london", "LQ?", 80)]
"""Title, how its rules are numbered, and how many are stamped at least."""
CATALOGUE = json.loads((FOLDER / "en.json").read_text("utf-8"))


def sources(folder: Path) -> list[Path]:
    """Programs, templates and scripts that name texts."""
    return [
        p
        for p in folder.rglob("*")
        if p.suffix in (".py", ".html", ".js") and "vendor" not in p.parts and "map" not in p.relative_to(folder).parts
    ]


def texts_of_title(title: str, language: str = "en") -> dict[str, object]:
    """The catalogue of a title, without the pages' own."""
    path = titles.find(title).folder / "texts" / f"{language}.json"
    found: dict[str, object] = json.loads(path.read_text("utf-8"))
    return found


def named_in(paths: list[Path]) -> set[str]:
    """Keys that are written out where a text is asked for."""
    named: set[str] = set()
    for path in paths:
        text = path.read_text("utf-8")
        named |= set(re.findall(r"""\bt\(\s*"([a-z0-9_.]+)"\s*[,)]""", text, re.IGNORECASE))
        named |= set(re.findall(r"""answer\(request, "([a-z_.]+)\"""", text))
    return named


def unused_in(catalogue: dict[str, object], paths: list[Path]) -> list[str]:
    """Keys that nothing names; of keys that are put together what stands before the part that varies must be named
    somewhere."""
    everything = "\n".join(path.read_text("utf-8") for path in paths)
    return [
        key
        for key in catalogue
        if f'"{key}"' not in everything
        and not any(f'"{key[:i]}' in everything for i in range(3, len(key)) if key[i - 1] in "._")
    ]


def test_every_text_that_is_named_is_there() -> None:
    named = named_in(sources(WEB))
    assert len(named) > 120
    every_title = set.intersection(*(set(texts_of_title(title)) for title in titles.names()))
    assert {key for key in named if key not in CATALOGUE and key not in every_title} == set()


def test_every_text_is_used() -> None:
    assert unused_in(CATALOGUE, sources(WEB)) == []


@pytest.mark.parametrize("title", titles.names())
def test_every_text_of_a_title_is_there_and_used(title: str) -> None:
    catalogue, own = texts_of_title(title), sources(titles.find(title).folder)
    assert {key for key in named_in(own) if key not in catalogue and key not in CATALOGUE} == set()
    assert unused_in(catalogue, [*own, *sources(WEB)]) == []


@pytest.mark.parametrize("title", titles.names())
def test_every_house_rule_has_words_for_each_value(title: str) -> None:
    t, found = texts("en", title), titles.find(title)
    for rule in [*asked_rules(found), *all_rules(found)]:
        assert t.has(f"option.{rule.name}"), rule.name
        for value in () if rule.free else rule.values:
            assert t.has(f"option.{rule.name}.{value}") or t.has(f"option.value.{value}"), (rule.name, value)


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
    catalogue, tellers = texts_of_title("taxi"), titles.find("taxi").narration.Narrator.TELLERS
    assert len(told) > 40
    assert {name for name in told - silent if f"event.{name}" not in catalogue and name not in tellers} == set()


def test_other_languages_have_the_same_keys_and_places() -> None:
    def places(entry: object) -> set[str]:
        texts_of_it = entry.values() if isinstance(entry, dict) else [entry]
        return {place for text in texts_of_it for place in re.findall(r"\{(\w+)\}", str(text))}

    pages = [FOLDER, *(titles.find(title).folder / "texts" for title in titles.names())]
    for folder in pages:
        english = json.loads((folder / "en.json").read_text("utf-8"))
        for path in folder.glob("*.json"):
            other = json.loads(path.read_text("utf-8"))
            assert path.stem in languages(), path
            assert other.keys() == english.keys(), path
            for key, entry in english.items():
                assert places(other[key]) == places(entry), (path, key)


def test_names_are_escaped_and_texts_are_not() -> None:
    said = str(texts("en", "taxi")("ask.card_choice.seat", name="<script>"))
    assert said == "Your turn, &lt;script&gt;."


@pytest.mark.parametrize(("title", "numbered", "many"), RULES)
def test_every_rule_that_can_be_stamped_has_a_sentence(title: str, numbered: str, many: int) -> None:
    rules = [*(ROOT / "shared_rules" / "games" / title).glob("*.py"), *titles.find(title).folder.rglob("*.py")]
    stamped = {rule for path in rules for rule in re.findall(f'"({numbered}-\\d+)"', path.read_text("utf-8"))}
    assert len(stamped) > many
    said = {rule: rule_in_words(rule, "en", titles.find(title)) for rule in stamped}
    assert {rule for rule, found in said.items() if found is None or found[0] is not titles.find(title)} == set()


@pytest.mark.parametrize("folder", [WEB, ROOT / "companion" / "titles"], ids=["web", "titles"])
def test_no_text_loses_that_it_is_escaped(folder: Path) -> None:
    """`str(t(…))` would be escaped a second time by the template that it comes to."""
    forgets = re.compile(r"\bstr\((?:\w+\.)*(?:t|said|\w*_words)(?:\.first)?\(")
    found = [
        f"{path.name}:{number}: {line.strip()}"
        for path in sorted(folder.rglob("*.py"))
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1)
        if forgets.search(line)
    ]
    assert found == []
