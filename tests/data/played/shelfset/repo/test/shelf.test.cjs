const assert = require('node:assert');
const { test } = require('node:test');
const fc = require('fast-check');
const { Shelf, sorted, turned } = require('../src/shelf.cjs');

const keeps = (title, arb, rule) => test(title, () => fc.assert(fc.property(arb, rule)));
const twice = (title, make, undo) => {
  test(title, () => {
    fc.assert(fc.property(fc.array(fc.nat(30)), (input) => {
      assert.deepEqual(undo(make(input)), input);
    }));
  });
};

keeps('SHELF-1 numbers are sorted', fc.array(fc.nat(20)), (numbers) => {
  const all = sorted(numbers);
  for (let at = 1; at < all.length; at += 1) assert.ok(all[at - 1] <= all[at]);
});

keeps('SHELF-2 the least comes first', fc.array(fc.nat(20)), (numbers) => numbers.length === 0 || sorted(numbers)[0] === Math.min(...numbers));

twice('SHELF-3 turned twice', turned, (list) => [...list].reverse());

test('SHELF-4 a book that is put there is there', () => {
  fc.assert(fc.property(fc.array(fc.nat(5), { maxLength: 6 }).map((books) => new Shelf(books)), fc.nat(9), (shelf, book) => {
    assert.ok(shelf.with(book).books.length > shelf.books.length || shelf.books.includes(book));
  }));
});
