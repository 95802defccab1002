"""The entry of the handheld die's firmware: `main()` runs it until it sleeps, or until power or a reset ends it."""

import machine

from firmware import pins_handheld as pins
from firmware.device_link.device import start
from shared_rules.wire.messages import HANDHELD_DIE

DIE_FACES = 12
EVENTS = 64  # a roll is two or three of them: twenty throws without a companion
CABLE_BUFFER = 256  # bytes: two frames of the longest kind


def build(device):
    """The die on its device. What it needs is only loaded here, so that safe mode works without it."""
    from firmware.die.handheld_app import HandheldApp

    app = HandheldApp(device)
    return app.tasks(), app.is_alive


def main():
    """Runs the die for ever. Its pads for a cable lie inside the shell: they are served, and take memory, only when it
    starts on its charger, as on a bench."""
    cable = None
    if machine.Pin(pins.CHARGING, machine.Pin.IN, machine.Pin.PULL_UP).value() == 0:
        cable = machine.UART(
            1, pins.CABLE_BAUD, tx=pins.CABLE_TX, rx=pins.CABLE_RX, txbuf=CABLE_BUFFER, rxbuf=CABLE_BUFFER
        )
    start(build, HANDHELD_DIE, "Cabstand die", leds=1, die_faces=DIE_FACES, uart=cable, events=EVENTS)


if __name__ == "__main__":
    main()
