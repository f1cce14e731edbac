import { describe, expect, it } from 'vitest';
import { type OrderFacts, orderPage } from '../../shared/documents/order-page.ts';
import { aTicketWithFacts } from '../support/ticket-facts.ts';

const pdf = { label: 'Download the PDF', address: '../../tickets/65/pdf?token=gl_ticket_1' };

const anOrderWithFacts = (changes: Partial<OrderFacts> = {}): OrderFacts => ({
  orderId: 64,
  locale: 'en',
  organisation: 'Harbour City FC',
  colour: [11, 37, 69],
  event: 'Harbour City FC v Western Rangers',
  starts: 'Saturday 14 November 2026, 7:30 pm',
  venue: 'Harbour Stadium',
  status: 'confirmed',
  isEventCancelled: false,
  refunded: null,
  givenAway: 0,
  tickets: [
    { facts: aTicketWithFacts(), documents: [pdf] },
    { facts: aTicketWithFacts({ ticketId: 66, barcode: 'DEF456', holder: null }), documents: [] },
  ],
  ...changes,
});

describe('the page of an order', () => {
  it('shows every ticket with its code and its documents, and the status', () => {
    const { status, body } = orderPage(anOrderWithFacts());
    expect(status).toBe(200);
    expect(body).toContain('Order 64');
    expect(body).toContain('confirmed');
    expect(body).toMatch(/Ticket 1 of 2.*ABC123.*Ada Lovelace.*tickets\/65\/pdf.*Ticket 2 of 2.*DEF456/s);
  });

  it('says what was refunded, given away or cancelled', () => {
    const shown = (changes: Partial<OrderFacts>) => orderPage(anOrderWithFacts({ tickets: [], ...changes })).body;
    expect(shown({ status: 'refunded', refunded: '$69.30' })).toContain('This order was refunded: $69.30.');
    expect(shown({ status: 'confirmed', refunded: '$30.00' })).toContain('$30.00 of it was refunded.');
    expect(shown({ status: 'cancelled' })).toContain('This order was cancelled.');
    expect(shown({ isEventCancelled: true })).toContain('This event was cancelled.');
    expect(shown({ givenAway: 1 })).toContain('1 ticket was given to somebody else');
    expect(shown({ givenAway: 2 })).toContain('2 tickets were given to somebody else');
  });

  it('escapes every text, loads nothing and runs nothing', () => {
    const hostile = '<script>alert("1")</script>\u202E&\'';
    const { body, headers } = orderPage(anOrderWithFacts({ event: hostile, organisation: hostile, venue: hostile }));
    expect(body).not.toMatch(/<script| style=|<img|https?:/);
    expect(headers).toMatchObject({ 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer' });
    expect(headers['Content-Security-Policy']).toContain("default-src 'none'");
  });
});
