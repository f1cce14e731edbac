import { membershipCategories, seatMaps } from './config-kinds.ts';
import { membershipPaymentOptions, membershipTypes } from './config-offer-kinds.ts';
import { customers } from './customer-kind.ts';
import { events, venues } from './event-kinds.ts';
import type { TransferKind } from './kind.ts';
import { members } from './member-kind.ts';
import { orders } from './order-kind.ts';
import { priceCategories } from './price-category-kind.ts';
import { prices } from './price-kind.ts';
import { scans } from './scan-kind.ts';

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
