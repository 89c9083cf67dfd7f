import { fc, test } from '@fast-check/vitest'
import { expect, it } from 'vitest'
import { Dose, apply, dose, mixed, race, said, twice } from '../src/mix.js'

const SPECIAL = new Dose(7, 'drop')
const doses = { first: fc.nat(9).map(dose), rest: fc.array(fc.constantFrom(SPECIAL, new Dose(1, 'ml')), { maxLength: 2 }) }

test.prop(doses)('MIX-1 a mix holds all of its doses', ({ first, rest }) => {
  expect(mixed([first, ...rest])).toBe([first, ...rest].reduce((n, one) => n + one.drops, 0))
})

test.prop([fc.oneof(fc.nat(9).map((n) => new Dose(n, 'drop')), fc.constant(SPECIAL))])('MIX-2 twice is twice', (amount) => {
  expect(twice(amount)).toBe(amount.drops * 2)
})

it('MIX-3 what a function says is kept', () => {
  fc.assert(fc.property(fc.func(fc.nat(5)), fc.nat(9), (f, n) => apply(f, n) === f(n)))
})

it('MIX-4 the last step is the last', async () => {
  await fc.assert(
    fc.asyncProperty(fc.scheduler(), async (s) => {
      const steps = ['a', 'b'].map((name) => s.schedule(Promise.resolve(name)))
      const last = race(steps)
      await s.waitAll()
      expect(await last).toBe('b')
    }),
  )
})

test.prop([fc.constantFrom(new Error('no'), new TypeError('none'))])('MIX-5 errors say why', (error) => {
  expect(said(error)).not.toBe('')
})
