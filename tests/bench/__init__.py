"""Figures, each with the method by which it was taken; see `python -m tests.bench --help`."""
