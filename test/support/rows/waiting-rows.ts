import { changeBasket } from '../../../shared/data/baskets/baskets.ts';
import { readOffer } from '../../../shared/data/prices/offer.ts';
import { readEventSlices } from '../../../shared/data/prices/stock.ts';
import { joinWaitingList, requestPlace } from '../../../shared/data/waiting-list/join.ts';
import { cancelBasket } from '../../../shared/domain/baskets/changes.ts';
import type { PriceRecord } from '../../../shared/domain/prices/price.ts';
import { serveWaitingList } from '../../../shared/sales/waiting-list/serve-waiting-list.ts';
import { givenPrice } from '../../../tools/fixtures/events.ts';
import { givenBasket, noonUnix, type TestCheckoutDeps } from '../baskets.ts';

/** Two people wait for the only ticket of a price, and the first one is offered it. A third has not confirmed the address. */
export async function writeWaitingList(deps: TestCheckoutDeps, { eventId, categoryId }: PriceRecord): Promise<void> {
  const { table, orgId } = deps;
  const price = await givenPrice(table, orgId, { eventId, categoryId, code: 'last', capacity: 1 });
  const { basketId } = await givenBasket(deps, price);
  for (const [index, name] of ['ada', 'bob'].entries()) {
    const offer = await readOffer(table, orgId, price.priceId);
    if (offer === undefined) throw new Error('The price is missing.');
    const seen = { orgId, eventId, slices: await readEventSlices(table, orgId, eventId) };
    const wish = {
      eventId,
      entryId: `wle_${index}`,
      priceIndex: price.index,
      quantity: 1,
      acceptLess: false,
      userId: null,
    };
    const wanted = { ...wish, emailAddress: `${name}@example.com` };
    const joining = { offer, seen, before: undefined, wanted, nowMs: noonUnix * 1000 + index };
    if ((await joinWaitingList(table, joining, () => [])) === undefined) throw new Error(`${name} did not join.`);
  }
  const asked = { priceIndex: price.index, quantity: 1, acceptLess: false, userId: null };
  const wanted = { ...asked, eventId, entryId: 'wle_2', emailAddress: 'cleo@example.com' };
  await requestPlace(table, { orgId, before: undefined, wanted, nowMs: noonUnix * 1000 }, () => []);
  await changeBasket(table, { orgId, basketId, decide: (basket) => cancelBasket(basket, noonUnix) });
  await serveWaitingList({ ...deps, hasTime: () => true }, { orgId, eventId });
}
