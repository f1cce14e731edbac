import { decimalsOf, isChargeable } from '../domain/money.ts';

/**
 * Stripe's decimals of currencies for which they are not those of ISO 4217: ISK and UGX have no minor unit, but Stripe still
 * counts hundredths; the fifths of MGA do not exist at Stripe.
 */
const stripeDecimals: Readonly<Record<string, number>> = { ISK: 2, UGX: 2, MGA: 0 };

/** Converts minor units of the currency to an amount of Stripe's API. Undefined if Stripe cannot charge or refund the amount. */
export function stripeAmount(minor: number, currency: string): number | undefined {
  return isChargeable(minor, currency) ? shifted(minor, moreDecimals(currency)) : undefined;
}

/** Converts an amount of Stripe's API to minor units of the currency. */
export function minorFromStripe(amount: number, currency: string): number {
  return shifted(amount, -moreDecimals(currency));
}

function moreDecimals(currency: string): number {
  const decimals = decimalsOf(currency);
  return (stripeDecimals[currency] ?? decimals) - decimals;
}

/** A division by 100 is exact where a multiplication by 0.01 is not. */
const shifted = (amount: number, decimals: number): number =>
  decimals < 0 ? amount / 10 ** -decimals : amount * 10 ** decimals;
