"""A copy of the firmware that says which statements and branch arms it has run: sources in, sources out, by the AST.

Before every statement the copy calls `_hit(n)`, and in every arm that has no statement of its own, too: the missing
`else` of an `if`, the regular end of a loop, both values of a conditional expression. `_points.py`, which only the copy
has, appends each number to a file when it comes for the first time in a process, so that a process may be killed at any
moment. Line numbers of the copy are other ones; `Point` keeps those of the original.
"""

from __future__ import annotations

import ast
import json
from dataclasses import asdict, dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PARTS = ("firmware", "shared_rules/wire")
NOT_ON_DEVICES = ("firmware/tools", "firmware/stubs_overlay")
HITS = "hits.bin"
POINTS = "points.json"

_RECORDER = """\
import vfs

_seen = bytearray(%d)
_file = vfs.VfsPosix(%r).open(%r, "ab")


def hit(n):
    if not _seen[n >> 3] >> (n & 7) & 1:
        _seen[n >> 3] |= 1 << (n & 7)
        _file.write(bytes((n & 255, n >> 8)))
"""


@dataclass(frozen=True)
class Point:
    """One thing that can be run: a statement, or an arm (`then`, `else`, `end` of a loop, `value`) of a branch."""

    file: str
    line: int
    kind: str


class _Instrumenter(ast.NodeTransformer):
    def __init__(self, file: str, points: list[Point]) -> None:
        self._file = file
        self._points = points

    def _call(self, line: int, kind: str) -> ast.Call:
        self._points.append(Point(self._file, line, kind))
        number = ast.Constant(len(self._points) - 1)
        return ast.Call(ast.Name("_hit", ast.Load()), [number], [])

    def body(
        self, statements: list[ast.stmt], arm: tuple[int, str] | None = None, head: bool = False
    ) -> list[ast.stmt]:
        """The statements with a call before each; `arm` is the line and kind of the branch that leads here."""
        out: list[ast.stmt] = []
        rest = list(statements)
        if head and rest and _is_text(rest[0]):
            out.append(rest.pop(0))
        if arm is not None:
            out.append(ast.Expr(self._call(*arm)))
        for one in rest:
            if not isinstance(one, (ast.Global, ast.Nonlocal, ast.Pass)) and not _only_annotates(one):
                out.append(ast.Expr(self._call(one.lineno, "statement")))
            out.append(self.visit(one))
        return out

    def module(self, tree: ast.Module) -> ast.Module:
        """A whole module."""
        body = self.body(tree.body, head=True)
        at = 1 if body and _is_text(body[0]) else 0
        body.insert(at, ast.ImportFrom("_points", [ast.alias("hit", "_hit")], 0))
        tree.body = body
        return tree

    def _function(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> ast.AST:
        node.body = self.body(node.body, head=True)
        return node

    visit_FunctionDef = _function  # noqa: N815
    visit_AsyncFunctionDef = _function  # noqa: N815

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:  # noqa: N802
        node.body = self.body(node.body, head=True)
        return node

    def visit_If(self, node: ast.If) -> ast.AST:  # noqa: N802
        if isinstance(node.test, ast.Name) and node.test.id == "MYPY":
            return node
        node.test = self.visit(node.test)
        node.body = self.body(node.body, (node.lineno, "then"))
        node.orelse = self.body(node.orelse, (node.lineno, "else"))
        return node

    def _loop(self, node: ast.For | ast.AsyncFor | ast.While) -> ast.AST:
        endless = False
        if isinstance(node, ast.While):
            endless = isinstance(node.test, ast.Constant) and bool(node.test.value)
            node.test = self.visit(node.test)
        else:
            node.iter = self.visit(node.iter)
        node.body = self.body(node.body)
        if not endless:
            node.orelse = self.body(node.orelse, (node.lineno, "end"))
        return node

    visit_For = visit_AsyncFor = visit_While = _loop  # noqa: N815

    def _with(self, node: ast.With | ast.AsyncWith) -> ast.AST:
        node.body = self.body(node.body)
        return node

    visit_With = visit_AsyncWith = _with  # noqa: N815

    def visit_Try(self, node: ast.Try) -> ast.AST:  # noqa: N802
        node.body = self.body(node.body)
        for handler in node.handlers:
            handler.body = self.body(handler.body, (handler.lineno, "except"))
        node.orelse = self.body(node.orelse)
        node.finalbody = self.body(node.finalbody)
        return node

    def visit_IfExp(self, node: ast.IfExp) -> ast.AST:  # noqa: N802
        test, yes, no = self.visit(node.test), self.visit(node.body), self.visit(node.orelse)
        line = node.lineno
        node.test = test
        node.body = ast.BoolOp(ast.Or(), [self._call(line, "value if"), yes])
        node.orelse = ast.BoolOp(ast.Or(), [self._call(line, "value else"), no])
        return node


def _is_text(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


def _only_annotates(node: ast.stmt) -> bool:
    return (isinstance(node, ast.AnnAssign) and node.value is None) or _is_text(node)


def instrumented(source: str, file: str, points: list[Point]) -> str:
    """The source with its calls; the points that it can hit are added to `points`."""
    tree = _Instrumenter(file, points).module(ast.parse(source))
    return ast.unparse(ast.fix_missing_locations(tree)) + "\n"


def sources(root: Path = ROOT) -> list[str]:
    """The modules that run on devices, by path."""
    found = [path.relative_to(root).as_posix() for part in PARTS for path in sorted((root / part).rglob("*.py"))]
    return [name for name in found if not name.startswith(NOT_ON_DEVICES)]


def make_copy(folder: Path, root: Path = ROOT) -> list[Point]:
    """Writes the copy into `folder`; hits are gathered in its `HITS`. The points, which `POINTS` holds, too."""
    points: list[Point] = []
    for name in sources(root):
        goal = folder / name
        goal.parent.mkdir(parents=True, exist_ok=True)
        goal.write_text(instrumented((root / name).read_text(encoding="utf-8"), name, points), encoding="utf-8")
    (folder / "shared_rules").mkdir(exist_ok=True)
    (folder / "shared_rules" / "__init__.py").write_text("")
    (folder / "_points.py").write_text(recorder(len(points), folder))
    (folder / HITS).write_bytes(b"")
    (folder / POINTS).write_text(json.dumps([asdict(point) for point in points]))
    return points


def recorder(points: int, folder: Path) -> str:
    """The module that counts hits of so many points into the folder's `HITS`."""
    return _RECORDER % (points // 8 + 1, str(folder), "/" + HITS)


def hits_of(folder: Path, name: str = HITS) -> set[int]:
    """The numbers of the points that were hit by any process so far."""
    data = (folder / name).read_bytes()
    return {data[i] | data[i + 1] << 8 for i in range(0, len(data) - 1, 2)}
