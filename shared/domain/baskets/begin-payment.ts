import { isReceivedEnough, type RequestedTender, type TenderRefusal } from '../orders/tender.ts';
import type { CheckoutPlan } from '../plans/checkout-plan.ts';
import { choosePayment, type PaymentChoice } from '../plans/payment-choice.ts';
import type { Basket } from './basket.ts';
import type { BasketRefusal } from './changes.ts';
import { isMembershipLine } from './line-item.ts';

interface PaymentRequest {
  readonly start: 'checkout' | 'prepare';
  readonly paymentMethod: string | null;
  readonly account: string | null;
  readonly needsAccount: boolean;
  readonly payment: PaymentChoice;
  readonly tender?: RequestedTender | undefined;
}

/** What a payment of the basket charges now and later; or why it cannot begin. */
type BegunPayment =
  | { readonly refusal: BasketRefusal }
  | { readonly refusal?: undefined; readonly amountMinor: number; readonly plan: CheckoutPlan | null };

export function beginPayment(
  basket: Basket,
  { start, paymentMethod, account, needsAccount, payment, tender }: PaymentRequest,
  nowUnix: number,
): BegunPayment {
  const chosen = choosePayment(basket, payment, nowUnix);
  if (chosen.outcome === 'refused') return { refusal: { reason: chosen.reason } };
  const { amountMinor, plan } = chosen;
  if (tender !== undefined) {
    const refusal = tenderRefusal(basket, tender, amountMinor);
    return refusal === undefined ? { amountMinor, plan } : { refusal };
  }
  const isFree = amountMinor === 0;
  if (isFree && start === 'prepare') return { refusal: { reason: 'payment_not_needed' } };
  if (!isFree && start === 'checkout' && paymentMethod === null)
    return { refusal: { reason: 'payment_method_missing' } };
  if (!isFree && needsAccount && account === null) return { refusal: { reason: 'payment_account_missing' } };
  return { amountMinor, plan };
}

/** Why the staff cannot take the money of a basket; undefined if they can. */
function tenderRefusal(
  { channel, currency: known, lines }: Basket,
  tender: RequestedTender,
  totalMinor: number,
): TenderRefusal | undefined {
  if (channel !== 'counter') return { reason: 'tender_online' };
  if (tender.kind === 'invoice' && lines.some(isMembershipLine)) return { reason: 'invoice_for_memberships' };
  const currency = known ?? '';
  return isReceivedEnough(tender, { totalMinor, currency })
    ? undefined
    : { reason: 'received_too_little', totalMinor, currency };
}
