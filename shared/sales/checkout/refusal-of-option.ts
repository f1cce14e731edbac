import { hasPaymentOption } from '../../data/membership/config.ts';
import type { PaymentChoice } from '../../domain/plans/payment-choice.ts';
import type { CheckoutDeps } from '../deps.ts';
import type { NotCheckedOut, OptionUnknown } from './outcomes.ts';

/** Why a request is refused that may name a payment option: one that nobody has is unknown, one that exists does not fit. */
export async function refusalOfOption(
  { table, orgId }: Pick<CheckoutDeps, 'table' | 'orgId'>,
  result: NotCheckedOut,
  { optionId }: Pick<PaymentChoice, 'optionId'>,
): Promise<NotCheckedOut | OptionUnknown> {
  const isOption = result.outcome === 'refused' && result.refusal.reason === 'payment_option_not_offered';
  if (!isOption || optionId === null || (await hasPaymentOption(table, orgId, optionId))) return result;
  return { outcome: 'option_unknown' };
}
