'use strict';
// Runs the inputs of pins, each alone. REDPIN_PINS names tests, as a list of objects:
//
// pin     its number
// test    the test's titles, with ' > ' between them, as far as they are known
// file    its file, below the folder of the run
// input   of an example: SHA-256 of its input as the library prints it
// place, count   of an example: so many stand before it, of so many; absent where that is not known
// lines   the first and the last line of the test; absent where that is not known
// twin    whether another test of the file has the same titles: its lines tell which one it is
// whole   of a test that is the pin itself: it is run as it is
//
// A run that is asked for by one of these tests has that example alone, once, and is not shrunk. Other runs of the same test have
// nothing to do: one of them that fails would end the test before its turn. Of each run a line is handed over:
//
// redpin    "pinned"
// pin       the number
// nth       the how manieth run of its test it was, from 0
// outcome   "failed" or "passed"; "skipped" where the property asks for other inputs; "stopped" where it ran out of time;
//           "absent" where its example is none of those that the run was given
// unsure    whether it may have been another test of the same titles
// first     of a whole test: its first input as printed before and after it was run, or null
// run       what is known of the run where it failed, as in a line of one that was not asked for; null otherwise

const { createHash } = require('crypto');

const TEXT = process.env.REDPIN_PINS;
const ASKED = TEXT ? JSON.parse(TEXT) : [];
const BETWEEN = ' > ';

const counts = new Map();

function folded(text) {
  return String(text).replace(/\s+/g, ' ').trim();
}

function bare(title) {
  return folded(title).replace(/ ?\(with seed=-?\d+\)$/, '');
}

// What is asked of the test that runs now: `test` as far as its runner tells it, `stack` the calls that led here.
function askedOf(test, stack) {
  const file = test && test.file ? slashed(test.file) : null;
  if (test && test.titles.length > 0) {
    const named = ASKED.filter((one) => (!file || ends(file, one.file)) && isNamed(one.test, test.titles));
    return named.some((one) => one.twin) ? named.filter((one) => !one.twin || isAt(one, test, stack) !== false) : named;
  }
  // Of tests that run at once it is only known where they ask for a run.
  const calls = slashed(stack);
  const called = (one) => lines(calls, one.file).filter((line) => one.lines && one.lines[0] <= line && line <= one.lines[1]);
  const inFile = ASKED.filter((one) => !one.whole && lines(calls, one.file).length > 0);
  const inTest = inFile.filter((one) => called(one).length > 0);
  return inTest.length > 0 ? inTest : inFile;
}

// Whether `test` is the one that is asked for, by the lines that are known of it; null where none are.
function isAt(one, test, stack) {
  const known = test.place ? [test.place.line] : lines(slashed(stack), one.file);
  return known.length > 0 && one.lines ? known.some((line) => one.lines[0] <= line && line <= one.lines[1]) : null;
}

// The lines of `file` that `calls` led over.
function lines(calls, file) {
  return calls.split(`/${file}:`).slice(1).map((rest) => parseInt(rest, 10));
}

function slashed(path) {
  return path.replace(/\\/g, '/').replace(/\?[^:\n)]*/g, '');
}

function ends(path, end) {
  return path === end || path.endsWith(`/${end}`);
}

// Runners leave out suites where they name tests, or the signs between them.
function isNamed(asked, titles) {
  const own = titles.map(bare).filter(Boolean);
  const name = bare(asked);
  const whole = own.join(BETWEEN);
  return whole === name || whole.endsWith(BETWEEN + name) || name.endsWith(BETWEEN + whole) || own.join(' ') === name;
}

// Which of `examples` the pin is: the one that prints as it did, else the one in its place, where the test is its own.
function placeIn(examples, one, print, isOwn) {
  const at = examples.findIndex((example) => digest(print(example)) === one.input);
  return at >= 0 ? at : isOwn && examples.length === one.count ? one.place : undefined;
}

function digest(text) {
  return text === null ? '' : createHash('sha256').update(text).digest('hex');
}

// How a run is done that one of our tests asks for; null where none does. `given` are its options, `print` what prints values.
function planned(test, stack, given, print) {
  const asked = askedOf(test, stack);
  const whole = asked.filter((one) => one.whole);
  const examples = (given && Array.isArray(given.examples) && given.examples) || [];
  const isOwn = (one) => !one.twin || Boolean(test && isAt(one, test, stack));
  const placed = asked.filter((one) => !one.whole).map((one) => ({ one, at: placeIn(examples, one, print, isOwn(one)) }));
  const found = placed.find(({ at }) => at !== undefined);
  const isOfTest = test && test.titles.length > 0;
  // What is asked for by nobody knows whom is left as it is.
  if (whole.length > 0 || (!found && (!isOfTest || placed.length === 0))) {
    const isEnd = given && given.endOnFailure === true;
    return whole.length > 0 ? { pins: whole, nth: nth(test, whole[0]), isWhole: true, isWatched: isEnd, given } : null;
  }
  const runs = found ? { examples: [examples[found.at]], numRuns: 1 } : { examples: [], numRuns: 0 };
  const kept = { ...given, ...runs, maxSkipsPerRun: 0, endOnFailure: true };
  for (const name of ['path', 'skipAllAfterTimeLimit']) delete kept[name];
  const tried = found ? [found.one] : placed.map(({ one }) => one);
  const unsure = Boolean(test) && tried.some((one) => one.twin && isAt(one, test, stack) === null);
  return { pins: tried, nth: nth(test, tried[0]), unsure, isFound: Boolean(found), given: kept };
}

function nth(test, one) {
  const lines = one && one.twin ? one.lines || [] : [];
  const name = test ? [test.file, ...test.titles, ...lines].join(BETWEEN) : '';
  const count = counts.get(name) || 0;
  counts.set(name, count + 1);
  return count;
}

function outcome(plan, out) {
  if (!plan.isWhole && !plan.isFound) return 'absent';
  if (!out.failed) return out.numRuns > 0 ? 'passed' : 'skipped';
  if (out.counterexample != null) return 'failed';
  return out.interrupted ? 'stopped' : 'skipped';
}

// Sees the first input of a property, which the library prints once it is done with it.
function watch(property, print) {
  const seen = { before: null, after: null };
  const own = Object.getOwnPropertyDescriptor(property, 'run');
  const run = property.run;
  let value;
  let isFirst = true;
  property.run = function (input, ...rest) {
    if (isFirst) {
      isFirst = false;
      value = input;
      seen.before = print(input);
    }
    return run.call(this, input, ...rest);
  };
  seen.end = () => {
    if (own) Object.defineProperty(property, 'run', own);
    else delete property.run;
    return isFirst ? null : { before: seen.before, after: print(value) };
  };
  return seen;
}

module.exports = { isAsked: ASKED.length > 0, planned, outcome, watch };
