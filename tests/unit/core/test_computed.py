from __future__ import annotations

from agent_claimcheck.core.computed import computed


class Box:
    def __init__(self, size: int) -> None:
        self.size = size
        self.times = 0

    @computed
    def volume(self) -> int:
        """The volume."""
        self.times += 1
        return self.size**3


def test_value_is_computed_once_an_instance() -> None:
    one, two = Box(2), Box(3)
    assert (one.volume, one.volume, two.volume) == (8, 8, 27)
    assert (one.times, two.times) == (1, 1)


def test_nothing_is_computed_before_it_is_asked_for() -> None:
    assert Box(2).times == 0


def test_none_is_kept_like_any_other_value() -> None:
    class Empty:
        times = 0

        @computed
        def nothing(self) -> None:
            self.times += 1

    empty = Empty()
    assert (empty.nothing, empty.nothing) == (None, None)
    assert empty.times == 1


def test_class_shows_the_description() -> None:
    assert Box.volume.__doc__ == "The volume."
