import type { CategoryPlan, EventPlan, SeasonPlan } from './season-plan.ts';
import { mainHouse } from './theatre-map.ts';

const fee = { feeMinor: 175, taxMinor: 35 } as const;

/** The prices of the auditorium. Where its seats have numbers, two of them are sold for any seat of their zone, the others for a part. */
const house = (isSeated: boolean): readonly [CategoryPlan, ...CategoryPlan[]] => [
  {
    code: 'stalls',
    title: 'Stalls',
    ...(isSeated && { zone: 'Stalls' }),
    prices: [
      {
        code: 'stalls-full',
        title: 'Full price',
        priceMinor: 3_850,
        ...fee,
        capacity: isSeated ? null : 220,
        weight: 40,
      },
      { code: 'stalls-26', title: 'Under 26', priceMinor: 1_200, ...fee, capacity: isSeated ? 60 : 40, weight: 15 },
    ],
  },
  {
    code: 'circle',
    title: 'Dress circle',
    ...(isSeated && { zone: 'Dress circle' }),
    prices: [
      {
        code: 'circle-full',
        title: 'Full price',
        priceMinor: 4_600,
        ...fee,
        capacity: isSeated ? null : 140,
        weight: 25,
      },
      {
        code: 'circle-friend',
        title: "Friends' price",
        priceMinor: 4_600,
        rebateMinor: 920,
        ...fee,
        capacity: 60,
        weight: 0,
        onlyFor: 'friend',
      },
    ],
  },
];

const studio: readonly [CategoryPlan, ...CategoryPlan[]] = [
  {
    code: 'studio',
    title: 'Studio, unreserved',
    prices: [
      { code: 'studio-full', title: 'Full price', priceMinor: 1_800, ...fee, capacity: 90, weight: 50 },
      { code: 'studio-concession', title: 'Concession', priceMinor: 1_250, ...fee, capacity: 30, weight: 20 },
      {
        code: 'studio-school',
        title: 'School party of ten',
        priceMinor: 9_999,
        feeMinor: 500,
        taxMinor: 100,
        capacity: 60,
        weight: 8,
        ticketsIncluded: 10,
      },
    ],
  },
];

const one = (code: string, price: Omit<CategoryPlan['prices'][0], 'code' | 'weight'>): [CategoryPlan] => [
  { code, title: 'Everybody', prices: [{ code: `${code}-ticket`, weight: 1, ...price }] },
];

const run = (code: string, title: string, weeks: readonly number[]): EventPlan[] =>
  weeks.map((week, index) => ({
    code: `${code}-${index + 1}`,
    title,
    venue: 'main-house',
    at: { week, weekday: 5, hour: 19, minute: 30 },
    orders: 9,
    categories: house(false),
    seats: 'reserved',
    seatMap: 'auditorium',
  }));

const studioRun = (code: string, title: string, weeks: readonly number[]): EventPlan[] =>
  weeks.map((week, index) => ({
    code: `${code}-${index + 1}`,
    title,
    venue: 'studio',
    at: { week, weekday: 4, hour: 20 },
    orders: 8,
    categories: studio,
  }));

export const theatreSeason: SeasonPlan = {
  currency: 'GBP',
  timezone: 'Europe/London',
  countryId: 826,
  venues: { 'main-house': 'Lantern Theatre, main house', studio: 'Lantern Studio' },
  gates: ['Foyer', 'Circle door'],
  events: [
    ...run('twelfth-night', 'Twelfth Night', [-17, -16, -15]),
    ...run('inspector', 'An Inspector Calls', [-8, -7]),
    ...studioRun('keeper', 'The Lighthouse Keeper', [-12, -10, -3]),
    ...studioRun('brontë', 'Brontë, a monologue', [1, 6]),
    ...run('carol', 'A Christmas Carol', [4]).map((plan) => ({
      ...plan,
      orders: 40,
      categories: house(true),
      sells: mainHouse,
    })),
    {
      code: 'comedy',
      title: 'Late-night comedy',
      venue: 'studio',
      at: { week: 2, weekday: 6, hour: 22, minute: 15 },
      orders: 12,
      categories: studio,
      isSoldOut: true,
    },
    {
      code: 'open-rehearsal',
      title: 'Open rehearsal',
      venue: 'main-house',
      at: { week: 1, weekday: 6, hour: 11 },
      orders: 6,
      categories: one('rehearsal', { title: 'Free entry', priceMinor: 0, capacity: 200 }),
    },
    {
      code: 'friends-preview',
      title: "Friends' preview: A Christmas Carol",
      venue: 'main-house',
      at: { week: 3, weekday: 2, hour: 19 },
      orders: 4,
      categories: one('preview', { title: 'Friend', priceMinor: 1_000, capacity: 150, onlyFor: 'friend' }),
    },
    {
      code: 'backstage',
      title: 'A look behind the scenes, live stream',
      at: { week: 4, weekday: 1, hour: 18 },
      orders: 0,
      saleWeeks: 2,
      categories: one('backstage', { title: 'One screen', priceMinor: 350, feeMinor: 25, capacity: 5_000 }),
    },
    {
      code: 'spring',
      title: 'Spring show (to be announced)',
      venue: 'main-house',
      at: { week: 20, weekday: 5, hour: 19, minute: 30 },
      status: 0,
      orders: 0,
      categories: house(true),
      seats: 'reserved',
      sells: mainHouse,
    },
  ],
};
