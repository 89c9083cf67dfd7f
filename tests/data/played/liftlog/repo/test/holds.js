'use strict';
const fc = require('fast-check');

/** Checks a rule for whatever an arbitrary makes. */
exports.holds = (arb, rule) => fc.assert(fc.property(arb, rule), { numRuns: 200 });
