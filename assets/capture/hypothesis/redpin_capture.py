"""Hands over what a run of pytest knows of each failing Hypothesis test.

redpin puts the folder of this file on the path of Python and says so to pytest by an entry point beside it, so that nothing
happens where that path is not taken. One line of JSON is appended for each such test to the file that REDPIN_CAPTURE names.
Whatever goes wrong here is kept here: the run must come out as it would have without.

A line is an object:

redpin     "hypothesis"
form       1; keys may be added under it
version    of Hypothesis
node       the test, as pytest names it
root       the folder that pytest names tests from
folder     the folder it was started in
given      the names of the arguments that `@given` provides, or null
parameters the arguments that `parametrize` provides, each as `repr` shows it
source     where the test stands: file, first and last line; or null
examples   the explicit examples that it has, as calls
failing    the failing calls, where this version of Hypothesis keeps them apart, or null
printed    what older versions print instead of noting it at the error, or null
errors     each distinct error: `class` (as Python prints it), `message`, `notes`, `frames` (outermost first: file, line,
           function, source) and `led_by`, the statement of the error that led to it, or null

Once for each run a line tells of the Python that runs it: `redpin` is "python", `program` its path.

In a sweep it also makes the run deep: REDPIN_CASES says how many examples each test is run with that does not say so itself, and
REDPIN_SHARD, as 1/4, which part of the tests is run. Of each Hypothesis test that was run it appends a line then: `redpin` is
"swept", `test` its name.
"""

import hashlib
import json
import linecache
import os
import stat
import sys

import pytest

VARIABLE = "REDPIN_CAPTURE"
CASES = "REDPIN_CASES"
SHARD = "REDPIN_SHARD"
PROFILE = "redpin-sweep"

# Longer texts are no longer read by anybody.
LONGEST = 1 << 20
MOST_FRAMES = 200

# How the note begins that tells of an input.
HEADS = ("Failing ", "Falsifying ")
DEEPEST = 16


class Run:
    """The run that is told of: the outermost one, and not one that its tests start in turn."""

    def __init__(self, config, path):
        self.config = config
        self.path = path
        self.folder = os.getcwd()
        self.waiting = {}
        self.cases = int(os.environ.get(CASES) or 0)
        self.shard = [int(number) for number in os.environ.get(SHARD, "").split("/") if number]

    def write(self, told, separators=None):
        line = json.dumps(told, ensure_ascii=True, separators=separators) + "\n"
        # A test may have put something else in its place: nobody waits for that, and nothing is written elsewhere.
        file = os.open(self.path, os.O_WRONLY | os.O_APPEND | os.O_NONBLOCK | os.O_NOFOLLOW)
        try:
            if stat.S_ISREG(os.fstat(file).st_mode):
                # All at once: other processes of the run append too.
                os.write(file, line.encode("ascii"))
        finally:
            os.close(file)


_run = None


def pytest_configure(config):
    global _run
    try:
        if _run is None:
            # Workers of xdist are told by the process that starts them.
            path = getattr(config, "workerinput", {}).get(VARIABLE) or os.environ.pop(VARIABLE, None)
            if path:
                _run = Run(config, path)
                if not hasattr(config, "workerinput"):
                    _run.write({"redpin": "python", "program": sys.executable})
    except Exception:
        _run = None


def pytest_unconfigure(config):
    global _run
    if _run is not None and _run.config is config:
        # A program may start one run after the other.
        os.environ[VARIABLE] = _run.path
        _run = None


@pytest.hookimpl(trylast=True)
def pytest_collectstart(collector):
    """Asked before each file is loaded; what it loads may have loaded another profile, before or meanwhile."""
    _deepen()


def pytest_runtestloop(session):
    _deepen()


def _deepen():
    """Lays a profile over the one that is loaded: with as many examples as the sweep says, and others than the last time."""
    try:
        if _run is None or not _run.cases:
            return
        from hypothesis import settings

        loaded = settings.default
        if loaded.derandomize or loaded.max_examples < _run.cases:
            most = max(_run.cases, loaded.max_examples)
            settings.register_profile(PROFILE, parent=loaded, max_examples=most, derandomize=False)
            settings.load_profile(PROFILE)
    except Exception:
        pass


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config, items):
    """Leaves out the tests of other shards: a name says where a test is run, on each machine the same."""
    if _run is None or _run.config is not config or len(_run.shard) != 2:
        return
    number, of = _run.shard
    ours, others = [], []
    for item in items:
        digest = hashlib.sha256(item.nodeid.encode("utf-8", "surrogatepass")).digest()
        is_ours = int.from_bytes(digest[:8], "big") % of == number - 1
        (ours if is_ours else others).append(item)
    if others:
        config.hook.pytest_deselected(items=others)
        items[:] = ours


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session, exitstatus):
    """A shard in which no test is left is none that failed."""
    if _run is not None and _run.config is session.config and len(_run.shard) == 2 and exitstatus == 5:
        session.exitstatus = 0


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node):
    """Asked by xdist alone, before it starts a worker."""
    if _run is not None:
        node.workerinput[VARIABLE] = _run.path


def pytest_runtest_makereport(item, call):
    """Reads the error while it is there; what becomes of the test is not known yet."""
    try:
        if _run is None or item.config is not _run.config or call.when != "call":
            return
        if call.excinfo is not None:
            _run.waiting[item.nodeid] = (item, call.excinfo.value)
        if _run.cases and getattr(getattr(item, "obj", None), "is_hypothesis_test", False):
            _run.write({"redpin": "swept", "test": item.nodeid}, (",", ":"))
    except Exception:
        pass


