import type { BasketBuyer, BasketCustomer } from '../domain/baskets/basket.ts';
import { majorUnits, minorUnits } from '../domain/money.ts';
import type { ShownOrder } from '../domain/orders/shown-order.ts';
import type { PaymentChoice } from '../domain/plans/payment-choice.ts';
import type { CheckOutBasketBody } from '../operations/baskets/check-out-basket.ts';
import type { CheckoutOrder } from '../operations/schemas/checkout.ts';
import { labelFields } from './labels.ts';
import { commonOrderFields, orderTicket, shownEventId } from './order.ts';
import { orderMembership } from './order-membership.ts';

/**
 * The order of a basket. If the buyer's data was erased, only the ids are left. They are null for whoever may not know them: a page
 * on which somebody typed an address.
 */
export function checkoutOrder(
  { order, tickets, memberships }: ShownOrder,
  customer: BasketCustomer | null,
  link: string | null,
  received: number | null = null,
): CheckoutOrder {
  return {
    id: order.orderUuid,
    order_id: order.orderId,
    order_uuid: order.orderUuid,
    status: order.status,
    ...commonOrderFields(order),
    event_id: shownEventId(order),
    customer: {
      user_id: customer?.userId ?? null,
      org_customer_id: customer?.orgCustomerId ?? null,
      email: order.emailAddress,
      first_name: order.firstName,
      last_name: order.lastName,
    },
    tickets: tickets.map((ticket) => orderTicket(ticket, order.currency)),
    memberships: memberships.map((membership) => orderMembership(membership, order.currency)),
    change: received === null ? null : majorUnits(changeMinor(received, order), order.currency),
    ...labelFields(order),
    link,
  };
}

/** What the staff give back of what the buyer handed over, which is enough. */
function changeMinor(received: number, { totalMinor, currency }: ShownOrder['order']): number {
  return (minorUnits(received, currency) ?? totalMinor) - totalMinor;
}

interface CheckoutCommand {
  readonly basketId: number;
  readonly buyer: BasketBuyer | null;
  readonly paymentMethod: string | null;
  readonly payment: PaymentChoice;
}

export function checkoutCommand(
  basketId: number,
  body: CheckOutBasketBody,
  details: Pick<BasketBuyer, 'invoiceAddress' | 'consents'>,
): CheckoutCommand {
  const { customer, payment_method } = body;
  return {
    basketId,
    buyer: customer === undefined ? null : { ...buyerOf(customer), ...details },
    paymentMethod: payment_method,
    payment: paymentChoiceOf(body),
  };
}

/** How the buyer pays for memberships. A text of blanks says nothing. */
export function paymentChoiceOf({
  membership_payment_option_id,
  consent,
  consent_text,
}: Pick<CheckOutBasketBody, 'membership_payment_option_id' | 'consent' | 'consent_text'>): PaymentChoice {
  return { optionId: membership_payment_option_id, hasConsent: consent, consentText: consent_text?.trim() || null };
}

export function buyerOf({ email, first_name, last_name }: NonNullable<CheckOutBasketBody['customer']>): BasketBuyer {
  return { emailAddress: email.trim(), firstName: first_name.trim(), lastName: last_name.trim() };
}
