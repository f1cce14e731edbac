import { changeBasketEndingPayment } from '../../../shared/checkout/end-waiting-payment.ts';
import { changeBasket, readBasket } from '../../../shared/data/baskets/baskets.ts';
import { findCode } from '../../../shared/data/codes/codes.ts';
import { applyCode as applied, countWrongCode } from '../../../shared/domain/baskets/codes.ts';
import { normalizeCode } from '../../../shared/domain/codes/campaign.ts';
import { parseBasketId } from '../../../shared/http/handlers/basket-from-path.ts';
import { guessLimit } from '../../../shared/http/handlers/guess-limit.ts';
import { unwrapBasketChange } from '../../../shared/http/handlers/unwrap-basket-change.ts';
import { type Handle, pipeline } from '../../../shared/http/pipeline.ts';
import { notFound } from '../../../shared/http/problem.ts';
import { basketResource } from '../../../shared/mappers/basket.ts';
import { applyCode } from '../../../shared/operations/baskets/apply-code.ts';
import { livePayments } from '../../../shared/payments/live.ts';
import { unixSeconds } from '../../../shared/platform/clock.ts';

export const handle: Handle<typeof applyCode> = async ({ params, body }, deps) => {
  const { caller, table, clock, requestId, receipt } = deps;
  const { orgId } = caller;
  const nowUnix = unixSeconds(clock);
  const basketId = parseBasketId(params.basket_id);
  const guesses = guessLimit(table, caller, clock.nowMs());
  const [known, found] = await Promise.all([
    readBasket(table, orgId, basketId),
    findCode(table, orgId, normalizeCode(body.code)),
    guesses.check(),
  ]);
  if (known === undefined) throw notFound('basket');
  const changed = await changeBasketEndingPayment(
    { table, orgId, clock, requestId, payments: livePayments(table) },
    { basketId, known, decide: (basket) => applied(basket, found, nowUnix) },
    (basket) => receipt(basketResource(orgId, basket, nowUnix)),
  );
  if (changed.outcome === 'refused' && changed.refusal.reason === 'code_unknown') {
    const decide = (basket: typeof changed.basket) => countWrongCode(basket, nowUnix);
    await Promise.all([changeBasket(table, { orgId, basketId, decide }), guesses.count()]);
  }
  return basketResource(orgId, unwrapBasketChange(changed, nowUnix), nowUnix);
};

export const handler = pipeline(applyCode, handle);
