"""Files for people: whole or not there, whatever stands in their place and whatever happens meanwhile."""

import os
import threading

import pytest

from companion import whole_files
from companion.whole_files import FileNotWrittenError


def test_a_file_is_replaced_whole_or_not_at_all(tmp_path):
    path = tmp_path / "game.txt"
    whole_files.save("one\n", path)
    with pytest.raises(FileNotWrittenError, match=r"is there already.*--force"):
        whole_files.save("two\n", path, replace=False)

    def half(trouble):
        with whole_files.whole(path) as made:
            made.write_text("half")
            raise trouble

    for trouble, told in ((OSError("full"), FileNotWrittenError), (KeyboardInterrupt(), KeyboardInterrupt)):
        with pytest.raises(told):
            half(trouble)
        assert path.read_text() == "one\n"
        assert os.listdir(tmp_path) == ["game.txt"]
    whole_files.save("two\n", path)
    assert path.read_text() == "two\n"


def test_a_link_stays_a_link(tmp_path):
    kept = tmp_path / "kept"
    kept.mkdir()
    (kept / "game.txt").write_text("one")
    link = tmp_path / "game.txt"
    link.symlink_to(kept / "game.txt")
    whole_files.save("two", link)
    assert link.is_symlink()
    assert (kept / "game.txt").read_text() == "two"
    dangling = tmp_path / "dangling"
    dangling.symlink_to(kept / "new.txt")
    with pytest.raises(FileNotWrittenError, match="is there already"):
        whole_files.save("three", dangling, replace=False)
    whole_files.save("three", dangling)
    assert (kept / "new.txt").read_text() == "three"


def test_a_pipe_is_written_to_and_stays(tmp_path):
    """So does a device: /dev/null must never become a file."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    whole_files.check(pipe)
    read = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_text()))
    reader.start()
    whole_files.save("a record", pipe)
    reader.join(30)
    assert read == ["a record"]
    assert pipe.is_fifo()


def test_a_full_device_is_told_and_stays():
    before = os.stat("/dev/full")
    with pytest.raises(FileNotWrittenError, match="No space left"):
        whole_files.save("a record", whole_files.Path("/dev/full"))
    assert os.stat("/dev/full").st_mode == before.st_mode


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("", "is a folder"),
        ("none/game.csv", "is no folder"),
        ("file/game.csv", "is no folder"),
        ("x" * 300, "cannot be written"),
    ],
)
def test_what_can_never_be_written_is_said_before_the_work(tmp_path, name, said):
    (tmp_path / "file").write_text("")
    path = tmp_path / name
    if "folder" in said:
        with pytest.raises(FileNotWrittenError, match=said):
            whole_files.check(path)
    with pytest.raises(FileNotWrittenError):
        whole_files.save("x", path)
    assert os.listdir(tmp_path) == ["file"]


def test_a_folder_that_takes_nothing_is_said_before_the_work():
    with pytest.raises(FileNotWrittenError, match="cannot be written"):
        whole_files.check(whole_files.Path("/proc/games.csv"))
