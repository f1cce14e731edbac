import { decimalsOf } from '../domain/money.ts';

/**
 * Stripe's decimals of currencies for which they are not those of ISO 4217: ISK and UGX have no minor unit, but Stripe still
 * counts hundredths; the fifths of MGA do not exist at Stripe.
 */
const stripeDecimals: Readonly<Record<string, number>> = { ISK: 2, UGX: 2, MGA: 0 };

/**
 * Converts minor units of the currency to an amount of Stripe's API. Undefined if Stripe cannot charge or refund the amount: in
 * a currency with three decimals the last one must be 0.
 */
export function stripeAmount(minor: number, currency: string): number | undefined {
  const decimals = decimalsOf(currency);
  if (decimals === 3) return minor % 10 === 0 ? minor : undefined;
  const amount = minor * 10 ** ((stripeDecimals[currency] ?? decimals) - decimals);
  return Number.isInteger(amount) ? amount : undefined;
}

/** Converts an amount of Stripe's API to minor units of the currency. */
export function minorFromStripe(amount: number, currency: string): number {
  const decimals = decimalsOf(currency);
  if (decimals === 3) return amount;
  return amount * 10 ** (decimals - (stripeDecimals[currency] ?? decimals));
}
