"""Walks an outbox through given steps and tells what it holds after each."""

import os

from answer import answer, question

from firmware.device_link.outbox import Outbox
from firmware.supervision.two_slot_file import TwoSlotFile
from shared_rules.wire.messages import decode

folder, asked = question()
os.chdir(folder)
results = []
for walk in asked:
    box = Outbox(walk["capacity"])
    if walk.get("start"):
        box.newest = walk["start"]
    told = []
    for step in walk["steps"]:
        done = None
        if step[0] == "append":
            box.append("SEVERAL_RESOLVED", 0, {"socket": step[1]})
        elif step[0] == "ack":
            done = box.acknowledge(step[1])
        elif step[0] == "restart":
            record = TwoSlotFile("outbox")
            box.keep(record, 77)
            if step[1] == "damage":
                with open("outbox.a", "r+b") as file:
                    file.seek(-6, 2)
                    file.write(b"\x7f")
            box = Outbox(walk["capacity"])
            done = box.take_over(TwoSlotFile("outbox"))
            again = Outbox(walk["capacity"]).take_over(TwoSlotFile("outbox"))
            assert again == 0, "an outbox that comes twice gives old numbers to new events"
        if walk.get("only_last") and step is not walk["steps"][-1]:
            continue
        kept = []
        seq = box.oldest
        while True:
            packet = box.packet(seq)
            if packet is None:
                break
            message = decode(packet)
            kept.append([message.seq, message.fields["socket"]])
            seq = (seq + 1) & 0xFFFF
        told.append({"done": done, "kept": kept, "newest": box.newest, "waiting": box.waiting})
    results.append(told)
answer(results)
