import { checkReturnUrl } from '../../../shared/http/handlers/callers/check-return-url.ts';
import { customerFor, orderFor } from '../../../shared/http/handlers/callers/order-for-caller.ts';
import { proveBuyer } from '../../../shared/http/handlers/callers/prove-buyer.ts';
import { readOrderLinks } from '../../../shared/http/handlers/callers/ticket-link.ts';
import { parseBasketId } from '../../../shared/http/handlers/from-path/basket-from-path.ts';
import { consentsOfBuyer } from '../../../shared/http/handlers/input/consents.ts';
import { tenderOf } from '../../../shared/http/handlers/input/counter.ts';
import { addressOfBuyer } from '../../../shared/http/handlers/input/invoice-address.ts';
import { checkoutProblem } from '../../../shared/http/handlers/problems/checkout-problem.ts';
import { type Handle, pipeline } from '../../../shared/http/pipeline.ts';
import { checkoutCommand, checkoutOrder } from '../../../shared/mappers/checkout.ts';
import { checkOutBasket } from '../../../shared/operations/baskets/check-out-basket.ts';
import { livePayments } from '../../../shared/payments/live.ts';
import { unixSeconds } from '../../../shared/platform/clock.ts';
import { checkOut } from '../../../shared/sales/checkout/check-out.ts';
import type { Confirmed } from '../../../shared/sales/checkout/outcomes.ts';
import { refusalOfOption } from '../../../shared/sales/checkout/refusal-of-option.ts';
import type { BuyerProof } from '../../../shared/sales/deps.ts';

const noProof: BuyerProof = {};

export const handle: Handle<typeof checkOutBasket> = async ({ params, body }, deps) => {
  const { caller, table, clock, requestId, receipt, baseUrl } = deps;
  const basketId = parseBasketId(params.basket_id);
  const tender = tenderOf(body, caller, unixSeconds(clock));
  const details = { ...addressOfBuyer(body), ...consentsOfBuyer(body, deps) };
  const returnUrl = await checkReturnUrl(deps, body.return_url);
  const checkoutDeps = { table, orgId: caller.orgId, clock, requestId, payments: livePayments(table, baseUrl) };
  const [proof, linkOf] = await Promise.all([
    body.customer ? proveBuyer(deps, body.customer) : noProof,
    readOrderLinks(deps),
  ]);
  const command = { ...checkoutCommand(basketId, body, details), ...proof, returnUrl, tender };
  const shown = ({ placed, customer, barcodeTimes }: Confirmed) =>
    checkoutOrder(
      orderFor(caller, placed, barcodeTimes, unixSeconds(clock)),
      customerFor(caller, customer, proof.signedIn?.userId),
      linkOf(placed.order),
      tender?.received,
    );
  const result = await checkOut(checkoutDeps, command, (confirmed) => receipt(shown(confirmed)));
  if (result.outcome === 'confirmed') return shown(result);
  throw checkoutProblem(await refusalOfOption(checkoutDeps, result, command.payment), unixSeconds(clock));
};

export const handler = pipeline(checkOutBasket, handle);
