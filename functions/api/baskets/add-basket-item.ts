import { changeBasketEndingPayment } from '../../../shared/checkout/end-waiting-payment.ts';
import { readBasket } from '../../../shared/data/baskets/baskets.ts';
import { addMembership, refused } from '../../../shared/domain/baskets/changes.ts';
import { parseId } from '../../../shared/domain/ids.ts';
import { addTickets } from '../../../shared/http/handlers/add-tickets.ts';
import { itemReader } from '../../../shared/http/handlers/offered-item.ts';
import { proveHolders } from '../../../shared/http/handlers/prove-holders.ts';
import { readRenewedItem } from '../../../shared/http/handlers/renewed-item.ts';
import { decideSeats, noWishes } from '../../../shared/http/handlers/seat-decision.ts';
import { unwrapBasketChange } from '../../../shared/http/handlers/unwrap-basket-change.ts';
import { type Handle, pipeline } from '../../../shared/http/pipeline.ts';
import { notFound } from '../../../shared/http/problem.ts';
import { basketResource } from '../../../shared/mappers/basket.ts';
import { addBasketItem } from '../../../shared/operations/baskets/add-basket-item.ts';
import { livePayments } from '../../../shared/payments/live.ts';
import { unixSeconds } from '../../../shared/platform/clock.ts';

export const handle: Handle<typeof addBasketItem> = async ({ params, body }, deps) => {
  const { caller, table, clock, requestId, receipt } = deps;
  const { orgId, storefront } = caller;
  const nowUnix = unixSeconds(clock);
  const basketId = parseId(params.basket_id);
  if (basketId === undefined) throw notFound('basket');
  const isNextTerm = body.renews !== null || body.replaces !== null;
  const readCurrentItem = isNextTerm ? () => readRenewedItem(deps, body) : itemReader(deps, body);
  const [known, readFirst, holders] = await Promise.all([
    readBasket(table, orgId, basketId),
    readCurrentItem(),
    proveHolders(deps, body.holders),
  ]);
  if (known === undefined) throw notFound('basket');
  const changed = await changeBasketEndingPayment(
    { table, orgId, clock, requestId, payments: livePayments(table) },
    {
      basketId,
      known,
      holdLimit: storefront && { maxHeld: storefront.maxHeld, nowUnix },
      decide: async (basket) => {
        const item = basket === known ? readFirst : await readCurrentItem();
        if (item.kind === 'missing') throw item.problem;
        if (storefront && basket.hold !== null) return refused(basket, { reason: 'held' });
        const { quantity } = body;
        const isPublic = storefront !== undefined;
        if (item.kind === 'ticket' && item.offer.event.seatingMapId !== null) {
          const wanted = [{ offer: item.offer, seats: null, quantity, holders }];
          return decideSeats({ table, orgId, nowMs: clock.nowMs(), isPublic }, basket, wanted, noWishes);
        }
        if (item.kind === 'ticket') {
          return addTickets(basket, item.offer, { table, orgId, quantity, holders, isPublic, nowUnix });
        }
        const { offer, nextTerm } = item;
        // The members of a renewal are known.
        const added = nextTerm === undefined ? { quantity, holders } : { quantity, nextTerm };
        return addMembership(basket, offer, added, nowUnix);
      },
    },
    (basket) => receipt(basketResource(orgId, basket, nowUnix)),
  );
  return basketResource(orgId, unwrapBasketChange(changed, nowUnix), nowUnix);
};

export const handler = pipeline(addBasketItem, handle);
