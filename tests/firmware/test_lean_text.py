"""What the compiler gets: names that would only take memory on the device are gone, and nothing means anything else."""

import pytest

from firmware.tools.build import build
from firmware.tools.lean_text import hidden, lean, with_constants, without_types


def run(text):
    """What a module holds once it has run, with MicroPython's `const`."""
    scope = {"const": lambda value: value}
    exec(text, scope)
    return scope


def test_private_numbers_become_constants_and_nothing_else_does():
    text = '_REG = 0x20  # a register\n_A, _B = 1, 2\nOPEN = 3\n_TEXT = "4"\n_SUM = 1 + 2\n_lower = 5\n_N = 7\n'
    changed = with_constants(text)
    assert changed.splitlines()[0] == "_REG = const(0x20)  # a register"
    assert changed.splitlines()[-1] == "_N = const(7)"
    assert changed.splitlines()[1:-1] == text.splitlines()[1:-1]


def test_what_only_type_checkers_read_is_left_out_and_lines_stay():
    text = '"""For whom."""\n\nMYPY = False\nif MYPY:  # only type checkers come here\n    import machine\n\nPINS = 3\n'
    changed = without_types(text)
    assert changed.splitlines()[6] == "PINS = 3"
    assert not {"MYPY", "machine"} & set(run(changed))


def test_a_number_that_only_its_module_names_is_hidden():
    texts = {
        "bank": '"""Waits."""\nPERIOD = 500  # ms\nMUTE = 2\nRETRY = 16\n\n\ndef wait():\n    return PERIOD + MUTE\n',
        "app": "from bank import MUTE, wait\n\nPERIOD_OF_ALL = 7\nanswer = wait() + MUTE\n",
        "main": "import bank\nprint(bank.RETRY)\n",
    }
    made = lean(texts)
    assert "_PERIOD = const(500)  # ms\nMUTE = 2\nRETRY = 16\n" in made["bank"]
    assert "_PERIOD_OF_ALL = const(7)" in made["app"]
    assert made["main"] == texts["main"]
    assert run(made["bank"])["wait"]() == 502


@pytest.mark.parametrize(
    "text",
    [
        'N = 3\nprint({"N": N})\n',
        'N = 3\nprint(f"{N} N")\n',
        "N = 3\nimport pins\nprint(pins.N)\n",
        "N = 3\nprint(dict(N=N))\n",
        "N = 3\nN = 4\n",
        "N = 3\n\ndef grow():\n    global N\n    N += 1\n",
        "def early():\n    return N\n\nN = 3\n",
        "N = 3\n_N = 4\n",
        "N = 3\nfrom pins import N\n",
    ],
)
def test_a_name_that_means_more_keeps_its_face(text):
    assert hidden(text, set()) == text


@pytest.mark.parametrize("device", ["table", "handheld_die"])
def test_a_build_keeps_no_name_that_it_does_not_need(tmp_path, device):
    made = b"".join(path.read_bytes() for path in build(tmp_path / device, device))
    assert b"MYPY" not in made
    assert b"HOPELESS_MS" not in made  # of the session alone
    assert b"MAX_FRAME" in made  # taken from its module by another
