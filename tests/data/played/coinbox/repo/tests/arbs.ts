import fc from 'fast-check';
import { Money } from '../src/money';

export const money = (most: number) =>
  fc.constantFrom('EUR', 'CHF').chain((currency) => fc.nat(most).map((cents) => Money.of(cents, currency)));
