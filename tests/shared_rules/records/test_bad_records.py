"""A record that is none, or does not hold: one sentence with the first line that is wrong, whatever is done to it."""

import json
import random
import re

import pytest
from record_games import FILES, record_of

from shared_rules.records import jsonl, notation, player
from shared_rules.records.record import RecordError

PATH = next(path for path in FILES if path.parent.name == "taxi")
LINES = jsonl.write(record_of(PATH, 12, [(3, "a remark")], {5}))
NOTATION = notation.write(record_of(PATH, 12, [(3, "a remark")], {5}))


def first_fault(text, read=jsonl.read):
    with pytest.raises(RecordError) as error:
        player.verify(read(text))
    return error.value.line, error.value.message


def changed(number, **values):
    """The lines with one changed and all hashes made anew, as somebody would who wants to cheat."""
    chain = jsonl.Chain()
    out = []
    for at, line in enumerate(LINES.splitlines(), 1):
        value = json.loads(line)
        del value["chain"]
        if at == number:
            for key, new in values.items():
                if new is None:
                    del value[key]
                else:
                    value[key] = new
        out.append(chain.line(value))
    return "".join(out)


def test_a_changed_line_is_named_by_its_chain():
    lines = LINES.splitlines()
    at = next(at for at, line in enumerate(lines) if '"face":' in line)
    lines[at] = lines[at].replace('"face":', '"face":1')
    line, message = first_fault("\n".join(lines))
    assert line == at + 1
    assert message == "The line was changed, or one before it is missing: its 'chain' does not fit."
    del lines[at]
    assert first_fault("\n".join(lines))[0] == at + 1


@pytest.mark.parametrize(
    ("line", "values", "said"),
    [
        (1, {"record": 2}, "version 2"),
        (1, {"record": None}, "no record"),
        (1, {"game": "chess", "start": {"game": "chess"}}, "There is no game 'chess'"),
        (1, {"game": 7}, "names the game"),
        (1, {"rules_revision": 9}, "a newer one is needed"),
        (1, {"rules_revision": 0}, "whole number from 1"),
        (1, {"start": []}, "'start' is a position"),
        (1, {"start": {"game": "taxi", "board": "atlantis", "players": [{}, {}]}}, "cannot begin like this"),
        (1, {"tags": {"Date": "x"}}, "small letters"),
        (1, {"tags": {"date": 7}}, "holds a text"),
        (1, {"seats": [{"seat": 2, "colour": "red"}]}, "listed in order"),
        (1, {"more": 1}, "no key 'more'"),
        (1, {"tags": None}, "'tags' is missing"),
        (2, {"n": 7}, "this is number 1"),
        (2, {"play": {"do": "fly", "seat": 1}}, "refuse entry 1 (unknown_command)"),
        (2, {"play": {"do": "roll", "seat": 1, "die": "d6", "face": 9}}, "refuse entry 1 (bad_face)"),
        (2, {"play": {"do": "ask", "seat": 1, "what": "wealth"}}, "no questions"),
        (2, {"play": {"seat": 1}}, "holds a command"),
        (2, {"play": {"do": "roll", "seat": True}}, "holds a command"),
        (2, {"play": None}, "holds one of"),
        (3, {"play": None, "note": 7}, "A note is a text"),
        (3, {"play": None, "undo": 0}, "by its number"),
        (3, {"play": None, "undo": 7}, "not entry 7"),
    ],
)
def test_each_fault_has_its_sentence(line, values, said):
    found, message = first_fault(changed(line, **values))
    assert said in message
    assert found == line


def test_the_end_is_compared():
    last = len(LINES.splitlines())
    assert first_fault(changed(last, entries=3)) == (last, "There should be 3 entries before this line; there are 15.")
    assert first_fault(changed(last, hash="0" * 64))[1].startswith("The game comes to another position")
    found, message = first_fault(changed(last, result={"winners": [2]}))
    assert (found, message) == (last, "The game comes to another result than the record says.")
    assert "its last line is missing" in first_fault("".join(LINES.splitlines(keepends=True)[:-1]))[1]
    assert "Nothing may follow" in first_fault(LINES + LINES.splitlines()[-1])[1]
    assert first_fault("")[0] == 1


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('[Game "taxi"]\n', "", "'Game' is missing"),
        ("[Record 1]", "[Record 2]", "version 2"),
        ("[Rules 1]", '[Rules "1"]', "whole number from 1"),
        ("[Rules 1]", "[Rules 1", "ends with a square bracket"),
        ("[Rules 1]", "[Rules]", "a name and one value"),
        ("[Rules 1]", "[Rules one]", "is no JSON"),
        ("[Rules 1]", "[Rules 1]\n[Rules 1]", "stands twice"),
        ("[Rules 1]", "[Rules 1]\n[date 3]", "begins with a capital"),
        ("1. ", "one. ", "A turn begins"),
        ("\n1. ", "\n1 ", "A turn begins"),
        ("{a remark}", "{a remark", "ends with a brace"),
        ("{a remark}", "{a \\q remark}", "no '.q'"),
        ("undo! ", "undo! x", "by its number"),
    ],
)
def test_each_fault_of_the_notation_has_its_sentence(old, new, said):
    assert old in NOTATION
    _, message = first_fault(NOTATION.replace(old, new, 1), notation.read)
    assert re.search(said, message), message


def test_the_notation_needs_its_end_and_nothing_after_it():
    assert "has no end" in first_fault(NOTATION.rstrip("*\n"), notation.read)[1]
    assert "Nothing may follow" in first_fault(NOTATION + "1. 1: end\n", notation.read)[1]
    assert "does not fit the tag 'Result'" in first_fault(NOTATION.rstrip("*\n") + "\n= 2\n", notation.read)[1]
    late = NOTATION.replace("\n2. ", '\n[Date "x"]\n2. ', 1)
    assert "Tags come before the turns" in first_fault(late, notation.read)[1]


@pytest.mark.parametrize(("text", "read"), [(LINES, jsonl.read), (NOTATION, notation.read)], ids=["lines", "notation"])
def test_nothing_but_sentences_comes_of_spoiled_text(text, read):
    chance = random.Random(3)
    said = []
    for _ in range(400):
        spoiled = list(text)
        for _ in range(chance.choice((1, 1, 2, 6))):
            at = chance.randrange(len(spoiled))
            luck = chance.random()
            if luck < 0.4:
                spoiled[at] = chance.choice('{}[]",:;\\@!=*\n 0aé-')
            elif luck < 0.7:
                del spoiled[at : at + chance.randrange(1, 30)]
            else:
                spoiled[at:at] = chance.choice(('"', "{", "[", "}", "\n", "@9 ", "; ", "!!", "é", "-", "\\"))
        try:
            player.verify(read("".join(spoiled)))
        except RecordError as error:
            said.append(error)
    assert len(said) > 200
    assert all(error.message and 0 <= error.line <= text.count("\n") + 8 for error in said)


def test_a_golden_game_is_told_apart_from_a_record() -> None:
    with pytest.raises(RecordError, match="golden game"):
        jsonl.read('{"golden":1,"game":"taxi"}\n')
