"""The virtual table: the unmodified firmware on chip models and a simulated radio, for playing and for tests.

`table.VirtualTable` runs in this process (in real or virtual time), `launch.start_virtual_table` in a process of its
own. Both need the extra `virtual`: Bumble and the MicroPython interpreter. The companion runs without; `missing()`
says what to install.
"""

from __future__ import annotations

import importlib.util


def missing() -> str | None:
    """What has to be installed before a virtual table can run, as a sentence; None when all is there."""
    wanted = {"bumble": "the Bluetooth stack Bumble", "micropython_unix": "the MicroPython interpreter"}
    absent = [what for module, what in wanted.items() if importlib.util.find_spec(module) is None]
    if not absent:
        return None
    return (
        f"The virtual table needs {' and '.join(absent)}: pip install 'cabstand[virtual]' "
        "(the interpreter exists for x86-64 Linux and for Apple silicon only). A real table works without."
    )
