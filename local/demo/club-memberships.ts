import { clubBoxes } from './club-map.ts';
import type { MembershipPlan } from './membership-plan.ts';

export const clubMemberships: MembershipPlan = {
  currency: 'AUD',
  seatMaps: [{ code: 'harbour-park', title: 'Harbour Park' }, clubBoxes],
  categories: [
    {
      code: 'season',
      title: 'Season members',
      seatMap: 'harbour-park',
      hexColor: '#0b2545',
      gameDayAccess: 1,
      types: [
        { code: 'season-adult', title: 'Full season, adult', priceMinor: 28_500, weight: 26 },
        { code: 'season-concession', title: 'Full season, concession', priceMinor: 19_950, weight: 10 },
        { code: 'season-junior', title: 'Full season, junior', priceMinor: 9_500, weight: 6 },
      ],
    },
    {
      code: 'general',
      title: 'General admission',
      hexColor: '#13a89e',
      gameDayAccess: 1,
      types: [
        { code: 'general-adult', title: 'Eleven games, adult', priceMinor: 18_000, weight: 18, termMonths: 12 },
        {
          code: 'general-concession',
          title: 'Eleven games, concession',
          priceMinor: 12_050,
          weight: 8,
          termMonths: 12,
        },
        { code: 'three-games', title: 'Three games', priceMinor: 6_600, weight: 9, termMonths: 12, maxEntries: 3 },
      ],
    },
    {
      code: 'family',
      title: 'Families',
      hexColor: '#f2a541',
      gameDayAccess: 1,
      types: [{ code: 'family', title: 'Family, two and two', priceMinor: 42_000, weight: 8, persons: 4 }],
    },
    {
      code: 'anchors',
      title: 'Little Anchors',
      hexColor: '#e4572e',
      gameDayAccess: 1,
      types: [{ code: 'anchors', title: 'Little Anchors (under 12)', priceMinor: 2_999, weight: 6 }],
    },
    {
      code: 'beyond',
      title: 'Beyond the harbour',
      hexColor: '#5c677d',
      gameDayAccess: 0,
      types: [
        { code: 'interstate', title: 'Interstate', priceMinor: 7_500, weight: 4 },
        { code: 'overseas', title: 'Overseas', priceMinor: 5_000, weight: 2 },
      ],
    },
    {
      code: 'boxes',
      title: "Captain's boxes",
      seatMap: clubBoxes.code,
      hexColor: '#b8860b',
      gameDayAccess: 1,
      types: [{ code: 'captains-box', title: "Captain's box", priceMinor: 195_000, weight: 2 }],
    },
    {
      code: 'founders',
      title: 'Founders of 1998',
      hexColor: '#7d1128',
      gameDayAccess: 1,
      status: 0,
      types: [{ code: 'founder', title: 'Founder, for life', priceMinor: 0, weight: 1, status: 0 }],
    },
  ],
  payments: [
    { code: 'upfront', title: 'All at once' },
    { code: 'upfront-renewing', title: 'All at once, renewing itself', autoRenewal: 1 },
    { code: 'six-monthly', title: 'Six monthly instalments', instalments: 6 },
    {
      code: 'ten-monthly',
      title: 'Ten monthly instalments, renewing themselves',
      instalments: 10,
      autoRenewal: 1,
    },
    { code: 'cheque', title: 'By cheque', status: 0 },
  ],
};
