from hypothesis import given

from lending.fees import door, fee
from plans import late, loans, shelves


@given(loan=loans)
def test_lend_1_a_fortnight_is_free(loan):
    if loan.days <= 14:
        assert fee(loan) == 0


@given(shelf=shelves)
def test_lend_2_row_five_is_upstairs(shelf):
    assert (door(shelf) == "upstairs") == (shelf.row >= 5)


@given(loan=late)
def test_lend_1_later_days_cost_ten_each(loan):
    assert fee(loan) == (loan.days - 14) * 10
