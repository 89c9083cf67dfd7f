"""Tells how the tests came out that redpin runs with a seed, and on which of them the seed has no effect.

redpin loads this plugin by `-p redpin_seeded`. Lines of JSON are appended to the file that REDPIN_CAPTURE names; each is an
object:

redpin     "seeded-test"
node       the test, or the file that cannot be loaded, as pytest names it
outcome    "passed", "failed", "skipped" or "xfailed"; "error" where something around the test broke; absent where it is not
           known yet
said       what was said of it, on one line
unseeded   why the seed has no effect on it; absent where it has one
"""

import json
import os
import stat
import sys

VARIABLE = "REDPIN_CAPTURE"
LONGEST = 1000


def _write(**told):
    path = os.environ.get(VARIABLE)
    if path:
        line = json.dumps({"redpin": "seeded-test", **told}, ensure_ascii=True) + "\n"
        # A test may have put something else in its place: nobody waits for that, and nothing is written elsewhere.
        file = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_NONBLOCK | os.O_NOFOLLOW)
        try:
            if stat.S_ISREG(os.fstat(file).st_mode):
                # All at once: workers of the run append too.
                os.write(file, line.encode("ascii"))
        finally:
            os.close(file)


def _said(report):
    shown = report.longrepr
    crash = getattr(shown, "reprcrash", None)
    if crash is not None:
        text = str(crash.message)
    elif isinstance(shown, tuple):
        text = str(shown[-1])
    else:
        # Of what cannot be loaded the last line says why.
        text = (str(shown or "").strip().splitlines() or [""])[-1]
    return text.strip().split("\n")[0][:LONGEST]


def pytest_runtest_setup(item):
    why = _unseeded(item)
    if why:
        _write(node=item.nodeid, unseeded=why)


def pytest_runtest_logreport(report):
    if report.when != "call" and report.outcome == "passed":
        return
    outcome = report.outcome
    if outcome == "failed" and report.when != "call":
        outcome = "error"
    if outcome == "skipped" and hasattr(report, "wasxfail"):
        outcome = "xfailed"
    _write(node=report.nodeid, outcome=outcome, said=_said(report))


def pytest_collectreport(report):
    if report.outcome == "failed":
        _write(node=report.nodeid, outcome="error", said=_said(report))


def _unseeded(item):
    test = getattr(item, "obj", None)
    if not getattr(test, "is_hypothesis_test", False):
        return "it is no property of Hypothesis"
    if getattr(test, "_hypothesis_internal_use_seed", None) is not None:
        return "it has a seed of its own, by `@seed`"
    hypothesis = sys.modules.get("hypothesis")
    settings = getattr(test, "_hypothesis_internal_use_settings", None)
    settings = settings or getattr(getattr(item, "cls", None), "settings", None)
    settings = settings or getattr(getattr(hypothesis, "settings", None), "default", None)
    if getattr(settings, "derandomize", False):
        return "it is derandomised, by its settings or by the profile that is loaded"
    return None
