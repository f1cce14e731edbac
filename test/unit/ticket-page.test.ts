import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { cancelledEventPage, endedLinkPage, ticketPage } from '../../shared/documents/ticket-page.ts';
import { organisationColour, textColourOn } from '../../shared/domain/organisations/colour.ts';
import { aTicketWithFacts } from '../support/ticket-facts.ts';

const facts = aTicketWithFacts({ event: 'Harbour City – Αθήνα', holder: 'محمد الفاسي' });
const pdf = { label: 'PDF', address: 'pdf?token=gl_ticket_1&x="' };

describe('the page of a ticket', () => {
  it('escapes every text, and keeps the direction of each to itself', () => {
    const hostile = '<script>alert("1")</script>\u202E&\'';
    const { body } = ticketPage(
      { ...facts, event: hostile, organisation: hostile, holder: hostile, venue: hostile, price: hostile },
      [pdf],
    );
    expect(body).not.toContain('<script');
    const escaped = '<bdi dir="auto">&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;\u202E&amp;&#39;</bdi>';
    expect(body.split(escaped)).toHaveLength(6);
    expect(body).toContain('href="pdf?token=gl_ticket_1&amp;x=&quot;"');
  });

  it('loads nothing, runs nothing and is kept nowhere', () => {
    const { headers, body, status } = ticketPage(facts, [pdf]);
    const [, style = ''] = /<style>(.*)<\/style>/s.exec(body) ?? [];
    const hash = createHash('sha256').update(style).digest('base64');
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      'Content-Security-Policy': `default-src 'none'; style-src 'sha256-${hash}'; form-action 'none'; frame-ancestors 'none'; base-uri 'none'`,
      'Cache-Control': 'no-store',
      'Referrer-Policy': 'no-referrer',
    });
    expect(body).not.toMatch(/ style=|<script|<img|https?:/);
  });

  it('shows when the code appears instead of the code, and no documents before', () => {
    const { body } = ticketPage({ ...facts, barcode: null, barcodeFrom: 'Friday 13 November 2026, 7:30 pm' }, [pdf]);
    expect(body).toContain('It appears on Friday 13 November 2026, 7:30 pm.');
    expect(body).not.toMatch(/<svg|<nav|ABC123/);
    expect(ticketPage(facts, [pdf]).body).toMatch(/<svg.*ABC123.*<nav/);
  });

  it('says that the event was cancelled', () => {
    const organisation = { name: 'Harbour City FC', backgroundColor: null, locale: 'en' };
    const event = { title: 'Cup <final>', startUnix: 1_794_645_000, timezone: 'Australia/Sydney' };
    const { status, body } = cancelledEventPage({ organisation, event });
    expect(status).toBe(200);
    expect(body).toContain('This event was cancelled.');
    expect(body).not.toMatch(/<final>|<svg|<nav/);
  });

  it('says the same about every link that shows nothing', () => {
    expect(endedLinkPage()).toMatchObject({ status: 404, body: expect.stringContaining('This link shows no ticket') });
  });
});

describe('the colour of an organisation', () => {
  it.each([
    ['#0b2545', [11, 37, 69]],
    ['#FFF', [255, 255, 255]],
    ['#ffcc00ff', [255, 204, 0]],
    ['navy', [22, 32, 44]],
    ['red;}</style>', [22, 32, 44]],
    [null, [22, 32, 44]],
  ])('%s is read from hex digits only', (text, colour) => {
    expect(organisationColour(text)).toEqual(colour);
  });

  it('has a text that can be read on it', () => {
    expect(textColourOn([11, 37, 69])).toEqual([255, 255, 255]);
    expect(textColourOn([255, 204, 0])).toEqual([0, 0, 0]);
  });
});
