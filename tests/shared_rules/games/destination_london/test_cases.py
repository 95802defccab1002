"""The worked cases, on both Pythons, to the byte."""

import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[4]


def answers(lines, interpreter):
    """The replay program's answers, one a line."""
    text = "".join([json.dumps(line) + "\n" for line in lines])
    run = subprocess.run(
        [str(interpreter), "-m", "shared_rules.replay"], input=text.encode(), capture_output=True, cwd=ROOT, check=True
    )
    assert run.stderr == b""
    return run.stdout.splitlines()


def lines_of(cases):
    return [{"position": case["position"], "commands": case.get("commands", [])} for case in cases]


def test_every_case_has_the_right_values(cases, judge):
    found = answers(lines_of(cases), sys.executable)
    wrong = {case["case"]: judge(case, json.loads(line)) for case, line in zip(cases, found, strict=True)}
    assert {name: faults for name, faults in wrong.items() if faults} == {}
    assert len(cases) >= 273


def test_both_pythons_answer_every_case_with_the_same_bytes(cases, micropython):
    lines = lines_of(cases)
    assert answers(lines, micropython) == answers(lines, sys.executable)


def test_every_position_that_comes_out_reads_back_as_it_was(cases):
    out = [json.loads(line) for line in answers(lines_of(cases), sys.executable)]
    positions = [answer["position"] for answer in out if "position" in answer]
    again = answers([{"position": position} for position in positions], sys.executable)
    assert [json.loads(line) for line in again] == [
        {"position": position, "refused": [], "events": []} for position in positions
    ]
    assert len(positions) > 200
