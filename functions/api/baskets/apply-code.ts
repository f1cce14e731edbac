import { readBasket } from '../../../shared/data/baskets/baskets.ts';
import { findCode } from '../../../shared/data/codes/codes.ts';
import { applyCode as applied, isWrong } from '../../../shared/domain/baskets/codes.ts';
import { normalizeCode } from '../../../shared/domain/codes/campaign.ts';
import { countGuess } from '../../../shared/http/handlers/callers/guess-limit.ts';
import { parseBasketId } from '../../../shared/http/handlers/from-path/basket-from-path.ts';
import { unwrapBasketChange } from '../../../shared/http/handlers/problems/unwrap-basket-change.ts';
import { type Handle, pipeline } from '../../../shared/http/pipeline.ts';
import { notFound } from '../../../shared/http/problem.ts';
import { basketResource } from '../../../shared/mappers/basket.ts';
import { applyCode } from '../../../shared/operations/baskets/apply-code.ts';
import { livePayments } from '../../../shared/payments/live.ts';
import { unixSeconds } from '../../../shared/platform/clock.ts';
import { changeBasketEndingPayment } from '../../../shared/sales/baskets/end-waiting-payment.ts';

export const handle: Handle<typeof applyCode> = async ({ params, body }, deps) => {
  const { caller, table, clock, requestId, receipt } = deps;
  const { orgId } = caller;
  const nowUnix = unixSeconds(clock);
  const basketId = parseBasketId(params.basket_id);
  const [guess, known, found] = await Promise.all([
    countGuess(table, caller, { basketId, nowMs: clock.nowMs() }),
    readBasket(table, orgId, basketId),
    findCode(table, orgId, normalizeCode(body.code)),
  ]);
  if (known === undefined) throw notFound('basket');
  const compared = guess.isBasketFull ? 'too_many_codes' : found;
  const [changed] = await Promise.all([
    changeBasketEndingPayment(
      { table, orgId, clock, requestId, payments: livePayments(table) },
      { basketId, known, decide: (basket) => applied(basket, compared, nowUnix) },
      (basket) => receipt(basketResource(orgId, basket, nowUnix)),
    ),
    isWrong(found, nowUnix) ? undefined : guess.forgive(),
  ]);
  return basketResource(orgId, unwrapBasketChange(changed, nowUnix), nowUnix);
};

export const handler = pipeline(applyCode, handle);
