import itertools

_calls = itertools.count()


class Plan:
    def __init__(self, weight, times):
        self._weight = weight
        self._times = times

    def daily(self):
        """DOSE-1: never more than 60 a day."""
        return min(self._weight * self._times, 61)


def stamp():
    return next(_calls)
