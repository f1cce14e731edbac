import { changeBasketEndingPayment } from '../../../shared/checkout/end-waiting-payment.ts';
import { readBasket } from '../../../shared/data/baskets/baskets.ts';
import { readOffer } from '../../../shared/data/prices/offer.ts';
import { addToBasket } from '../../../shared/domain/baskets/changes.ts';
import { isOfferInCatalogue } from '../../../shared/domain/baskets/offer.ts';
import { parseId } from '../../../shared/domain/ids.ts';
import { proveHolders } from '../../../shared/http/handlers/prove-holders.ts';
import { unwrapBasketChange } from '../../../shared/http/handlers/unwrap-basket-change.ts';
import { type Handle, pipeline } from '../../../shared/http/pipeline.ts';
import { notFound, referenceMissing } from '../../../shared/http/problem.ts';
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
  const priceId = parseId(String(body.price_id));
  const readCurrentOffer = async () => (priceId === undefined ? undefined : readOffer(table, orgId, priceId));
  const [known, readFirst, holders] = await Promise.all([
    readBasket(table, orgId, basketId),
    readCurrentOffer(),
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
        const offer = basket === known ? readFirst : await readCurrentOffer();
        if (offer === undefined || (storefront && !isOfferInCatalogue(offer))) {
          throw referenceMissing('price', 'price_id');
        }
        return addToBasket(basket, offer, { quantity: body.quantity, holders }, nowUnix);
      },
    },
    (basket) => receipt(basketResource(orgId, basket, nowUnix)),
  );
  return basketResource(orgId, unwrapBasketChange(changed, nowUnix), nowUnix);
};

export const handler = pipeline(addBasketItem, handle);
