"""What every title shares: ledger, decks, seats, options, the head of a command, titles by name."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared_rules.engine import titles
from shared_rules.engine.commands import head_of, text, whole
from shared_rules.engine.decks import Deck
from shared_rules.engine.errors import PositionError, RuleViolation
from shared_rules.engine.ledger import Ledger, shares, transfer
from shared_rules.engine.options import Option, changed_options, numbered, positive_multiple_of, read_options
from shared_rules.engine.pending import all_answered, close_answers, has_answered, next_step
from shared_rules.engine.seats import first_from, following, from_left_of


@given(st.lists(st.tuples(st.sampled_from([0, 1, 2, 3, "pool"]), st.sampled_from([0, 1, 2, 3, "pool"]),
    st.integers(0, 500)), max_size=30))
def test_transfers_keep_the_total_and_touch_two_accounts(moves):
    ledger = Ledger(3, ("money", "chips"), ("pool",))
    ledger.held["money"][1] = 1000
    for source, to, amount in moves:
        before = list(ledger.held["money"])
        ledger.post(transfer("Paid", "money", source, to, amount, ["T-1"]))
        changed = [i for i in range(5) if ledger.held["money"][i] != before[i]]
        assert len(changed) == (2 if amount and source != to else 0)
        assert ledger.total("money") == 1000
    assert ledger.total("chips") == 0
    copy = ledger.copy()
    copy.post(transfer("Paid", "money", 0, 1, 10, []))
    assert copy.held["money"] != ledger.held["money"]
    assert copy.held["chips"] == ledger.held["chips"]


@given(st.integers(0, 10**6), st.integers(1, 6))
def test_shares_are_equal_tens_and_lose_nothing(tens, parts):
    amount = tens * 10
    out = shares(amount, parts, 10)
    assert sum(out) == amount
    assert len(out) == parts
    assert max(out) - min(out) in (0, 10)
    assert sorted(out, reverse=True) == out
    assert all(part % 10 == 0 for part in out)


@given(st.integers(0, 6), st.lists(st.none() | st.sampled_from(["A", "B", "C"]), max_size=6))
def test_a_deck_loses_no_card(draw, discard):
    deck = Deck(draw, discard)
    copy = deck.copy()
    if deck.empty():
        assert draw == 0
        assert discard == []
        return
    deck.take()
    assert deck.draw + len(deck.discard) == draw + len(discard) - 1
    assert (copy.draw, copy.discard) == (draw, discard)
    if draw == 0:
        assert deck.discard == []
        assert copy.undrawable(["X"]) == ["X"]
    else:
        assert copy.undrawable(["X"]) == [*discard, "X"]


def test_seats_round_the_table():
    playing = [False, True, False, True, True]
    assert [following(seat, 4) for seat in (1, 2, 3, 4)] == [2, 3, 4, 1]
    assert from_left_of(3, playing) == [4, 1]
    assert from_left_of(2, playing) == [3, 4, 1]
    assert [first_from(seat, playing) for seat in (1, 2, 3, 4)] == [1, 3, 3, 4]
    assert first_from(1, [False, False, False]) == 0


def test_the_topmost_open_frame_decides():
    frames = ((lambda s: s["debt"], lambda s: s["pay"]), (lambda s: s["card"], lambda s: ["effect"]))
    assert next_step({"debt": 1, "pay": ["paid"], "card": 1}, frames) == ["paid"]
    assert next_step({"debt": 1, "pay": [], "card": 1}, frames) == []
    assert next_step({"debt": 0, "card": 1}, frames) == ["effect"]
    assert next_step({"debt": 0, "card": 0}, frames) == []


def test_sealed_answers():
    answers = [None, None, [["x"], True], [["y"], False], None]
    assert [has_answered(answers, seat) for seat in (1, 2, 3)] == [False, True, False]
    assert all_answered(answers, [2])
    assert not all_answered(answers, [2, 3])
    close_answers(answers, [1, 2, 3])
    assert answers == [None, [[], True], [["x"], True], [["y"], True], None]
    assert all_answered(answers, [1, 2, 3])


HOUSE = (
    Option("sun", (True, False), "Whether the sun shines.", ("X-1",)),
    Option("price", (100,), "What it costs.", ("X-2",), fits=positive_multiple_of(10), hint="a multiple of 10"),
    Option("limit", ("none",), "How many.", ("X-3",), fits=numbered("up_to_", 1, 3)),
    Option("level", (1, 2), "How hard.", ("X-4",)),
)


def test_house_rules():
    values = read_options({"price": 30, "sun": False}, HOUSE, "options")
    assert values == {"sun": False, "price": 30, "limit": "none", "level": 1}
    assert list(changed_options(values, HOUSE).items()) == [("sun", False), ("price", 30)]
    assert read_options({"limit": "up_to_3"}, HOUSE, "options")["limit"] == "up_to_3"
    for bad in ({"sun": 1}, {"price": 15}, {"price": 0}, {"limit": "up_to_4"}, {"limit": 7}, {"level": True},
        {"level": None}):
        with pytest.raises(PositionError) as no:
            read_options(bad, HOUSE, "options")
        assert (no.value.code, no.value.at) == ("bad_option", "options." + next(iter(bad)))
    with pytest.raises(PositionError) as no:
        read_options({"moon": 1}, HOUSE, "options")
    assert no.value.code == "unknown_option"
    with pytest.raises(PositionError) as no:
        read_options([], HOUSE, "options")
    assert no.value.code == "malformed"


def test_the_head_of_a_command():
    assert head_of({"do": "go", "seat": 2}, ("go",), 2) == ("go", 2)
    assert head_of({"do": "ask"}, ("ask",), 2) == ("ask", 0)
    for command, code in (
        (7, "malformed"), ({}, "malformed"), ({"do": "fly"}, "unknown_command"), ({"do": "go"}, "malformed"),
        ({"do": "ask", "seat": None}, "malformed"), ({"do": "go", "seat": True}, "malformed"),
        ({"do": "go", "seat": 3}, "unknown_seat"),
    ):  # fmt: skip
        with pytest.raises(RuleViolation) as no:
            head_of(command, ("go", "ask"), 2)
        assert no.value.code == code
    assert whole({"n": 4}, "n") == 4
    assert whole({}, "n", 1) == 1
    assert text({"t": "x"}, "t") == "x"
    for call in (lambda: whole({}, "n"), lambda: whole({"n": 0}, "n", 1, 1), lambda: text({"t": 7}, "t")):
        with pytest.raises(RuleViolation):
            call()


def test_titles_and_shipped_things_by_name():
    assert titles.title("taxi").NAME == "taxi"
    for name in ("ludo", "", "taxi.board", "__init__"):
        with pytest.raises(PositionError) as no:
            titles.title(name)
        assert no.value.code == "unknown_game"
    assert titles.shipped_board("taxi", "fumbling")["id"] == "fumbling"
    with pytest.raises(PositionError) as no:
        titles.shipped_board("taxi", "../fumbling")
    assert no.value.code == "unknown_board"
    assert len(titles.shipped_cards("taxi", "journey")) == 50
