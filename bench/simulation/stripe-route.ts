import { livePayments } from '../../shared/payments/live.ts';
import { acceptStripeEvent } from '../../shared/sales/accept-stripe-event.ts';
import { workers } from '../../shared/workers/registry.ts';
import type { Intent } from '../../tools/fixtures/stripe-intents.ts';
import type { SimulatedCloud } from './cloud.ts';
import { newInstance, runIn } from './instances.ts';
import { wholeMs } from './lambda.ts';

/** Stripe reports a payment after a second. */
const reportAfterMs = 1_000;

/** What receive-stripe-event does, within its reservation. Stripe repeats a report that fails after the sale, and sweeps come first. */
export function stripeRoute(cloud: SimulatedCloud): (intent: Intent) => void {
  const { time, api } = cloud;
  const worker = workers.find(({ id }) => id === 'receive-stripe-event');
  const concurrency = worker && api.reservedOf(worker);
  const table = cloud.openTable();
  const deps = { table, clock: wholeMs(time), payments: livePayments(table) };
  return ({ id: chargeId, account, metadata }) => {
    const [orgId = '', basketId] = [metadata.gateline_org, Number(metadata.gateline_basket)];
    const accept = () => acceptStripeEvent(deps, { kind: 'paid', account, orgId, basketId, chargeId });
    const run = async () => {
      await api.withConcurrency('receive-stripe-event', concurrency, () => runIn(newInstance(), accept), undefined);
    };
    time.start(() => void run().catch(() => {}), reportAfterMs);
  };
}
