import { describe, expect, it } from 'vitest';
import { soldThroughout } from '../../shared/domain/inventory/inventory.ts';
import { nothingCounted, type PriceCounts } from '../../shared/domain/orders/counts.ts';

const counted = (counts: Partial<PriceCounts>) => new Map([[7, { ...nothingCounted, ...counts }]]);
const throughout = (before: Partial<PriceCounts>, after: Partial<PriceCounts>) => {
  const { tickets, complimentary } = soldThroughout(counted(before), counted(after)).get(7) ?? nothingCounted;
  return { tickets, complimentary };
};

describe('what was sold throughout two reads', () => {
  it('leaves out what was sold or cancelled in between', () => {
    expect(throughout({ tickets: 3 }, { tickets: 5 })).toEqual({ tickets: 3, complimentary: 0 });
    expect(throughout({ tickets: 3 }, { tickets: 1, cancelled: 2 })).toEqual({ tickets: 1, complimentary: 0 });
    expect(throughout({ tickets: 3 }, { tickets: 3, cancelled: 1 })).toEqual({ tickets: 2, complimentary: 0 });
  });

  it('is never less than nothing, if what was sold in between was cancelled too', () => {
    expect(throughout({}, { cancelled: 2 })).toEqual({ tickets: 0, complimentary: 0 });
  });

  it('gives no more tickets away than were sold, if another one was given away in between', () => {
    const one = { tickets: 1, complimentary: 1 };
    expect(throughout(one, { ...one, cancelled: 1 })).toEqual({ tickets: 0, complimentary: 0 });
    expect(throughout(one, one)).toEqual({ tickets: 1, complimentary: 1 });
  });
});
