import test, { describe } from 'node:test';
import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { Tag, close, decode, encode, pad } from '../src/wire.mjs';

const often = { numRuns: 400 };

describe('wire', () => {
  test('TAG-1 tags survive the wire', () => {
    fc.assert(
      fc.property(fc.context(), fc.string({ unit: fc.constantFrom('&', 'l', 'a', '<') }), (log, tag) => {
        log.log(`sent ${encode(tag)}`);
        assert.equal(decode(encode(tag)), tag);
      }),
      often,
    );
  });

  test('TAG-2 pads reach their width', async () => {
    await fc.assert(
      fc.asyncProperty(fc.gen(), async (g) => {
        const text = g(fc.string, { maxLength: 5 });
        const width = g(fc.nat, 8);
        assert.ok((await pad(text, width)).length >= width);
      }),
      { numRuns: 300 },
    );
  });

  test('TAG-3 closing tags name their tag', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-c]{1,4}$/).map((name) => new Tag(name)), (tag) => close(tag) === `</${tag.name}>`),
    );
  });
});
