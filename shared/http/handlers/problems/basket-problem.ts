import { maxBasketPersons, maxBasketStocks, maxBasketTickets } from '../../../domain/baskets/basket.ts';
import type { BasketRefusal } from '../../../domain/baskets/changes.ts';
import { maxWrongCodes } from '../../../domain/baskets/codes.ts';
import { type Problem, problem } from '../../problem.ts';
import { codeExpired, codeUnknown } from './code-problem.ts';
import { holderProblem } from './holder-problem.ts';
import { itemProblem } from './item-problem.ts';
import { eventOffSaleMessages, offSaleMessages, typeOffSaleMessages } from './off-sale-messages.ts';
import { paymentRefusal } from './payment-refusal.ts';
import { phaseProblem } from './phase-problem.ts';
import { moneyOfRefusal, refundInProgress } from './refund-in-progress.ts';
import { seatProblem, soldOut } from './seat-problem.ts';
import { notAtCounter, tenderProblem } from './tender-problem.ts';

/** The problem that reports a refused change of a basket. The basket is unchanged. */
export function basketProblem(refusal: BasketRefusal, nowUnix: number): Problem {
  switch (refusal.reason) {
    case 'expired':
      return problem('basket_expired', 'This basket has expired. Open a new one.');
    case 'cancelled':
      return problem('basket_cancelled', 'This basket was cancelled. Open a new one.');
    case 'checked_out':
      return problem(
        'basket_already_checked_out',
        'This basket is already an order. Retrieve the basket to see the order.',
      );
    case 'checking_out':
      return paymentInProgress(Math.max(1, refusal.leaseUntilUnix - nowUnix));
    case 'taken_over':
      return paymentInProgress(1);
    case 'empty':
      return problem('basket_empty', 'This basket is empty. Add an item first.');
    case 'not_in_basket':
      return problem('resource_not_found', 'No such line in this basket.');
    case 'too_many_holders':
    case 'no_holder_names':
    case 'holder_is_no_member':
    case 'other_persons':
    case 'person_unnamed':
    case 'person_is_member':
    case 'renewal_has_members':
      return holderProblem(refusal);
    case 'already_renewed_here':
      return problem(
        'membership_not_renewable',
        `This basket renews the member ${refusal.memberId} already. Check it out first.`,
        { param: 'renews' },
      );
    case 'renewal_outdated':
      return problem(
        'membership_not_renewable',
        `A membership in this basket was renewed or changed since it was added. ${moneyOfRefusal(refusal)} Retrieve the member, and renew it in a new basket if it still needs to be.`,
      );
    case 'refund_in_progress':
      return refundInProgress(moneyOfRefusal(refusal));
    case 'one_membership':
      return problem(
        'parameter_invalid',
        'A line sells one membership: quantity must be 1. Add a line for each further membership.',
        { param: 'quantity' },
      );
    case 'too_many_persons':
      return problem(
        'basket_full',
        `The memberships of a basket can be for at most ${maxBasketPersons} people; these would be for ${refusal.persons}. Open another basket.`,
        { param: 'membership_type_id' },
      );
    case 'type_not_on_sale':
      return problem(
        'membership_not_on_sale',
        `This membership is not on sale. ${typeOffSaleMessages[refusal.because]}`,
        {
          param: 'membership_type_id',
        },
      );
    case 'type_sold_out':
      return problem('sold_out', 'Not enough memberships of this type are left.', { param: 'membership_type_id' });
    case 'type_other_currency':
      return problem('currency_mismatch', 'This basket has another currency. Open a new basket for this membership.', {
        param: 'membership_type_id',
      });
    case 'holder_missing':
      return problem(
        'holder_missing',
        `Every ticket of line ${refusal.line.lineId}, ${refusal.line.title}, needs the name of its holder. Nothing was charged. Send holders with update-basket-line.`,
      );
    case 'seat_unknown':
    case 'seat_twice':
    case 'seat_wrong_zone':
    case 'seat_taken':
    case 'leaves_single_seat':
    case 'seats_not_together':
    case 'accessible_sold_out':
    case 'companion_only':
    case 'other_seat_count':
    case 'seated_line':
      return seatProblem(refusal);
    case 'price_unknown':
    case 'type_unknown':
    case 'section_unknown':
    case 'member_unknown':
    case 'member_of_another':
    case 'term_being_refunded':
    case 'several_zones':
    case 'renewal_names_price':
    case 'renews_and_replaces':
    case 'renewal_names_holders':
    case 'renewed_as_other_type':
    case 'replacing_type_missing':
    case 'replaced_by_same_type':
    case 'instalments_outstanding':
    case 'replaced_term_has_later':
    case 'not_renewable':
    case 'too_many_members':
      return itemProblem(refusal);
    case 'phase_not_open':
    case 'not_eligible':
      return phaseProblem(refusal);
    case 'other_event':
      return problem(
        'event_mismatch',
        'This basket holds tickets for another event. Open a new basket for this event.',
        {
          param: 'price_id',
        },
      );
    case 'other_currency':
      return problem('currency_mismatch', 'This basket has another currency. Open a new basket for this price.', {
        param: 'price_id',
      });
    case 'too_many_tickets':
      return problem(
        'basket_full',
        `A basket${refusal.most === undefined ? '' : ' with memberships'} can hold at most ${refusal.most ?? maxBasketTickets} tickets. This one holds ${refusal.held}; you asked for ${refusal.wanted} more.`,
        { param: 'quantity' },
      );
    case 'code_unknown':
      return codeUnknown();
    case 'code_expired':
      return codeExpired();
    case 'code_used_up':
      return problem('code_used_up', 'This code is used up.', { param: 'code' });
    case 'code_not_applicable':
      return problem('code_not_applicable', 'This code is not for what is in the basket.', { param: 'code' });
    case 'code_needed':
      return problem(
        'code_needed',
        `Line ${refusal.line.lineId}, ${refusal.line.title}, is only sold with the code of the basket. Remove the line first.`,
      );
    case 'too_many_codes':
      return problem(
        'code_attempts_exceeded',
        `${maxWrongCodes} wrong codes were tried in this basket. Check out without a code, or open a new basket.`,
        { param: 'code' },
      );
    case 'long_hold':
      return problem(
        'basket_held',
        'The organisation keeps this basket for you, so you cannot add to it. Open another basket for more.',
      );
    case 'long_hold_after_event':
      return problem(
        'hold_too_long',
        `This basket is held for longer than until the event starts (${refusal.startUnix}). Open one with an earlier hold_until_unix.`,
        { param: 'price_id' },
      );
    case 'too_many_stocks':
      return problem(
        'basket_full',
        `A basket can hold tickets of at most ${maxBasketStocks} different prices and pools. Open another basket.`,
        {
          param: 'price_id',
        },
      );
    case 'not_on_sale':
      if (refusal.because === 'not_at_counter') return notAtCounter();
      return problem('price_not_on_sale', `This price is not on sale. ${offSaleMessages[refusal.because]}`, {
        param: 'price_id',
      });
    case 'event_not_on_sale':
      return problem('event_not_on_sale', eventNotOnSale(refusal), {
        ...(refusal.during === 'add' && { param: 'price_id' }),
      });
    case 'sold_out':
      return soldOut(refusal.section ?? null);
    case 'waited_for':
      return problem(
        'waiting_list_open',
        'Tickets of this price are only for those who wait for them. Join the waiting list (join-waiting-list).',
        { param: 'price_id' },
      );
    case 'too_many_from_address':
      return problem(
        'hold_limit_reached',
        `At most ${refusal.maxTickets} tickets can be held from one network address. Check out, or remove tickets from your other baskets.`,
        { param: 'quantity' },
      );
    case 'too_many_per_order':
      return problem('max_per_order_exceeded', `An order can contain at most ${refusal.maxPerOrder} of this price.`, {
        param: 'quantity',
      });
    case 'too_many_per_member':
      return problem(
        'max_per_member_exceeded',
        `A member can buy at most ${refusal.maxPerMember} of a price in this basket, in all orders together. Nothing was charged. Remove tickets from the basket.`,
      );
    case 'too_many_per_person':
      return problem(
        'max_per_person_exceeded',
        `One person can buy at most ${refusal.maxPerPerson} tickets in this phase of the sale, in all orders together. Nothing was charged. Remove tickets from the basket.`,
      );
    case 'membership_not_proven':
      return problem(
        'membership_not_proven',
        'This basket contains a price for members only. Send the token of a linked fan who holds the membership in X-SSO-Token, or, from your server, customer[membership_member_id]. Nothing was charged.',
      );
    case 'payment_method_missing':
    case 'payment_not_needed':
    case 'payment_option_not_offered':
    case 'consent_missing':
    case 'payment_account_missing':
      return paymentRefusal(refusal.reason);
    case 'tender_online':
    case 'tender_with_payment':
    case 'customer_required':
    case 'invoice_for_memberships':
    case 'received_too_little':
      return tenderProblem(refusal);
    case 'other_buyer':
      return problem(
        'payment_customer_mismatch',
        'The payment of this basket was prepared for another customer. Prepare it again with this customer, or check out with that one.',
        { param: 'customer' },
      );
  }
}

function eventNotOnSale({ because, during }: Extract<BasketRefusal, { reason: 'event_not_on_sale' }>): string {
  const reason = `The event is not on sale: ${eventOffSaleMessages[because]}.`;
  return during === 'add' ? reason : `${reason} Nothing was charged. Cancel the basket.`;
}

function paymentInProgress(retryAfterSeconds: number): Problem {
  return problem(
    'checkout_in_progress',
    'A payment for this basket is in progress. Retrieve the basket in a moment to see the outcome.',
    {
      retryAfterSeconds,
    },
  );
}
