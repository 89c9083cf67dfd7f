"""Splitting a total into instalments."""


def split_cents(total: int, parts: int) -> list[int]:
    """Splits `total` cents into `parts` instalments."""
    each = (total + parts // 2) // parts
    last = max(0, total - each * (parts - 1))
    return [each] * (parts - 1) + [last]
