"""What docs/faults_answered.md and docs/pitfalls.md name is there: scripts, tests, paths; and no line is left out."""

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGES = ("faults_answered.md", "pitfalls.md")
LINES = [*range(1, 6), *range(7, 12), *range(12, 20), 21, 22, 24, 25, 27, 28, 29, 48, 49, 50, 52, 53, 54, 56]
NOT_OURS = {"bluetooth", "wait_for", "tests", "tests/fault_scripts"}


def words(page):
    text = (ROOT / "docs" / page).read_text(encoding="utf-8")
    return [word for word in re.findall(r"`([^`]+)`", text) if word not in NOT_OURS]


@pytest.fixture(scope="module")
def tests():
    found = set()
    for path in (ROOT / "tests").rglob("test_*.py"):
        found.update(re.findall(r"def (test_\w+)", path.read_text(encoding="utf-8")))
    return found


@pytest.mark.parametrize("page", PAGES)
def test_what_is_named_is_there(page, tests):
    scripts = {path.stem for path in (ROOT / "tests" / "fault_scripts").glob("*.toml")}
    absent = []
    for word in words(page):
        if "/" in word:
            there = (ROOT / word).exists()
        elif word.startswith("test_"):
            there = word in tests
        else:
            there = word in scripts
        if not there:
            absent.append(word)
    assert absent == []


def test_every_line_about_devices_has_its_row():
    text = (ROOT / "docs" / "faults_answered.md").read_text(encoding="utf-8")
    rows = [int(n) for n in re.findall(r"^\| (\d+) \|", text, re.MULTILINE)]
    assert rows == LINES
    assert all("`" in row for row in text.splitlines() if re.match(r"\| \d+ \|", row))


def test_every_pitfall_has_its_row():
    text = (ROOT / "docs" / "pitfalls.md").read_text(encoding="utf-8")
    assert [int(n) for n in re.findall(r"^\| (\d+) \|", text, re.MULTILINE)] == list(range(1, 36))


def test_what_is_said_not_to_be_used_is_not():
    """Pitfalls 7, 9, 16, 19: old aioble, connects of a device's own, light sleep, waits that are cancelled."""
    unused = {"aioble", "gap_connect", "gap_scan", "lightsleep", "wait_for", "wait_for_ms"}
    files = [path for path in (ROOT / "firmware").rglob("*.py") if "tools" not in path.parts]
    assert len(files) > 50
    for path in files:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            named = getattr(node, "attr", None) or getattr(node, "id", None) or getattr(node, "module", None)
            found = {named} | {one.name for one in getattr(node, "names", ()) if isinstance(one, ast.alias)}
            assert not found & unused, f"{path.relative_to(ROOT)}:{getattr(node, 'lineno', 0)}"
    for path in (ROOT / "companion" / "devices").glob("*.py"):  # pitfall 19 speaks of the companion's links, too
        called = [node.attr for node in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(node, ast.Attribute)]
        assert "wait_for" not in called, path.name


def test_every_script_answers_something():
    named = set(words("faults_answered.md"))
    scripts = {path.stem for path in (ROOT / "tests" / "fault_scripts").glob("*.toml")}
    assert scripts - named == set()
