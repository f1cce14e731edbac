import { type Suite, unitNames } from './suites.ts';

export interface Shard {
  readonly index: number;
  readonly count: number;
}

export interface Selection {
  readonly suite: Suite;
  readonly units: readonly string[];
}

/**
 * The units of a shard. The longest units go first, each to the shard with the least to do, so that shards take about as long as
 * each other. Each shard computes it alike.
 */
export function shardOf(suites: readonly Suite[], { index, count }: Shard): readonly Selection[] {
  const all = suites.flatMap((suite) =>
    unitNames(suite).map((unit) => ({ suite, unit, minutes: suite.minutes / unitNames(suite).length })),
  );
  const loads = Array.from({ length: count }, () => 0);
  const own = new Set<string>();
  for (const { suite, unit, minutes } of all.toSorted((a, b) => b.minutes - a.minutes)) {
    const lightest = loads.indexOf(Math.min(...loads));
    loads[lightest] = (loads[lightest] ?? 0) + minutes;
    if (lightest === index - 1) own.add(`${suite.name} ${unit}`);
  }
  return suites.map((suite) => ({
    suite,
    units: unitNames(suite).filter((unit) => own.has(`${suite.name} ${unit}`)),
  }));
}
