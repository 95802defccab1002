"""The virtual table's air: two Bluetooth controllers, the firmware's radio, and a bleak backend for the companion."""

import logging

logging.getLogger("bumble").setLevel(logging.CRITICAL)  # lost links are everyday here, and it logs them with tracebacks
