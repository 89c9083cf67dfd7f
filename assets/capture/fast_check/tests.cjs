'use strict';
// Which test runs, as its runner knows it: its titles, its file, and in the end whether it failed and with which errors. What is read of a runner is
// nowhere promised, so that all of it may be missing.

const { executionAsyncResource } = require('async_hooks');

// The test that runs now in the realm of `global`; null where no runner is known. `root` is the folder from which its runner
// names files, where it does so.
function current(global) {
  return ofVitest(global) || ofJest(global) || ofNode();
}

function ofVitest(global) {
  const task = global.__vitest_worker__ && global.__vitest_worker__.current;
  if (!task || !task.name) return null;
  // Of those that run at once it is not known which this is.
  if (task.concurrent) return { runner: 'vitest', titles: [], root: process.cwd(), failed: () => null };
  const titles = [task.name];
  for (let suite = task.suite; suite && suite !== task.file && !suite.filepath; suite = suite.suite) titles.unshift(suite.name);
  return {
    runner: 'vitest',
    titles: titles.filter(Boolean),
    file: (task.file && task.file.filepath) || global.__vitest_worker__.filepath,
    place: task.location,
    root: process.cwd(),
    // It is known how long a test took once nothing more comes of it.
    failed: () => (task.result && task.result.duration !== undefined ? task.result.state === 'fail' : null),
    errors: () => task.result.errors,
  };
}

function ofJest(global) {
  const key = Object.getOwnPropertySymbols(global).find((symbol) => symbol.description === 'JEST_STATE_SYMBOL');
  const test = key && global[key].currentlyRunningTest;
  // Of those that run at once, or beside such, it is not known which this is.
  if (key && isBesideOthers(global[key])) return { runner: 'jest', titles: [], root: process.cwd(), failed: () => null };
  if (!test) return null;
  const titles = [test.name];
  for (let block = test.parent; block && block.parent; block = block.parent) titles.unshift(block.name);
  const retries = Number(global[Symbol.for('RETRY_TIMES')]) || 0;
  return {
    runner: 'jest',
    titles,
    file: global.expect && global.expect.getState().testPath,
    root: process.cwd(),
    failed: () => {
      if (test.status !== 'done') return null;
      if (test.errors.length === 0) return false;
      return test.invocations > retries ? true : null;
    },
    errors: () => test.errors.map((error) => (Array.isArray(error) ? error[0] : error)),
  };
}

const besideOthers = new WeakMap();

// Whether some tests of the file run at once, as far as it is loaded.
function isBesideOthers(state) {
  const top = state.rootDescribeBlock;
  if (!top || !state.hasStarted) return false;
  if (!besideOthers.has(top)) besideOthers.set(top, hasConcurrent(top));
  return besideOthers.get(top);
}

function hasConcurrent(block) {
  return (block.children || []).some((child) => (child.type === 'test' ? child.concurrent === true : hasConcurrent(child)));
}

// Node runs each test in the context of the test itself.
function ofNode() {
  const test = executionAsyncResource();
  if (!test || typeof test.name !== 'string' || typeof test.nesting !== 'number' || !test.parent) return null;
  const titles = [test.name];
  for (let outer = test.parent; outer && outer.parent; outer = outer.parent) titles.unshift(outer.name);
  return {
    runner: 'node',
    titles,
    file: test.loc && test.loc.file,
    place: test.loc,
    root: process.cwd(),
    failed: () => (test.finished ? !test.passed && !test.isTodo : null),
    errors: () => [test.error && test.error.cause],
  };
}

// Whether what failed a test may be that a run of a property did: it says so, or asks whether something is so.
function mayTell(error, seed) {
  if (!error || typeof error !== 'object') return true;
  const said = String(error.message);
  if (said.includes('Property failed') || said.includes(String(seed))) return true;
  const asked = error.matcherResult || error;
  const isTruth = (value) => ['true', 'false'].includes(String(value));
  return asked.expected === undefined || isTruth(asked.expected) || isTruth(asked.actual);
}

module.exports = { current, mayTell };
