/** A source of random numbers from 0 to 1, without 1. */
export type Random = () => number;

/** Random numbers that the seed determines (mulberry32), so they are the same on every machine. */
export function seededRandom(seed: number): Random {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A latency: half of all calls are faster than the median, one in a hundred is slower than p99. */
export interface Latency {
  readonly medianMs: number;
  readonly p99Ms: number;
}

/** The standard normal deviate that one in a hundred exceeds. */
const p99Deviate = 2.326;

/** Draws from the log-normal distribution with this median and p99, which is the usual form of latencies. */
export function drawMs({ medianMs, p99Ms }: Latency, random: Random): number {
  const deviate = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  return medianMs * Math.exp((Math.log(p99Ms / medianMs) / p99Deviate) * deviate);
}
