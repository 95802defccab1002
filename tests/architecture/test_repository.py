"""The repository speaks of the project alone, in modules that fit a head."""

import ast
import re

import pytest
from repository_files import named, parsed, tracked

TEXT = ("*.py", "*.md", "*.toml", "*.js", "*.css", "*.html", "*.svg", "*.json", "*.ini", "*.cfg", "Makefile", ".ci/*")
# Written in pieces, so that this page does not find itself.
ELSEWHERE = [
    "/(" + "work|farm|tmp)/",
    r"(?<![\w.])(\.\./)?" + r"shared/(rules|spec|design|rulebooks|hooks)\b",
    r"pypi\." + "org|registry\\." + "npmjs|deb\\." + "debian|files\\." + "pythonhosted",
    r"\bsub-?" + r"agents?\b|\bhelper " + r"session\b|\ban? (AI|LLM)\b",
    r"\bissue " + r"#?[0-9]+\b",
]
UNFINISHED = re.compile(r"\b(TO" + "DO|FIX" + "ME|XX" + "X)\\b|NotImplemented" + "Error")
ABSTRACT = "raise NotImplemented" + "Error"
LONGEST = 400
# Tests may run on: a long table of traces from a data sheet is one thing, and splitting it helps nobody.
LONGEST_TEST = 600


def test_no_word_that_belongs_elsewhere():
    found = []
    for path in tracked(*TEXT):
        if "/vendor/" in named(path):
            continue
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
            for pattern in ELSEWHERE:
                if re.search(pattern, line, re.IGNORECASE):
                    found.append(f"{named(path)}:{number}: {line.strip()[:100]}")
    assert found == []


@pytest.mark.parametrize(
    "line",
    ["see /" + "tmp/x", "../shared" + "/rules/taxi.md", "issue " + "#2", "a sub" + "agent", "https://pypi." + "org"],
)
def test_the_word_search_finds_each_kind(line):
    assert any(re.search(pattern, line, re.IGNORECASE) for pattern in ELSEWHERE)


def test_nothing_is_left_unfinished():
    found = [
        f"{named(path)}:{number}: {line.strip()[:100]}"
        for path in tracked("*.py", "*.js", "*.html", "*.css")
        if "/vendor/" not in named(path)
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1)
        if UNFINISHED.search(line) and not (named(path).startswith("firmware/") and ABSTRACT in line)
    ]
    assert found == []


def classes_of_the_firmware():
    """{name: (path, bases, methods that only raise, all methods)}."""
    found = {}
    for path in tracked("firmware/*.py"):
        for node in ast.walk(parsed(path)):
            if isinstance(node, ast.ClassDef):
                methods = {n.name: n for n in node.body if isinstance(n, (ast.FunctionDef, ast.AsyncFunctionDef))}
                abstract = {name for name, n in methods.items() if ast.unparse(n.body[-1]) == ABSTRACT}
                found[node.name] = (named(path), [ast.unparse(base) for base in node.bases], abstract, set(methods))
    return found


def test_what_the_firmware_leaves_to_each_chip_every_chip_has():
    """MicroPython has no abstract classes: a method that only raises is one if all that inherit it have their own."""
    classes = classes_of_the_firmware()
    guilty = []
    for name, (path, _bases, abstract, _methods) in classes.items():
        heirs = [heir for heir, row in classes.items() if name in row[1]]
        if abstract and not heirs:
            guilty.append(f"{path}: nobody inherits from {name}")
        for heir in heirs:
            guilty += [f"{classes[heir][0]}: {heir} has no {method}" for method in abstract - classes[heir][3]]
    assert guilty == []
    assert any(row[2] for row in classes.values())


def test_a_skipped_test_says_why():
    guilty = []
    for path in tracked("tests/*.py"):
        for node in ast.walk(parsed(path)):
            if not isinstance(node, ast.Call):
                continue
            called = ast.unparse(node.func)
            reason = node.args or any(keyword.arg == "reason" for keyword in node.keywords)
            if called in ("pytest.skip", "pytest.mark.skip", "pytest.mark.skipif") and not reason:
                guilty.append(f"{named(path)}:{node.lineno}")
            if called == "pytest.mark.xfail":
                guilty.append(f"{named(path)}:{node.lineno} expects a failure")
    assert guilty == []


def test_modules_are_about_one_concept_and_fit_four_hundred_lines():
    long = [
        f"{named(path)} has {count} lines"
        for path in tracked("*.py", "*.js", "*.css")
        if "/vendor/" not in named(path)
        for count in [len(path.read_text("utf-8").splitlines())]
        if count > (LONGEST_TEST if named(path).startswith("tests/") else LONGEST)
    ]
    assert long == []


def test_every_module_says_what_it_is_and_for_whom():
    silent = [
        named(path)
        for path in tracked("shared_rules/*.py", "firmware/*.py", "companion/*.py", "hardware/*.py")
        if path.read_text("utf-8").strip() and not ast.get_docstring(parsed(path))
    ]
    assert silent == []


def test_every_public_function_and_class_of_the_rules_is_described():
    silent = []
    for path in tracked("shared_rules/*.py"):
        for node in parsed(path).body:
            public = isinstance(node, ast.FunctionDef | ast.ClassDef) and not node.name.startswith("_")
            if public and not ast.get_docstring(node):
                silent.append(f"{named(path)}:{node.lineno} {node.name}")
    assert silent == []
