"""Commands on pages work when they are pasted into a fresh clone in the order in which they stand."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGES = [
    path.relative_to(ROOT).as_posix()
    for path in (
        ROOT / "README.md",
        ROOT / "firmware" / "README.md",
        ROOT / "companion" / "virtual_table" / "README.md",
        *sorted((ROOT / "docs").glob("*.md")),
        *sorted((ROOT / "hardware").glob("*.md")),
    )
]
COMMAND = re.compile(r"^(?:    )?((?:\S*/)?(?:python3?|cabstand|make|mpremote|pip|pipx)) ", re.MULTILINE)
SYNOPSIS = re.compile(r"FILE\|", re.MULTILINE)


def text_of(page):
    return (ROOT / page).read_text(encoding="utf-8")


def commands(page):
    """Lines of blocks that begin with a program, without those that only say what it may be given."""
    blocks = re.findall(r"```\n(.*?)```|((?:^    \S.*\n)+)", text_of(page), re.DOTALL | re.MULTILINE)
    lines = [line.strip() for pair in blocks for line in "".join(pair).splitlines()]
    return [line for line in lines if COMMAND.match(line + " ") and not SYNOPSIS.search(line)]


def test_there_are_such_lines():
    assert sum(bool(commands(page)) for page in PAGES) >= 6


@pytest.mark.parametrize("page", PAGES)
def test_programs_are_there_when_they_are_called(page):
    made = False
    for line in commands(page):
        program = line.split()[0]
        if program == "make":
            made = True
        elif program == "python3":
            assert line.startswith("python3 -m shared_rules."), f"{line}: only the rules need nothing installed"
        else:
            assert program.startswith(".venv/bin/"), f"{line}: say where the program is"
            assert made, f"{line}: `make setup` comes first"


@pytest.mark.parametrize("page", PAGES)
def test_modules_that_are_named_are_there(page):
    for module in re.findall(r"python3? -m ([\w.]+)", text_of(page)):
        path = ROOT.joinpath(*module.split("."))
        assert path.with_suffix(".py").exists() or (path / "__main__.py").exists(), module


@pytest.mark.parametrize("page", PAGES)
def test_inline_commands_say_which_python(page):
    assert re.findall(r"`python3? -m [^`]*", text_of(page)) == []


@pytest.mark.parametrize("page", PAGES)
def test_links_to_files_lead_somewhere(page):
    folder = (ROOT / page).parent
    links = re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", text_of(page))
    assert [link for link in links if "://" not in link and not (folder / link).exists()] == []
