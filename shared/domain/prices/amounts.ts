import { decimalsOf, minorUnits } from '../money.ts';

type Amounts = Readonly<Record<string, number | null>>;

/** What is wrong with the first amount that has more decimals than the currency, as a sentence; undefined if all are valid. */
export function excessDecimals(amounts: Amounts, currency: string): string | undefined {
  const param = tooExact(amounts, currency);
  return param === undefined ? undefined : `${param} ${allowedDecimals(currency)}`;
}

/** The name of the first amount that has more decimals than the currency. */
export function tooExact(amounts: Amounts, currency: string): string | undefined {
  const isExact = (amount: number | null): boolean => amount === null || minorUnits(amount, currency) !== undefined;
  const found = Object.entries(amounts).find(([, amount]) => !isExact(amount));
  return found?.[0];
}

/** How many decimals an amount may have, as the end of a sentence. */
export function allowedDecimals(currency: string): string {
  const decimals = decimalsOf(currency);
  return decimals === 0
    ? `must be a whole number: ${currency} has no decimals.`
    : `must have at most ${decimals} decimals: the currency is ${currency}.`;
}
