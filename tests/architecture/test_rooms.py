"""The rooms keep to themselves: who may import whom, and what the rules may not touch."""

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest
from repository_files import ROOT, named, parsed, tracked

from shared_rules import games

# All that pure rules may take from outside: no clock, no chance, no file, no process.
PURE = {"json", "math", "hashlib", "struct", "binascii", "heapq", "array", "collections", "micropython"}
# `sys` says which Python this is, and nothing else of it may be asked.
OF_SYS = {"implementation", "version_info"}
IMPURE_CALLS = {"open", "print", "input", "eval", "exec", "compile", "__import__", "breakpoint"}
# The program at the edge, the loader of shipped boards and decks, and the list of titles.
AT_THE_EDGE = {"shared_rules/replay.py", "shared_rules/library.py", "shared_rules/games/__init__.py"}
OURS = {"shared_rules", "firmware", "companion"}
# What only one of the titles has. The engine is to serve all three and names none of it.
NOUNS_OF_TITLES = {
    "taxi", "london", "chauffeur", "fuel", "garage", "attraction", "turbo", "fare", "freeway", "plate", "tablet",
    "barrier", "roadwork", "gamble", "journey", "passenger", "expense", "hire", "licence", "minister", "cab",
}  # fmt: skip


def rules_sources():
    return tracked("shared_rules/*.py")


def imports(tree):
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for name in node.names:
                yield name.name
        elif isinstance(node, ast.ImportFrom):
            yield "." * node.level + (node.module or "")


def test_import_contracts_hold():
    lint_imports = Path(sys.executable).with_name("lint-imports")
    done = subprocess.run([lint_imports, "--no-cache"], cwd=ROOT, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stdout + done.stderr


def test_rules_take_nothing_impure_from_outside():
    guilty = []
    for path in rules_sources():
        if named(path) in AT_THE_EDGE:
            continue
        for module in imports(parsed(path)):
            if module.split(".")[0] not in PURE | {"shared_rules", "sys"}:
                guilty.append(f"{named(path)} imports {module}")
    assert guilty == []


def test_rules_call_nothing_that_reads_or_writes():
    guilty = []
    for path in rules_sources():
        if named(path) in AT_THE_EDGE:
            continue
        for node in ast.walk(parsed(path)):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in IMPURE_CALLS:
                guilty.append(f"{named(path)}:{node.lineno} calls {node.func.id}")
            of_sys = isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "sys"
            if of_sys and node.attr not in OF_SYS:
                guilty.append(f"{named(path)}:{node.lineno} uses sys.{node.attr}")
            if isinstance(node, ast.ImportFrom) and node.module == "sys":
                guilty.append(f"{named(path)}:{node.lineno} imports from sys, where a test cannot see what is used")
    assert guilty == []


def test_nothing_imports_the_companion():
    guilty = [
        f"{named(path)} imports {module}"
        for path in tracked("shared_rules/*.py", "firmware/*.py", "hardware/*.py")
        for module in imports(parsed(path))
        if module.split(".")[0] == "companion"
    ]
    assert guilty == []


def test_the_table_knows_the_wire_and_nothing_else_of_ours():
    guilty = [
        f"{named(path)} imports {module}"
        for path in tracked("firmware/*.py")
        for module in imports(parsed(path))
        if module.split(".")[0] in OURS and not module.startswith(("firmware", "shared_rules.wire"))
    ]
    assert guilty == []


def test_a_title_imports_no_other_title():
    guilty = []
    for path in tracked("shared_rules/games/*/*.py"):
        title = path.relative_to(ROOT / "shared_rules" / "games").parts[0]
        for module in imports(parsed(path)):
            other = re.match(r"shared_rules\.games\.(\w+)", module)
            if other and other.group(1) != title:
                guilty.append(f"{named(path)} imports {module}")
    assert guilty == []


def words_of(source):
    """Every word in names, texts and comments of a program, in lower case and without a plural's s."""
    for word in re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])", source):
        word = word.lower()
        yield word
        if word.endswith("s"):
            yield word[:-1]


CORE = ("shared_rules/engine/*.py", "shared_rules/records/*.py", "shared_rules/portable/*.py")


def test_the_core_names_no_noun_of_a_title():
    guilty = []
    for path in tracked(*CORE, "shared_rules/replay.py", "shared_rules/library.py"):
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
            for noun in NOUNS_OF_TITLES.intersection(words_of(line)):
                guilty.append(f"{named(path)}:{number} says {noun}")
    assert guilty == []


@pytest.mark.parametrize("source", ["taxiAt = 1", "GREEN_TABLETS = 30", "# pays the hire fee", "def sell_plates():"])
def test_the_noun_search_finds_nouns_in_names_and_comments(source):
    assert NOUNS_OF_TITLES.intersection(words_of(source))


# Names that titles use and every game has: what the core asks a title for by these names is its contract.
GENERIC = {
    "action", "amount", "ask", "board", "card", "choose", "collect", "command", "correct", "count", "die", "do",
    "event", "game", "kind", "move", "moved", "name", "none", "note", "over", "play", "player", "refuse", "roll",
    "round", "seat", "start", "text", "turn", "word",
}  # fmt: skip


def names_of_titles():
    """Everything that titles call by a name of their own: events, commands, phases, decks, options, units, reasons."""
    found = set()
    for name in games.names():
        found.add(name)
        meta = games.meta(name)
        for kind in ("DECKS", "PHASES", "REASONS", "UNITS", "NAMED_ACCOUNTS", "COLOURS", "WORDS"):
            found.update(str(entry) for entry in getattr(meta, kind, ()))
        found.update(option.name for option in meta.OPTIONS)
        notation = games.part(name, "notation")
        found.update(row[1] for row in getattr(notation, "WORDS", ()))
    for path in tracked("shared_rules/games/*/*.py"):
        for node in ast.walk(parsed(path)):
            if isinstance(node, ast.Dict):
                for key, value in zip(node.keys, node.values, strict=True):
                    if isinstance(key, ast.Constant) and key.value == "event" and isinstance(value, ast.Constant):
                        found.add(value.value)
    return found - GENERIC


def strings_and_names(tree):
    """The texts of a program that are one word, and its identifiers."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.lineno, node.value
        for field in ("id", "attr", "arg", "name"):
            value = getattr(node, field, None)
            if isinstance(value, str):
                yield getattr(node, "lineno", 0), value


def test_the_core_uses_no_name_that_a_title_gives():
    theirs = names_of_titles()
    assert len(theirs) > 100
    guilty = [
        f"{named(path)}:{line} uses {value!r}"
        for path in tracked(*CORE, "shared_rules/replay.py")
        for line, value in strings_and_names(parsed(path))
        if value in theirs
    ]
    assert not guilty, "\n".join(guilty)


def test_only_the_virtual_table_knows_the_simulated_radio():
    guilty = [
        f"{named(path)} imports {module}"
        for path in tracked("companion/*.py")
        if not named(path).startswith("companion/virtual_table/")
        for module in imports(parsed(path))
        if module.split(".")[0] == "bumble"
    ]
    assert guilty == []