def pytest_runtest_logreport(report):
    """Tells of a test that failed for good: not of one that is to fail, or is tried again."""
    try:
        if _run is None or report.when != "call":
            return
        item, error = _run.waiting.pop(report.nodeid, (None, None))
        if item is not None and report.outcome == "failed":
            told = _test(item, error, report)
            if told is not None:
                _run.write(told)
    except Exception:
        pass


def _test(item, error, report):
    """What is known of a failed test; None where Hypothesis has no part in it."""
    hypothesis = sys.modules.get("hypothesis")
    test = getattr(item, "obj", None)
    printed = [text for title, text in getattr(report, "sections", []) if title == "Hypothesis"]
    leaves = list(_leaves(error, [], 0))
    noted = any(_notes(leaf) for leaf, _ in leaves)
    if hypothesis is None or not (getattr(test, "is_hypothesis_test", False) or noted or printed):
        return None
    handle = getattr(test, "hypothesis", None)
    given = getattr(handle, "_given_kwargs", None)
    parameters = getattr(getattr(item, "callspec", None), "params", {})
    failing = getattr(item, "_hypothesis_failing_examples", None)
    return {
        "redpin": "hypothesis",
        "form": 1,
        "version": str(getattr(hypothesis, "__version__", "")),
        "node": item.nodeid,
        "root": str(getattr(item.config, "rootdir", "")),
        "folder": _run.folder,
        "given": None if given is None else [str(name) for name in given],
        "parameters": {str(name): _shown(value) for name, value in parameters.items()},
        "source": _source(getattr(handle, "inner_test", None) or test),
        "examples": _examples(test),
        "failing": None if failing is None else [_cut(str(one)) for one in failing],
        "printed": _cut("\n".join(printed)) if printed else None,
        "errors": [_error(leaf, around) for leaf, around in leaves],
    }


def _leaves(error, around, depth):
    """The errors that a group holds, each with the groups around it. One that a test raised itself is an error."""
    inner = getattr(error, "exceptions", None)
    is_whole = _is_unsteady(error) or any(note.startswith(HEADS) for note in _notes(error))
    if isinstance(inner, (tuple, list)) and inner and depth < DEEPEST and not is_whole:
        for one in inner:
            for leaf in _leaves(one, around + [error], depth + 1):
                yield leaf
    else:
        yield error, around


def _is_unsteady(error):
    """Whether an error says that a test is not the same each time: what it holds is what it was made of."""
    return type(error).__module__ == "hypothesis.errors" and type(error).__name__.startswith("Flaky")


def _error(error, around):
    frames = [frame for one in around for frame in _frames(one)] + _frames(error)
    return {
        "class": _class(error),
        "message": _message(error),
        "notes": [_cut(note) for note in _notes(error)],
        "frames": frames[-MOST_FRAMES:],
        "led_by": _led_by(error),
    }


def _class(error):
    kind = type(error)
    name = getattr(kind, "__qualname__", kind.__name__)
    return name if kind.__module__ in ("builtins", "__main__") else "%s.%s" % (kind.__module__, name)


def _message(error):
    try:
        return _cut(str(error))
    except Exception:
        return ""


def _notes(error):
    notes = getattr(error, "__notes__", None) or []
    return [note for note in notes if isinstance(note, str)]


def _led_by(error):
    cause = error.__cause__
    if cause is None and not error.__suppress_context__:
        cause = error.__context__
    frames = [] if cause is None else _frames(cause)
    return frames[-1]["source"] if frames else None


def _frames(error):
    """The calls that led to an error, those left out that pytest leaves out."""
    frames = []
    traceback = error.__traceback__
    while traceback is not None:
        frame, line = traceback.tb_frame, traceback.tb_lineno
        traceback = traceback.tb_next
        if not (_is_hidden(frame) or _is_of_runner(frame)):
            code = frame.f_code
            source = linecache.getline(code.co_filename, line, frame.f_globals).strip()
            told = {"file": code.co_filename, "line": line, "function": code.co_name, "source": _cut(source)}
            frames.append(told)
    return frames


def _is_hidden(frame):
    for names in (frame.f_locals, frame.f_globals):
        if "__tracebackhide__" in names:
            hide = names["__tracebackhide__"]
            return hide is True
    return False


def _is_of_runner(frame):
    return frame.f_globals.get("__name__", "").split(".")[0] in ("_pytest", "pluggy")


def _source(test):
    import inspect

    try:
        test = inspect.unwrap(test)
        lines, first = inspect.getsourcelines(test)
        return {"file": inspect.getsourcefile(test), "first": first, "last": first + len(lines) - 1}
    except Exception:
        return None


def _examples(test):
    told = []
    for example in getattr(test, "hypothesis_explicit_examples", ()):
        positional = [_shown(value) for value in getattr(example, "args", ())]
        named = ["%s=%s" % (name, _shown(value)) for name, value in getattr(example, "kwargs", {}).items()]
        told.append("example(%s)" % ", ".join(positional + named))
    return told


def _shown(value):
    try:
        return _cut(repr(value))
    except Exception:
        return ""


def _cut(text):
    return text if len(text) <= LONGEST else text[:LONGEST]
