import type { ItemKey } from './keys.ts';

/** Returns the items to put and the keys to delete to turn the items `before` into the items `after`. */
export function diffItems<Item extends ItemKey>(
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
