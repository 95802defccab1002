"""Devices on the virtual table: sweeps, moved taxis, memory, and what an hour of them costs; in small what the proof of
devices measures at length (docs/proofs/devices.md)."""

from __future__ import annotations

import importlib.util
import statistics

from tests.bench.figures import Figure, MissingPartError, percentile

MOVES = 60
SCANNED_S = 300


def run(moves: int = MOVES, scanned_s: int = SCANNED_S) -> list[Figure]:
    """All in virtual time; only the hour depends on the machine."""
    if importlib.util.find_spec("micropython_unix") is None:
        raise MissingPartError("the extra `virtual` is not installed: make setup")
    from tests.proofs import devices

    took, sweep = devices.time_moves(moves)
    moved = f"virtual time, {len(took)} moves, 12 other taxis, from the hand to the fact at the companion"
    seconds, sweeps = devices.time_scanning(scanned_s)
    figures = [
        Figure(
            "sweep of 32 sockets",
            sweep,
            "ms",
            "at most 600",
            "13 taxis on them, by the timing model, as HEARTBEAT says",
        ),
        Figure("a moved taxi is told", statistics.median(took), "s", method=moved),
        Figure("a moved taxi is told, p95", percentile(took, 95), "s", method=moved),
        Figure("a moved taxi is told, at most", max(took), "s", "at most 1", moved),
        Figure(
            "a virtual hour with 32 sockets scanned",
            seconds * 3600 / scanned_s,
            "s",
            "at most 240",
            f"12 taxis, {sweeps:.1f} sweeps a second, from {scanned_s} virtual seconds",
        ),
    ]
    for device, (size, free) in devices.free_heap().items():
        how = f"-X heapsize={size} for the firmware alone, bytecode, after a minute and a collection"
        figures.append(Figure(f"heap left, {device.replace('_', ' ')}", free, "%", "at least 25", how))
    return figures
