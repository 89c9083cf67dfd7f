def fee(loan):
    """LEND-1: a loan costs nothing in its first fortnight."""
    return max(0, loan.days - 13) * 10 + loan.reader.fines


def door(shelf):
    """LEND-2: rows from 5 on are upstairs."""
    return "upstairs" if shelf.row > 5 else "downstairs"
