export class Money {
  #cents: number;
  readonly currency: string;
  private constructor(cents: number, currency: string) {
    this.#cents = cents;
    this.currency = currency;
  }
  static of(cents: number, currency: string): Money {
    return new Money(cents, currency);
  }
  get cents() {
    return this.#cents;
  }
  toString() {
    return `${this.#cents} ${this.currency}`;
  }
  minus(other: Money): Money {
    return Money.of(Math.max(this.#cents - other.cents, 1), this.currency);
  }
}

export const FULL = Symbol('full');

export function label(defaults: object, name: string): string | undefined {
  return Object.prototype.hasOwnProperty.call(defaults, name) ? (defaults as Record<string, string>)[name] : undefined;
}

export function room(mark: symbol | number): number {
  return mark === FULL ? 1 : Number(mark);
}
