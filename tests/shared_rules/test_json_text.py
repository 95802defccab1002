"""The JSON of the replay program against CPython's, and the strictness that CPython's lacks."""

import json
import math

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from shared_rules.portable import utf8
from shared_rules.portable.json_text import NoJsonError, canonical, dumps, parse
from shared_rules.portable.random_stream import RandomStream

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=12,
)


@given(VALUES)
def test_reads_what_cpython_writes_and_writes_what_it_reads(value):
    for text in (json.dumps(value), json.dumps(value, ensure_ascii=False), json.dumps(value, indent=1)):
        assert parse(text.encode("utf-8", "surrogatepass")) == value
    assert json.loads(dumps(value)) == value
    assert parse(dumps(value).encode()) == value


@given(st.text())
def test_texts_are_written_as_cpython_writes_them(text):
    assert dumps(text) == json.dumps(text, ensure_ascii=False)


@given(st.binary(max_size=12))
def test_utf8_is_as_strict_as_cpython(data):
    try:
        text = data.decode()
    except UnicodeDecodeError:
        with pytest.raises(ValueError, match="no UTF-8"):
            utf8.decode(data)
    else:
        assert utf8.decode(data) == text


@pytest.mark.parametrize("data", [b"\xc0\x80", b"\xe0\x80\x80", b"\xed\xa0\x80", b"\xf0\x80\x80\x80",
    b"\xf5\x80\x80\x80", b"\xe2\x82"])
def test_overlong_forms_surrogates_and_ends_are_no_utf8(data):
    with pytest.raises(ValueError, match="no UTF-8"):
        utf8.decode(data)


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_numbers_with_a_fraction_read_back_as_the_same_number(value):
    text = dumps(value)
    assert float(text) == value
    assert math.copysign(1, float(text)) == math.copysign(1, value)
    assert "." in text
    assert "e" not in text


@given(st.integers(0, 10**25), st.integers(-360, 330))
@example(9007199254740993, 0)
@example(2**54 + 2, 0)
@example(17976931348623158079372897140530341507993413271003782693617377898, 244)
@example(17976931348623158, 292)
@example(17976931348623159, 292)
@example(5, -324)
@example(2, -324)
@example(22250738585072011, -324)
def test_numbers_are_read_as_cpython_reads_them(figures, ten):
    text = str(figures) + "e" + str(ten)
    value = float(text)
    if math.isinf(value):
        with pytest.raises(NoJsonError):
            parse(text.encode())
    else:
        assert parse(text.encode()) == value
        assert parse(dumps(value).encode()) == value


@given(st.floats(-1e6, 1e6) | st.integers(-10**9, 10**9).map(lambda number: number / 1000))
def test_coordinates_are_written_as_cpython_writes_them(value):
    if "e" not in repr(value):
        assert dumps(value) == repr(value)


@pytest.mark.parametrize(
    "text",
    ["", " ", "nul", "tru", "NaN", "-", "-x", "1.", ".5", "1e", "1e+", "00", "-01", "+1", "0x1", "[1,]", "[,1]",
    "[1 2]",
     "{", "[", '"', '"\\u12', '"\\u12g4"', '"\\ud800"', '"\\udc00"', '"\\ud800\\u0041"', '"\\', "{1:2}", '{"a"}',
     '{"a":}',
     '{"a":1,}', '{"a":1 "b":2}', "1 2", "'a'", '"\n"', "[" * 61 + "]" * 61, "1" * 401, "1e400", "\u00a01"],
)  # fmt: skip
def test_what_is_no_json_is_refused(text):
    with pytest.raises(NoJsonError) as no:
        parse(text.encode())
    assert "byte" in str(no.value)


def test_surrogate_pairs_escapes_and_the_last_of_two_keys():
    assert parse(b'"\\ud83d\\ude95 \\u00e9\\/\\b\\f"') == "🚕 é/\b\f"
    assert parse(b'{"a": 1, "a": 2}') == {"a": 2}
    assert parse(b" [ 1 , -0 , 0.5 , 1E2 ] ") == [1, 0, 0.5, 100.0]
    assert [type(entry) for entry in parse(b"[1, 1.0, 1e0, true]")] == [int, float, float, bool]
    assert parse(b"[" * 60 + b"]" * 60) is not None


def test_canonical_order():
    value = {"b": [{"z": 1, "a": 2}], "rules": ["T-1"], "event": "X", "a": (1, 2)}
    assert dumps(canonical(value, ("event",),
        ("rules",))) == '{"event": "X", "a": [1, 2], "b": [{"a": 2, "z": 1}], "rules": ["T-1"]}'


def test_the_stream_of_random_numbers_is_fixed_for_ever():
    stream = RandomStream(1)
    assert [stream.below(6) for _ in range(12)] == [1, 5, 2, 1, 5, 0, 0, 3, 5, 0, 1, 0]
    stream = RandomStream(2)
    counts = [0] * 6
    for _ in range(60000):
        counts[stream.below(6)] += 1
    # Chi-square of fair dice, five degrees of freedom: 20.5 is passed by one stream in a thousand.
    assert sum((count - 10000) ** 2 / 10000 for count in counts) < 20.5
    assert 0 <= RandomStream(0).random() < 1
