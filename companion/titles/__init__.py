"""What is special to each game in the companion, one folder a title, the same file names in each; found by name.

    title = titles.find("taxi")
    title.table.where(position)          # companion/titles/taxi/table.py

A folder with a file `setup.py` is a title. The generic rooms (companion/tables, companion/web) know no game: they ask
the title of the evening. What each file offers is written down in companion/titles/contract.py and docs/companion.md.
"""

from __future__ import annotations

from companion.titles.found import Title, find, names, shown

__all__ = ["Title", "find", "names", "shown"]
