import { describe, expect, it } from 'vitest';
import {
  type Chosen,
  keepIn,
  mostToKeep,
  refundAmount,
  refundable,
  together,
  writtenOff,
} from '../../examples/office/browser/refund-amount.ts';
import type { OfficeOrder, OrderPlan, OrderRefund } from '../../examples/office/browser/resources.ts';

const aTicket = (ticket_id: number, ticket_status_id = 1) => ({
  ticket_id,
  ticket_status_id,
  barcode: null,
  price_title: 'Adult',
  price_category_title: 'East Stand',
  ticket_name: null,
  price: 33.1,
  fees: 2.2,
  discount: 0.65,
  section_label: null,
  seat_row: null,
  seat_title: null,
});

const aMembership = (membership_member_id: number, line_id: number, price: number) => ({
  membership_member_id,
  line_id,
  member_number: null,
  type_title: 'Adult',
  first_name: null,
  last_name: null,
  price,
  fees: 0,
  discount: 0,
});

/** Two tickets of 34.65 and a fee of 1 on the order. */
const order: OfficeOrder = {
  order_id: 7,
  order_status: 'confirmed',
  order_date: 1_790_000_000,
  user_id: null,
  first_name: null,
  last_name: null,
  email_address: null,
  payment_method: 'card',
  event_id: '3',
  event_title: 'Derby',
  currency: 'AUD',
  total: 70.3,
  paid: 70.3,
  outstanding: 0,
  refunded: 0,
  kept: 0,
  tickets: [aTicket(1), aTicket(2)],
  memberships: [],
  link: null,
  metadata: {},
  external_reference: null,
};

const aRefund = (status: OrderRefund['status'], ticketId: number): OrderRefund => ({
  refund_id: '7-1',
  status,
  amount: 34.65,
  to_return: 0,
  kept: 0,
  ticket_ids: [ticketId],
  membership_member_ids: [],
  reason: null,
  created: 1_790_000_001,
});

const amountOf = (of: OfficeOrder, refunds: readonly OrderRefund[], chosen: Chosen, plans: readonly OrderPlan[] = []) =>
  refundAmount({ order: of, refunds, plans }, chosen);

describe('the amount that the office asks about before a refund', () => {
  it('is what the chosen tickets cost', () => {
    expect(amountOf(order, [], { tickets: [1], members: [] })).toBe(34.65);
  });

  it('is everything that is left for the last tickets, with the fee on the order', () => {
    expect(amountOf(order, [], { tickets: [1, 2], members: [] })).toBe(70.3);
    const rest = { ...order, refunded: 34.65, tickets: [aTicket(1, 3), aTicket(2)] };
    expect(amountOf(rest, [aRefund('succeeded', 1)], { tickets: [2], members: [] })).toBe(35.65);
  });

  it('leaves out what is on its way, and counts again what the provider refused', () => {
    expect(refundable(order, [aRefund('pending', 1)]).tickets).toEqual([2]);
    expect(amountOf(order, [aRefund('pending', 1)], { tickets: [2], members: [] })).toBe(35.65);
    expect(refundable(order, [aRefund('failed', 1)]).tickets).toEqual([1, 2]);
  });

  it('is less what is kept of each, and what was kept before does not come back', () => {
    expect(refundAmount({ order, refunds: [], plans: [] }, { tickets: [1, 2], members: [] }, 2.5)).toBe(65.3);
    const rest = { ...order, refunded: 32.15, kept: 2.5, tickets: [aTicket(1, 3), aTicket(2)] };
    expect(amountOf(rest, [aRefund('succeeded', 1)], { tickets: [2], members: [] })).toBe(35.65);
    const pending = { ...aRefund('pending', 1), amount: 32.15, kept: 2.5 };
    expect(refundAmount({ order, refunds: [pending], plans: [] }, { tickets: [2], members: [] }, 5)).toBe(30.65);
  });

  it('is there for a cancelled ticket too, and not for a refunded one', () => {
    const changed = { ...order, tickets: [aTicket(1, 2), aTicket(2, 3), aTicket(3, 0)] };
    expect(refundable(changed, []).tickets).toEqual([1]);
  });

  it('is of a whole family, whoever of them was chosen, as the service refunds it', () => {
    const family = [5, 6, 7, 8].map((id) => aMembership(id, 2, 105));
    const both = { ...order, total: 670.3, memberships: [aMembership(4, 1, 180), ...family] };
    const members = together(both, 6);
    expect(members).toEqual([5, 6, 7, 8]);
    expect(amountOf(both, [], { tickets: [], members })).toBe(420);
    const plan = { plan_id: 9, order_id: 7, membership_member_ids: [5, 6, 7, 8], total: 420, paid: 70 };
    expect(amountOf(both, [], { tickets: [], members }, [plan])).toBe(70);
    expect(together(both, 4)).toEqual([4]);
  });

  it('is what was paid of a membership in instalments, not what it costs', () => {
    const membership = aMembership(5, 1, 180);
    const plan = { plan_id: 9, order_id: 7, membership_member_ids: [5], total: 180, paid: 30 };
    const both = { ...order, total: 250.3, memberships: [membership] };
    expect(amountOf(both, [], { tickets: [], members: [5] }, [plan])).toBe(30);
    expect(amountOf(both, [], { tickets: [1, 2], members: [5] }, [plan])).toBe(100.3);
    expect(amountOf(both, [], { tickets: [1], members: [] }, [plan])).toBe(34.65);
  });
});

