"""The pages that people read first: examples that run, links that lead somewhere, targets that exist."""

import doctest
import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def tracked(*patterns):
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--", *patterns], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.split("\0")
    return [name for name in listed if name and (ROOT / name).exists()]


def tracked_sources():
    return tracked("*.py", "*.md", "*.toml", "Makefile")


PAGES = tracked("*.md")
TARGETS = ["play", "setup", "test", "test-long", "soak", "bench", "board-proof", "lint", "clean"]


def test_the_example_of_the_readme_plays():
    blocks = re.findall(r"^```python\n(.*?)^```$", (ROOT / "README.md").read_text("utf-8"), re.MULTILINE | re.DOTALL)
    assert len(blocks) == 1
    example = doctest.DocTestParser().get_doctest(blocks[0], {}, "the example", "README.md", 0)
    said = []
    results = doctest.DocTestRunner().run(example, out=said.append)
    assert results.failed == 0, "".join(said)
    assert results.attempted >= 8


@pytest.mark.parametrize("page", PAGES)
def test_links_lead_to_files_that_are_there(page):
    text = (ROOT / page).read_text("utf-8")
    links = re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)|<img[^>]+src=\"([^\"]+)\"", text)
    relative = [link for pair in links for link in pair if link and not re.match(r"[a-z]+:", link)]
    assert [link for link in relative if not ((ROOT / page).parent / link).exists()] == []


def test_pages_that_the_source_names_are_there():
    named = {}
    for path in tracked_sources():
        for page in re.findall(r"\bdocs/[\w/-]+\.md\b", (ROOT / path).read_text("utf-8")):
            named.setdefault(page, path)
    assert {page: path for page, path in named.items() if not (ROOT / page).exists()} == {}


def test_the_makefile_has_its_targets_and_explains_them():
    makefile = (ROOT / "Makefile").read_text("utf-8")
    for target in TARGETS:
        assert re.search(rf"^{target}:.*## \w", makefile, re.MULTILINE), target


def test_every_target_that_the_readme_names_exists():
    makefile = (ROOT / "Makefile").read_text("utf-8")
    named = set(re.findall(r"`?make ([a-z-]+)", (ROOT / "README.md").read_text("utf-8")))
    assert named - set(re.findall(r"^([a-z-]+):", makefile, re.MULTILINE)) == set()


def test_every_decision_is_listed_and_has_its_three_parts():
    folder = ROOT / "docs" / "decisions"
    index = (folder / "README.md").read_text("utf-8")
    for page in sorted(folder.glob("0*.md")):
        text = page.read_text("utf-8")
        assert f"({page.name})" in index
        assert text.startswith(f"# {page.name[:4]} ")
        for part in ("**Context.**", "**Decision.**", "**Consequences.**"):
            assert part in text, page.name


def test_the_change_log_keeps_its_form():
    text = (ROOT / "CHANGELOG.md").read_text("utf-8")
    assert "## [Unreleased]" in text
    kinds = set(re.findall(r"^### (.+)$", text, re.MULTILINE))
    assert kinds <= {"Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"}
