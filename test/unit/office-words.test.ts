import { describe, expect, it } from 'vitest';
import { coverageOf } from '../../examples/office/browser/campaign-coverage.ts';
import { inStaffWords } from '../../examples/office/browser/staff-words.ts';

describe('the words of the office', () => {
  it('leave out sentences that name operations or parameters of the API', () => {
    const message = 'The event has no active price, so nothing is sold. Add prices with create-price.';
    expect(inStaffWords(message)).toBe('The event has no active price, so nothing is sold.');
    expect(inStaffWords('Somebody has it. Nothing was changed. Choose other seats.')).toBe(
      'Somebody has it. Nothing was changed. Choose other seats.',
    );
    expect(inStaffWords('Send ticket_ids again.')).toBe('This is not possible at the moment.');
  });
});

describe('what a campaign covers', () => {
  const sold = {
    events: [{ value: 3, title: 'Derby' }],
    prices: [{ value: 31, title: 'Derby: East Stand, Adult' }],
  };
  const all = { kind: 'percent', value: 20, uses_per_code: null, event_ids: null, price_ids: null };
  const textOf = (values: object) => coverageOf(sold, { ...all, ...values }, 'Australia/Melbourne').join(' ');

  it('is said before it is saved: every event, some events, or some prices', () => {
    expect(textOf({})).toContain('Each ticket costs 20 % less');
    expect(textOf({})).toContain('every ticket of every event, those to come too');
    expect(textOf({ event_ids: [3] })).toContain('They are for Derby, and nothing else.');
    expect(textOf({ price_ids: [31] })).toContain('They are for Derby: East Stand, Adult, and nothing else.');
    expect(textOf({ reveals_price_ids: [31] })).toContain('Nobody sees these prices without a code: Derby');
  });

  it('has how often and until when a code can be used', () => {
    expect(textOf({})).toContain('as often as people like.');
    const limited = textOf({ uses_per_code: 1, until_unix: Date.UTC(2026, 10, 14, 8, 30) / 1000 });
    expect(limited).toContain('Each code can be used once until 14 Nov 2026');
    expect(textOf({ uses_per_code: 3 })).toContain('in 3 baskets.');
  });
});
