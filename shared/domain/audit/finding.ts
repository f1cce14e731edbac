/** What the audit compares. Each has a part of its own in docs/runbook.md. */
export const auditChecks = [
  'stock',
  'seats',
  'sales-counters',
  'scan-counters',
  'order-tickets',
  'order-ids',
  'order-copies',
  'order-events',
  'consents',
  'journal',
  'charges',
  'receipts',
  'memberships',
  'plans',
  'renewals',
  'member-tickets',
  'jobs',
  'waiting-list',
  'withdrawals',
  'code-uses',
  'position-trees',
  'overdue-hints',
  'unreadable-rows',
] as const;
export type AuditCheck = (typeof auditChecks)[number];

/** Two rows that contradict each other. The audit reports it and changes nothing: it cannot know which of them is right. */
export interface Finding {
  readonly check: AuditCheck;
  /** The row, as `partition / sort key`. */
  readonly row: string;
  /** What is wrong, by its difference: it stays the same while both sides grow. */
  readonly problem: string;
}

export const nameRow = ({ pk, sk }: { readonly pk: string; readonly sk: string }): string => `${pk} / ${sk}`;

/** The findings of the first list that the second one has, too. */
export function inBoth(first: readonly Finding[], second: readonly Finding[]): Finding[] {
  const seen = new Set(second.map(identityOf));
  return first.filter((finding) => seen.has(identityOf(finding)));
}

const identityOf = ({ check, row, problem }: Finding): string => JSON.stringify([check, row, problem]);

/** Named counts, of a counter or of the rows that it counts. */
export type NamedCounts = ReadonlyMap<string, number>;

export function addTo(counts: Map<string, number>, added: Readonly<Record<string, unknown>>): void {
  for (const [name, count] of Object.entries(added)) {
    if (typeof count === 'number' && count !== 0) counts.set(name, (counts.get(name) ?? 0) + count);
  }
}

/** Describes how counts differ from the rows; undefined if they are equal. */
export function differences(counted: NamedCounts, inRows: NamedCounts): string | undefined {
  const names = [...new Set([...counted.keys(), ...inRows.keys()])].sort();
  const texts = names.flatMap((name) => {
    const difference = (counted.get(name) ?? 0) - (inRows.get(name) ?? 0);
    return difference === 0 ? [] : [`${name} ${difference > 0 ? '+' : ''}${difference}`];
  });
  return texts.length === 0 ? undefined : `The counter differs from its rows: ${texts.join(', ')}.`;
}

/** Returns by how many tickets the stock of a price does not add up: capacity = available + held + sold. */
export function stockDifference(
  stock: { readonly capacity: number; readonly avail: number },
  { held, sold }: { readonly held: number; readonly sold: number },
): number {
  return stock.capacity - stock.avail - held - sold;
}
