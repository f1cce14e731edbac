import type { Dataset } from './dataset.ts';
import { codeCampaigns } from './datasets/code-campaigns.ts';
import { codes } from './datasets/codes.ts';
import { customers } from './datasets/customers.ts';
import { events } from './datasets/events.ts';
import { members } from './datasets/members.ts';
import { membershipCategories } from './datasets/membership-categories.ts';
import { membershipPaymentOptions, membershipTypes } from './datasets/membership-types.ts';
import { orders } from './datasets/orders.ts';
import { phases } from './datasets/phases.ts';
import { pools } from './datasets/pools.ts';
import { priceCategories } from './datasets/price-categories.ts';
import { prices } from './datasets/prices.ts';
import { scans } from './datasets/scans.ts';
import { seatMaps } from './datasets/seat-maps.ts';
import { venues } from './datasets/venues.ts';

/** All datasets, in the order in which a new organisation imports them: rows refer to rows of earlier datasets. */
export const datasets: readonly Dataset[] = [
  seatMaps,
  membershipCategories,
  membershipPaymentOptions,
  membershipTypes,
  customers,
  members,
  venues,
  events,
  priceCategories,
  pools,
  prices,
  codeCampaigns,
  codes,
  phases,
  orders,
  scans,
];
