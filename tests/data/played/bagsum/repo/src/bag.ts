export const size = (bag: Map<string, Set<number>>): number => bag.size;
export const sign = (n: number): string => (n < 0 ? '-' : '+');
export const day = (date: Date): string => date.toISOString().slice(0, 10);
export const sum = (bytes: Uint8Array): number => bytes.reduce((a, b) => a | b, 0);
export const next = (n: bigint): bigint => (n > 9n ? n : n + 1n);
export const keys = (bag: object): string[] => Object.keys(Object.assign({}, bag));
export const count = (cells: unknown[]): number => cells.filter(() => true).length;
export const text = (value: unknown): string => (value === undefined ? 'null' : String(value));
