/**
 * Amounts are kept as whole minor units (cents), because sums of decimal fractions drift; outside they are decimal numbers
 * in major units. All currencies of the service so far have two digits.
 */
const minorPerMajor = 100;

/** 24050 as 240.5. One correctly rounded division gives the nearest double, so that no noise such as 240.50000000000003 shows. */
export function majorUnits(minor: number): number {
  return minor / minorPerMajor;
}

/** 240.5 as 24050; undefined for what is finer than a minor unit or too large to be exact. */
export function minorUnits(major: number): number | undefined {
  const minor = Math.round(major * minorPerMajor);
  return Number.isSafeInteger(minor) && majorUnits(minor) === major ? minor : undefined;
}

/** What one of so many has of an amount, so that all add up to it: what cannot be divided goes to the first ones, a cent each. */
export function shareOf(minor: number, count: number, index: number): number {
  return Math.floor(minor / count) + (index < minor % count ? 1 : 0);
}
