"""The instrumenter changes nothing but that it counts, and counts what was run and nothing else."""

import subprocess
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from instrument import Point, hits_of, instrumented, make_copy, sources  # noqa: E402
from report import count, exclusions, page  # noqa: E402

INTERPRETER = Path(sys.executable).with_name("micropython")

SAMPLE = '''"""A module."""
MYPY = False
if MYPY:
    from typing import Any

SIZE = 3


class Lamp:
    """One lamp."""

    colour: int

    def __init__(self):
        """Dark."""
        global SIZE
        self.lit = False

    def turn(self, on):
        if on:
            self.lit = True
        elif self.lit:
            self.lit = False
        return "on" if self.lit else "off"


def walk(n):
    out = []
    for i in range(n):
        if i == 2:
            continue
        out.append(i)
    while n > 0:
        n -= 2
        if n == 1:
            break
    else:
        out.append("end")
    try:
        with open("/no such file"):
            pass
    except OSError as error:
        out.append(type(error).__name__)
    finally:
        out.append("finally")
    return out




async def never():
    return 1


def count(n):
    for i in range(n):
        yield i


lamp = Lamp()
print(lamp.turn(True), lamp.turn(True), walk(5), list(count(2)))
'''


def run(folder, file):
    if not INTERPRETER.exists():
        pytest.skip("there is no MicroPython interpreter for this machine")
    done = subprocess.run(
        [INTERPRETER, file], capture_output=True, text=True, env={"MICROPYPATH": f"{folder}:.frozen"}, timeout=60
    )
    assert done.returncode == 0, done.stderr + done.stdout
    return done.stdout


def test_a_copy_does_the_same_and_counts(tmp_path):
    root, copy = tmp_path / "root", tmp_path / "copy"
    (root / "firmware").mkdir(parents=True)
    (root / "shared_rules" / "wire").mkdir(parents=True)
    plain = SAMPLE
    (root / "firmware" / "sample.py").write_text(plain)
    points = make_copy(copy, root)
    assert run(copy, copy / "firmware" / "sample.py") == run(root, root / "firmware" / "sample.py")
    lines = plain.splitlines()
    hit = {points[n] for n in hits_of(copy)}
    missed = {(lines[point.line - 1].strip(), point.kind) for point in points if point not in hit}
    assert missed == {
        ("elif self.lit:", "statement"),
        ("elif self.lit:", "then"),
        ("elif self.lit:", "else"),
        ("if on:", "else"),
        ("self.lit = False", "statement"),
        ('return "on" if self.lit else "off"', "value else"),
        ("while n > 0:", "end"),
        ('out.append("end")', "statement"),
        ("return 1", "statement"),
    }


def test_a_process_that_is_killed_has_told_what_it_ran(tmp_path):
    root, copy = tmp_path / "root", tmp_path / "copy"
    (root / "firmware").mkdir(parents=True)
    (root / "shared_rules" / "wire").mkdir(parents=True)
    (root / "firmware" / "sample.py").write_text("a = 1\nprint(a)\nwhile True:\n    a += 1\n")
    points = make_copy(copy, root)
    if not INTERPRETER.exists():
        pytest.skip("there is no MicroPython interpreter for this machine")
    process = subprocess.Popen(
        [INTERPRETER, copy / "firmware" / "sample.py"], stdout=subprocess.PIPE, env={"MICROPYPATH": f"{copy}:.frozen"}
    )
    assert process.stdout.readline() == b"1\n"
    process.stdout.close()
    process.kill()
    process.wait()
    assert {0, 1} <= hits_of(copy)
    assert len(points) == 4


def test_all_of_the_firmware_can_be_copied(tmp_path):
    points = make_copy(tmp_path)
    assert len(points) > 1000
    assert len(points) < 1 << 16
    assert {point.file for point in points} <= set(sources())
    code = "import shared_rules.wire.messages as m\n"
    code += "print(m.decode(m.encode('ACK', 0, 7)).ref)"
    (tmp_path / "try.py").write_text(code)
    assert run(tmp_path, tmp_path / "try.py") == "7\n"
    assert any(points[n].file == "shared_rules/wire/messages.py" for n in hits_of(tmp_path))


def test_the_report_counts_each_python_and_leaves_out_what_has_a_reason():
    file = "firmware/pins.py"
    points = [Point(file, line, kind) for line, kind in ((1, "statement"), (1, "then"), (1, "else"), (2, "statement"))]
    line = (Path(__file__).resolve().parents[2] / file).read_text().splitlines()[0]
    rows = [{"file": file, "text": line, "arm": "else", "reason": "for this test"}]
    counts = count(points, {0}, {0, 1}, rows)
    module = counts.modules[file]
    assert (module.statements, module.arms) == ([1, 1, 2], [0, 1, 1])
    assert counts.left_out == [1]
    assert (module.missed, module.missed_arms) == ({2}, {(1, "then")})
    assert count(points, {0, 2}, set(), rows).left_out == [0]  # what was hit counts, whatever the reasons


def test_the_page_says_what_was_missed():
    file = "firmware/pins.py"
    counts = count([Point(file, 1, "statement"), Point(file, 2, "then")], {0}, set(), exclusions())
    text = page(counts, {"tests/a.py": {"said": "1 passed"}}, {}, "Made today")
    assert "100.0 % (1/1)" in text
    assert "2 then" in text
    assert "1 passed" in text


def test_every_exclusion_has_a_reason_and_a_place():
    root = Path(__file__).resolve().parents[2]
    for row in exclusions():
        assert row["reason"]
        assert row.get("text", "") in (root / row["file"]).read_text()


def test_what_the_instrumenter_writes_is_python():
    points = []
    text = instrumented("def f(a):\n    return 1 if a else 2\n", "x.py", points)
    compile(text, "x.py", "exec")
    assert [point.kind for point in points] == ["statement", "statement", "value if", "value else"]
