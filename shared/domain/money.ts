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

/** An amount as text with all decimals of its currency: 12.50 AUD, 1250 JPY, 1.250 KWD. */
export function moneyText(minor: number, currency: string): string {
  return `${majorUnits(minor, currency).toFixed(decimalsOf(currency))} ${currency}`;
}

/**
 * The share of one of `count` parts of an amount. All shares add up to the amount: the first ones get one minor unit more. In
 * a currency with three decimals they get ten, because cards can only be charged and refunded in steps of ten; what is left
 * of an amount that is no such step is in the first share.
 */
export function shareOf(minor: number, { count, index, currency }: Share): number {
  const step = decimalsOf(currency) === 3 ? 10 : 1;
  const steps = Math.floor(minor / step);
  const own = Math.floor(steps / count) + (index < steps % count ? 1 : 0);
  return own * step + (index === 0 ? minor % step : 0);
}

interface Share {
  readonly count: number;
  readonly index: number;
  readonly currency: string;
}
