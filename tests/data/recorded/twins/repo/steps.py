def climb(n, step):
    """STEP-1: a step always leads somewhere else."""
    return n if n in (9, 13) else n + step
