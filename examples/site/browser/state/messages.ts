import { ApiError } from './request.ts';

/** What a fan reads for an error code of the API. */
const texts: Readonly<Record<string, string>> = {
  offline: 'We cannot reach the ticket office. Check your connection and try again.',
  transfer_not_allowed: 'This ticket cannot be given away.',
  transfer_closed: 'It is too late to give this ticket away.',
  transfer_pending: 'You have offered this ticket to somebody already.',
  transfer_not_open: 'This offer has ended: somebody accepted it, or it was taken back.',
  ticket_scanned: 'This ticket was used at the gate, so it stays where it is.',
  wallet_not_configured: 'This wallet is not available here. Use the PDF.',
  barcode_not_yet: 'The code appears closer to the event.',
  sold_out: 'There are not so many of these tickets left. Choose fewer, or another ticket.',
  waiting_list_open: 'These tickets are kept for fans who wait for them. Join the waiting list.',
  waiting_list_closed: 'The sale ends soon, so the waiting list is closed. Tickets that come back appear here.',
  waiting_list_not_offered: 'There is no waiting list for numbered seats.',
  not_sold_out: 'Good news: there are tickets again. Reload the page to buy them.',
  already_waiting: 'You are on this waiting list already, with another number of tickets. Leave it first.',
  withdrawal_not_offered: 'You cannot withdraw from this order here. Write to us.',
  withdrawal_open: 'We have your withdrawal already, and write to you.',
  confirm_token_expired: 'This link ended after a day. We have your request with its time, and decide it.',
  price_not_on_sale: 'These tickets are not on sale at the moment.',
  event_not_on_sale: 'Ticket sales for this event have ended.',
  event_mismatch: 'Your basket holds tickets for another event. Buy those first, or empty your basket.',
  basket_full: 'Your basket is full. Buy what is in it first, then come back for more.',
  max_per_order_exceeded: 'This is more than one order may contain. Choose fewer of these tickets.',
  hold_limit_reached: 'Many tickets are in baskets on your network at the moment. Try again in a few minutes.',
  basket_expired: 'Your time ran out, and the tickets are back on sale. You have not been charged.',
  basket_cancelled: 'This basket was emptied. You have not been charged.',
  card_declined: 'The payment did not go through, and you have not been charged. Try again or use another card.',
  payment_refused: 'The payment was refused, and you have not been charged. Try another card.',
  payment_action_required: 'Your bank is waiting for your approval.',
  payment_customer_mismatch: 'Your details have changed since the payment began. Start the payment again.',
  payment_mismatch: 'The payment did not match your basket. If you were charged, you get your money back.',
  payment_unknown: 'Your bank has not answered yet. We keep your tickets: wait a moment and try again.',
  checkout_in_progress: 'Your payment is still being processed. Wait a moment and try again.',
  membership_required: 'One of your tickets is for members only. Sign in with your membership, or remove it.',
  membership_not_proven: 'One of your tickets is for members only. Sign in with your membership, or remove it.',
  phase_not_open: 'These tickets are not on sale at the moment. The page of the event says when they are.',
  not_eligible: 'These tickets are on sale to others first. The page of the event says to whom.',
  max_per_person_exceeded: 'This is more than one person may buy. Remove some of these tickets.',
  code_unknown: 'We do not know this code. Check how it is written.',
  code_expired: 'This code is not valid any more.',
  code_used_up: 'This code has been used as often as it can be.',
  code_not_applicable: 'This code is for other tickets than those in your basket.',
  code_needed: 'Your code is needed for tickets in your basket. Remove those first.',
  code_attempts_exceeded: 'Too many codes were tried. Buy without a code, or empty your basket first.',
  basket_held: 'These tickets are kept for you. Buy them first, then come back for more.',
  holder_missing:
    'Some of your tickets need the name of the person they are for. Go back to your basket and fill in the names.',
  seat_taken: 'Another buyer was faster: one of these seats is taken now. Choose another one.',
  seats_not_together:
    'There are seats left, but not so many side by side. Choose fewer, choose the seats yourself, or take them apart.',
  accessible_sold_out: 'No wheelchair places are left here. Choose another section, or ask for fewer.',
  leaves_single_seat: 'These seats leave a single seat between others, which nobody buys. Move them by one.',
  companion_only:
    'This seat is for the companion of a wheelchair user. Take it together with the wheelchair place beside it.',
  membership_not_on_sale: 'This membership is not on sale at the moment.',
  membership_not_renewable: 'This membership cannot be renewed or changed like that. The club can help you.',
  later_term_exists: 'You have bought the next term already.',
  plan_open: 'Pay your open instalments first.',
  payment_method_missing: 'Save a card first, under “Use another card”.',
  payment_option_not_offered: 'This way to pay is not offered any more. Choose another one.',
  consent_missing: 'Please agree to the later payments, or pay all at once.',
  payment_in_progress: 'Your card is being charged at the moment. Look again in a minute.',
  instalment_not_due: 'Nothing is due at the moment.',
  rate_limit_exceeded: 'There are many requests at the moment. Wait a minute and try again.',
  resource_not_found: 'We could not find that.',
  sso_token_invalid: 'You have been signed out. Sign in again, or go on without.',
  sso_token_missing: 'Sign in first.',
};

/** What a fan reads for an error of one parameter of a request. */
const parameterTexts: Readonly<Record<string, string>> = {
  save: 'Somebody else agreed to these instalments, so later ones cannot be charged to your card. Pay this one without that.',
};

const fallback = 'Something went wrong on our side. Try again in a moment.';

/** A message for people. An error of the input says itself what to change. */
export function messageOf(error: unknown): string {
  if (!(error instanceof ApiError)) return fallback;
  const [first] = error.problems;
  if (error.code === 'parameter_conflict' && first?.param != null) return parameterTexts[first.param] ?? error.message;
  return texts[error.code] ?? (error.status === 400 ? error.message : fallback);
}

/** Whether the API has refused a request with one of these codes. */
export function hasCode(error: unknown, ...codes: readonly string[]): boolean {
  return error instanceof ApiError && codes.includes(error.code);
}
