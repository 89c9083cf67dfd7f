"""What the shop's own reports expect of instalments."""

from hypothesis import given, strategies as st

from instalments import split_cents

totals = st.integers(0, 10_000_000)


@given(total=totals, parts=st.integers(1, 24))
def test_bill_4_sum_is_exact(total, parts):
    """The instalments sum to the total."""
    out = split_cents(total, parts)
    assert sum(out) == total


@given(total=totals)
def test_bill_4_one_instalment_is_the_total(total):
    assert split_cents(total, 1) == [total]
