"""Walks an outbox through given steps and tells what it holds after each."""

from answer import answer, question

from firmware.device_link.outbox import Outbox
from shared_rules.wire.messages import decode

asked = question()
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
            saved = box.save(77)
            if step[1] == "damage":
                saved = saved[:-6] + bytes((saved[-6] ^ 1,)) + saved[-5:]
            box = Outbox(walk["capacity"])
            done = box.restore(saved)
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
