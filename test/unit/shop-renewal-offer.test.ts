import { describe, expect, it } from 'vitest';
import type { MembershipType } from '../../examples/shop/browser/resources.ts';
import { renewalOffer } from '../../examples/shop/browser/state/renewal-offer.ts';

const daySeconds = 86_400;
const now = 1_800_000_000;
const ends = now + 100 * daySeconds;
const iso = (unix: number): string => new Date(unix * 1000).toISOString();

const type = (fields: Partial<MembershipType>): MembershipType => ({
  membership_type_id: 1,
  category_title: 'Season members',
  title: 'Full season',
  price: 285,
  currency: 'AUD',
  persons: 1,
  term_months: null,
  renews_as_membership_type_id: null,
  expires: iso(ends),
  available_from_unix: null,
  available_until_unix: null,
  max_entries: null,
  ...fields,
});
const membership = { membership_type_id: 1, membership_member_status_id: 1, expires: ends };
const own = { membership, terms: [{ membership_type_id: 1, until: ends }] };
const thisSeason = type({ renews_as_membership_type_id: 2 });
const nextSeason = type({ membership_type_id: 2, expires: iso(ends + 365 * daySeconds) });

describe('the next term that the page of a membership offers', () => {
  it('is the same membership if it lasts for months, and else the one that follows it', () => {
    const friend = type({ term_months: 12 });
    expect(renewalOffer(own, [friend], now)).toEqual({ type: friend, from: 'now' });
    expect(renewalOffer(own, [thisSeason, nextSeason], now)).toEqual({ type: nextSeason, from: 'now' });
    expect(renewalOffer({ membership, terms: [] }, [thisSeason, nextSeason], now)?.type).toBe(nextSeason);
  });

  it('begins with its sale, and is none after it', () => {
    const later = { ...nextSeason, available_from_unix: now + daySeconds };
    expect(renewalOffer(own, [thisSeason, later], now)?.from).toBe(now + daySeconds);
    expect(renewalOffer(own, [thisSeason, { ...nextSeason, available_until_unix: now }], now)).toBeUndefined();
  });

  it('is none if the service would refuse it', () => {
    expect(renewalOffer(own, [type({})], now)).toBeUndefined();
    expect(renewalOffer(own, [thisSeason], now)).toBeUndefined();
    expect(renewalOffer(own, [thisSeason, { ...nextSeason, currency: null }], now)).toBeUndefined();
    expect(renewalOffer(own, [thisSeason, { ...nextSeason, expires: iso(ends) }], now)).toBeUndefined();
    const cancelled = { ...membership, membership_member_status_id: 3 };
    expect(renewalOffer({ ...own, membership: cancelled }, [thisSeason, nextSeason], now)).toBeUndefined();
    const forLife = { ...membership, expires: null };
    expect(renewalOffer({ ...own, membership: forLife }, [thisSeason, nextSeason], now)).toBeUndefined();
    // The next season is bought already, and nothing follows it yet.
    const bought = { membership, terms: [...own.terms, { membership_type_id: 2, until: ends + 365 * daySeconds }] };
    expect(renewalOffer(bought, [thisSeason, nextSeason], now)).toBeUndefined();
  });
});
