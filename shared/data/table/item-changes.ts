import type { ItemKey } from './keys.ts';

/** What must be written and removed so that the items after stand in place of those before. */
export function itemChanges<Item extends ItemKey>(
  after: readonly Item[],
  before: readonly Item[] = [],
): { put: Item[]; remove: ItemKey[] } {
  const name = ({ pk, sk }: ItemKey): string => JSON.stringify([pk, sk]);
  const old = new Map(before.map((item) => [name(item), JSON.stringify(item)]));
  const kept = new Set(after.map(name));
  return {
    put: after.filter((item) => old.get(name(item)) !== JSON.stringify(item)),
    remove: before.filter((item) => !kept.has(name(item))).map(({ pk, sk }) => ({ pk, sk })),
  };
}
