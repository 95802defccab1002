"""The replay program from outside, on both Pythons: lines in, lines out, to the byte."""

import json
import sys

import pytest
from taxi_tables import CASES, STAR, need_micropython, position, replay

THROW = {"do": "roll", "seat": 1, "die": "d6", "face": 3}


def both(lines):
    """The answers of CPython, after comparing them with those of MicroPython byte for byte."""
    answers = replay(lines)
    assert replay(lines, need_micropython()) == answers
    return answers


def codes(answers):
    return [json.loads(answer)["error"]["code"] for answer in answers]


def test_all_cases_give_the_same_bytes_on_both_pythons_and_the_right_values():
    if not CASES.exists():
        pytest.skip(f"the case files are not there: {CASES}")
    sys.path.insert(0, str(CASES.parent))
    from run_cases import judge

    cases = json.loads(CASES.read_text("utf-8"))
    answers = both([{"position": case["position"], "commands": case.get("commands", [])} for case in cases])
    wrong = {case["case"]: judge(case, json.loads(answer)) for case, answer in zip(cases, answers, strict=True)}
    assert {name: faults for name, faults in wrong.items() if faults} == {}
    assert len(cases) >= 272


def test_a_position_is_a_fixed_point_byte_for_byte():
    lines = [
        {"position": position({"plates": 2, "green": 1}, {"name": "Zoë", "barriers": 1}, {"status": "out"})},
        {"position": position(2), "commands": [THROW, {"do": "move", "seat": 1, "to": "W~O"}]},
        {"position": position(3, options={"tie_break": "most_cash", "card_draw": "one_of_each"})},
    ]
    first = replay(lines)
    again = both([b'{"position": ' + answer.split(b', "refused": ')[0][
        len(b'{"position": ') :] + b"}" for answer in first])
    for before, after in zip(first, again, strict=True):
        assert after.split(b', "refused": ')[0] == before.split(b', "refused": ')[0]
        assert json.loads(after)["events"] == []


def test_coordinates_of_seventeen_figures_keep_every_one_on_both_pythons():
    # The last figure of these is another with MicroPython's own reading and writing.
    figures = ("-100189.18922787061", "-19.221690551493054", "99211646.08657522", "0.0070710678118654805")
    board = {"roads": [{"kind": "minor", "via": ["A", "B"]}], "destinations": {"D": {"at": "A"}}}
    lines = [
        {"position": {"game": "taxi", "board": {"points": {"A": [0, 0], "B": [float(text), 1]}, **board},
            "players": [{"at": "A"}, {"at": "A"}]}}
        for text in figures
    ]  # fmt: skip
    for text, answer in zip(figures, both(lines), strict=True):
        assert b'"B": [' + text.encode() + b", 1]" in answer


def test_answers_come_only_if_something_was_asked_and_in_the_fixed_order():
    silent, asked = both(
        [
            {"position": position(2), "commands": [THROW]},
            {"position": position(2), "commands": [THROW, {"do": "ask", "what": "wealth"}]},
        ]
    )
    assert list(json.loads(silent)) == ["position", "refused", "events"]
    assert list(json.loads(asked)) == ["position", "refused", "answers", "events"]
    assert json.loads(asked)["answers"] == [{"index": 1, "wealth": {"1": 9340, "2": 9340}}]


def test_a_refused_command_changes_nothing_and_the_next_one_is_tried():
    answer = json.loads(both([{"position": position(2), "commands": [{"do": "end_turn", "seat": 1}, 7, THROW]}])[0])
    assert [(r["index"], r["code"]) for r in answer["refused"]] == [(0, "wrong_phase"), (1, "malformed")]
    assert list(answer["refused"][0]) == ["index", "code", "rules", "message"]
    assert answer["refused"][0]["rules"] == ["T-032"]
    assert answer["position"]["d6"] == 3
    assert [event["event"] for event in answer["events"]] == ["CardForfeited", "D6Thrown"]


def test_separators_and_text_outside_ascii():
    line = both([{"position": position({"name": 'Zoë "Zed" \\ \u0001\t🚕'}, {})}])[0].decode()
    assert '"name": "Zoë \\"Zed\\" \\\\ \\u0001\\t🚕", "colour": "red"' in line
    assert line.startswith('{"position": {"game": "taxi", "options": {}, "board": {"id": "STAR", "title": ""')


