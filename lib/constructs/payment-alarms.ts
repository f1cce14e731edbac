import { Duration } from 'aws-cdk-lib';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import type { Worker } from '../../shared/workers/worker.ts';
import { type Alarms, wholeWindow } from './alarms.ts';
import { outcomeMetric, stageMetric } from './outcome-metric.ts';

/** Alarms on payments that the basket sweeper cannot settle (shared/sales/checkout/sweep-basket.ts). */
export function alarmOnPayments(alarms: Alarms): void {
  const found = (outcome: string) => outcomeMetric(alarms.stage, 'sweep-baskets', outcome);
  alarms.raise('payments-refused', {
    metric: stageMetric(alarms.stage, 'PaymentRefused', 'Sum').with({ period: Duration.minutes(15) }),
    threshold: 5,
    evaluation: wholeWindow,
    description:
      'The payment provider refused five payments of buyers and members within a quarter of an hour, whatever they paid with: an organisation or nobody can sell. Read "The payment provider rejected a payment" in the log of prepare-payment and check-out-basket: it has the organisation and the code.',
    section: 'payments-are-refused',
  });
  alarms.raise('refund-refused', {
    metric: found('RefundRefused'),
    threshold: 1,
    description:
      'The payment provider rejected a refund. A fan does not get their money back, and the service does not retry. Find the basket in the log of sweep-baskets and the reason in the dashboard of the provider.',
    section: 'a-refund-was-refused',
  });
  alarms.raise('payment-unsettled', {
    metric: found('PaymentUnsettled'),
    threshold: 1,
    description:
      'The outcome of a payment has been unknown for an hour. A fan waits for tickets, which stay held. Look up the charge in the dashboard of the payment provider.',
    section: 'a-payment-stays-unknown',
  });
  alarms.raise('payment-mismatch', {
    metric: found('PaymentMismatch'),
    threshold: 1,
    description:
      'A payment is not what its basket costs, or belongs to another basket. A fan has paid and has no tickets; a wrong amount is refunded automatically. Find the basket and the charge in the log, and compare them in the dashboard of the provider.',
    section: 'a-payment-does-not-match',
  });
}

/** Alarms on charges without the buyer (shared/charges/sweep-due.ts). What is due stays due, and no member is overdue by it. */
export function alarmOnCharges(alarms: Alarms, { id }: Worker): void {
  alarms.raise('charges-refused', {
    metric: outcomeMetric(alarms.stage, id, 'ChargeRefused').with({ period: Duration.minutes(15) }),
    threshold: 5,
    evaluation: wholeWindow,
    description:
      'Five instalments or renewals could not be charged within a quarter of an hour, and their cards are not the reason: our key, the account of an organisation, or the provider. No money arrives; members are not affected. Read the lines with the outcome ChargeRefused in the log of charge-instalments: each has the organisation and the code.',
    section: 'charges-are-refused',
  });
  alarms.raise('charges-late', {
    metric: outcomeMetric(alarms.stage, id, 'OldestDueSeconds').with({ statistic: 'Maximum' }),
    threshold: Duration.hours(2).toSeconds(),
    description:
      'An instalment or a renewal has been due for two hours and is not charged. The provider refuses it, or the worker does not keep up. Read the lines with the outcome ChargeRefused in the log of charge-instalments, and compare the number of due charges with docs/scale.md.',
    section: 'charges-are-refused',
  });
}

/** The worker reports how long the oldest entry of the journal has waited (shared/sales/receipts/issue-all-receipts.ts). */
export function alarmOnReceipts(alarms: Alarms, { id }: Worker): void {
  alarms.raise('receipts-late', {
    metric: outcomeMetric(alarms.stage, id, 'OldestEntrySeconds').with({ statistic: 'Maximum' }),
    threshold: Duration.minutes(10).toSeconds(),
    description:
      'A sale or a refund has waited ten minutes for its receipt or credit note. Buyers and bookkeepers wait; sales go on. Read "An item could not be swept" in the log of issue-receipts: it has the organisation and the reason.',
    section: 'a-document-does-not-appear',
  });
}

/** Stripe repeats what we do not accept for three days and then disables the endpoint. The function counts both (shared/workers/route.ts). */
export function alarmOnStripeRoute(alarms: Alarms, { id }: Worker, { functionName }: LambdaFunction): void {
  const quarter = Duration.minutes(15);
  alarms.raise('stripe-route-failed', {
    metric: outcomeMetric(alarms.stage, functionName, 'Failed').with({ period: quarter }),
    threshold: 3,
    evaluation: wholeWindow,
    description:
      'The route that receives the events of Stripe failed three times in a quarter of an hour. Orders of buyers who did not come back are a minute late, and disputes are not announced until Stripe repeats them. Read "route failed" in the log of receive-stripe-event.',
    section: 'stripes-events-are-refused',
  });
  const text = {
    description:
      'Orders were paid in the last hour, and the route that receives the events of Stripe accepted none of them and refused three or more: their signature is invalid, or the stage has no webhook secret. Compare the secret with that of the endpoint in Stripe’s dashboard.',
    section: 'stripes-events-are-refused',
  };
  const inAnHour = (operation: string, outcome: string) =>
    outcomeMetric(alarms.stage, operation, outcome).with({ period: Duration.hours(1) });
  // Everyone can send what is refused. It matters while orders are paid, of which Stripe tells us, and nothing it says is accepted.
  alarms.raiseTogether(
    'stripe-route-refused',
    {
      refused: { ...text, metric: inAnHour(functionName, 'Refused'), threshold: 3, evaluation: wholeWindow },
      unaccepted: { ...text, metric: inAnHour(id, 'Accepted'), threshold: 1, evaluation: wholeWindow, below: true },
      paid: { ...text, metric: inAnHour('check-out-basket', 'Succeeded'), threshold: 1, evaluation: wholeWindow },
    },
    text,
  );
}
