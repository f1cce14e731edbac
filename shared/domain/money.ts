/**
 * Amounts are stored as whole minor units (cents), because sums of decimal fractions are inexact. The API shows them as
 * decimal numbers in major units. All supported currencies have two decimal digits.
 */
const minorPerMajor = 100;

/** Converts 24050 to 240.5. One correctly rounded division gives the nearest double, never 240.50000000000003. */
export function majorUnits(minor: number): number {
  return minor / minorPerMajor;
}

/** Converts 240.5 to 24050. Returns undefined for an amount with fractions of a minor unit or one too large to be exact. */
export function minorUnits(major: number): number | undefined {
  const minor = Math.round(major * minorPerMajor);
  return Number.isSafeInteger(minor) && majorUnits(minor) === major ? minor : undefined;
}

/** The share of one of `count` parts of an amount. All shares add up to the amount: the first ones get one minor unit more. */
export function shareOf(minor: number, count: number, index: number): number {
  return Math.floor(minor / count) + (index < minor % count ? 1 : 0);
}
