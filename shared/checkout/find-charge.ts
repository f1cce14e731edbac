import { changeBasket } from '../data/baskets/baskets.ts';
import { readOrganisation } from '../data/organisations/organisation.ts';
import { type Basket, type Checkout, chargeKey, hasUnrecordedCharge } from '../domain/baskets/basket.ts';
import { recordCharge } from '../domain/baskets/checkout.ts';
import { callProvider } from '../payments/payments.ts';
import { unixSeconds } from '../platform/clock.ts';
import type { CheckoutDeps } from './deps.ts';
import { presentationOf } from './presentation.ts';

/** A basket, and its checkout in progress. */
interface ClaimedBasket {
  readonly basket: Basket;
  readonly checkout: Checkout;
}

/** Finding a charge moves no money, and settling it takes two more calls. */
const findShare = 0.3;

/**
 * Records the charge of a checkout whose process stopped before it could. The provider creates the charge if there is none: then
 * it can be cancelled, and a process that is only late cannot pay it any more. Returns the basket as it is if the provider has no
 * charge of the attempt; `unknown` if the provider does not say.
 */
export async function findCharge(
  deps: CheckoutDeps,
  basket: Basket,
  checkout: Checkout,
): Promise<ClaimedBasket | 'unknown'> {
  if (!hasUnrecordedCharge(checkout)) return { basket, checkout };
  const { table, orgId, payments, clock } = deps;
  const { basketId, currency } = basket;
  const { attempt, startedUnix, account, amountMinor, paymentMethod, buyer } = checkout;
  const provider = await payments.byName(checkout.provider ?? '');
  const organisation = provider?.needsAccount ? await readOrganisation(table, orgId) : undefined;
  const charge = {
    ...{ orgId, account, basketId, amountMinor, paymentMethod, startedUnix },
    key: chargeKey(basket, attempt),
    currency: currency ?? '',
    // Those of the attempt, unless the organisation has changed its settings since.
    presentation: presentationOf(organisation, buyer),
    ageSeconds: unixSeconds(clock) - startedUnix,
  };
  const found = await callProvider(provider, payments.timeoutMs * findShare, (api, signal) =>
    api.prepareAgain(charge, signal),
  );
  if (found === 'unknown' || provider === undefined) return 'unknown';
  if (found === null) return { basket, checkout };
  const { chargeId } = found;
  const recorded = await changeBasket(table, {
    orgId,
    basketId,
    known: basket,
    decide: (current) => recordCharge(current, attempt, { provider: provider.name, chargeId, account }),
  });
  // Another process has ended the attempt meanwhile.
  if (recorded.outcome !== 'changed' || recorded.basket.checkout === null) return 'unknown';
  return { basket: recorded.basket, checkout: recorded.basket.checkout };
}
