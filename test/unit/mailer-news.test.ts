import { describe, it } from 'vitest';
import { buyer, event, expectMails, type PlanCase, startUnix, title } from '../support/mailer/plan-case.ts';

const instalments = {
  payment_plan: { order_id: 1, currency: 'EUR', outstanding: 90 },
  instalment: { amount: 30, due: startUnix },
};
const member = { first_name: 'Mia', email_address: 'mia@example.com', type_title: 'Supporter', member_number: '0007' };
const renewal = {
  membership_member_ids: [4],
  status: 'announced',
  amount: 30,
  currency: 'EUR',
  due: startUnix,
  expires: startUnix + 86_400,
};
const withdrawal = {
  withdrawal_id: 'wdr_1',
  order_id: 1,
  membership_member_ids: [4],
  received_at: startUnix,
  amount: null,
  reason: null,
};
const person = { type_title: 'Supporter', first_name: 'Mia', last_name: 'B', expires: null };
const bought = [
  { ...person, membership_member_id: 4, member_number: '0007' },
  { ...person, membership_member_id: 5, member_number: '0008' },
];

const cases: readonly PlanCase[] = [
  {
    what: 'a declined instalment leads to the page to pay, and says that it is charged again',
    type: 'instalment.failed',
    data: instalments,
    mails: [[buyer, 'Your instalment was declined', '€30.00', 'May 1, 2026', 'again', 'example.com/my-tickets']],
  },
  {
    what: 'an instalment that is not charged again is to be paid',
    type: 'instalment.action_required',
    data: instalments,
    mails: [
      [buyer, 'Please pay your instalment of €30.00', 'is not charged again', 'https://shop.example.com/my-tickets'],
    ],
  },
  {
    what: 'a renewal is announced to the member with amount and day',
    type: 'membership.renewal_due',
    data: { renewal },
    answers: { '/v1/members/4': member },
    mails: [['mia@example.com', 'Your membership: Supporter', 'Hello Mia,', 'charge €30.00 on May 1, 2026', '0007']],
  },
  {
    what: 'a membership that is no longer offered ends',
    type: 'membership.renewal_due',
    data: { renewal: { ...renewal, status: 'not_offered', amount: null, currency: null, due: null } },
    answers: { '/v1/members/4': member },
    mails: [['mia@example.com', 'Your membership: Supporter', 'ends on May 2, 2026', 'not We charge']],
  },
  {
    what: 'a declined renewal asks for another card',
    type: 'membership.renewal_due',
    data: { renewal: { ...renewal, status: 'failed' } },
    answers: { '/v1/members/4': member },
    mails: [['mia@example.com', 'Your membership: Supporter', 'could not charge €30.00', 'not renews itself']],
  },
  {
    what: 'a renewal that is done is confirmed',
    type: 'membership.renewed',
    data: { member: { membership_member_id: 4 }, term: { price: 30, currency: 'EUR', until: startUnix } },
    answers: { '/v1/members/4': member },
    mails: [['mia@example.com', 'Renewed: Supporter', 'renewed for €30.00', 'Valid until May 1, 2026']],
  },
  {
    what: 'a withdrawal that a page sent has to be confirmed by the address of the order',
    type: 'order.withdrawal_requested',
    data: { withdrawal },
    answers: { '/v1/withdrawals/wdr_1': { ...withdrawal, status: 'unconfirmed', confirm_token: 'gl_w' } },
    mails: [[buyer, 'Please confirm your withdrawal', 'https://shop.example.com/withdraw/wdr_1#gl_w']],
  },
  {
    what: 'a withdrawal that was confirmed meanwhile is not to be confirmed again',
    type: 'order.withdrawal_requested',
    data: { withdrawal },
    answers: { '/v1/withdrawals/wdr_1': { ...withdrawal, status: 'received', confirm_token: null } },
    mails: [],
  },
  {
    what: 'a withdrawal that was received is confirmed with its time and memberships, also when it was decided meanwhile',
    type: 'order.withdrawal_received',
    data: { withdrawal },
    order: { memberships: bought },
    answers: { '/v1/withdrawals/wdr_1': { ...withdrawal, status: 'accepted', amount: 30 } },
    mails: [
      [
        buyer,
        'We have received your withdrawal',
        'order 1',
        'May 1, 2026',
        '6:00',
        'Supporter, Mia B, number 0007',
        'not 0008',
      ],
    ],
  },
  {
    what: 'an accepted withdrawal says what is refunded',
    type: 'order.withdrawal_decided',
    data: { withdrawal },
    answers: { '/v1/withdrawals/wdr_1': { ...withdrawal, status: 'accepted', amount: 30 } },
    mails: [[buyer, 'Your withdrawal from order 1', 'accepted your withdrawal', 'refund €30.00', 'not Reason']],
  },
  {
    what: 'a refused withdrawal says why',
    type: 'order.withdrawal_decided',
    data: { withdrawal },
    answers: { '/v1/withdrawals/wdr_1': { ...withdrawal, status: 'refused', reason: 'It was used' } },
    mails: [[buyer, 'Your withdrawal from order 1', 'cannot accept', 'Reason: It was used', 'not refund']],
  },
  {
    what: 'an invoice that is due says what is open',
    type: 'invoice.due',
    data: { order_id: 1 },
    order: { outstanding: 30, due_unix: startUnix },
    mails: [[buyer, 'Please pay €30.00: order 1', 'due on May 1, 2026', title]],
  },
  {
    what: 'an invoice that was paid meanwhile is not reminded of',
    type: 'invoice.due',
    data: { order_id: 1 },
    order: { outstanding: 0, due_unix: startUnix },
    mails: [],
  },
  {
    what: 'a change that makes nobody come at another time or to another place is not told',
    type: 'event.updated',
    data: { event, changed: ['sold_out'], previous: { sold_out: false } },
    mails: [],
  },
  {
    what: 'a change of an event that is cancelled is not told',
    type: 'event.updated',
    data: { event: { ...event, event_status_id: '3' }, changed: ['title'], previous: { title: 'Cup final' } },
    mails: [],
  },
];

