from decimal import Decimal


async def blinks(seconds, pace):
    """BEACON-1: a beacon blinks at the start of each pace."""
    return [at * pace for at in range(int(Decimal(seconds) / pace) + 1)]
