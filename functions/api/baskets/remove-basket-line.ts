import { removeLine } from '../../../shared/domain/baskets/changes.ts';
import { parseId } from '../../../shared/domain/ids.ts';
import { parseBasketId } from '../../../shared/http/handlers/from-path/basket-from-path.ts';
import { unwrapBasketChange } from '../../../shared/http/handlers/problems/unwrap-basket-change.ts';
import { type Handle, pipeline } from '../../../shared/http/pipeline.ts';
import { basketResource } from '../../../shared/mappers/basket.ts';
import { removeBasketLine } from '../../../shared/operations/baskets/remove-basket-line.ts';
import { livePayments } from '../../../shared/payments/live.ts';
import { unixSeconds } from '../../../shared/platform/clock.ts';
import { changeBasketEndingPayment } from '../../../shared/sales/baskets/end-waiting-payment.ts';

export const handle: Handle<typeof removeBasketLine> = async ({ params }, { caller, table, clock, requestId }) => {
  const { orgId } = caller;
  const nowUnix = unixSeconds(clock);
  const basketId = parseBasketId(params.basket_id);
  // No line has the id 0.
  const lineId = parseId(params.line_id) ?? 0;
  const changed = await changeBasketEndingPayment(
    { table, orgId, clock, requestId, payments: livePayments(table) },
    { basketId, decide: (basket) => removeLine(basket, lineId, nowUnix) },
  );
  return basketResource(orgId, unwrapBasketChange(changed, nowUnix), nowUnix);
};

export const handler = pipeline(removeBasketLine, handle);
