"""A record survives whatever the power does: after any cut the newest whole record is read, never a torn one."""

import builtins
import struct

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware.supervision.two_slot_file import TwoSlotFile

OLD, NEW = b"the older record", b"a newer one, longer than that"


def files(folder):
    return [folder / "record.a", folder / "record.b"]


def record(folder):
    return TwoSlotFile(str(folder / "record"))


def test_nothing_then_what_was_written(tmp_path):
    assert record(tmp_path).read() is None
    for text in (b"", b"one", b"\0" * 300, b"four"):
        file = record(tmp_path)
        file.write(text)
        assert file.read() == record(tmp_path).read() == text


def test_parts_are_joined(tmp_path):
    record(tmp_path).write(b"ab", memoryview(b"xcdx")[1:3], bytearray(b"ef"))
    assert record(tmp_path).read() == b"abcdef"


# What a flash may hold behind the bytes that were written when the power went
RESTS = {"nothing": lambda n: b"", "erased": lambda n: b"\xff" * n, "zeros": lambda n: b"\0" * n}


@pytest.mark.parametrize("rest", RESTS)
def test_a_cut_at_every_byte_leaves_the_older_record(tmp_path, rest):
    file = record(tmp_path)
    file.write(OLD)
    older = files(tmp_path)[0].read_bytes()
    file.write(NEW)
    whole = files(tmp_path)[1].read_bytes()
    for cut in range(len(whole)):
        torn = whole[:cut] + RESTS[rest](len(whole) - cut)
        if torn == whole:
            continue
        files(tmp_path)[1].write_bytes(torn)
        assert record(tmp_path).read() == OLD
        # and the next write goes over the torn one, not over the good one
        after = record(tmp_path)
        after.write(b"next")
        assert files(tmp_path)[0].read_bytes() == older
        assert record(tmp_path).read() == b"next"


def test_a_cut_at_every_byte_of_the_first_record_leaves_none(tmp_path):
    record(tmp_path).write(NEW)
    whole = files(tmp_path)[0].read_bytes()
    for cut in range(len(whole)):
        files(tmp_path)[0].write_bytes(whole[:cut])
        assert record(tmp_path).read() is None


def test_every_flipped_bit_is_noticed(tmp_path):
    file = record(tmp_path)
    file.write(OLD)
    file.write(NEW)
    whole = files(tmp_path)[1].read_bytes()
    for bit in range(8 * len(whole)):
        spoiled = bytearray(whole)
        spoiled[bit >> 3] ^= 1 << (bit & 7)
        files(tmp_path)[1].write_bytes(spoiled)
        assert record(tmp_path).read() == OLD


steps = st.lists(
    st.tuples(st.binary(max_size=40), st.one_of(st.none(), st.integers(0, 60)), st.booleans()), min_size=1, max_size=12
)


@settings(deadline=None)
@given(steps)
def test_any_history_of_writes_and_cuts(tmp_path_factory, steps):
    """Each step writes, and may be cut after some bytes; then the device starts anew, or goes on if it may."""
    folder = tmp_path_factory.mktemp("flash")
    expected, file = None, record(folder)
    for data, cut, fresh in steps:
        if fresh:
            file = record(folder)
        assert file.read() == expected
        if cut is None or cut >= len(data) + 8:
            file.write(data)
            expected = data
        else:
            before = [path.read_bytes() if path.exists() else None for path in files(folder)]
            file.write(data)
            for path, old in zip(files(folder), before, strict=True):
                if path.exists() and path.read_bytes() != old:
                    path.write_bytes(path.read_bytes()[:cut])
            file = record(folder)
        assert file.read() == expected


def test_a_flash_that_refuses_leaves_the_record(tmp_path, monkeypatch):
    file = record(tmp_path)
    file.write(OLD)
    real = builtins.open

    class Full:
        def __init__(self, inner):
            self.inner, self.left = inner, 10

        def __enter__(self):
            return self

        def __exit__(self, *_exc):
            self.inner.close()

        def write(self, data):
            self.left -= len(data)
            if self.left < 0:
                raise OSError(28, "no room")
            return self.inner.write(data)

    with monkeypatch.context() as patch:
        patch.setattr(builtins, "open", lambda name, mode: Full(real(name, mode)) if "w" in mode else real(name, mode))
        with pytest.raises(OSError, match="no room"):
            file.write(NEW)
    assert file.read() == OLD
    file.write(b"when there is room again")
    assert file.read() == record(tmp_path).read() == b"when there is room again"
    generations = [struct.unpack("<I", path.read_bytes()[:4])[0] for path in files(tmp_path)]
    assert sorted(generations) == [1, 2]
