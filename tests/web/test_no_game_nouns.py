"""The generic rooms name no game and nothing that only one game has: what is special lies in companion/titles."""

import ast
import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion import titles
from shared_rules import games, library

ROOT = Path(__file__).resolve().parents[2]
ROOMS = ("companion/tables", "companion/web", "companion/devices", "companion/virtual_table", "companion/event_log")
FILES = ("companion/application.py", "companion/settings.py", "companion/phones.py", "companion/titles/contract.py")
# What only one of the games has. Words that also name a part of a page or a house (tablet, claim, box) are not here.
NOUNS = {
    "dollar", "freeway", "barrier", "roadwork", "gamble", "bet", "journey", "passenger", "expense", "hire",
    "trip", "plate", "d12", "minister", "fine", "destination",
    "sinkhole", "intersection", "ejected", "carousel",
    "pound", "licence", "turbo", "fuel", "garage", "attraction", "loan", "stranded", "knock", "thames", "fumbling",
}  # fmt: skip
SPOKEN = {"fine", "trip", "plate", "bet", "knock"}
"""Nouns that are also everyday words: in comments and texts they may stand."""

COMMON_VERBS = {
    "roll", "move", "resign", "give", "choose", "draw_card", "correct", "decline", "stop", "stay", "pass", "wait",
    "done", "keep", "claim", "collect",
}  # fmt: skip
"""What every game may call so, and what is a word of any page."""


def words_of(text: str) -> Iterator[str]:
    """Every word of names and sentences, in lower case and without a plural's s."""
    for word in re.findall(r"[A-Z]?[a-z]+\d*|[A-Z]+(?![a-z])|[a-z]\d+", text):
        word = word.lower()
        yield word
        yield word.removesuffix("s")


def generic_files(*endings: str) -> list[Path]:
    """The files of the generic rooms; migrations tell what once was, third parties' scripts are not ours, and a radio
    has its own nouns."""
    found = [ROOT / name for name in FILES]
    for room in ROOMS:
        found += (ROOT / room).rglob("*")
    return [
        path
        for path in found
        if path.suffix in endings and not {"vendor", "migrations", "radio"} & set(path.relative_to(ROOT).parts)
    ]


def names_in(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """(line, text) of every name and every string of a program but its docstrings."""
    documented = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    docs = {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, documented) and node.body and isinstance(node.body[0], ast.Expr)
    }
    for node in ast.walk(tree):
        line = getattr(node, "lineno", 0)
        if isinstance(node, ast.Name):
            yield line, node.id
        elif isinstance(node, ast.Attribute):
            yield line, node.attr
        elif isinstance(node, ast.arg):
            yield line, node.arg
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docs:
            yield line, node.value
        elif isinstance(node, documented[1:]):
            yield line, node.name


def test_programs_name_nothing_of_one_game() -> None:
    guilty = []
    for path in generic_files(".py"):
        for line, text in names_in(ast.parse(path.read_text("utf-8"))):
            guilty += [f"{path.relative_to(ROOT)}:{line} {noun}" for noun in NOUNS.intersection(words_of(text))]
    assert guilty == []


def test_comments_templates_scripts_and_texts_name_nothing_of_one_game() -> None:
    guilty = []
    for path in generic_files(".py", ".html", ".js", ".json"):
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
            found = (NOUNS - SPOKEN).intersection(words_of(line))
            guilty += [f"{path.relative_to(ROOT)}:{number} {noun}" for noun in found]
    assert guilty == []


def test_no_title_board_deck_or_verb_is_named() -> None:
    """Names as the rules have them, in quotes: found from the rules themselves."""
    special = set(library.board_ids()) | {name for name in games.names() if name != "taxi"}
    for name in games.names():
        special |= {deck for deck in library.deck_names(name) if len(deck) > 6}
    for name in titles.names():
        special |= set(titles.find(name).choices.VERBS) - COMMON_VERBS
        special |= {option.name for option in titles.find(name).meta.OPTIONS}
    guilty = []
    for path in generic_files(".py", ".html", ".js"):
        text = path.read_text("utf-8")
        guilty += [f"{path.relative_to(ROOT)} {name}" for name in special if re.search(rf"""["']{name}["']""", text)]
    assert guilty == []


@pytest.mark.parametrize("sign", ["$", "£", "€"])
def test_generic_texts_write_no_money(sign: str) -> None:
    catalogue = json.loads((ROOT / "companion" / "web" / "texts" / "en.json").read_text("utf-8"))
    assert [key for key, text in catalogue.items() if sign in str(text)] == []


def test_a_title_imports_no_other_title() -> None:
    guilty = []
    for path in (ROOT / "companion" / "titles").rglob("*.py"):
        own = path.relative_to(ROOT / "companion" / "titles").parts[0]
        for other in re.findall(r"companion\.titles\.(\w+)", path.read_text("utf-8")):
            if own in titles.names() and other in titles.names() and other != own:
                guilty.append(f"{path.relative_to(ROOT)} imports {other}")
    assert guilty == []
