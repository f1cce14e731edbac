import type { MembershipPlan } from './membership-plan.ts';
import { mainHouse } from './theatre-map.ts';

export const theatreMemberships: MembershipPlan = {
  currency: 'GBP',
  seatMaps: [{ code: 'auditorium', title: 'The auditorium' }, mainHouse],
  categories: [
    {
      code: 'friends',
      title: 'Friends of the Lantern',
      hexColor: '#7a1f1f',
      gameDayAccess: 0,
      types: [
        { code: 'friend', title: 'Friend', priceMinor: 4_500, weight: 40, termMonths: 12 },
        { code: 'joint-friends', title: 'Joint friends', priceMinor: 7_500, weight: 20, persons: 2, termMonths: 12 },
      ],
    },
    {
      code: 'young',
      title: 'Young friends',
      hexColor: '#d98e04',
      gameDayAccess: 0,
      types: [{ code: 'under-26', title: 'Under 26', priceMinor: 1_000, weight: 20 }],
    },
    {
      code: 'patrons',
      title: 'Patrons',
      seatMap: 'auditorium',
      hexColor: '#2f4858',
      gameDayAccess: 1,
      types: [
        { code: 'patron', title: 'Patron', priceMinor: 25_000, weight: 12 },
        { code: 'golden-lantern', title: 'Golden Lantern', priceMinor: 120_000, weight: 4 },
      ],
    },
    {
      code: 'business',
      title: 'Business supporters',
      hexColor: '#33658a',
      gameDayAccess: 0,
      types: [{ code: 'business', title: 'Business supporter', priceMinor: 90_000, weight: 4 }],
    },
  ],
  payments: [
    { code: 'annual', title: 'Once a year' },
    { code: 'direct-debit', title: 'Once a year by direct debit, renewing itself', autoRenewal: 1 },
    { code: 'monthly', title: 'Monthly', instalments: 12, autoRenewal: 1 },
  ],
};
