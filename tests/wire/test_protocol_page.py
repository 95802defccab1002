"""docs/protocol.md says what the message table says; `python tests/wire/test_protocol_page.py` writes its tables."""

import re
from pathlib import Path

from shared_rules.wire import message_table
from shared_rules.wire import messages as wire

PAGE = Path(__file__).resolve().parents[2] / "docs" / "protocol.md"
BEGIN = "<!-- made from the message table: begin -->\n"
END = "<!-- made from the message table: end -->\n"
GROUPS = (("Link", 0x00, 0x1F), ("Commands", 0x20, 0x3F), ("Events", 0x80, 0xFF))


def bounds(kind, low, high):
    if kind in ("u8", "u16", "u32"):
        full = {"u8": 0xFF, "u16": 0xFFFF, "u32": 0xFFFFFFFF}[kind]
        return "" if (low, high) == (0, full) else f" {low}–{high}"
    return {"list": f" of {low}–{high}", "text": f" of at most {high}"}.get(kind, "")


def tables():
    lines = []
    for title, first, last in GROUPS:
        lines += [f"**{title}**", "", "| kind | name | to | payload |", "| --- | --- | --- | --- |"]
        for kind, name, direction, fields in message_table.rows():
            if not first <= kind <= last:
                continue
            payload = ", ".join(
                f"`{what}` {field}{bounds(field, low, high)}{' in ' + unit if unit and field[0] == 'u' else ''}"
                for what, field, unit, low, high in fields
            )
            to = "companion" if direction == message_table.TO_COMPANION else "table"
            lines.append(f"| 0x{kind:02X} | {name} | {to} | {payload or 'none'} |")
        lines.append("")
    return "\n".join(lines)


def split():
    text = PAGE.read_text(encoding="utf-8")
    before, rest = text.split(BEGIN)
    middle, after = rest.split(END)
    return before, middle, after


def test_the_tables_are_the_message_table():
    assert split()[1] == tables(), "python tests/wire/test_protocol_page.py writes them anew"


def test_identifiers_limits_and_statuses_on_the_page_are_those_of_the_code():
    text = PAGE.read_text(encoding="utf-8")
    for uuid in (wire.SERVICE_UUID, wire.EVENTS_UUID, wire.COMMANDS_UUID, wire.INFO_UUID):
        assert f"`{uuid}`" in text
    assert f"At most {wire.MAX_SIZE} bytes" in text
    statuses = (wire.DONE, wire.UNKNOWN_COMMAND, wire.BAD_FIELD, wire.NOT_NOW, wire.STALE, wire.NOT_PAIRED)
    table = text.split("| status | means |")[1].split("\n\n")[0]
    assert [int(n) for n in re.findall(r"^\| (\d+) \|", table, re.M)] == list(statuses)
    causes = text.split("| `reset_cause` |")[1].split("\n")[0]
    assert re.findall(r"\d ([a-z ]+)[,|]", causes)[: len(wire.RESET_CAUSES) - 1] == list(wire.RESET_CAUSES[:-1])
    looks = text.split("| look | for |")[1].split("\n\n")[0]
    assert len(re.findall(r"^\| \d \|", looks, re.M)) == wire.LOOK_COUNT


def test_every_message_is_explained():
    before, _middle, after = split()
    told = before + after
    for _kind, name, _direction, _fields in message_table.rows():
        if name.startswith("SNAPSHOT_") or name in ("FAULT", "DISARM_DIE"):
            continue  # one paragraph for the family; two that say themselves
        assert name in told, name


if __name__ == "__main__":
    before, _, after = split()
    PAGE.write_text(before + BEGIN + tables() + END + after, encoding="utf-8")
