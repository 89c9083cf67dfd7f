'use strict';
// Has fast-check tell of its runs: the source of the module that reports them, with a line more.
//
// Versions that have global plugins get one of ours. In those before, the functions through which `fc.assert` reports a run tell
// of it first. A global reporter would do as well only as long as the project configures nothing itself (`configureGlobal`
// replaces all that was configured before), and would have to throw the library's own error in its place.

// Where the library keeps them, and what it is configured with: in files of their own, later in the one file that all of it is.
const FILES = /[\\/](RunDetailsFormatter|GlobalParameters|check[\\/]runner[\\/]Runner|fast-check)\.[cm]?js$/;

// The functions through which a run is reported; `async` stands before the second.
const REPORTS = /function (reportRunDetails|asyncReportRunDetails)\(out\) \{/g;

// The function that tells what is configured for all runs; the library asks it for each run.
const CONFIGURED = /function readConfigureGlobal\(\) \{/;

// The function that runs a property.
const CHECK = /function check\((\w+), params\) \{/;

// All realms of a process share this function, so that it is found in those of a test runner too.
const RECEIVER = 'Buffer[Symbol.for("redpin.capture")]';

// What prints values. Compiled modules name it by where it is from.
const STRINGIFY =
  'typeof stringify === "function" ? stringify : typeof stringify_1 === "object" ? stringify_1.stringify : void 0';

function isOfInterest(file) {
  return FILES.test(file);
}

// What has the library's settings tell the seed that this run is to have, whatever the project configures. A call with a seed
// of its own keeps that.
function seeding(source) {
  const seed = Number(process.env.REDPIN_SEED);
  if (!process.env.REDPIN_SEED || !Number.isSafeInteger(seed) || !source.includes('function readConfigureGlobal(')) return '';
  return (
    `\n;try { const told = readConfigureGlobal; readConfigureGlobal = function () { try { ${RECEIVER}.seeded(); } catch (_) {} ` +
    `return { ...told(), seed: ${seed} }; }; if (typeof exports === "object" && "readConfigureGlobal" in exports) ` +
    'exports.readConfigureGlobal = readConfigureGlobal; } catch (_) {}\n'
  );
}

// The source to run instead of `source`, which may be the same. It is asked for twice where two hooks are in a row.
function injected(source) {
  if (source.includes(RECEIVER)) return source;
  const deep = `$& return ${RECEIVER}.deepened(redpinConfigured()); } function redpinConfigured() {`;
  return asking(reporting(source).replace(CONFIGURED, deep)) + seeding(source);
}

// What has the library ask how a property is to be run, where pins are.
function asking(source) {
  if (!process.env.REDPIN_PINS) return source;
  const asked = `function check($1, params) { return ${RECEIVER}.checked(redpinCheck, $1, params, globalThis); } function redpinCheck($1, params) {`;
  const told = source.replace(CHECK, asked);
  if (!source.includes('function defaultReportMessage(')) return told;
  return `${told}\n;try { ${RECEIVER}.heard(globalThis, ${STRINGIFY}); } catch (_) {}\n`;
}

function reporting(source) {
  if (source.includes('function installGlobalPlugin(')) {
    const told = source.replace(REPORTS, `$& try { ${RECEIVER}.reported(out); } catch (_) {}`);
    return `${told}\n;try { installGlobalPlugin(${RECEIVER}.plugin(globalThis, ${STRINGIFY})); } catch (_) {}\n`;
  }
  return source.replace(REPORTS, `$& try { ${RECEIVER}.told(out, globalThis, ${STRINGIFY}); } catch (_) {}`);
}

module.exports = { isOfInterest, injected };
