"""Events wait until they are acknowledged, in order, and the ring never grows."""

from hypothesis import given, settings
from hypothesis import strategies as st

from shared_rules.wire.sequence import WINDOW, distance

steps = st.lists(
    st.one_of(
        st.tuples(st.just("append"), st.integers(0, 31)),
        st.tuples(st.just("append"), st.integers(0, 31)),
        st.tuples(st.just("ack"), st.integers(-4, 14)),
        st.tuples(st.just("restart"), st.just("clean")),
    ),
    max_size=40,
)
walks = st.lists(
    st.builds(dict, capacity=st.integers(1, 8), start=st.sampled_from([0, 65530]), steps=steps), min_size=1, max_size=8
)


def expected(walk):
    """The same walk with a plain list."""
    kept, newest, told = [], walk["start"], []
    for step in walk["steps"]:
        done = None
        if step[0] == "append":
            newest = (newest + 1) & 0xFFFF
            kept = [*kept, [newest, step[1]]][-walk["capacity"] :]
        elif step[0] == "ack":
            ahead = distance(newest, step[1])
            done = 0 <= ahead <= WINDOW
            if done:
                kept = [entry for entry in kept if distance(entry[0], step[1]) > 0]
        else:
            done = 77
        told.append({"done": done, "kept": kept, "newest": newest, "waiting": len(kept)})
    return told


@settings(max_examples=40, deadline=None)
@given(walks)
def test_any_walk_keeps_what_a_list_would_keep(micropython, tmp_path_factory, walks):
    for walk in walks:
        base = walk["start"]
        walk["steps"] = [[s[0], (base + s[1]) & 0xFFFF] if s[0] == "ack" else list(s) for s in walk["steps"]]
    kept = micropython("outbox_walk", [str(tmp_path_factory.mktemp("flash")), walks])
    assert kept == [expected(walk) for walk in walks]


def test_the_full_ring_keeps_the_newest_512(micropython, tmp_path):
    steps = [*(["append", n % 32] for n in range(700)), ["restart", "clean"]]
    told = micropython("outbox_walk", [str(tmp_path), [{"capacity": 512, "steps": steps, "only_last": True}]])[0][-1]
    assert told["waiting"] == 512
    assert [entry[0] for entry in told["kept"]] == list(range(189, 701))


def test_a_damaged_record_is_refused_whole(micropython, tmp_path):
    walk = {"capacity": 4, "steps": [["restart", "clean"], ["append", 1], ["append", 2], ["restart", "damage"]]}
    told = micropython("outbox_walk", [str(tmp_path), [walk]])[0]
    assert told[0]["done"] == 77
    assert told[-1] == {"done": 0, "kept": [], "newest": 0, "waiting": 0}
