from __future__ import annotations

from agent_claimcheck.trace.seen import SeenIds


def test_an_id_is_new_once():
    seen = SeenIds()
    assert seen.first_sight("a", "f", 1) is None
    assert seen.first_sight("b", "f", 2) is None
    assert seen.first_sight("a", "f", 3) == ("f", 1)
    assert seen.first_sight("a", "f", 4) == ("f", 1)
    assert len(seen) == 2


def test_places_survive_growth_and_many_files():
    seen = SeenIds()
    for file in range(40):
        for line in range(1, 251):
            assert seen.first_sight(f"{file}/{line}", f"f{file}", line) is None
    assert len(seen) == 10_000
    for file, line in ((0, 1), (0, 250), (17, 33), (39, 1), (39, 250)):
        assert seen.first_sight(f"{file}/{line}", "again", 1) == (f"f{file}", line)


def test_the_same_file_read_twice_keeps_both_places():
    seen = SeenIds()
    assert seen.first_sight("a", "f", 5) is None
    assert seen.first_sight("a", "f", 5) == ("f", 5)
    assert seen.first_sight("b", "f", 2) is None
    assert seen.first_sight("b", "g", 1) == ("f", 2)


def test_a_trace_costs_at_most_20_bytes():
    seen = SeenIds()
    count = 50_000
    sizes = []
    for number in range(1, count + 1):
        seen.first_sight(f"trace-{number}", "f", number)
        if number % 5_000 == 0:
            sizes.append(seen.memory_bytes / number)
    assert max(sizes) <= 20
