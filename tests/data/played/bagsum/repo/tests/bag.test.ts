import { fc, it } from '@fast-check/vitest';
import { describe, expect } from 'vitest';
import { count, day, keys, next, sign, size, sum, text } from '../src/bag';

describe('bags', () => {
  it.prop([fc.uniqueArray(fc.tuple(fc.string({ maxLength: 2 }), fc.uniqueArray(fc.nat(9))), { selector: ([k]) => k, maxLength: 2 })
    .map((pairs) => new Map(pairs.map(([k, v]) => [k, new Set(v)])))])('BAG-1 every number counts', (bag) => {
    expect(size(bag)).toBe([...bag.values()].reduce((n, set) => n + set.size, 0));
  });

  it.prop([fc.constantFrom(1, -0, -3)])('BAG-2 zero has its sign', (n) => sign(n) === (Object.is(n, -0) || n < 0 ? '-' : '+'));

  it.prop([fc.constantFrom(new Date(0), new Date(Number.NaN))], { numRuns: 20 })('BAG-3 every date has a day', (date) => {
    expect(() => day(date)).not.toThrow();
  });

  it.prop({ bytes: fc.uint8Array({ maxLength: 4 }), more: fc.constant(undefined) })('BAG-4 every byte is summed', ({ bytes }) => {
    expect(sum(bytes)).toBe(bytes.reduce((a, b) => a + b, 0));
  });

  it.prop({ n: fc.bigInt({ min: 0n, max: 99n }) }, { examples: [{ n: 3n }] })('BAG-5 numbers go on', async ({ n }) => {
    expect(next(n)).toBe(n + 1n);
  });

  it.prop([fc.dictionary(fc.constantFrom('__proto__', 'b'), fc.nat(3), { noNullPrototype: false, minKeys: 1 })])(
    'BAG-6 keys stay',
    (bag) => {
      expect(keys(bag)).toEqual(Object.keys(bag));
    },
  );

  it.prop([fc.sparseArray(fc.nat(3), { maxLength: 4 })])('BAG-7 holes count', (cells) => count(cells) === cells.length);

  it.prop([fc.constantFrom(null, undefined)])('BAG-8 nothing is null', (value) => text(value) === String(value));
});
