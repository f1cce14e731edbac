import { checkOut } from '../../../shared/checkout/check-out.ts';
import type { Confirmed } from '../../../shared/checkout/outcomes.ts';
import { parseBasketId } from '../../../shared/http/handlers/basket-from-path.ts';
import { checkReturnUrl } from '../../../shared/http/handlers/check-return-url.ts';
import { refusedCheckout } from '../../../shared/http/handlers/checkout-problem.ts';
import { customerFor, orderFor } from '../../../shared/http/handlers/order-for-caller.ts';
import { proveBuyer } from '../../../shared/http/handlers/prove-buyer.ts';
import { type Handle, pipeline } from '../../../shared/http/pipeline.ts';
import { checkoutCommand, checkoutOrder } from '../../../shared/mappers/checkout.ts';
import { checkOutBasket } from '../../../shared/operations/baskets/check-out-basket.ts';
import { livePayments } from '../../../shared/payments/live.ts';
import { unixSeconds } from '../../../shared/platform/clock.ts';

export const handle: Handle<typeof checkOutBasket> = async ({ params, body }, deps) => {
  const { caller, table, clock, requestId, receipt, baseUrl } = deps;
  const basketId = parseBasketId(params.basket_id);
  const returnUrl = await checkReturnUrl(deps, body.return_url);
  const checkoutDeps = { table, orgId: caller.orgId, clock, requestId, payments: livePayments(table, baseUrl) };
  const proof = await proveBuyer(deps, body.customer);
  const command = { ...checkoutCommand(basketId, body), ...proof, returnUrl };
  const shown = ({ placed, customer, barcodeTimes }: Confirmed) =>
    checkoutOrder(
      orderFor(caller, placed, barcodeTimes, unixSeconds(clock)),
      customerFor(caller, customer, proof.signedIn?.userId),
    );
  const result = await checkOut(checkoutDeps, command, (confirmed) => receipt(shown(confirmed)));
  if (result.outcome !== 'confirmed') throw await refusedCheckout(deps, result, body);
  return shown(result);
};

export const handler = pipeline(checkOutBasket, handle);
