import { describe, it } from 'vitest';
import { buyer, event, expectMails, type PlanCase, startUnix, title } from '../support/mailer/plan-case.ts';

const ticket = { ticket_id: 10, ticket_status_id: 1, barcode: 'BARCODE1', price_title: 'Adult', ticket_name: 'Ada' };
const transfer = { transfer_id: '10-1', ticket_id: 10, email: 'grace@example.com', expires_at: startUnix };
const given = { event_id: '7', order_id: 1, ticket, transfer };
const refund = { order_id: 1, amount: 27.5, kept: 0, to_return: 0, currency: 'EUR', ticket_ids: [10] };
const entry = {
  entry_id: 'wle_1',
  event_id: '7',
  email: 'grace@example.com',
  status: 'unconfirmed',
  basket_id: '5',
  offered_quantity: 2,
  offer_expires_at: startUnix,
};
const transfers = (status: string) => ({ data: [{ transfer_id: '10-1', status }] });
const lasts = {
  membership_member_id: 4,
  type_title: 'Supporter',
  member_number: '0007',
  last_name: 'B',
  expires: null,
};
const terms = (order_id: string) => ({
  data: [
    { order_id, from: 2 },
    { order_id: '9', from: 3 },
  ],
});

const cases: readonly PlanCase[] = [
  {
    what: 'a refund with a fee that is kept tells the buyer both amounts and the tickets',
    type: 'order.refunded',
    data: { refund: { ...refund, kept: 2.5 } },
    mails: [[buyer, 'Your refund of €27.50', 'We keep €2.50', 'East Stand, Adult', title, 'the way you paid']],
  },
  {
    what: 'a refund of cash says that it is handed over',
    type: 'order.refunded',
    data: { refund: { ...refund, to_return: 27.5 } },
    mails: [[buyer, 'Your refund of €27.50', 'our staff will hand', 'not We keep', 'not the way you paid']],
  },
  {
    what: 'tickets that ended without money are named',
    type: 'order.cancelled',
    data: { order: { order_id: 1, tickets: [] }, cancelled_tickets: [ticket] },
    mails: [[buyer, 'Cancelled: order 1', 'East Stand, Adult', 'No money was returned']],
  },
  {
    what: 'of the orders of a cancelled event the event has its own mail, so they have none',
    type: 'order.cancelled',
    data: { order: { order_id: 1, tickets: [] }, cancelled_tickets: [ticket] },
    answers: { '/v1/events/7': { ...event, event_status_id: '3' } },
    mails: [],
  },
  {
    what: 'an order of memberships welcomes the member',
    type: 'order.completed',
    data: { order: { order_id: 1, tickets: [] } },
    order: { tickets: [], event_id: null, event_title: null, memberships: [{ ...lasts, first_name: 'Mia' }] },
    answers: { '/v1/members/4/terms': terms('1') },
    mails: [[buyer, 'Welcome: your membership', 'Supporter, Mia B, number 0007', 'gl_order_secret1']],
  },
  {
    what: 'an order that renews a membership is announced by the renewal',
    type: 'order.completed',
    data: { order: { order_id: 1, tickets: [] } },
    order: { tickets: [], event_id: null, memberships: [{ ...lasts, first_name: 'Mia' }] },
    answers: { '/v1/members/4/terms': terms('8') },
    mails: [],
  },
  {
    what: 'an offered ticket tells the other person from whom it comes, and has no code, link or name of its own',
    type: 'ticket.transfer_offered',
    data: given,
    answers: { '/v1/tickets/10/transfers': transfers('offered') },
    mails: [
      ['grace@example.com', `A ticket for you: ${title}`, 'Ada would like', 'May 1, 2026', 'not gl_', 'not BARCODE'],
    ],
  },
  {
    what: 'an offer that was taken back meanwhile is not announced',
    type: 'ticket.transfer_offered',
    data: given,
    answers: { '/v1/tickets/10/transfers': transfers('cancelled') },
    mails: [],
  },
  {
    what: 'an accepted ticket goes to its new holder with the link, and the buyer hears of it without one',
    type: 'ticket.transferred',
    data: given,
    mails: [
      ['grace@example.com', `Your ticket: ${title}`, 'pdf?token=gl_ticket_secret1', 'Hello,'],
      [buyer, `Your ticket was accepted: ${title}`, 'Hello Ada,', 'not gl_'],
    ],
  },
  {
    what: 'a ticket that was given away again meanwhile goes to its second holder without a link',
    type: 'ticket.transferred',
    data: { ...given, ticket: { ...ticket, barcode: 'BEFORE' } },
    mails: [
      ['grace@example.com', `Your ticket: ${title}`, 'not gl_'],
      [buyer, `Your ticket was accepted: ${title}`, 'not gl_'],
    ],
  },
  {
    what: 'an address that a page entered gets a link to confirm, also from a later page of the list',
    type: 'waiting_list.joined',
    data: { waiting_list_entry: entry },
    answers: {
      '/v1/events/7/waiting_list': { data: [{ ...entry, entry_id: 'wle_0' }], next_cursor: 'n+1' },
      '/v1/events/7/waiting_list?cursor=n%2B1': { data: [{ ...entry, confirm_token: 'gl_c' }], next_cursor: null },
    },
    mails: [['grace@example.com', 'Waiting list: please confirm', 'https://shop.example.com/confirm/7/wle_1#gl_c']],
  },
  {
    what: 'an entry that was confirmed meanwhile is not asked to',
    type: 'waiting_list.joined',
    data: { waiting_list_entry: entry },
    answers: { '/v1/events/7/waiting_list': { data: [{ ...entry, status: 'waiting' }], next_cursor: null } },
    mails: [],
  },
  {
    what: 'whoever joined by a key or signed in is not asked to confirm',
    type: 'waiting_list.joined',
    data: { waiting_list_entry: { ...entry, status: 'waiting' } },
    mails: [],
  },
  {
    what: 'tickets that are kept for somebody have a link to buy them, with their end',
    type: 'waiting_list.offered',
    data: { waiting_list_entry: entry },
    answers: { '/v1/baskets/5': { basket_token: 'gl_b' } },
    mails: [['grace@example.com', `Tickets for you: ${title}`, 'https://shop.example.com/kept/5#gl_b', 'we keep 2']],
  },
  {
    what: 'kept tickets of an organisation without a shop have no link, so nobody is sent there',
    type: 'waiting_list.offered',
    data: { waiting_list_entry: entry },
    answers: { '/v1/baskets/5': { basket_token: null } },
    mails: [],
  },
  {
    what: 'tickets that were not bought in time are no longer kept',
    type: 'waiting_list.expired',
    data: { waiting_list_entry: entry },
    mails: [['grace@example.com', `No longer kept: ${title}`, 'https://shop.example.com/events/7']],
  },
];

describe('the mails of orders, tickets and waiting lists', () => {
  it.each(cases)('$what', expectMails);
});
