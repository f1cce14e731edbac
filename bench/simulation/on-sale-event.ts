import type { Table } from '../../shared/data/table/table.ts';
import { windowNames, windowRules } from '../../shared/domain/auth/rate-windows.ts';
import type { PriceRecord } from '../../shared/domain/prices/price.ts';
import { givenKey, givenOrganisation } from '../../test/support/auth.ts';
import { farFutureUnix, givenEvent, givenPrice, givenPriceCategory } from '../../test/support/events.ts';
import { givenStorefrontToken } from '../../test/support/storefront.ts';

/** An event that is about to go on sale. */
export interface OnSale {
  readonly orgId: string;
  readonly eventId: number;
  readonly apiKey: string;
  readonly storefrontToken: string;
  readonly prices: readonly { readonly index: number; readonly priceId: number; readonly capacity: number }[];
}

/** Creates an organisation and an event with so many prices, which share the tickets. */
export async function givenEventOnSale(
  table: Table,
  { prices, tickets }: { readonly prices: number; readonly tickets: number },
): Promise<OnSale> {
  const orgId = await givenOrganisation(table, 'org_onsale');
  const { text: apiKey } = await givenKey(table, orgId);
  const { text: storefrontToken } = await givenStorefrontToken(table, orgId, { perMinute: 1_000_000 });
  const { eventId } = await givenEvent(table, orgId, { code: 'final', startUnix: farFutureUnix });
  const { categoryId } = await givenPriceCategory(table, orgId, { eventId });
  const capacity = Math.ceil(tickets / prices);
  const saved: PriceRecord[] = [];
  for (let index = 1; index <= prices; index += 1)
    saved.push(await givenPrice(table, orgId, { eventId, categoryId, code: `p${index}`, capacity, orderBy: index }));
  return {
    orgId,
    eventId,
    apiKey,
    storefrontToken,
    prices: saved.map(({ index, priceId }) => ({ index, priceId, capacity })),
  };
}

/**
 * Raises the limits of API keys in this process. An on-sale with the default limits would consist of 429s: 300 requests a minute
 * are 40 buyers. The platform team raises the limits of an organisation before such a sale.
 */
export function raiseKeyLimits(): void {
  for (const name of windowNames) Object.assign(windowRules[name], { limit: 1_000_000_000 });
}
