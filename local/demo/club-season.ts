import { clubBoxes } from './club-map.ts';
import type { CategoryPlan, EventPlan, SeasonPlan } from './season-plan.ts';

const fee = { feeMinor: 195, taxMinor: 20 } as const;

const stands: readonly [CategoryPlan, ...CategoryPlan[]] = [
  {
    code: 'east',
    title: 'East Stand',
    prices: [
      { code: 'east-adult', title: 'Adult', priceMinor: 3_250, ...fee, capacity: 4_200, weight: 30 },
      { code: 'east-concession', title: 'Concession', priceMinor: 2_400, ...fee, capacity: 1_200, weight: 14 },
      {
        code: 'east-family',
        title: 'Family of four',
        priceMinor: 7_010,
        feeMinor: 395,
        taxMinor: 40,
        capacity: 1_600,
        weight: 12,
        ticketsIncluded: 4,
      },
    ],
  },
  {
    code: 'west',
    title: 'West Stand',
    prices: [
      { code: 'west-adult', title: 'Adult', priceMinor: 4_100, rebateMinor: 250, ...fee, capacity: 3_000, weight: 20 },
      { code: 'west-junior', title: 'Junior', priceMinor: 1_150, ...fee, capacity: 900, weight: 10 },
    ],
  },
  {
    code: 'terrace',
    title: 'Harbour Terrace',
    poolCapacity: 6_000,
    prices: [
      { code: 'terrace', title: 'Standing', priceMinor: 1_900, ...fee, inPool: true, capacity: null, weight: 10 },
      {
        code: 'terrace-guest',
        title: "Members' guest",
        priceMinor: 950,
        capacity: 400,
        weight: 0,
        onlyFor: 'season-adult',
      },
      { code: 'terrace-gate', title: 'At the gate', priceMinor: 2_200, capacity: 500, weight: 0, boxOfficeOnly: true },
      {
        code: 'terrace-junior',
        title: 'Junior standing',
        priceMinor: 700,
        ...fee,
        inPool: true,
        capacity: 1_500,
        weight: 4,
      },
    ],
  },
];

const one = (code: string, price: Omit<CategoryPlan['prices'][0], 'code' | 'weight'>): [CategoryPlan] => [
  { code, title: 'General admission', prices: [{ code: `${code}-ticket`, weight: 1, ...price }] },
];

const [box] = one('boxes', { title: 'Seat in a box', priceMinor: 24_000, ...fee, capacity: null });

const opponents = [
  'Rovers',
  'Port United',
  'Northside City',
  'Ballarat Athletic',
  'São Tomé Stars',
  "St. Kilda O'Neills",
  'Geelong Wanderers',
  'Yarra Valley FC',
  'Bayside Victory',
  'Central Mariners',
];

/** A match every other Saturday evening, the latest in the past week. */
const played = opponents.map(
  (opponent, index): EventPlan => ({
    code: `round-${index + 1}`,
    title: `Harbour City FC v ${opponent}`,
    venue: 'harbour-park',
    at: { week: -2 * (opponents.length - index) + 1, weekday: 6, hour: 19, minute: 30 },
    orders: 15,
    categories: stands,
    seatMap: 'harbour-park',
  }),
);

const match = { venue: 'harbour-park', categories: stands, seatMap: 'harbour-park' } as const;

export const clubSeason: SeasonPlan = {
  currency: 'AUD',
  timezone: 'Australia/Melbourne',
  countryId: 36,
  venues: { 'harbour-park': 'Harbour Park', clubhouse: 'The Clubhouse' },
  hasCounter: true,
  gates: ['Gate 1 North', 'Gate 2 East', 'Gate 3 East', 'Gate 4 South', 'Gate 5 West'],
  events: [
    ...played,
    {
      ...match,
      code: 'round-11',
      title: 'Harbour City FC v Western Rangers',
      at: { week: 1, weekday: 6, hour: 19, minute: 30 },
      orders: 26,
    },
    {
      ...match,
      code: 'derby',
      title: 'The Harbour Derby: Harbour City FC v Docklands',
      at: { week: 3, weekday: 0, hour: 15 },
      orders: 34,
      isSoldOut: true,
    },
    {
      ...match,
      code: 'cup-final',
      title: 'Cup final: Harbour City FC v Rovers',
      at: { week: 9, weekday: 6, hour: 19, minute: 30 },
      orders: 16,
      saleWeeks: 16,
    },
    {
      ...match,
      code: 'friendly',
      title: 'Summer friendly (to be announced)',
      at: { week: 14, weekday: 5, hour: 18 },
      status: 0,
      orders: 0,
    },
    {
      ...match,
      code: 'abandoned',
      title: 'Pre-season friendly',
      at: { week: -22, weekday: 6, hour: 16 },
      status: 2,
      orders: 0,
    },
    {
      code: 'open-training',
      title: 'Open training session',
      venue: 'harbour-park',
      at: { week: 2, weekday: 3, hour: 10, minute: 30 },
      orders: 14,
      categories: one('open', { title: 'Free entry', priceMinor: 0, capacity: 1_500 }),
    },
    {
      code: 'members-lunch',
      title: "Members' season lunch",
      venue: 'clubhouse',
      at: { week: 4, weekday: 0, hour: 12 },
      orders: 8,
      categories: one('lunch', { title: 'Seat at a table', priceMinor: 8_500, capacity: 120, onlyFor: 'season-adult' }),
    },
    {
      code: 'captains-night',
      title: "Captain's night in the boxes",
      venue: 'harbour-park',
      at: { week: 5, weekday: 4, hour: 18, minute: 30 },
      orders: 10,
      seats: 'reserved',
      seatMap: clubBoxes.code,
      sells: clubBoxes,
      isPrivate: true,
      categories: [{ ...box, zone: 'Boxes' }],
    },
    {
      code: 'season-preview',
      title: 'Season preview, live stream',
      at: { week: 3, weekday: 2, hour: 20 },
      orders: 0,
      saleWeeks: 1,
      categories: one('stream', { title: 'One screen', priceMinor: 500, feeMinor: 50, capacity: 10_000 }),
    },
  ],
};
