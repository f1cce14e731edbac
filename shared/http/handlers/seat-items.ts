import { readOffer } from '../../data/prices/offer.ts';
import type { Table } from '../../data/table/table.ts';
import { isOfferInCatalogue } from '../../domain/baskets/offer.ts';
import { parseId } from '../../domain/ids.ts';
import { problem, referenceMissing } from '../problem.ts';
import type { WantedItem } from './seat-decision.ts';

interface SentItem {
  readonly price_id: string | number;
  readonly quantity: number | null;
  readonly seats: readonly string[] | null;
}

/** Returns what reads the prices that a request names. Throws if an item says neither how many seats nor which, or both. */
export function wantedItemsReader(
  table: Table,
  orgId: string,
  items: readonly SentItem[],
  { isPublic }: { readonly isPublic: boolean },
): () => Promise<readonly Omit<WantedItem, 'holders'>[]> {
  const isPicked = items[0]?.seats !== null;
  for (const [index, { quantity, seats }] of items.entries()) {
    if ((quantity === null) === (seats === null) || (seats !== null) !== isPicked) {
      const message = 'Send either quantity or seats, and the same of both in every item.';
      throw problem('parameter_conflict', message, { param: `items[${index}].seats` });
    }
  }
  return () =>
    Promise.all(
      items.map(async ({ price_id, quantity, seats }, index) => {
        const priceId = parseId(String(price_id));
        const offer = priceId === undefined ? undefined : await readOffer(table, orgId, priceId);
        if (offer === undefined || (isPublic && !isOfferInCatalogue(offer))) {
          throw referenceMissing('price', `items[${index}].price_id`);
        }
        return { offer, quantity: quantity ?? 0, seats };
      }),
    );
}
