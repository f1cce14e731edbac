import { readOffer } from '../../data/prices/offer.ts';
import { isOfferInCatalogue } from '../../domain/baskets/offer.ts';
import { parseId } from '../../domain/ids.ts';
import { problem, referenceMissing } from '../problem.ts';
import { type FanRequest, offerForFan } from './offer-for-fan.ts';
import type { WantedItem } from './seat-decision.ts';

interface SentItem {
  readonly price_id: string | number;
  readonly quantity: number | null;
  readonly seats: readonly string[] | null;
}

/** Returns what reads the prices that a request names. Throws if an item says neither how many seats nor which, or both. */
export function wantedItemsReader(
  request: FanRequest,
  items: readonly SentItem[],
): () => Promise<readonly Omit<WantedItem, 'holders'>[]> {
  const { table, caller } = request;
  const isPublic = caller.storefront !== undefined;
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
        const offer = priceId === undefined ? undefined : await readOffer(table, caller.orgId, priceId);
        if (offer === undefined || (isPublic && !isOfferInCatalogue(offer))) {
          throw referenceMissing('price', `items[${index}].price_id`);
        }
        return { offer: await offerForFan(request, offer), quantity: quantity ?? 0, seats };
      }),
    );
}
