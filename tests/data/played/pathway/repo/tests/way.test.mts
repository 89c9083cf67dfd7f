import fc from 'fast-check';
import { expect, it } from 'vitest';
import { clamp, mid, steps } from '../src/way.mjs';

it('WAY-1 both ends are steps', () => {
  fc.assert(
    fc.property(fc.nat(50), fc.nat(50), (from, to) => {
      fc.pre(from <= to);
      expect(steps(from, to)).toContain(to);
    }),
    { examples: [[1, 2], [3, 3]], numRuns: 2 },
  );
});

it('WAY-2 the middle lies between', () => {
  fc.assert(
    fc.property(fc.integer(), fc.integer(), (a, b) => {
      fc.pre(a <= b);
      expect(mid(a, b)).toBeGreaterThanOrEqual(a);
    }),
    { seed: -1819918769, path: '0' },
  );
});

it('WAY-3 numbers are clamped', () => {
  fc.assert(fc.property(fc.integer(), fc.nat(), (n, most) => clamp(n, most) <= most));
  fc.assert(fc.property(fc.double({ noNaN: false }), (n) => clamp(n, 3) <= 3), {
    // the clock runs for long
    numRuns: 1_000,
  });
});
