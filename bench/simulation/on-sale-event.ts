import type { Table } from '../../shared/data/table/table.ts';
import type { StorefrontLimits } from '../../shared/domain/auth/storefront.ts';
import type { PriceRecord } from '../../shared/domain/prices/price.ts';
import type { SeatMap } from '../../shared/domain/seats/seat-map.ts';
import { givenOrganisation } from '../../tools/fixtures/auth.ts';
import { farFutureUnix, givenEvent, givenPool, givenPrice, givenPriceCategory } from '../../tools/fixtures/events.ts';
import { givenStorefrontToken } from '../../tools/fixtures/storefront.ts';
import type { Request } from './lambda.ts';

/** An event that is about to go on sale. */
export interface OnSale {
  readonly orgId: string;
  readonly eventId: number;
  readonly storefrontToken: string;
  readonly prices: readonly { readonly index: number; readonly priceId: number }[];
  /** The stocks that the prices take from, by index: those of the prices, or that of a pool. */
  readonly stocks: readonly { readonly index: number; readonly capacity: number }[];
  /** The seats that are sold instead of stocks. */
  readonly map?: SeatMap;
}

/** Creates an organisation and an event with so many prices, which share the tickets: in equal parts, or in a pool. */
export async function givenEventOnSale(
  table: Table,
  {
    prices,
    tickets,
    pool: hasPool = false,
    limits,
  }: {
    readonly prices: number;
    readonly tickets: number;
    readonly pool?: boolean;
    readonly limits?: StorefrontLimits;
  },
): Promise<OnSale> {
  const orgId = await givenOrganisation(table, 'org_onsale', { paymentAccountId: 'acct_simulated' });
  const { text: storefrontToken } = await givenStorefrontToken(table, orgId, limits ?? { perMinute: 1_000_000 });
  const { eventId } = await givenEvent(table, orgId, { code: 'final', startUnix: farFutureUnix });
  const { categoryId } = await givenPriceCategory(table, orgId, { eventId });
  const capacity = Math.ceil(tickets / prices);
  const pool = hasPool ? await givenPool(table, orgId, { eventId, code: 'all', capacity: tickets }) : undefined;
  const stock = pool === undefined ? { capacity } : { capacity: null, poolIndex: pool.index };
  const saved: PriceRecord[] = [];
  for (let index = 1; index <= prices; index += 1)
    saved.push(await givenPrice(table, orgId, { eventId, categoryId, code: `p${index}`, orderBy: index, ...stock }));
  return {
    orgId,
    eventId,
    storefrontToken,
    prices: saved,
    stocks: pool === undefined ? saved.map(({ index }) => ({ index, capacity })) : [{ ...pool, capacity: tickets }],
  };
}

interface Sender {
  readonly token: string;
  readonly basketToken: string | undefined;
  readonly client: number;
}

/** A network address for each client. */
export const addressOf = (client: number): string =>
  `10.${(client >> 16) & 255}.${(client >> 8) & 255}.${client & 255}`;

/** A request as the page of a shop sends it, from the network address of a client. */
export function fromStorefront(request: Request, { token, basketToken, client }: Sender): Request {
  const headers = {
    ...request.headers,
    Authorization: `Bearer ${token}`,
    ...(basketToken !== undefined && { 'X-Basket-Token': basketToken }),
  };
  return { ...request, headers, address: addressOf(client) };
}
