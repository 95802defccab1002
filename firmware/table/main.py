"""The entry of the table's firmware: `main()` runs the table until power or a reset ends it."""

import asyncio

from firmware.table.app import TableApp


def main():
    """Runs the table for ever."""
    asyncio.run(TableApp().run())


if __name__ == "__main__":
    main()
