"""A bank of four readers through silence, forgetting and deafness; tells what was reported, and set-ups counted."""

import asyncio
import time

from answer import answer
from tag_field import FieldBus, Tag

from firmware.table.reader_bank import ReaderBank
from firmware.table.tag_presence import TagPresence

time.drive_asyncio()
events = []
fields = [FieldBus([Tag(b"\x04\x01\x02\x03")]), FieldBus(), FieldBus(), FieldBus()]
fields[3].dead = True


def report(name, fields):
    events.append([name, fields["socket"]])


class OneOfMany:
    """Leads each socket's calls to its own field, and sees to it that only one field is on."""

    def __getattr__(self, name):
        def call(socket, *rest):
            result = getattr(fields[socket], name)(socket, *rest)
            assert sum([field.registers[0x14] & 3 == 3 for field in fields]) <= 1, "two fields on"
            return result

        return call


async def main():
    bus = OneOfMany()
    bank = ReaderBank(bus, 4, TagPresence(4, report))
    task = asyncio.create_task(bank.run())
    phases = {}

    async def phase(name, ms):
        await asyncio.sleep_ms(ms)
        phases[name] = list(events)
        events.clear()

    await phase("start", 5000)
    fields[0].dead = True
    await phase("falls silent", 5000)
    fields[0].dead = False
    fields[0].reset()
    await phase("is back", 15000)
    fields[1].reset()
    fields[1].tags = [Tag(b"\x04\x09\x08\x07")]
    await phase("forgot its set-up", 5000)
    fields[3].dead = False
    await phase("a reader is plugged in", 15000)
    fields[0].registers[0x15] = 0  # hears no tag any more, though its timer runs
    await phase("went deaf", 20000)
    task.cancel()
    phases["restarts"] = [bank.socket_health(socket)["restarts"] for socket in range(4)]
    phases["sweep ms"] = bank.sweep_ms
    answer(phases)


asyncio.run(main())
