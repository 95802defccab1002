"""What is printed reads back as it was, for games of every title; both forms, both Pythons."""

import json
import os
import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from record_games import FILES, record_of, same
from taxi_tables import ROOT, need_micropython

from shared_rules import games
from shared_rules.engine import titles
from shared_rules.portable.json_text import dumps
from shared_rules.records import jsonl, notation, player
from shared_rules.records.record import RESERVED
from shared_rules.records.words import Words, WordsError

TEXTS = st.text(st.characters(codec="utf-8", exclude_characters="\x00"), max_size=40)


@st.composite
def records(draw):
    """Part of a game of any title, with remarks, tags, names, and with commands that were taken back."""
    path = draw(st.sampled_from(FILES))
    count = draw(st.integers(0, 40))
    notes = draw(st.lists(st.tuples(st.integers(0, 40), TEXTS), max_size=3))
    record = record_of(path, count, notes, draw(st.sets(st.integers(0, 40), max_size=2)))
    names = st.from_regex("[a-z][a-z_]{0,8}", fullmatch=True).filter(lambda name: name not in RESERVED)
    record.tags = draw(st.dictionaries(names, TEXTS, max_size=3))
    if record.seats and draw(st.booleans()):
        record.seats[0]["name"] = draw(TEXTS)
    return record


@settings(max_examples=60, deadline=None)
@given(records())
def test_lines_and_notation_read_back_as_they_were(record):
    lines = jsonl.write(record)
    assert same(jsonl.read(lines), record)
    assert jsonl.write(jsonl.read(lines)) == lines
    told = notation.write(record)
    again = notation.read(told)
    assert same(again, record)
    assert notation.write(again) == told
    assert jsonl.write(again) == lines


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_whole_games_hold_after_both_trips(path):
    record = record_of(path)
    again = notation.read(notation.write(record))
    assert same(again, record)
    player.verify(jsonl.read(jsonl.write(again)))


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**12), 10**12) | TEXTS | st.floats(-1e9, 1e9),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=6,
)  # fmt: skip


@settings(max_examples=300, deadline=None)
@given(st.sampled_from([*games.names(), ""]), st.data())
def test_any_command_is_written_in_words_and_read_back(name, data):
    module = titles.notation(name) if name else None
    words = Words(module.WORDS if module else ())
    known = [row[1] for row in words.table] + [row[0] for row in words.table]
    do = data.draw(st.sampled_from(known) | TEXTS.filter(len) if known else TEXTS.filter(len))
    fields = st.sampled_from([field for row in words.table for field in row[2]] or ["x"]) | TEXTS
    command = data.draw(st.dictionaries(fields, VALUES, max_size=4))
    command.update({"do": do, "seat": 3})
    for row in words.table:
        if row[1] == do and data.draw(st.booleans()):
            command.update(row[3])
    again = words.read(words.write(command), 3)
    assert json.dumps(again, sort_keys=True) == json.dumps(command, sort_keys=True)


@pytest.mark.parametrize("name", games.names())
def test_a_titles_words_are_plain_and_mean_one_thing(name):
    rows = titles.notation(name).WORDS
    assert len({row[0] for row in rows}) == len(rows)
    for row in rows:
        assert row[0].isalnum()
        assert not set(row[2]) & set(row[3])


def test_without_a_table_a_command_is_written_as_it_is():
    words = Words()
    assert words.write({"do": "roll", "seat": 1, "die": "d6", "face": 4}) == "roll die=d6 face=4"
    given = {"do": "give", "seat": 1, "to": "2", "what": [1, {"a": None}]}
    assert words.write(given) == 'give to="2" what=[1,{"a":null}]'
    assert words.write({"do": "two words", "seat": 1}) == '!"two words"'


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "a command is missing"),
        ("d6 4 5", "takes no more than 1"),
        ("d6 face=4 face=5", "stands twice"),
        ("d6 [4", "a bracket is not closed"),
        ("d6 4]", "closes that was not opened"),
        ('to "h6', "quotation mark"),
        ("to h6 green=x,", "is no value"),
        ("[1]", "is no word"),
    ],
)
def test_words_that_are_no_command_say_why(text, said):
    with pytest.raises(WordsError, match=said):
        Words(titles.notation("taxi").WORDS).read(text, 1)


BOTH = """
import sys
from shared_rules.records import jsonl, notation, player, story
from shared_rules.portable.json_text import canonical, dumps
record = jsonl.read(open(sys.argv[1]).read())
told = notation.write(record)
player.verify(notation.read(told))
print(told + jsonl.write(notation.read(told)) + dumps(canonical(story.of(record))))
"""


@pytest.mark.parametrize("name", games.names())
def test_both_pythons_write_the_same(name, tmp_path):
    path = min((path for path in FILES if path.parent.name == name), key=lambda path: abs(path.stat().st_size - 6000))
    record = record_of(path, notes=[(2, "Straße { } \\ \n end")], undone={3})
    kept = tmp_path / "game.jsonl"
    kept.write_text(jsonl.write(record), "utf-8")
    program = tmp_path / "program.py"
    program.write_text(BOTH)
    said = [
        subprocess.run(
            [*python, str(program), str(kept)], capture_output=True, cwd=ROOT, timeout=200,
            env=dict(os.environ, MICROPYPATH=str(ROOT), PYTHONPATH=str(ROOT), PYTHONIOENCODING="utf-8"),
        )
        for python in ((sys.executable,), (need_micropython(), "-X", "heapsize=64m"))
    ]  # fmt: skip
    assert said[0].returncode == 0, said[0].stderr.decode()[-2000:]
    assert said[1].stdout == said[0].stdout, (said[1].stderr.decode()[-2000:], dumps(record.start)[:200])
