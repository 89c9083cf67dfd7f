import pytest
from hypothesis import given, strategies as st

import beacon

pytestmark = pytest.mark.anyio


@given(data=st.data())
async def test_no_blink_after_the_end(data):
    pace = data.draw(st.decimals(1, 5, places=1))
    seconds = data.draw(st.integers(1, 30))
    assert all(at < seconds for at in await beacon.blinks(seconds, pace))


class TestBeacon:
    @given(n=st.integers(1, 9), data=st.data())
    async def test_first_blink(self, n, data):
        pace = data.draw(st.decimals(1, 5, places=1), label="pace")
        found = await beacon.blinks(n, pace)
        assert found[0] == 0 and len(found) * pace < n + pace


@given(n=st.integers(1, 9))
async def test_one_pace_is_one_blink(n):
    assert await beacon.blinks(n, n) == [0]
