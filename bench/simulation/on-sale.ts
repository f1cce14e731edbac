import { addBasketItem } from '../../shared/operations/baskets/add-basket-item.ts';
import { addBasketSeats } from '../../shared/operations/baskets/add-basket-seats.ts';
import { applyCode } from '../../shared/operations/baskets/apply-code.ts';
import { cancelBasket } from '../../shared/operations/baskets/cancel-basket.ts';
import { checkOutBasket } from '../../shared/operations/baskets/check-out-basket.ts';
import { openBasket } from '../../shared/operations/baskets/open-basket.ts';
import { preparePayment } from '../../shared/operations/baskets/prepare-payment.ts';
import { listEventPrices } from '../../shared/operations/events/list-event-prices.ts';
import { retrieveEventSeats } from '../../shared/operations/events/retrieve-event-seats.ts';
import type { Operation } from '../../shared/operations/operation.ts';
import { arrivalMs } from './arrivals.ts';
import { Buyer, type Sale } from './buyer.ts';
import type { SimulatedCloud } from './cloud.ts';
import type { OnSale } from './on-sale-event.ts';
import { newOutcome, type SaleOutcome } from './sale-outcome.ts';
import { stripeRoute } from './stripe-route.ts';

const saleOperations: readonly Operation[] = [
  listEventPrices,
  openBasket,
  addBasketItem,
  preparePayment,
  checkOutBasket,
  cancelBasket,
  retrieveEventSeats,
  addBasketSeats,
  applyCode,
];

/** Lets buyers arrive over `minutes`: a burst at the opening that decays, and returns when the last one has finished. */
export async function runSale(
  cloud: SimulatedCloud,
  onSale: OnSale,
  { minutes, buyers, stripe, phases }: Pick<Sale, 'buyers' | 'stripe' | 'phases'> & { readonly minutes: number },
): Promise<SaleOutcome> {
  for (const operation of saleOperations) await cloud.api.load(operation);
  const { time, random } = cloud;
  const startMs = time.nowMs();
  const outcome = newOutcome(startMs);
  const report = stripeRoute(cloud);
  const sale = { ...onSale, buyers, stripe, phases, cloud, report, outcome, endMs: startMs + minutes * 60_000 };
  const arrivals = Array.from({ length: buyers }, () => arrivalMs(random, minutes));
  await Promise.all(
    arrivals.map(async (ms, index) => {
      await time.sleep(ms);
      await new Buyer(sale, index).buy();
    }),
  );
  return outcome;
}
