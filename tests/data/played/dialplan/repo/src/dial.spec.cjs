const { test, fc } = require('@fast-check/jest')
const { area, digits, known } = require('./dial.cjs')

const common = { examples: [['1-2']], numRuns: 60 }

test.prop([fc.string({ unit: fc.constantFrom('1', '-', ' ') })], common)('DIAL-1 digits alone stay', (text) => {
  expect(digits(text)).toMatch(/^[0-9]*$/)
})

test.prop({ number: fc.string({ unit: fc.constantFrom('0', '9'), maxLength: 5 }) })('DIAL-2 areas have three digits', ({ number }) => {
  expect(area(number)).toHaveLength(3)
})

test.prop([fc.dictionary(fc.constantFrom('ann', "o'bo"), fc.nat(9)), fc.constantFrom('toString', 'ann')])(
  'DIAL-3 nobody else is known',
  async (book, name) => {
    expect(await known(book, name)).toBe(Object.keys(book).includes(name))
  },
)
