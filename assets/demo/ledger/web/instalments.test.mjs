// What the checkout expects of instalments.

import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import { splitCents } from "./instalments.mjs";

const totals = fc.nat(10_000_000);

test("[BILL-4] the instalments sum to the total", () => {
  fc.assert(
    fc.property(totals, fc.integer({ min: 1, max: 24 }), (total, parts) => {
      const sum = splitCents(total, parts).reduce((sum, part) => sum + part, 0);
      assert.equal(sum, total);
    }),
  );
});

test("[BILL-4] one instalment is the total", () => {
  fc.assert(fc.property(totals, (total) => assert.deepEqual(splitCents(total, 1), [total])));
});
