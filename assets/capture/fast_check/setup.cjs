'use strict';
// Hands over the details of each run of fast-check that failed.
//
// redpin has Node load this file before any other, by NODE_OPTIONS. One line of JSON is appended for each such run to the file
// that REDPIN_CAPTURE names, and the same once more when it is known what became of its test: what is thrown may be expected.
// Whatever goes wrong here is kept here: the tests must come out as they would have without.
//
// A line is an object:
//
// redpin          "fast-check"
// form            1; keys may be added under it
// id              of the run: the last line with it counts
// runner          "vitest", "jest" or "node"; null where none is known
// file            of the test, or null
// root            the folder from which the runner names files, or null
// titles          of its suites and its own, outermost first; empty where they are not known
// place           line and column of the test in its file, or null
// failed          whether the test failed; null where that is not known (yet)
// apart           whether the test asked for the run by `fc.check` and failed by something else
// seed, path      what replays the run, or null
// runs, skips, shrinks   how many there were
// interrupted     whether it ran out of time
// counterexample  as the library prints it, or null
// arguments       its parts, each as the library prints it
// examples        how many the run was given
// error           `name`, `message` and `stack` of what broke the property, or `text`, all that older versions keep; or null
// stack           where the run was asked for
//
// Where pins are run, REDPIN_PINS says which, and pins.cjs what is handed over of them. Of a process in which the library was loaded
// then `{"redpin":"pins-asked"}` is appended.
//
// In a sweep REDPIN_CASES says how many cases each run is to have that does not say so itself. Of each run that came to its end a
// line is appended then: `redpin` is "swept", `test` its file and titles.
//
// Where REDPIN_COUNTS is set, a line is appended for each run that came to its end, failed or not: `redpin` is "counted", `titles`
// as above, `runs` and `skips` how many inputs the property was asked about, and how many `fc.pre` gave up.

const fs = require('fs');
const Module = require('module');
const { pathToFileURL } = require('url');
const { current, mayTell } = require('./tests.cjs');
const inject = require('./inject.cjs');
const pins = require('./pins.cjs');

const { openSync, fstatSync, writeSync, closeSync } = fs;
const { O_WRONLY, O_APPEND, O_NOFOLLOW, O_NONBLOCK } = fs.constants;
const { setImmediate, setTimeout } = global;
const FILE = process.env.REDPIN_CAPTURE;
const CASES = Number(process.env.REDPIN_CASES) || 0;
const COUNTS = Boolean(process.env.REDPIN_COUNTS);
const DEEPEST = 25;
const LONGEST = 1 << 20;

let count = 0;
let seedTaken = false;
let isHeard = false;
const pending = new Set();
const printers = new Map();
const reported = new WeakSet();

function write(told) {
  // A test may have put something else in its place: nobody waits for that, and nothing is written elsewhere.
  const file = openSync(FILE, O_WRONLY | O_APPEND | O_NOFOLLOW | O_NONBLOCK);
  try {
    // All at once: other processes of the run append too.
    if (fstatSync(file).isFile()) writeSync(file, `${JSON.stringify(told)}\n`);
  } finally {
    closeSync(file);
  }
}

// Tells of a run at once, and again when its test has ended.
function hand(told, test, out) {
  write(told);
  if (!test) return;
  pending.add({ told, test, out, asked: 0 });
  if (pending.size === 1) setImmediate(settle).unref();
}

function settle() {
  for (const one of pending) {
    one.asked += 1;
    const failed = safely(one.test.failed);
    if (failed === true || failed === false) {
      pending.delete(one);
      const apart = failed && safely(() => isApart(one)) === true;
      safely(() => write({ ...one.told, failed, apart }));
    }
  }
  if (pending.size === 0) return;
  const isNew = [...pending].some((one) => one.asked < 100);
  if (isNew) setImmediate(settle).unref();
  else setTimeout(settle, 10).unref();
}

// Whether nobody reported the run, and nothing that failed its test may tell of it.
function isApart({ test, out, told }) {
  const errors = test.errors();
  return !reported.has(out) && errors.length > 0 && !errors.some((error) => mayTell(error, told.seed));
}

function safely(call) {
  try {
    return call();
  } catch (_) {
    return null;
  }
}

