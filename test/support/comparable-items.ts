type Item = Readonly<Record<string, unknown>>;

/** DynamoDB returns the attributes of a map in any order. */
function sortedKeys(_name: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort());
}

/** Items without their random parts, so that they can be compared: scan suffixes, versions and shards. */
export function comparable(items: readonly Item[]): string[] {
  const counters = new Map<string, Map<string, number>>();
  const others: string[] = [];
  for (const { pk, sk, v: _, ...rest } of items) {
    const partition = String(pk);
    if (!partition.startsWith('CNT#')) {
      others.push(
        JSON.stringify([partition, sk, Object.entries(rest).sort()], sortedKeys).replaceAll(
          /(\d{10}#\w{9})\w{4}/g,
          '$1',
        ),
      );
      continue;
    }
    const name = `${partition.replace(/\d$/, '')} ${String(sk).replace(/#\d+$/, '')}`;
    const sums = counters.get(name) ?? new Map<string, number>();
    for (const [attribute, count] of Object.entries(rest)) {
      sums.set(attribute, (sums.get(attribute) ?? 0) + Number(count));
    }
    counters.set(name, sums);
  }
  const sums = [...counters].map(([name, each]) => JSON.stringify([name, [...each].filter(([, n]) => n !== 0).sort()]));
  return [...others, ...sums.filter((text) => !text.endsWith('[]]'))].sort();
}