describe('the amount of an invoice', () => {
  const both = { tickets: [1, 2], members: [] };
  const invoice = { ...order, payment_method: 'invoice', paid: 0, outstanding: 70.3 };
  const parts = (of: OfficeOrder, chosen: Chosen, keep = 0) => {
    const money = { order: of, refunds: [], plans: [] };
    return [refundAmount(money, chosen, keep), writtenOff(money, chosen)];
  };

  it('is nothing while nobody has paid: what is owed is written off', () => {
    expect(parts(invoice, both)).toEqual([0, 70.3]);
    expect(parts(invoice, { tickets: [1], members: [] })).toEqual([0, 34.65]);
  });

  it('is what was paid less what is kept, after all that is owed was written off', () => {
    const paidInPart = { ...invoice, paid: 50, outstanding: 20.3 };
    expect(parts(paidInPart, both)).toEqual([50, 20.3]);
    expect(parts(paidInPart, both, 2.5)).toEqual([45, 20.3]);
    expect(parts(paidInPart, { tickets: [1], members: [] })).toEqual([14.35, 20.3]);
    expect(parts({ ...invoice, paid: 70.3, outstanding: 0 }, both)).toEqual([70.3, 0]);
  });

  it('has nothing of what was written off before', () => {
    const rest = { ...invoice, paid: 20, outstanding: 15.65, tickets: [aTicket(1, 3), aTicket(2)] };
    expect(parts(rest, { tickets: [2], members: [] })).toEqual([20, 15.65]);
  });

  it('is there for tickets that wait for its payment', () => {
    const waiting = { ...invoice, tickets: [aTicket(1, 0), aTicket(2, 0)] };
    expect(refundable(waiting, []).tickets).toEqual([1, 2]);
    expect(parts(waiting, both)).toEqual([0, 70.3]);
  });
});

describe('what is kept of each', () => {
  it('is never 0 because a number cannot be read: everything would be returned', () => {
    const most = mostToKeep(order, { tickets: [1, 2], members: [] });
    expect(most).toBe(34.65);
    expect(['', '2.50', '2,50', '34.65'].map((text) => keepIn(text, most))).toEqual([0, 2.5, 2.5, 34.65]);
    const noAmounts = ['2.50 EUR', '1,234', 'five', '-1', '34.66'];
    expect(noAmounts.map((text) => keepIn(text, most))).toEqual(noAmounts.map(() => undefined));
  });
});
