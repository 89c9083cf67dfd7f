export const steps = (from: number, to: number): number[] => {
  const all = [];
  for (let at = from; at < to; at += 1) all.push(at);
  return all;
};
export const mid = (a: number, b: number): number => (a + b) >> 1;
export const clamp = (n: number, most: number): number => (n > most ? most : n < 0 ? 0 : n);
