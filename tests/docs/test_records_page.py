"""docs/records.md names everything that a program has to know of every title: codes, phases, reasons, commands."""

from pathlib import Path

import pytest

from shared_rules import games
from shared_rules.records import jsonl, notation
from shared_rules.records.record import Record, RecordError

PAGE = (Path(__file__).parents[2] / "docs" / "records.md").read_text("utf-8")


@pytest.mark.parametrize("name", games.names())
def test_every_word_of_a_title_stands_on_the_page(name):
    meta = games.meta(name)
    words = [*meta.REFUSALS, *meta.PHASES, *meta.REASONS, *(row[1] for row in games.part(name, "notation").WORDS)]
    assert [word for word in words if f"`{word}`" not in PAGE] == []


def test_the_example_in_notation_can_be_read():
    example = PAGE.split("### Notation")[1].split("```")[1].strip()
    record = notation.read(example + "\n")
    assert isinstance(record, Record)
    assert [kind for kind, _ in record.entries].count("play") == 11
    assert ("undo", 10) in record.entries
    assert record.counting()[-2:] == [12, 13], "the tenth is taken back, it was the last one then"
    assert jsonl.read(jsonl.write(record)).entries == record.entries
    with pytest.raises(RecordError):
        notation.read(example.replace("= 1", "= 2"))
