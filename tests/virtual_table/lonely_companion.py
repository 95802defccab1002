"""Run as a program: connects to the virtual table at an HCI port, says so, and stays until it is killed."""

import asyncio
import sys

from bleak import BleakClient, BleakScanner

from companion.virtual_table.radio.bleak_backend import bleak_backend
from companion.virtual_table.radio.central import Central
from shared_rules.wire.messages import COMMANDS_UUID, EVENTS_UUID, SERVICE_UUID, encode


async def stay(port: int) -> None:
    scanner_class, client_class = bleak_backend(Central.over_socket(port))
    device = await BleakScanner.find_device_by_filter(
        lambda _, seen: SERVICE_UUID in seen.service_uuids, backend=scanner_class, timeout=20
    )
    assert device is not None, "the table does not advertise"
    client = BleakClient(device, backend=client_class)
    await client.connect()
    await client.start_notify(EVENTS_UUID, lambda _, data: print(data.hex(), flush=True))
    resume = encode("RESUME", 1, 0, {"boot_id": 0, "last_seq": 0, "companion_id": 9})
    await client.write_gatt_char(COMMANDS_UUID, resume, response=True)
    print("resumed", flush=True)
    await asyncio.Event().wait()


asyncio.run(stay(int(sys.argv[1])))
