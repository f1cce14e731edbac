import type { TransferKind } from './dataset.ts';
import { customers } from './datasets/customers.ts';
import { events, venues } from './datasets/events.ts';
import { members } from './datasets/members.ts';
import { membershipCategories, seatMaps } from './datasets/membership-categories.ts';
import { membershipPaymentOptions, membershipTypes } from './datasets/membership-types.ts';
import { orders } from './datasets/orders.ts';
import { priceCategories } from './datasets/price-categories.ts';
import { prices } from './datasets/prices.ts';
import { scans } from './datasets/scans.ts';

/** Everything that is imported and exported, in the order in which a new organisation is filled: what is referred to first. */
export const kinds: readonly TransferKind[] = [
  seatMaps,
  membershipCategories,
  membershipTypes,
  membershipPaymentOptions,
  customers,
  members,
  venues,
  events,
  priceCategories,
  prices,
  orders,
  scans,
];
