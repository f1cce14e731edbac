import type { MemberRecord } from '../../shared/data/members/row.ts';
import type { ConfigRecord } from '../../shared/data/membership/config-rows.ts';
import type { CustomerRecord } from '../../shared/domain/customers/customer.ts';
import { demoActivities } from './activity.ts';
import { clubOffer } from './club-memberships.ts';
import { clubProgramme } from './club-season.ts';
import { demoEvents, demoGates, demoVenues } from './events.ts';
import { demoMembers } from './members.ts';
import { heldTypes, type Offer, offerRecords } from './membership-plan.ts';
import { london, melbourne, type Town } from './names.ts';
import { DemoPeople, demoCustomers } from './people.ts';
import { DemoRandom } from './random.ts';
import type { DemoSeason } from './season-items.ts';
import type { Programme } from './season-plan.ts';
import { theatreOffer } from './theatre-memberships.ts';
import { theatreProgramme } from './theatre-season.ts';

export interface DemoData {
  readonly config: readonly ConfigRecord[];
  readonly customers: readonly CustomerRecord[];
  readonly members: readonly MemberRecord[];
  readonly season: DemoSeason;
}

interface Recipe {
  readonly seed: number;
  readonly offer: Offer;
  readonly towns: readonly [Town, ...Town[]];
  readonly customers: { readonly count: number; readonly codePrefix: string };
  readonly members: { readonly count: number; readonly firstNumber: number };
  /** Month and day on which memberships end. */
  readonly seasonEnds: { readonly month: number; readonly day: number };
  readonly programme: Programme;
}

const recipes: Readonly<Record<string, Recipe>> = {
  org_harbourfc: {
    seed: 1998,
    offer: clubOffer,
    towns: melbourne,
    customers: { count: 600, codePrefix: 'HC' },
    members: { count: 1_500, firstNumber: 1_001 },
    seasonEnds: { month: 10, day: 31 },
    programme: clubProgramme,
  },
  org_lantern: {
    seed: 1887,
    offer: theatreOffer,
    towns: london,
    customers: { count: 50, codePrefix: 'LT' },
    members: { count: 80, firstNumber: 101 },
    seasonEnds: { month: 8, day: 31 },
    programme: theatreProgramme,
  },
};

export const demoOrganisations = Object.keys(recipes);

/** What a demo organisation holds when it was made on this day: always the same people, with dates that are recent. */
export function demoData(orgId: string, todayUnix: number): DemoData {
  const recipe = recipes[orgId];
  if (recipe === undefined) throw new Error(`There is no demo of ${orgId}.`);
  const random = new DemoRandom(recipe.seed);
  const people = new DemoPeople(random, recipe.towns);
  const endsUnix = seasonEnd(recipe.seasonEnds, todayUnix);
  const [first, ...others] = heldTypes(recipe.offer, { orgId, endsUnix });
  if (first === undefined) throw new Error(`${orgId} offers no membership.`);
  const customers = demoCustomers({ random, people, todayUnix, ...recipe.customers });
  const members = demoMembers({
    random,
    people,
    todayUnix,
    types: [first, ...others],
    customers,
    seasonEndsUnix: endsUnix,
    ...recipe.members,
  });
  const records = customers.map(({ record }) => record);
  return {
    config: offerRecords(recipe.offer, { orgId, endsUnix }),
    customers: records,
    members,
    season: demoSeason(orgId, recipe, records, todayUnix),
  };
}

function demoSeason(
  orgId: string,
  { programme, seed }: Recipe,
  customers: readonly CustomerRecord[],
  todayUnix: number,
): DemoSeason {
  const events = demoEvents({ orgId, programme, todayUnix });
  // Chance of its own, so that another match does not give everybody another name.
  const activities = demoActivities({ random: new DemoRandom(seed + 1), programme, customers, events, todayUnix });
  return { venues: demoVenues(programme), gates: demoGates(programme), events, activities };
}

/** The end of the season that is on, or of the next one when this one is nearly over. */
function seasonEnd({ month, day }: Recipe['seasonEnds'], todayUnix: number): number {
  const year = new Date(todayUnix * 1000).getUTCFullYear();
  const ends = Date.UTC(year, month - 1, day, 12) / 1000;
  return ends > todayUnix + 60 * 86_400 ? ends : Date.UTC(year + 1, month - 1, day, 12) / 1000;
}