const held = (holder_email: string | null, to_notify = true) => ({ holder_email, to_notify });
const listed = (path: string) => `/v1/events/7/tickets?addresses=true&limit=500${path}`;
/** Two pages, with a person who has a ticket on each of them. */
const holders = {
  [listed('')]: { data: [held(buyer), held('grace@example.com'), held(null)], next_cursor: 'page+2' },
  [listed('&cursor=page%2B2')]: {
    data: [held('grace@example.com'), held('refunded@example.com', false), held('mia@example.com')],
    next_cursor: null,
  },
};
const everybody = [buyer, 'grace@example.com', 'mia@example.com'];

const ofEvent: readonly PlanCase[] = [
  {
    what: 'a moved event is told to everybody with a ticket once, with what it was',
    type: 'event.updated',
    data: {
      event,
      changed: ['utc_event_start_date', 'venue_id', 'venue_name', 'title'],
      previous: { utc_event_start_date: '2026-05-01T17:30:00Z', venue_name: 'Old Park', title: 'Cup final' },
    },
    answers: holders,
    mails: everybody.map((to) => [
      to,
      `Changed: ${title}`,
      'Name: Harbour City FC v Rovers (it was Cup final)',
      'it was Friday',
      'Place: Harbour Park (it was Old Park)',
    ]),
  },
  {
    what: 'a change of the start alone does not tell of another place',
    type: 'event.updated',
    data: { event, changed: ['utc_event_start_date'], previous: { utc_event_start_date: '2026-05-01T17:30:00Z' } },
    answers: holders,
    mails: everybody.map((to) => [to, `Changed: ${title}`, 'it was Friday', 'not Place:', 'not Name:']),
  },
  {
    what: 'a cancelled event is told to everybody with a ticket once, with the reason and the refund',
    type: 'event.cancelled',
    data: { event: { ...event, event_status_id: '3' }, refund: 'all', reason: 'Storm' },
    answers: holders,
    mails: everybody.map((to) => [to, `Cancelled: ${title}`, 'Reason: Storm', 'gets the money back']),
  },
  {
    what: 'a cancelled event without refunds and reason promises neither',
    type: 'event.cancelled',
    data: { event: { ...event, event_status_id: '3' }, refund: 'none', reason: null },
    answers: holders,
    mails: everybody.map((to) => [to, `Cancelled: ${title}`, 'not Reason', 'not money']),
  },
];

describe('the mails of memberships, withdrawals, invoices and events', () => {
  it.each([...cases, ...ofEvent])('$what', expectMails);
});
