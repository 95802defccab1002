"""What the BLE peripheral does with a stack that refuses, drops, and calls in any order."""

import asyncio
import binascii
import time

import bluetooth
from answer import answer

from firmware.device_link.ble_peripheral import BlePeripheral

time.drive_asyncio()
results = {}


def make():
    ble = bluetooth.BLE()
    link = BlePeripheral(ble, "Cabstand B1E0", b"\x01\x02\x03\x04\x05\x06")
    link.start(b"hello")
    return ble, link


async def drain(link, count):
    out = []
    for _ in range(count):
        what, conn, data = await link.next()
        out.append([what, conn, len(data)])
    return out


async def main():
    ble, link = make()
    adv, resp = ble.advertisement
    results["advertisement"] = [binascii.hexlify(adv).decode(), resp[2:].decode(), ble.name, ble.advertised]

    refused = []
    for code in (12, 105, -128, 19):
        ble.refusing = code
        refused.append(link.notify(0, b"x"))
        link.drop(0)
    ble.refusing = None
    results["notify"] = [refused, link.notify(7, b"xy"), ble.sent[0][0] == 7]

    # 1,000 connections, their ends in every order, on a controller that refuses to advertise now and then
    before = ble.advertised
    for n in range(1000):
        ble.refusing = 12 if n % 3 == 0 else None
        for event in ((1, 2), (2,), (1, 1, 2), (2, 1, 2))[n % 4]:
            ble.handler(event, (n % 4, 0, b"\x00" * 6))
        await drain(link, (2, 1, 3, 3)[n % 4])
    results["advertised again"] = ble.advertised - before > 1000

    ble.refusing = 12
    task = asyncio.create_task(link.rearm())
    await asyncio.sleep_ms(61000)
    ble.refusing = None
    before = ble.advertised
    await asyncio.sleep_ms(90000)
    task.cancel()
    results["advertised by the clock"] = ble.advertised - before

    # writes that come faster than they are read; the memoryview is the stack's own and changes at once
    commands = ble.buffer[0]
    value = bytearray(20)
    for n in range(20):
        value[0] = n
        ble.values[commands] = memoryview(value)
        ble.handler(3, (5, commands))
    ble.handler(3, (5, commands + 1))  # another characteristic
    ble.handler(2, (5, 0, b""))
    taken = []
    for _ in range(15):
        what, conn, data = await link.next()
        taken.append(data[0] if data else -what)
    results["writes"] = [taken, link.lost_writes]
    ble.values[commands] = bytes(300)
    ble.handler(3, (5, commands))
    results["oversized"] = link.lost_writes


asyncio.run(main())
answer(results)
