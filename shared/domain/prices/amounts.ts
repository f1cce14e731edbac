import { chargeDecimals, decimalsOf, isChargeable, minorUnits } from '../money.ts';

type Amounts = Readonly<Record<string, number | null>>;

/** What is wrong with the first amount that has more decimals than the currency, as a sentence; undefined if all are valid. */
export function excessDecimals(amounts: Amounts, currency: string): string | undefined {
  const param = firstOf(amounts, (amount) => minorUnits(amount, currency) === undefined);
  return param === undefined ? undefined : `${param} ${atMost(decimalsOf(currency), currency)}`;
}

/** The name of the first amount that cannot be charged. What is sold here is charged, and each ticket of it may be refunded alone. */
export function unchargeable(amounts: Amounts, currency: string): string | undefined {
  return firstOf(amounts, (amount) => !canBeCharged(amount, currency));
}

export function canBeCharged(amount: number, currency: string): boolean {
  const minor = minorUnits(amount, currency);
  return minor !== undefined && isChargeable(minor, currency);
}

function firstOf(amounts: Amounts, isWrong: (amount: number) => boolean): string | undefined {
  return Object.entries(amounts).find(([, amount]) => amount !== null && isWrong(amount))?.[0];
}

/** How many decimals an amount that is charged may have, as the end of a sentence. */
export function chargedDecimals(currency: string): string {
  const [decimals, ofCurrency] = [chargeDecimals(currency), decimalsOf(currency)];
  if (decimals === ofCurrency) return atMost(decimals, currency);
  const step = `cards are charged in steps of ${(10 ** -decimals).toFixed(ofCurrency)} ${currency}.`;
  return decimals === 0 ? `must be a whole number: ${step}` : `must have at most ${decimals} decimals: ${step}`;
}

function atMost(decimals: number, currency: string): string {
  return decimals === 0
    ? `must be a whole number: ${currency} has no decimals.`
    : `must have at most ${decimals} decimals: the currency is ${currency}.`;
}
