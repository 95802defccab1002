"""Each bench in its smallest useful size: what no longer fits the product fails here before anybody wants figures."""

import math
import os
from importlib import import_module

import pytest

from tests.bench.__main__ import bench_names
from tests.bench.figures import Figure, MissingPartError

SMALL = {
    "commands_per_second": {"runs": 1, "most_games": 2, "long": 100},
    "devices": {"moves": 2, "scanned_s": 5},
    "event_append": {"appends": 100, "where": None},
    "firmware": {"minutes": 1},
    "page_weight": {},
    "positions": {"runs": 1, "every": 1000},
    "replay_long_game": {"trips": 2},
    "rest_to_page": {"count": 1},
    "small_heap": {"titles": ["taxi_over"]},
}
"""What makes each of them small; every bench has to say."""


@pytest.mark.parametrize("name", bench_names())
def test_a_bench_fits_the_product(name):
    try:
        taken = import_module(f"tests.bench.{name}").run(**SMALL[name])
    except MissingPartError as missing:
        if os.environ.get("CI"):
            raise
        pytest.skip(str(missing))
    figures = [Figure(*figure) for figure in taken]
    assert len({figure.name for figure in figures}) == len(figures) > 0
    assert [figure for figure in figures if not math.isfinite(figure.figure) or not figure.method] == []
