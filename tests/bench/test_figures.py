"""What the bench program makes of figures: goals, medians, percentiles, its table."""

import pytest

from tests.bench.__main__ import bench_names, report, shown
from tests.bench.figures import Figure, median_seconds, percentile


@pytest.mark.parametrize(
    ("figure", "goal", "met"),
    [
        (20_000, "at least 20,000", True),
        (19_999.9, "at least 20,000", False),
        (100, "at most 100", True),
        (100.1, "at most 100", False),
        (-30, "at most 10", True),
        (5, "", None),
        (5, "as much as there is", None),
    ],
)
def test_goals(figure, goal, met):
    assert Figure("x", figure, "ms", goal).met is met


def test_percentiles_are_values_that_were_measured():
    values = [float(value) for value in range(1, 101)]
    assert percentile(values, 95) == 95
    assert percentile([3.0], 95) == 3
    assert percentile([1.0, 2.0], 50) == 1


def test_the_first_call_is_not_measured():
    calls = []
    median_seconds(lambda: calls.append(1), runs=5)
    assert len(calls) == 6


@pytest.mark.parametrize(("value", "text"), [(40545.4, "40,545"), (34.33, "34.3"), (1.234, "1.23"), (117.0, "117")])
def test_figures_are_shown_in_as_many_digits_as_they_are_worth(value, text):
    assert shown(Figure("x", value, "ms")) == f"{text} ms"


def test_the_report_holds_figure_goal_and_method():
    page = report([("a", [Figure("Speed", 12.0, "m/s", "at least 10", "by stopwatch")])], [("b", "there is no b")])
    assert "| Speed | 12 m/s | at least 10: reached | by stopwatch |" in page
    assert "Could not run: b: there is no b" in page


def test_every_bench_of_the_acceptance_is_there():
    assert set(bench_names()) >= {
        "commands_per_second", "event_append", "firmware", "page_weight", "positions", "replay_long_game",
        "rest_to_page", "small_heap",
    }  # fmt: skip