// The calls that led to `from`, innermost first.
function stack(from) {
  const holder = {};
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = DEEPEST;
  Error.captureStackTrace(holder, from);
  const text = holder.stack;
  Error.stackTraceLimit = limit;
  return String(text);
}

function details(out, test, asked, stringify) {
  const shown = (value) => cut(safely(() => stringify(value)) || safely(() => String(value)) || '');
  const values = Array.isArray(out.counterexample) ? out.counterexample : [];
  count += 1;
  return {
    redpin: 'fast-check',
    form: 1,
    id: `${process.pid}.${threadId()}.${count}`,
    runner: test ? test.runner : null,
    file: (test && test.file) || null,
    root: (test && test.root) || null,
    titles: test ? test.titles : [],
    place: test && test.place ? { line: test.place.line, column: test.place.column } : null,
    failed: null,
    seed: out.seed,
    path: out.counterexamplePath == null ? null : String(out.counterexamplePath),
    runs: out.numRuns,
    skips: out.numSkips,
    shrinks: out.numShrinks,
    interrupted: out.interrupted === true,
    counterexample: out.counterexample == null ? null : shown(out.counterexample),
    arguments: values.map(shown),
    examples: safely(() => out.runConfiguration.examples.length) || 0,
    error: error(out, shown),
    stack: cut(asked),
  };
}

// What broke the property: anything may be thrown.
function error(out, shown) {
  const thrown = out.errorInstance;
  if (thrown === undefined || thrown === null) return out.error == null ? null : { text: cut(String(out.error)) };
  if (typeof thrown === 'string') return { name: '', message: cut(thrown), stack: '' };
  if (typeof thrown.message !== 'string') return { name: '', message: shown(thrown), stack: '' };
  return { name: String(thrown.name), message: cut(thrown.message), stack: cut(String(thrown.stack)) };
}

// Tells what came of a run for pins.
function tellPins(plan, out, first, run) {
  const outcome = pins.outcome(plan, out);
  if (run) delete run.redpin;
  for (const { pin } of plan.pins) write({ redpin: 'pinned', pin, nth: plan.nth, unsure: plan.unsure === true, outcome, first, run });
}

// Tells that a property was run.
function tell(test, asked) {
  if (!CASES) return;
  const name = test && test.titles.length > 0 ? [test.file || '', ...test.titles].join(' > ') : asked;
  write({ redpin: 'swept', test: cut(String(name)) });
}

// Halves of characters cannot be read as JSON.
// Tells how many inputs a run threw away.
function tellCounts(out, test) {
  if (COUNTS) write({ redpin: 'counted', titles: test ? test.titles : [], runs: out.numRuns, skips: out.numSkips });
}

function cut(text) {
  const short = text.length <= LONGEST ? text : text.slice(0, LONGEST);
  return short.toWellFormed ? short.toWellFormed() : short;
}

function threadId() {
  return safely(() => require('worker_threads').threadId) || 0;
}

// What modules of fast-check call, in whatever realm.
const receiver = {
  // A plugin, which the library makes anew for each run that is asked for.
  plugin(realm, stringify) {
    return function made() {
      const test = safely(() => current(realm));
      const asked = safely(() => stack(made)) || '';
      return {
        onAllRunsComplete(out) {
          safely(() => tell(test, asked));
          safely(() => tellCounts(out, test));
          if (out.failed) safely(() => hand(details(out, test, asked, stringify), test, out));
        },
      };
    };
  },

  // The library is there, and prints values so.
  heard(realm, stringify) {
    printers.set(realm, stringify);
    if (!isHeard) safely(() => write({ redpin: 'pins-asked' }));
    isHeard = true;
  },

  // A run that is asked for by `check`, as it is done where pins are run.
  checked(check, property, given, realm) {
    const test = safely(() => current(realm));
    const asked = safely(() => stack(receiver.checked)) || '';
    const stringify = printers.get(realm);
    const print = (value) => safely(() => cut(stringify(value)));
    const plan = safely(() => pins.planned(test, asked, given, print));
    if (!plan) return check(property, given);
    const seen = plan.isWatched ? safely(() => pins.watch(property, print)) : null;
    const told = (out) => {
      safely(() => tellPins(plan, out, seen && seen.end(), out.failed ? details(out, test, asked, stringify) : null));
      return out;
    };
    const out = check(property, plan.given);
    return out && typeof out.then === 'function' ? out.then(told) : told(out);
  },

  // The library asks for the seed that redpin set, by REDPIN_SEED. Said once: `{"redpin":"seed-taken"}`.
  seeded() {
    if (!seedTaken) safely(() => write({ redpin: 'seed-taken' }));
    seedTaken = true;
  },

  // What is configured for all runs, with as many cases as the sweep says.
  deepened(configured) {
    if (!CASES) return configured;
    return { ...configured, numRuns: Math.max(CASES, (configured && configured.numRuns) || 0) };
  },

  // A run that is about to be reported, where a plugin tells the rest.
  reported(out) {
    reported.add(out);
  },

  // A run that is about to be reported.
  told(out, realm, stringify) {
    reported.add(out);
    if (!out.failed && !CASES && !COUNTS) return;
    const test = safely(() => current(realm));
    const asked = safely(() => stack(receiver.told)) || '';
    safely(() => tell(test, asked));
    safely(() => tellCounts(out, test));
    if (!out.failed) return;
    safely(() => hand(details(out, test, asked, stringify), test, out));
  },
};

