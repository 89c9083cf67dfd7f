import unittest

import hypothesis as h
import hypothesis.strategies as st

from steps import climb


class Steps:
    @h.given(n=st.integers(0, 50))
    def test_rises(self, n):
        assert climb(n, self.step) >= n


class TestSlow(Steps):
    step = 1


class TestUp(unittest.TestCase):
    step = 2

    @h.given(n=st.integers(0, 50))
    def test_rises(self, n):
        assert climb(n, self.step) > n, "no step"


class TestDown(unittest.TestCase):
    step = -1

    @h.given(n=st.integers(0, 50))
    def test_rises(self, n):
        assert climb(n, self.step) < n or n >= 13, "no step"
