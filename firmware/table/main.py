"""The entry of the table's firmware: `main()` runs the table until power or a reset ends it."""

import machine

from firmware import pins
from firmware.device_link.device import start
from shared_rules.wire.messages import TABLE_CONTROLLER

DIE_FACES = 12
CABLE_BUFFER = 512  # bytes: four frames of the longest kind


def build(device):
    """The table on its device. What it needs is only loaded here, so that safe mode works without it."""
    from firmware.table.app import TableApp

    app = TableApp(device)
    return app.tasks(), app.is_alive


def main():
    """Runs the table for ever."""
    cable = machine.UART(
        1, pins.CABLE_BAUD, tx=pins.CABLE_TX, rx=pins.CABLE_RX, txbuf=CABLE_BUFFER, rxbuf=CABLE_BUFFER
    )
    start(
        build, TABLE_CONTROLLER, "Cabstand", sockets=pins.SOCKETS, leds=pins.BOARD_LEDS, die_faces=DIE_FACES, uart=cable
    )


if __name__ == "__main__":
    main()
