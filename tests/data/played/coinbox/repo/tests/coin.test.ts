import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FULL, label, room } from '../src/money';
import { money } from './arbs';

describe('coin box', () => {
  it('COIN-1 change is exact', () => {
    fc.assert(
      fc.property(money(900), (paid) => {
        expect(paid.minus(paid).cents).toBe(0);
      }),
    );
  });

  it('COIN-1 change is exact for every purse', () => {
    fc.assert(
      fc.property(fc.record({ purse: fc.array(money(5), { minLength: 1, maxLength: 2 }), note: fc.constant('n') }), ({ purse }) => {
        for (const coin of purse) expect(coin.minus(coin).cents).toBe(0);
      }),
      { numRuns: 50 },
    );
  });

  it('COIN-2 labels are inherited', () => {
    fc.assert(
      fc.property(fc.constantFrom('a', 'b').map((name) => Object.create({ [name]: 'x' })), (defaults) => {
        expect(label(defaults, 'a') ?? label(defaults, 'b')).toBe('x');
      }),
    );
  });

  it('a full box has no room', () => {
    fc.assert(fc.property(fc.constantFrom(0, FULL), (mark) => room(mark) === 0));
  });
});
