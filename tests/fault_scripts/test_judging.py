"""A heard fact answers one recorded fact, also where two of them came almost together; a script outlasts its steps."""

import pytest

from companion.fault_scripts.judging import never_came
from companion.fault_scripts.script import FORMAT, ScriptError, parse_script

HEAD = f'format = "{FORMAT}"\nname = "n"\ntitle = "t"\nsource = "s"\norder = "loose"\nlasts_ms = 9000\n'
STEP = '[[steps]]\nat_ms = 100\ndo = "crash"\n'


def expected(*about_ms):
    rows = [f'[[expect]]\nfact = "die_started"\ndevice = "die"\nabout_ms = {about}\n' for about in about_ms]
    return parse_script(HEAD + STEP + "".join(rows)).expected


@pytest.mark.parametrize(("heard", "wrong"), [([1.0], 1), ([1.0, 1.2], 0), ([1.2, 1.0, 1.1], 0), ([], 2)])
def test_two_facts_almost_together_need_two(heard, wrong):
    facts = [{"fact": "die_started", "device": "die", "at": at} for at in heard]
    assert len(never_came(expected(1000, 1200), facts, 1.0)) == wrong


def test_a_script_lasts_until_its_last_step():
    text = HEAD + STEP.replace("100", "9001") + '[[expect]]\nfact = "die_started"\nabout_ms = 1\n'
    with pytest.raises(ScriptError, match="before its last step"):
        parse_script(text)
    assert parse_script(text.replace("9001", "9000")).lasts_ms == 9000
