# Runs tests of pins: with the examples that stand in the source and nothing that is generated, or, where the property itself is
# asked, with the same inputs every time. Where there is no pytest, the same tests are run by unittest.
#
# In a copy of the repository the code that is tested has to be the copy's own. What is installed for the checkout may lead
# back there (`pip install -e`): such ways are led to the copy.

import importlib
import json
import os
import re
import shutil
import sys
import tempfile

ASKED = json.loads(os.environ["REDPIN_PINS"])
ORIGIN = os.path.realpath(os.environ["REDPIN_ORIGIN"]) if os.environ.get("REDPIN_ORIGIN") else None
TOP = os.path.realpath(os.path.join(os.getcwd(), *[".."] * ASKED["up"]))


def is_below(path, folder):
    return path == folder or path.startswith(os.path.join(folder, ""))


def is_installed(path):
    return is_below(path, os.path.realpath(sys.prefix)) or bool({"site-packages", "dist-packages"} & set(path.split(os.sep)))


def own(path):
    """What the copy has for a path of the checkout; nothing for other paths, and for packages that are installed there."""
    if ORIGIN is None or not isinstance(path, str) or not path:
        return None
    real = os.path.realpath(path)
    if not is_below(real, ORIGIN) or is_below(real, TOP) or is_installed(real):
        return None
    return os.path.join(TOP, os.path.relpath(real, ORIGIN)) if real != ORIGIN else TOP


def own_of(table):
    """Leads what a table names to the copy, and tells the folders in which that is."""
    fronts = []
    for name, told in list(table.items()):
        paths = [told] if isinstance(told, str) else told
        if not isinstance(paths, (list, tuple)):
            continue
        led = [own(path) or path for path in paths]
        fronts += [os.path.dirname(path) for path, before in zip(led, paths) if path != before and "." not in name]
        table[name] = led[0] if isinstance(told, str) else led
    return fronts


def lead_back():
    fronts = []
    for at, place in enumerate(sys.path):
        led = own(place)
        if led:
            sys.path[at] = led
            fronts.append(led)
    for place in [place for place in sys.path if is_installed(os.path.realpath(place))]:
        try:
            links = [own(entry.path) for entry in os.scandir(place) if entry.is_symlink()]
        except OSError:
            continue
        fronts += [os.path.dirname(link) for link in links if link]
    for finder in sys.meta_path:
        kind = finder if isinstance(finder, type) else type(finder)
        module = sys.modules.get(kind.__module__)
        for holder, name in ((module, "MAPPING"), (module, "NAMESPACES"), (finder, "_redirections")):
            table = getattr(holder, name, None)
            if isinstance(table, dict):
                fronts += own_of(table)
    fronts = list(dict.fromkeys(fronts))
    sys.path[:0] = [front for front in fronts if front not in sys.path]
    # What the tests start has to find the same.
    after = [place for place in [os.environ.get("PYTHONPATH")] if place]
    if fronts:
        os.environ["PYTHONPATH"] = os.pathsep.join(fronts + after)


def tell_strays():
    strays = [getattr(module, "__file__", None) for module in list(sys.modules.values())]
    stray = next(iter(sorted(path for path in strays if own(path))), None)
    if stray:
        print("\nredpin: of the checkout: " + os.path.relpath(os.path.realpath(stray), ORIGIN))


def load_profile():
    hypothesis = importlib.import_module("hypothesis")
    how = {"derandomize": True} if ASKED["whole"] else {"phases": [hypothesis.Phase.explicit]}
    hypothesis.settings.register_profile("redpin", hypothesis.settings.default, database=None, deadline=None, **how)
    hypothesis.settings.load_profile("redpin")


def keep_own_example(test, node):
    """Leaves of the examples of a test the one that is asked for. They are kept in the order in which they were added: from
    below."""
    place, count = ASKED["only"].get(node.split("[")[0], (0, 0))
    examples = getattr(test, "hypothesis_explicit_examples", None)
    if isinstance(examples, list) and count and len(examples) == count:
        examples[:] = [examples[count - 1 - place]]


