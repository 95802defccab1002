"""Which files the architecture tests look at: what git keeps, so that nothing lying about is judged."""

import ast
import subprocess
from pathlib import Path

ROOT = Path(__file__).parents[2]


def tracked(*patterns: str) -> list[Path]:
    """The tracked files that match git path patterns (all without any), in order; a deleted one is left out."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--", *patterns], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.split("\0")
    return [ROOT / name for name in listed if name and (ROOT / name).is_file()]


def named(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def parsed(path: Path) -> ast.Module:
    """The program of a file, less what stands under `if MYPY:`, where only type checkers come."""
    tree = ast.parse(path.read_text("utf-8"))
    return WithoutTyping().visit(tree)


class WithoutTyping(ast.NodeTransformer):
    """Takes `if MYPY:` out of a program."""

    def visit_If(self, node: ast.If) -> ast.AST | None:  # noqa: N802 - ast names its visitors so
        self.generic_visit(node)
        return None if isinstance(node.test, ast.Name) and node.test.id == "MYPY" else node