def test_keys_come_in_canonical_order():
    keys = list(json.loads(both([{"position": position(2)}])[0])["position"])
    assert keys == [
        "game", "options", "board", "trips", "trip", "round", "starter", "first_arrival", "players", "turn", "phase",
        "waiting_for", "card_drawn", "effects", "d6", "fresh", "placed_barriers", "gamble", "dues", "settle", "bank",
        "decks", "result",
    ]  # fmt: skip


def test_options_come_in_the_order_of_their_list_without_defaults():
    options = {"tie_break": "most_taxis", "card_draw": "mandatory_one", "trading": "none", "barriers_per_card": 4}
    out = json.loads(both([{"position": position(2, options=options)}])[0])["position"]["options"]
    assert list(out.items()) == [("card_draw", "mandatory_one"), ("barriers_per_card", 4), ("tie_break", "most_taxis")]


@pytest.mark.parametrize(
    "line",
    [
        b"", b" ", b"nonsense", b"{", b"7", b"null", b'"text"', b"[]", b"{}", b'{"position": 7}', b'{"position": {}}',
        b'{"position": {"game": 7}}', b'{"commands": []}', b"\xff\xfe", b'{"position": "\xed\xa0\x80"}',
        b'{"position": {"game": "taxi", "board": {"points": {}, "roads": []}, "players": [{"cash": NaN}, {}]}}',
        b'{"position": {}, "position": []}', b'{"a" 1}', b"{'a': 1}", b'{"a": 01}', b'{"a": 1,}', b'{"a": "\\x"}',
        b'{"a": "\\ud800"}', b'{"a": "\t"}', b'{"a": 1} x', b'{"a": Infinity}', b'{"a": 1e999}', b'{"a": +1}',
        b"[" * 5000, b'{"a": ' * 5000, b'{"a": ' + b"1" * 5000 + b"}", b'"' + b"x" * 20000, b"\x00",
    ],
)  # fmt: skip
def test_what_is_no_position_is_malformed(line):
    assert codes(both([line])) == ["malformed"]


def test_an_error_names_code_message_and_place_and_the_next_line_is_answered():
    answers = both([position(2), {"position": position({"cash": "x"}, {})}, {"position": position(2)}])
    first, second, third = (json.loads(answer) for answer in answers)
    assert first["error"]["at"] == ""
    assert list(second["error"]) == ["code", "message", "at"]
    assert (second["error"]["code"], second["error"]["at"]) == ("malformed", "players[0].cash")
    assert third["position"]["turn"] == 1


def test_other_codes_of_a_line():
    lines = [
        {"position": position(2) | {"game": "ludo"}},
        {"position": position(2, board="no-such-board")},
        {"position": position(2, options={"fly": True})},
        {"position": position(2, options={"trading": "some"})},
        {"position": position(2, board=STAR | {"base": "X"})},
        {"position": position(7)},
        {"position": position(2), "commands": {}},
        {"position": position(2), "commands": None},
        {"position": position(2) | {"extra": 1}},
    ]
    assert codes(both(lines)) == [
        "unknown_game", "unknown_board", "unknown_option", "bad_option", "bad_board", "bad_position", "malformed",
        "malformed", "malformed",
    ]  # fmt: skip


def test_numbers_of_points_are_echoed_alike():
    points = {"A": [0.1, -2.5], "B": [1e3, 0.30000000000000004], "C": [3.3333, 12345678.9], "D": [-0.0, 2.0]}
    board = {"points": points, "roads": [{"kind": "minor", "via": ["A", "B", "C", "D"]}],
        "destinations": {"Z": {"at": "A"}}}
    answer = both([{"position": position({"at": "A"}, {"at": "A"}, board=board)}])[0]
    assert json.loads(answer)["position"]["board"]["points"] == points
    assert b'"B": [1000.0, 0.30000000000000004]' in answer


def test_a_whole_number_has_no_fraction_and_true_is_none():
    for value in (b"9340.0", b"934e1", b"true", b"null", b'"9340"'):
        line = json.dumps({"position": position({"cash": "HERE"}, {})}).encode().replace(b'"HERE"', value)
        assert codes(both([line])) == ["malformed"]


def test_a_shipped_board_is_named_by_its_id_and_stays_so():
    answers = replay([{"position": position(2, board="fumbling")}])
    out = json.loads(answers[0])["position"]
    assert out["board"] == "fumbling"
    assert out["trips"] == 30
    assert replay([{"position": out}]) == answers
