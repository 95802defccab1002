"""`python -m tests.firmware_coverage [--write] [--fresh] [--page]`: runs the tests of devices on an instrumented copy,
and says what they ran; `--write` puts it into docs/proofs/firmware_coverage.md. Parts that were run to their end since
the firmware changed are not run again, unless `--fresh`; `--page` runs none and says what is there."""

from __future__ import annotations

import argparse
import platform
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

from instrument import ROOT  # noqa: E402
from parts import NOTHING_IN_THEM, Run, parts  # noqa: E402
from report import count, page  # noqa: E402

REPORT = ROOT / "docs" / "proofs" / "firmware_coverage.md"


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.firmware_coverage", description=__doc__)
    parser.add_argument("--write", action="store_true", help=f"write {REPORT.relative_to(ROOT)}")
    parser.add_argument("--fresh", action="store_true", help="run every part anew")
    parser.add_argument("--page", action="store_true", help="run nothing")
    parser.add_argument("--workers", type=int, default=2, help="parts at a time, default 2")
    arguments = parser.parse_args()
    run = Run(arguments.fresh, as_it_is=arguments.page)
    if not arguments.page:
        run.go(arguments.workers)
    results = run.results()
    on_device, in_python = run.hits()
    counts = count(run.points, on_device, in_python, root=run.originals)
    made = f"{run.made}, {platform.machine()}, CPython {platform.python_version()}"
    text = page(counts, results, NOTHING_IN_THEM, made)
    if arguments.write:
        REPORT.write_text(text, encoding="utf-8")
    print(text)
    bad = [part for part in parts() if results.get(part, {}).get("code") not in (0, 5)]
    print("not passed on the copy:", ", ".join(bad) or "none", file=sys.stderr)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
