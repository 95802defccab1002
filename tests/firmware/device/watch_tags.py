"""Shows polls to a `TagPresence` and tells what it reported; each poll is [ms since the last, socket, result, tags]."""

import time

from answer import answer, question

from firmware.table.tag_presence import TagPresence

told = []
for polls in question():
    events = []

    def report(name, fields, events=events):
        events.append([name, fields["socket"]] + ([fields["other"]] if "other" in fields else []))

    presence = TagPresence(8, report)
    steps = []
    doubts = []
    for wait, socket, result, tags in polls:
        time.sleep_ms(wait)
        presence.begin_sweep()
        presence.polled(socket, result, [tag.encode() for tag in tags], 0x92)
        steps.append(presence.restless)
        doubts.append(presence.doubts(socket))
    there = [[tag.decode() for tag in presence.tags(socket)] for socket in range(8)]
    crosstalk = list(presence.crosstalk)
    told.append({"events": events, "there": there, "restless": steps, "doubts": doubts, "crosstalk": crosstalk})
answer(told)
