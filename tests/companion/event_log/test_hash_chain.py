"""The chain shows every entry that was changed, lost, slipped in or moved."""

from dataclasses import replace

import pytest

from companion.event_log.hash_chain import GENESIS, canonical, chained, digest, first_break


def log(length):
    entries, last = [], None
    for number in range(1, length + 1):
        last = chained(
            last,
            table_id="t",
            kind="play",
            version=1,
            rules_revision="1",
            command={"do": "roll", "face": number % 6 + 1},
            events=[{"event": "Rolled", "number": number}],
            evidence={"kind": "typed"} if number % 2 else None,
            command_id=f"c{number}",
            actor="bank",
            reason="",
            at="2026-01-01T20:00:00.000+00:00",
        )
        entries.append(last)
    return entries


def test_an_untouched_log_holds():
    entries = log(5)
    assert first_break(entries) is None
    assert [entry.seq for entry in entries] == [1, 2, 3, 4, 5]
    assert entries[0].prev_hash == GENESIS
    assert first_break([]) is None


@pytest.mark.parametrize(
    "change",
    [
        {"events_text": '[{"event":"Rolled","number":99}]'},
        {"command_text": "{}"},
        {"evidence_text": None},
        {"actor": "seat:1"},
        {"at": "2026-01-01T21:00:00.000+00:00"},
        {"reason": "because"},
        {"command_id": "other"},
        {"rules_revision": "2"},
        {"version": 2},
        {"kind": "note"},
        {"table_id": "u"},
    ],
)
def test_a_changed_entry_is_found(change):
    entries = log(5)
    entries[2] = replace(entries[2], **change)
    assert first_break(entries) == 3


def test_a_changed_entry_with_a_fitting_hash_breaks_at_the_next():
    entries = log(5)
    forged = replace(entries[2], actor="seat:1")
    entries[2] = replace(forged, hash=digest(forged))
    assert first_break(entries) == 4


def test_lost_moved_and_doubled_entries_are_found():
    entries = log(5)
    assert first_break(entries[:2] + entries[3:]) == 3
    assert first_break([*entries[:2], entries[3], entries[2], entries[4]]) == 3
    assert first_break([*entries[:3], entries[2], *entries[3:]]) == 4
    assert first_break(entries[1:]) == 1


def test_canonical_text_is_one_text():
    assert canonical({"b": 1, "a": "é"}) == canonical({"a": "é", "b": 1}) == '{"a":"é","b":1}'
    with pytest.raises(ValueError, match="NaN|nan|Out of range"):
        canonical(float("nan"))
