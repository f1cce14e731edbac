import { pendingSeconds, slotName, versionName } from '../../shared/data/counters/scan-layout.ts';
import { scanSlots } from '../../shared/domain/scans/counts.ts';
import { recordedSecondText } from '../../shared/domain/time/time-buckets.ts';

type Item = Readonly<Record<string, unknown>>;

/** DynamoDB returns the attributes of a map in any order. */
function sortedKeys(_name: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort());
}

/**
 * Items without their random parts, so they can be compared: scan suffixes, versions and shards. Pending seconds of scan
 * counters are compared as the hours and minutes that they belong to.
 */
export function comparable(items: readonly Item[]): string[] {
  const isCounter = ({ pk }: Item): boolean => String(pk).startsWith('CNT#');
  const counters = new Map<string, Map<string, number>>();
  for (const { name, attribute, count } of items.filter(isCounter).flatMap(countsOf)) {
    const sums = counters.get(name) ?? new Map<string, number>();
    sums.set(attribute, (sums.get(attribute) ?? 0) + count);
    counters.set(name, sums);
  }
  const others = items.filter((item) => !isCounter(item)).map(withoutRandomParts);
  const sums = [...counters].map(([name, each]) => JSON.stringify([name, [...each].filter(([, n]) => n !== 0).sort()]));
  return [...others, ...sums.filter((text) => !text.endsWith('[]]'))].sort();
}

function withoutRandomParts({ pk, sk, v: _, ...rest }: Item): string {
  const text = JSON.stringify([String(pk), sk, Object.entries(rest).sort()], sortedKeys);
  return text.replaceAll(/(\d{10}#\w{9})\w{4}/g, '$1');
}

/** The counts of a counter by bucket and attribute, without its shard. */
function countsOf({ pk, sk, v: _, [versionName]: __, ...counts }: Item) {
  const partition = String(pk).replace(/\d$/, '');
  const start = String(sk).replace(/#\d+$/, '');
  const pending = partition.endsWith('#XD') ? pendingSeconds(counts) : [];
  const own = Object.entries(counts)
    .filter(([attribute]) => pending.length === 0 || !attribute.startsWith('p'))
    .map(([attribute, count]) => ({ name: `${partition} ${start}`, attribute, count: Number(count) }));
  const letters = { hour: 'H', minute: 'M' } as const;
  const moved = pending.flatMap(({ second, count }) =>
    scanSlots(Number(start) + second).flatMap(({ bucket, start: bucketOf, slot }) =>
      bucket === 'day'
        ? []
        : [
            {
              name: `${partition.replace(/D$/, letters[bucket])} ${recordedSecondText(bucketOf)}`,
              attribute: slotName(slot),
              count,
            },
          ],
    ),
  );
  return [...own, ...moved];
}
