import { changeBasketEndingPayment } from '../../../shared/checkout/end-waiting-payment.ts';
import { readOffer } from '../../../shared/data/prices/offer.ts';
import { refused } from '../../../shared/domain/baskets/changes.ts';
import { isOfferInCatalogue } from '../../../shared/domain/baskets/offer.ts';
import { updateLine } from '../../../shared/domain/baskets/update-line.ts';
import { parseId } from '../../../shared/domain/ids.ts';
import { parseBasketId } from '../../../shared/http/handlers/basket-from-path.ts';
import { offerForFan } from '../../../shared/http/handlers/offer-for-fan.ts';
import { proveHolders } from '../../../shared/http/handlers/prove-holders.ts';
import { unwrapBasketChange } from '../../../shared/http/handlers/unwrap-basket-change.ts';
import { type Handle, pipeline } from '../../../shared/http/pipeline.ts';
import { basketResource } from '../../../shared/mappers/basket.ts';
import { updateBasketLine } from '../../../shared/operations/baskets/update-basket-line.ts';
import { livePayments } from '../../../shared/payments/live.ts';
import { unixSeconds } from '../../../shared/platform/clock.ts';

export const handle: Handle<typeof updateBasketLine> = async ({ params, body }, deps) => {
  const { caller, table, clock, requestId } = deps;
  const { orgId, storefront } = caller;
  const nowUnix = unixSeconds(clock);
  const basketId = parseBasketId(params.basket_id);
  // No line has the id 0.
  const lineId = parseId(params.line_id) ?? 0;
  const { quantity } = body;
  const proved = await proveHolders(deps, body.holders ?? null);
  const holders = body.holders === undefined ? undefined : proved;
  const changed = await changeBasketEndingPayment(
    { table, orgId, clock, requestId, payments: livePayments(table) },
    {
      basketId,
      holdLimit: storefront && { maxHeld: storefront.maxHeld, nowUnix },
      decide: async (basket) => {
        const line = basket.lines.find((each) => each.lineId === lineId);
        const isMore = quantity !== undefined && line !== undefined && quantity > line.quantity;
        if (isMore && storefront && basket.hold !== null) return refused(basket, { reason: 'held' });
        const found = isMore && line.priceId !== null ? await readOffer(table, orgId, line.priceId) : undefined;
        const shown = found && storefront && !isOfferInCatalogue(found) ? undefined : found;
        const offer = shown && (await offerForFan(deps, shown));
        return updateLine(basket, lineId, { quantity, holders }, { offer, nowUnix });
      },
    },
  );
  return basketResource(orgId, unwrapBasketChange(changed, nowUnix), nowUnix);
};

export const handler = pipeline(updateBasketLine, handle);
