import { type Basket as BasketRecord, basketStatusAt } from '../domain/baskets/basket.ts';
import { codeResult } from '../domain/baskets/code-adjustments.ts';
import { basketAmounts, lineItemAmounts } from '../domain/baskets/money.ts';
import type { NextTerm } from '../domain/members/next-term.ts';
import { majorUnits } from '../domain/money.ts';
import { type PaymentOption, paymentOptions } from '../domain/plans/payment-choice.ts';
import type { Basket, BasketItem, HeldBasket } from '../operations/schemas/basket.ts';
import { labelFields } from './labels.ts';

/** The basket at a point in time. An expired basket shows no items, even if the sweeper has not returned its stock yet. */
export function basketResource(orgId: string, record: BasketRecord, nowUnix: number): Basket {
  const status = basketStatusAt(record, nowUnix);
  const ended = { lines: [], eventId: null, currency: null, code: null };
  const { lines, eventId, currency, code } = status === 'expired' ? ended : record;
  const { feesMinor, totalMinor } = basketAmounts(lines);
  return {
    id: String(record.basketId),
    org_id: orgId,
    status,
    channel: record.channel,
    event_id: eventId === null ? null : String(eventId),
    currency,
    items: lines.map((line) => basketItem(line, currency)),
    code: codeOf({ code, lines }, currency),
    fees: majorUnits(feesMinor, currency),
    total: majorUnits(totalMinor, currency),
    payment_options:
      status === 'open' || status === 'checking_out'
        ? paymentOptions(record, nowUnix).map((one) => paymentOption(one, currency))
        : [],
    // A payment that waits for the buyer keeps the tickets longer than the basket's own time.
    expires_at: Math.max(record.checkout?.waitUntilUnix ?? 0, record.expiresUnix),
    ...labelFields(status === 'expired' ? { externalReference: record.externalReference } : record),
  };
}

function codeOf(basket: Pick<BasketRecord, 'code' | 'lines'>, currency: string | null): Basket['code'] {
  if (basket.code === null) return null;
  const { reductionMinor, unusedBecause } = codeResult(basket);
  return {
    code: basket.code.code,
    reduction: majorUnits(reductionMinor, currency),
    unused_because: unusedBecause,
  };
}

/** The basket as the organisation sees it that keeps it for somebody. */
export function heldBasketResource(orgId: string, record: BasketRecord, nowUnix: number): HeldBasket {
  const { reason = null, customer = null } = record.longHold ?? {};
  return {
    ...basketResource(orgId, record, nowUnix),
    hold_until_unix: record.expiresUnix,
    reason,
    customer: customer && {
      email: customer.emailAddress,
      first_name: customer.firstName,
      last_name: customer.lastName,
    },
  };
}

/** A way to pay, of a basket or of a membership type. */
export function paymentOption(
  { optionId, title, dueNowMinor, later, autoRenewal }: PaymentOption,
  currency: string | null,
): Basket['payment_options'][number] {
  return {
    membership_payment_option_id: optionId,
    title,
    due_now: majorUnits(dueNowMinor, currency),
    instalments: later.map(({ dueUnix, amountMinor }) => ({ due: dueUnix, amount: majorUnits(amountMinor, currency) })),
    auto_renewal: autoRenewal,
  };
}

function basketItem(line: BasketRecord['lines'][number], currency: string | null): BasketItem {
  const { unitPriceMinor, feesMinor, totalMinor } = lineItemAmounts(line);
  return {
    line_id: line.lineId,
    kind: line.kind,
    price_id: line.priceId,
    membership_type_id: line.soldTypeId,
    title: line.title,
    quantity: line.quantity,
    holders: line.holders.map(({ firstName, lastName, memberId, emailAddress, dateOfBirth }) => ({
      first_name: firstName,
      last_name: lastName,
      membership_member_id: memberId,
      email: emailAddress ?? null,
      date_of_birth: dateOfBirth ?? null,
    })),
    renews: membersOf(line, 'renews'),
    replaces: membersOf(line, 'replaces'),
    seats: [...line.seats],
    unit_price: majorUnits(unitPriceMinor, currency),
    adjustments: line.adjustments.map(({ reason, source, amountMinor }) => ({
      reason,
      source,
      amount: -majorUnits(amountMinor, currency),
    })),
    fees: majorUnits(feesMinor, currency),
    total: majorUnits(totalMinor, currency),
  };
}

function membersOf({ nextTerm }: BasketRecord['lines'][number], change: NextTerm['change']): number[] {
  return nextTerm?.change === change ? nextTerm.members.map(({ memberId }) => memberId) : [];
}