// Modules that `require` loads.
function hookRequire() {
  const compile = Module.prototype._compile;
  Module.prototype._compile = function (content, file, ...rest) {
    const isOurs = typeof content === 'string' && inject.isOfInterest(file);
    return compile.call(this, isOurs ? inject.injected(content) : content, file, ...rest);
  };
}

// Modules that `import` loads. Older Nodes load hooks in a thread of their own, which only test processes are given.
function hookImport() {
  if (typeof Module.registerHooks === 'function') {
    Module.registerHooks({ load: loaded });
  } else if (typeof Module.register === 'function' && (process.env.VITEST || process.env.NODE_TEST_CONTEXT)) {
    Module.register(pathToFileURL(require.resolve('./hooks.mjs')));
  }
}

function loaded(url, context, next) {
  const result = next(url, context);
  if (result.format !== 'module' || result.source == null || !inject.isOfInterest(url)) return result;
  const source = typeof result.source === 'string' ? result.source : Buffer.from(result.source).toString('utf8');
  return { ...result, source: inject.injected(source) };
}

// Vitest reads modules itself where its workers are realms of their own.
function hookRead() {
  if (!process.env.VITEST) return;
  const changed = (file, how, text) =>
    typeof text === 'string' && how && inject.isOfInterest(String(file)) ? inject.injected(text) : text;
  const { readFileSync } = fs;
  fs.readFileSync = function (file, how) {
    return changed(file, how, readFileSync.apply(this, arguments));
  };
  const { readFile } = fs.promises;
  fs.promises.readFile = async function (file, how) {
    return changed(file, how, await readFile.apply(this, arguments));
  };
  Module.syncBuiltinESMExports();
}

// Jest reads modules itself and runs them in realms of its own; what it runs comes out of its transformers.
function hookJest() {
  const load = Module._load;
  Module._load = function (request, ...rest) {
    const result = load.call(this, request, ...rest);
    return (request === '@jest/transform' && safely(() => withHook(result))) || result;
  };
}

// What the package exports, and transformers made by it hand out our sources.
function withHook(transform) {
  const make = transform.createScriptTransformer;
  if (typeof make !== 'function') return transform;
  const value = async (...given) => {
    const transformer = await make(...given);
    safely(() => hookTransformer(transformer));
    return transformer;
  };
  return Object.create(transform, { createScriptTransformer: { value, enumerable: true } });
}

function hookTransformer(transformer) {
  const changed = (file, result) =>
    inject.isOfInterest(file) && typeof result.code === 'string'
      ? { ...result, code: inject.injected(result.code) }
      : result;
  const { transform, transformAsync } = transformer;
  transformer.transform = function (file, ...rest) {
    return changed(file, transform.call(this, file, ...rest));
  };
  transformer.transformAsync = async function (file, ...rest) {
    return changed(file, await transformAsync.call(this, file, ...rest));
  };
}

if (FILE) {
  safely(() => {
    Object.defineProperty(Buffer, Symbol.for('redpin.capture'), { value: receiver, configurable: true });
    hookRequire();
    hookImport();
    hookJest();
    safely(hookRead);
    process.on('exit', () => safely(settle));
  });
}
