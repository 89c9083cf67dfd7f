// Splitting a total into instalments, as the checkout shows them.

/** Splits `total` cents into `parts` instalments. */
export function splitCents(total, parts) {
  const each = Math.floor((total + Math.floor(parts / 2)) / parts);
  const last = Math.max(0, total - each * (parts - 1));
  return [...Array(parts - 1).fill(each), last];
}
