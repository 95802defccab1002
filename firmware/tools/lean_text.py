"""What the compiler gets of a device's modules: the same programmes, less what would take memory there for nothing.

On the device every name of a module is an entry of its table and a string that is kept for ever, even of a number that
never changes. MicroPython's compiler keeps no name of a number that begins with an underscore and is a `const`. So the
numbers of a module that no other module of its build names become that. Lines stay where they are.
"""

import ast
import re
from collections.abc import Mapping
from typing import TypeVar

Key = TypeVar("Key")

_WORD = re.compile(r"\w+")
_NUMBER = r" = (0x[0-9A-Fa-f]+|[0-9]+)(?=\s*(?:#.*)?$)"
_PRIVATE_NUMBER = re.compile(r"^(_[A-Z][A-Z0-9_]*)" + _NUMBER, re.MULTILINE)
_PUBLIC_NUMBER = re.compile(r"^([A-Z][A-Z0-9_]*)" + _NUMBER, re.MULTILINE)
_FOR_TYPE_CHECKERS = re.compile(r"^MYPY = False\nif MYPY:", re.MULTILINE)


def lean(texts: Mapping[Key, str]) -> dict[Key, str]:
    """All modules of a build by any key (their paths, say) as the compiler is to get them."""
    words = {key: set(_WORD.findall(text)) for key, text in texts.items()}
    made = {}
    for key, text in texts.items():
        elsewhere = set().union(*(found for other, found in words.items() if other != key))
        made[key] = with_constants(without_types(hidden(text, elsewhere)))
    return made


def hidden(text: str, elsewhere: set[str]) -> str:
    """A module's text in which numbers that nobody names `elsewhere` begin with an underscore.

    A name keeps its face when it is written in a string, as an attribute or as an argument, when it is set twice, when
    it is used above the line that sets it, or when its hidden form is taken.
    """
    names = [found for found in _PUBLIC_NUMBER.findall(text) if found[0] not in elsewhere]
    if not names:
        return text
    busy = _busy(ast.parse(text))
    for name, _ in names:
        if name not in busy and f"_{name}" not in busy and not re.search(rf"\b_{name}\b", text):
            text = re.sub(rf"\b{name}\b", f"_{name}", text)
    return text


def with_constants(text: str) -> str:
    """A module's text in which its private whole numbers are what MicroPython's compiler takes for constants."""
    return _PRIVATE_NUMBER.sub(r"\1 = const(\2)", text)


def without_types(text: str) -> str:
    """A module's text of which the compiler leaves out what only type checkers read."""
    return _FOR_TYPE_CHECKERS.sub("\nif False:", text)


def _busy(tree: ast.Module) -> set[str]:
    """Words that are more than the name of one number that is set above all its uses."""
    docstrings = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    busy: set[str] = set()
    set_at: dict[str, int] = {}
    used_at: dict[str, int] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docstrings:
            busy.update(_WORD.findall(node.value))
        elif isinstance(node, ast.Attribute):
            busy.add(node.attr)
        elif isinstance(node, ast.keyword | ast.arg) and node.arg:
            busy.add(node.arg)
        elif isinstance(node, ast.Global):
            busy.update(node.names)
        elif isinstance(node, ast.alias):
            busy.update((node.name, node.asname or ""))
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            used_at[node.id] = min(node.lineno, used_at.get(node.id, node.lineno))
        elif isinstance(node, ast.Name):
            if node.id in set_at:
                busy.add(node.id)
            set_at[node.id] = node.lineno
    return busy | {name for name, line in used_at.items() if line < set_at.get(name, 0)}
