import { countOutcome, log } from '../platform/log.ts';

/** What is wrong with a payment: the provider refused a refund, does not say the outcome, or was paid another amount. */
type PaymentTrouble = 'RefundRefused' | 'PaymentUnsettled' | 'PaymentMismatch';

/** Raises an alarm about a payment that only an operator can put right. */
export function alertOperator(
  trouble: PaymentTrouble,
  about: { readonly orgId: string; readonly basketId: number; readonly chargeId?: string | undefined },
): void {
  const { orgId, basketId, chargeId } = about;
  log.error('A payment needs manual attention', {
    outcome: trouble,
    org_id: orgId,
    basket_id: basketId,
    charge_id: chargeId,
  });
  countOutcome('sweep-baskets', trouble);
}
