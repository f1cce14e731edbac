import { checkReturnUrl } from '../../../shared/http/handlers/callers/check-return-url.ts';
import { proveBuyer } from '../../../shared/http/handlers/callers/prove-buyer.ts';
import { parseBasketId } from '../../../shared/http/handlers/from-path/basket-from-path.ts';
import { consentsOfBuyer } from '../../../shared/http/handlers/input/consents.ts';
import { addressOfBuyer } from '../../../shared/http/handlers/input/invoice-address.ts';
import { checkoutProblem } from '../../../shared/http/handlers/problems/checkout-problem.ts';
import { type Handle, pipeline } from '../../../shared/http/pipeline.ts';
import { buyerOf, paymentChoiceOf } from '../../../shared/mappers/checkout.ts';
import { preparePayment } from '../../../shared/operations/baskets/prepare-payment.ts';
import { livePayments } from '../../../shared/payments/live.ts';
import { unixSeconds } from '../../../shared/platform/clock.ts';
import { preparePayment as prepareOf } from '../../../shared/sales/checkout/prepare-payment.ts';
import { refusalOfOption } from '../../../shared/sales/checkout/refusal-of-option.ts';

export const handle: Handle<typeof preparePayment> = async ({ params, body }, deps) => {
  const { caller, table, clock, requestId, baseUrl } = deps;
  const basketId = parseBasketId(params.basket_id);
  const details = { ...addressOfBuyer(body), ...consentsOfBuyer(body, deps) };
  const returnUrl = await checkReturnUrl(deps, body.return_url);
  const checkoutDeps = { table, orgId: caller.orgId, clock, requestId, payments: livePayments(table, baseUrl) };
  const proof = await proveBuyer(deps, body.customer);
  const payment = paymentChoiceOf(body);
  const command = { basketId, buyer: { ...buyerOf(body.customer), ...details }, payment, ...proof, returnUrl };
  const result = await prepareOf(checkoutDeps, command);
  if (result.outcome === 'prepared') return { payment: result.payment };
  throw checkoutProblem(await refusalOfOption(checkoutDeps, result, payment), unixSeconds(clock));
};

export const handler = pipeline(preparePayment, handle);
