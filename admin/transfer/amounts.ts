import { decimalsOf, minorUnits } from '../../shared/domain/money.ts';

type Amounts = Readonly<Record<string, number | null>>;

/** What is wrong with the first amount that has more decimals than the currency, by column; undefined if all are valid. */
export function excessDecimals(amounts: Amounts, currency: string): string | undefined {
  const isExact = (amount: number | null): boolean => amount === null || minorUnits(amount, currency) !== undefined;
  const found = Object.entries(amounts).find(([, amount]) => !isExact(amount));
  if (found === undefined) return undefined;
  const decimals = decimalsOf(currency);
  return decimals === 0
    ? `${found[0]} must be a whole number: ${currency} has no decimals.`
    : `${found[0]} must have at most ${decimals} decimals: the currency is ${currency}.`;
}
