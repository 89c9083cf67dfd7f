import time

from hypothesis import assume, given, settings, strategies as st

import dose


@st.composite
def plans(draw):
    return dose.Plan(draw(st.integers(1, 40)), draw(st.integers(1, 6)))


@given(plan=plans(), extra=st.just(0))
def test_daily_dose_is_limited(plan, extra):
    assert plan.daily() + extra <= 60


class TestPlan:
    @given(f=st.functions(like=lambda n: 1, returns=st.integers(0, 9)), plan=plans())
    def test_limit_in_a_class(self, f, plan):
        assert plan.daily() <= 60


@given(n=st.integers(0, 3))
def test_stamps_repeat(n):
    assert dose.stamp() == 0


@settings(deadline=5)
@given(n=st.integers(0, 3))
def test_is_quick(n):
    time.sleep(0.02)


@given(n=st.integers(0, 1000))
def test_only_sevens(n):
    assume(n == 777 and n > 800)
