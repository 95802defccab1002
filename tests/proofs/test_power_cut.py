"""A killed companion has lost nothing that it confirmed and doubled nothing that the table told it."""

import pytest

from tests.proofs import power_cut


def test_a_few_kills(tmp_path):
    figures = power_cut.prove(tmp_path, 8, seed=7)
    assert figures.kills == 8
    assert figures.confirmed > 0
    assert figures.facts > 0


@pytest.mark.long
@pytest.mark.timeout(3600)
def test_five_hundred_kills_with_a_report():
    assert power_cut.main() == 0
