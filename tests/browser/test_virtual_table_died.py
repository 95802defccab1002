"""The virtual table's process is killed in the middle of an evening: pages say so, it comes back, nothing is lost."""

from pathlib import Path

import pytest
from running_companion import RunningCompanion, Visit

pytestmark = pytest.mark.browser


def on_readers(companion: RunningCompanion) -> dict[str, int]:
    """Tag → reader, as the virtual table has them."""
    seen: dict[str, int] = dict(companion.application.bench.tags_seen)  # type: ignore[union-attr]
    return seen


def test_a_virtual_table_that_died_comes_back_and_nothing_is_lost(chromium: object, tmp_path: Path) -> None:
    with RunningCompanion(tmp_path, table="virtual") as own, Visit(chromium, own) as visits:
        # Pages load anew when the hands are other ones; what they were loading then is given up.
        visits.expected = ["ERR_INCOMPLETE_CHUNKED_ENCODING", "ERR_ABORTED", "503"]
        own.evening("Ann", "Bo", dice="table")
        bench, tablet = visits.bank("/bench"), visits.bank()
        bench.get_by_text("connected", exact=True).first.wait_for()
        before, seq = on_readers(own), own.table.seq
        own.application.virtual.running.kill()
        again = "The virtual table ended unexpectedly and was started again."
        bench.locator("#virtual", has_text=again).wait_for()
        tablet.get_by_text(again).wait_for()
        bench.get_by_text("connected", exact=True).first.wait_for()
        assert on_readers(own) == before
        # Hands reach the new process from the page that was open.
        bench.get_by_role("button", name="Lift it off").click()
        bench.locator("#say p.ok").wait_for()
        bench.get_by_role("button", name="Put all taxis where the game has them").click()
        bench.locator("#say").get_by_text("All pieces lie where the game has them.").wait_for()
        own.application.virtual.running.kill()
        devices = visits.bank("/devices")
        devices.locator("#virtual").get_by_role("button", name="Start it again").click()
        devices.locator("#say").get_by_text("The virtual table runs again").wait_for()
        devices.locator(".dev", has_text="connected by air").wait_for()
        assert on_readers(own) == before
        assert (own.table.seq, own.table.misplaced) == (seq, [])