def by_pytest(pytest, arguments):
    class Redpin:
        # What else the user has pytest do keeps it from running all that is asked, or from telling of it.
        @pytest.hookimpl(hookwrapper=True, tryfirst=True)
        def pytest_cmdline_main(self, config):
            plain = {"numprocesses": None, "dist": "no", "tx": [], "maxfail": 0, "stepwise": False, "verbose": 0}
            plain.update({"no_summary": False, "no_header": False, "lf": False, "failedfirst": False, "newfirst": False})
            for name, value in plain.items():
                if hasattr(config.option, name):
                    setattr(config.option, name, value)
            yield

        def pytest_configure(self):
            load_profile()

        def pytest_collection_modifyitems(self, items):
            for item in items:
                file = os.path.relpath(str(getattr(item, "path", None) or item.fspath)).replace(os.sep, "/")
                keep_own_example(getattr(item, "obj", None), file + "::" + item.nodeid.partition("::")[2])

    kept = tempfile.mkdtemp(prefix="redpin-pytest-")
    try:
        return pytest.main(["-o", "cache_dir=" + kept] + arguments, plugins=[Redpin()])
    finally:
        shutil.rmtree(kept, ignore_errors=True)


def by_unittest(arguments):
    import unittest

    told = []

    class Result(unittest.TextTestResult):
        def stopTest(self, test):
            super().stopTest(test)
            said = next((said for one, said in self.failures + self.errors if one is test), None)
            skipped = next((why for one, why in self.skipped if one is test), None)
            expected = next((said for one, said in self.expectedFailures if one is test), None)
            word = "FAILED" if said else "SKIPPED" if skipped else "XFAIL" if expected else "PASSED"
            told.append((word, test.redpin, message(said) if said else skipped or ""))

    def message(said):
        lines = [line for line in said.splitlines() if re.match(r"(\s*\| )?[\w.]+(Error|Exception|Failure|Group)?(:|$)", line)]
        plain = [re.sub(r"^\s*\| ", "", line) for line in lines]
        errors = [line for line in plain if not line.startswith(("Traceback", "Failing ", "Falsifying "))]
        return errors[0] if errors else ""

    load_profile()
    suite = unittest.TestSuite()
    sys.path.insert(0, os.getcwd())
    for node in [argument for argument in arguments if "::" in argument]:
        file, *way = node.split("[")[0].split("::")
        folder = os.path.dirname(os.path.abspath(file))
        if folder not in sys.path:
            sys.path.append(folder)
        try:
            place = importlib.import_module(file[: -len(".py")].replace("/", "."))
            for name in way[:-1]:
                place = getattr(place, name, None)
            rule = getattr(place, way[-1], None)
            if rule is None:
                continue
            test = place(way[-1]) if isinstance(place, type) else unittest.FunctionTestCase(rule)
            keep_own_example(rule, node)
        except Exception as error:
            told.append(("ERROR", file, type(error).__name__ + ": " + str(error)))
            continue
        test.redpin = node
        suite.addTest(test)
    load_profile()
    result = unittest.TextTestRunner(stream=sys.stdout, verbosity=0, resultclass=Result).run(suite)
    print("\n===== test session starts =====\n===== short test summary info =====")
    for word, node, said in told:
        print(word + " " + node + (" - " + said if said else ""))
    return 0 if result.wasSuccessful() and all(word != "ERROR" for word, _, _ in told) else 1


if __name__ == "__main__":
    lead_back()
    try:
        import pytest
    except ImportError:
        pytest = None
    code = by_pytest(pytest, sys.argv[1:]) if pytest else by_unittest(sys.argv[1:])
    tell_strays()
    sys.stdout.flush()
    sys.exit(code)
