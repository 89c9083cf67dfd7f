import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

import ferry


@pytest.fixture
def crew():
    return {"mate": object()}


class TestLoading:
    spare = 0

    def setup_method(self):
        self.spare = 1

    @pytest.mark.deck
    @pytest.mark.parametrize("room", [5, 9])
    @settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
    @given(data=st.data(), first=st.integers(1, 5))
    def test_fills_the_deck(self, room, crew, data, first):
        second = data.draw(st.integers(1, 9), label="second: car")
        assert self.spare and crew["mate"]
        if first + second == room:
            assert ferry.load([first, second], room) == [first, second]

    @staticmethod
    @given(data=st.data())
    def test_lanes(data):
        length = data.draw(st.sampled_from([4, 5, 6, 7]))
        assert ferry.lane(length) == (2 if length >= 6 else 1)

    def test_nothing(self):
        assert ferry.load([], 5) == []


@given(st.data())
def test_short_cars_first(data):
    cars = data.draw(st.lists(st.integers(1, 3), min_size=1, max_size=3))
    assert ferry.load(cars, sum(cars)) == cars
