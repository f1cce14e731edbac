import { describe, expect, it } from 'vitest';
import { laterCharges } from '../../examples/shop/browser/state/later-charges.ts';

const expires = 1_800_000_000;
const dayMs = 86_400_000;
const duringTerm = (expires - 1) * 1000;
const afterTerm = expires * 1000 + 3 * dayMs;

function own(auto_renew: 0 | 1, outstanding: number, fields: { expires?: number | null; status?: number } = {}) {
  return {
    membership: { membership_member_status_id: fields.status ?? 1, auto_renew, expires, ...fields },
    plan: { outstanding },
    next: {},
  };
}

describe('later charges on the page of a membership', () => {
  it('are shown during the term, so that auto-renewal can be switched on and off', () => {
    expect(laterCharges(own(0, 0), duringTerm)).toBe('can_renew');
    expect(laterCharges(own(1, 0), duringTerm)).toBe('renews');
  });

  it('stay after the term while a declined renewal is charged again or instalments are outstanding', () => {
    expect(laterCharges(own(1, 0), afterTerm)).toBe('renewal_late');
    expect(laterCharges(own(0, 60), afterTerm)).toBe('instalments');
    expect(laterCharges(own(0, 60, { expires: null }), afterTerm)).toBe('instalments');
  });

  it('offer no auto-renewal if nothing can follow', () => {
    expect(laterCharges({ ...own(0, 0), next: undefined }, duringTerm)).toBeUndefined();
    expect(laterCharges({ ...own(0, 60), next: undefined }, duringTerm)).toBe('instalments');
    expect(laterCharges({ ...own(1, 0), next: undefined }, duringTerm)).toBe('renews');
  });

  it('are not shown if nothing can be charged', () => {
    expect(laterCharges(own(0, 0), afterTerm)).toBeUndefined();
    expect(laterCharges(own(0, 0, { expires: null }), duringTerm)).toBeUndefined();
    expect(laterCharges(own(1, 60, { status: 3 }), duringTerm)).toBeUndefined();
  });
});
