/**
 * Amounts are stored as whole minor units of their currency (cents), because sums of decimal fractions are inexact. The API
 * shows them as decimal numbers in major units. ISO 4217 says how many decimal digits a currency has; most have two.
 */
const otherDecimals: Readonly<Record<string, number>> = {
  ...digits(0, 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'),
  ...digits(3, 'BHD IQD JOD KWD LYD OMR TND'),
  ...digits(4, 'CLF UYW'),
};

function digits(count: number, currencies: string): Record<string, number> {
  return Object.fromEntries(currencies.split(' ').map((currency) => [currency, count]));
}

const maxDecimals = 3;

/** The digits of the currency's minor unit. An empty basket has no currency yet, and no amount either. */
export function decimalsOf(currency: string | null): number {
  return (currency === null ? undefined : otherDecimals[currency]) ?? 2;
}

/** Whether an event can have this currency. */
export function isCurrency(text: string): boolean {
  return Intl.supportedValuesOf('currency').includes(text) && decimalsOf(text) <= maxDecimals;
}

/** Converts 24050 to 240.5 for AUD. One correctly rounded division gives the nearest double, never 240.50000000000003. */
export function majorUnits(minor: number, currency: string | null): number {
  return minor / 10 ** decimalsOf(currency);
}

/** Converts 240.5 to 24050 for AUD. Undefined for an amount with fractions of a minor unit or one too large to be exact. */
export function minorUnits(major: number, currency: string): number | undefined {
  return toParts(major, decimalsOf(currency));
}

/**
 * The price of a membership type has no currency and is not charged here. Thousandths represent it exactly in every currency.
 * Returns undefined for an amount that no currency has.
 */
export function toThousandths(major: number): number | undefined {
  return toParts(major, maxDecimals);
}

export function fromThousandths(thousandths: number): number {
  return thousandths / 10 ** maxDecimals;
}

function toParts(major: number, decimals: number): number | undefined {
  const parts = Math.round(major * 10 ** decimals);
  return Number.isSafeInteger(parts) && parts / 10 ** decimals === major ? parts : undefined;
}

export function sumOf(amounts: readonly number[]): number {
  return amounts.reduce((sum, amount) => sum + amount, 0);
}

/** An amount as text with all decimals of its currency: 12.50 AUD, 1250 JPY, 1.250 KWD. */
export function moneyText(minor: number, currency: string): string {
  return `${majorUnits(minor, currency).toFixed(decimalsOf(currency))} ${currency}`;
}

/**
 * The decimals of the amounts that a provider can charge and return, where they are fewer than those of the currency. Stripe
 * takes no thousandths: the last digit of an amount with three decimals is 0. The fifths of MGA do not exist there.
 */
export function chargeDecimals(currency: string | null): number {
  return currency === 'MGA' ? 0 : Math.min(2, decimalsOf(currency));
}

const chargeStep = (currency: string | null): number => 10 ** (decimalsOf(currency) - chargeDecimals(currency));

/** Whether the amount can be charged to a card and returned to it. */
export function isChargeable(minor: number, currency: string): boolean {
  return minor % chargeStep(currency) === 0;
}

/** The largest part of an amount that can be charged and returned. What is computed of a price is rounded with it. */
export function chargeablePart(minor: number, currency: string): number {
  const step = chargeStep(currency);
  return Math.floor(minor / step) * step;
}

/**
 * The share of one of `count` parts of an amount. All shares add up to the amount: the first ones get one minor unit more. In
 * a currency with three decimals they get ten, because cards can only be charged and refunded in steps of ten; the rest
 * of an amount that is not a multiple of ten is in the first share.
 */
export function shareOf(minor: number, { count, index, currency }: Share): number {
  const step = chargeStep(currency);
  const steps = Math.floor(minor / step);
  const own = Math.floor(steps / count) + (index < steps % count ? 1 : 0);
  return own * step + (index === 0 ? minor % step : 0);
}

interface Share {
  readonly count: number;
  readonly index: number;
  readonly currency: string;
}

/** The largest amount that every one of `count` equal shares can have. What is left is less than one unit for each. */
export function wholeShare(minor: number, count: number, currency: string): number {
  return chargeablePart(minor / count, currency);
}

/**
 * Divides an amount in proportion to weights. The parts add up to the amount: what rounding down leaves goes to the largest
 * remainders, and to the first of equal ones. No part is larger than its weight unless the amount is larger than all of them.
 * In a currency with three decimals, whole steps of ten stay whole, as in `shareOf`.
 */
export function allocate(minor: number, weights: readonly number[], currency: string): number[] {
  const total = sumOf(weights);
  if (total === 0) return weights.map((_, index) => (index === 0 ? minor : 0));
  const step = [minor, ...weights].every((amount) => isChargeable(amount, currency)) ? chargeStep(currency) : 1;
  // A product of two amounts may be larger than the largest exact number.
  const products = weights.map((weight) => BigInt(minor / step) * BigInt(weight));
  const parts = products.map((product) => Number(product / BigInt(total)));
  const left = minor / step - sumOf(parts);
  const winners = products
    .map((product, index) => ({ index, remainder: product % BigInt(total) }))
    .sort((one, other) => Number(other.remainder - one.remainder) || one.index - other.index)
    .slice(0, left)
    .map(({ index }) => index);
  return parts.map((part, index) => (part + (winners.includes(index) ? 1 : 0)) * step);
}

/** Percentages have at most so many decimals. */
const rateScale = 10_000;

/** The tax of a percentage that an amount contains, rounded half up: 20 % of 12.00 are 2.00. */
export function containedTaxMinor(minor: number, ratePercent: number | null): number {
  const rate = BigInt(Math.round((ratePercent ?? 0) * rateScale));
  const whole = 100n * BigInt(rateScale) + rate;
  return Number((2n * BigInt(minor) * rate + whole) / (2n * whole));
}
