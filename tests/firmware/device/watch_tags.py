"""Shows polls to a `TagPresence` and tells what it reported; each poll is [ms since the last, socket, result, tags]."""

import time

from answer import answer, question

from firmware.table.tag_presence import TagPresence

told = []
for polls in question():
    events = []
    presence = TagPresence(8, lambda name, fields, events=events: events.append([name, fields["socket"]]))
    steps = []
    for wait, socket, result, tags in polls:
        time.sleep_ms(wait)
        presence.begin_sweep()
        presence.polled(socket, result, [tag.encode() for tag in tags], 0x92)
        steps.append(presence.restless)
    there = [[tag.decode() for tag in presence.tags(socket)] for socket in range(8)]
    told.append({"events": events, "there": there, "restless": steps})
answer(told)
