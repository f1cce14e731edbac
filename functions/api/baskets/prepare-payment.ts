import { checkReturnUrl } from '../../../shared/http/handlers/callers/check-return-url.ts';
import { proveBuyer } from '../../../shared/http/handlers/callers/prove-buyer.ts';
import { parseBasketId } from '../../../shared/http/handlers/from-path/basket-from-path.ts';
import { refusedCheckout } from '../../../shared/http/handlers/problems/checkout-problem.ts';
import { type Handle, pipeline } from '../../../shared/http/pipeline.ts';
import { buyerOf, paymentChoiceOf } from '../../../shared/mappers/checkout.ts';
import { preparePayment } from '../../../shared/operations/baskets/prepare-payment.ts';
import { livePayments } from '../../../shared/payments/live.ts';
import { preparePayment as prepareOf } from '../../../shared/sales/checkout/prepare-payment.ts';

export const handle: Handle<typeof preparePayment> = async ({ params, body }, deps) => {
  const { caller, table, clock, requestId, baseUrl } = deps;
  const basketId = parseBasketId(params.basket_id);
  const returnUrl = await checkReturnUrl(deps, body.return_url);
  const checkoutDeps = { table, orgId: caller.orgId, clock, requestId, payments: livePayments(table, baseUrl) };
  const proof = await proveBuyer(deps, body.customer);
  const result = await prepareOf(checkoutDeps, {
    ...{ basketId, buyer: buyerOf(body.customer), payment: paymentChoiceOf(body) },
    ...proof,
    returnUrl,
  });
  if (result.outcome !== 'prepared') throw await refusedCheckout(deps, result, body);
  return { payment: result.payment };
};

export const handler = pipeline(preparePayment, handle);
