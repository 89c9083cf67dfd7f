'use strict';
const fc = require('fast-check');
const { holds } = require('./holds');
const { Lift, shown, read } = require('../src/lift');

class Up {
  constructor(n) { this.n = n; }
  check() { return true; }
  run(model, lift) { model.floor = Math.min(model.floor + this.n, 9); lift.up(this.n); expect(lift.floor).toBe(model.floor); }
  toString() { return `up(${this.n})`; }
}
class Down {
  check(model) { return model.floor > 0; }
  run(model, lift) { model.floor -= 1; lift.down(); expect(lift.floor).toBe(model.floor); }
  toString() { return 'down'; }
}
const moves = fc.commands([fc.integer({ min: 1, max: 4 }).map((n) => new Up(n)), fc.constant(new Down())], { maxCommands: 20 });

test('LIFT-1 the lift follows its model', () => {
  fc.assert(
    fc.property(moves, (cmds) => {
      fc.modelRun(() => ({ model: { floor: 0 }, real: new Lift() }), cmds);
    }),
    { numRuns: 500 }
  );
});

describe('signs', () => {
  test('LIFT-2 signs can be read back', () => {
    holds(fc.nat(9), (floor) => {
      // whatever is shown
      const sign = shown(floor);
      expect(read(sign)).toBe(floor);
    });
  });

  test('LIFT-2 signs are short', () => {
    holds(fc.nat(9), (floor) => shown(floor).length < 2 && shown(floor) !== 'G');
  });
});