"""Starts, failures and new starts of a supervised table, in the folder given by the question."""

import asyncio
import os
import time

import machine
from answer import answer, question

from firmware.device_link.outbox import Outbox
from firmware.table import supervisor
from shared_rules.wire.messages import decode

time.drive_asyncio()
os.chdir(question())
results = {}


def start():
    outbox = Outbox()
    cause = supervisor.reset_cause()
    return outbox, cause, supervisor.boot_number(outbox)


def work_until(error, ms=50):
    async def work():
        await asyncio.sleep_ms(ms)
        raise error

    return work()


async def for_ever():
    while True:
        await asyncio.sleep_ms(100)


def run(outbox, boot_id, tasks, is_alive=lambda: True):
    try:
        asyncio.run(supervisor.Supervisor(outbox, boot_id, is_alive).run(tasks))
    except machine.ResetError:
        return "reset"
    finally:
        asyncio.new_event_loop()


outbox, cause, first_boot = start()
results["first start"] = [cause, first_boot != 0, sorted(os.listdir())]
for socket in range(3):
    outbox.append("SEVERAL_RESOLVED", 0, {"socket": socket})
outbox.acknowledge(1)
results["failure"] = run(outbox, first_boot, (for_ever(), work_until(ValueError("of a kind")), for_ever()))
results["files"] = sorted(os.listdir())

machine.cause = machine.HARD_RESET
outbox, cause, boot = start()
fault = decode(outbox.packet(outbox.newest))
results["second start"] = [cause, boot == first_boot, outbox.waiting, outbox.oldest, fault.name, fault.fields["task"]]
results["error"] = fault.fields["error"]
with open(supervisor.OLD_FAULT_FILE) as file:
    text = file.read()
results["trace"] = ["task 1" in text, "ValueError: of a kind" in text]

outbox, cause, boot = start()
results["third start"] = [cause, boot not in (0, first_boot), outbox.waiting]

machine.cause = machine.WDT_RESET
results["watchdog start"] = start()[1]
machine.cause = 99
results["odd start"] = start()[1]

with open(supervisor.OUTBOX_FILE, "wb") as file:
    file.write(b"\x01\x02\x03 rubbish that is long enough")
outbox, cause, boot = start()
results["rubbish file"] = [boot != 0, outbox.waiting, supervisor.OUTBOX_FILE in os.listdir()]

fed = machine.fed
alive = [True]


async def stops():
    await asyncio.sleep_ms(5500)
    alive[0] = False
    await asyncio.sleep_ms(20000)
    raise OSError


run(outbox, boot, (stops(),), lambda: alive[0])
results["fed"] = machine.fed - fed

big = Outbox()
for n in range(600):
    big.append("TAG_APPEARED", 0, {"socket": n % 32, "uid": bytes(10)})
again = Outbox()
results["full ring"] = [again.restore(big.save(5)), again.waiting, again.oldest, again.packet(300) == big.packet(300)]
answer(results)
