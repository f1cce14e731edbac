import { seatAccessOf } from '../../shared/data/member-seats/seat-access.ts';
import type { MemberRecord } from '../../shared/data/members/row.ts';
import { configOf, type MembershipConfig } from '../../shared/data/membership/config.ts';
import type { ConfigRecord } from '../../shared/data/membership/config-rows.ts';
import type { CustomerRecord } from '../../shared/domain/customers/customer.ts';
import type { EventRecord } from '../../shared/domain/events/event.ts';
import { hasSeatAt, namedSeat } from '../../shared/domain/members/own-seat.ts';
import { memberOwner } from '../../shared/domain/seats/seat-moves.ts';
import { demoActivities } from './activity.ts';
import { clubMemberships } from './club-memberships.ts';
import { clubSeason } from './club-season.ts';
import { demoEvents, demoGates, demoVenues, type SeasonContext } from './events.ts';
import { demoMembers } from './members.ts';
import {
  type DemoSeatMap,
  type MembershipPlan,
  membershipRecords,
  membershipTypes,
  seatMapsOf,
} from './membership-plan.ts';
import { london, melbourne, type Town } from './names.ts';
import { DemoPeople, demoCustomers } from './people.ts';
import { DemoRandom } from './random.ts';
import type { DemoSeason } from './season-items.ts';
import type { SeasonPlan } from './season-plan.ts';
import { theatreMemberships } from './theatre-memberships.ts';
import { theatreSeason } from './theatre-season.ts';

export interface DemoData {
  readonly config: readonly ConfigRecord[];
  readonly seatMaps: readonly DemoSeatMap[];
  readonly customers: readonly CustomerRecord[];
  readonly members: readonly MemberRecord[];
  readonly season: DemoSeason;
}

interface OrganisationPlan {
  readonly seed: number;
  readonly memberships: MembershipPlan;
  readonly towns: readonly [Town, ...Town[]];
  readonly customers: { readonly count: number; readonly codePrefix: string };
  readonly members: { readonly count: number; readonly firstNumber: number };
  /** Month and day on which memberships end. */
  readonly seasonEnds: { readonly month: number; readonly day: number };
  readonly seasonPlan: SeasonPlan;
}

const organisationPlans: Readonly<Record<string, OrganisationPlan>> = {
  org_harbourfc: {
    seed: 1998,
    memberships: clubMemberships,
    towns: melbourne,
    customers: { count: 600, codePrefix: 'HC' },
    members: { count: 1_500, firstNumber: 1_001 },
    seasonEnds: { month: 10, day: 31 },
    seasonPlan: clubSeason,
  },
  org_lantern: {
    seed: 1887,
    memberships: theatreMemberships,
    towns: london,
    customers: { count: 50, codePrefix: 'LT' },
    members: { count: 80, firstNumber: 101 },
    seasonEnds: { month: 8, day: 31 },
    seasonPlan: theatreSeason,
  },
};

export const demoOrganisations = Object.keys(organisationPlans);

/** The records of a demo organisation. The people are always the same; the dates are relative to the given day. */
export function demoData(orgId: string, todayUnix: number): DemoData {
  const plan = organisationPlans[orgId];
  if (plan === undefined) throw new Error(`There is no demo of ${orgId}.`);
  const random = new DemoRandom(plan.seed);
  const people = new DemoPeople(random, plan.towns);
  const endsUnix = seasonEnd(plan.seasonEnds, todayUnix);
  const [first, ...others] = membershipTypes(plan.memberships, { orgId, endsUnix });
  if (first === undefined) throw new Error(`${orgId} offers no membership.`);
  const customers = demoCustomers({ random, people, todayUnix, ...plan.customers });
  const members = demoMembers({
    random,
    people,
    todayUnix,
    types: [first, ...others],
    customers,
    seasonEndsUnix: endsUnix,
    ...plan.members,
  });
  const records = customers.map(({ record }) => record);
  const config = membershipRecords(plan.memberships, { orgId, endsUnix });
  const seatsOfMembers = (event: EventRecord) => seatsAt(event, members, configOf(config));
  return {
    config,
    seatMaps: seatMapsOf(plan.memberships, orgId),
    customers: records,
    members,
    season: demoSeason(plan, records, { orgId, seasonPlan: plan.seasonPlan, todayUnix, seatsOfMembers }),
  };
}

function demoSeason(
  { seasonPlan, seed }: OrganisationPlan,
  customers: readonly CustomerRecord[],
  context: SeasonContext,
): DemoSeason {
  const { todayUnix } = context;
  const events = demoEvents(context);
  // A separate seed, so adding a match to the season does not change the people's names.
  const activities = demoActivities({ random: new DemoRandom(seed + 1), seasonPlan, customers, events, todayUnix });
  return { venues: demoVenues(seasonPlan), gates: demoGates(seasonPlan), events, activities };
}

/** The seats of members at an event, as the service enters them. */
function seatsAt(
  event: EventRecord,
  members: readonly MemberRecord[],
  config: MembershipConfig,
): ReadonlyMap<string, string> {
  if (event.seatingMapId === null) return new Map();
  const access = seatAccessOf(event, config);
  const seated = members.filter((member) => hasSeatAt(member, access));
  return new Map(seated.map((member) => [namedSeat(member) ?? '', memberOwner(member.memberId)]));
}

/** The end of the current season, or of the next one when the current season ends within 60 days. */
function seasonEnd({ month, day }: OrganisationPlan['seasonEnds'], todayUnix: number): number {
  const year = new Date(todayUnix * 1000).getUTCFullYear();
  const ends = Date.UTC(year, month - 1, day, 12) / 1000;
  return ends > todayUnix + 60 * 86_400 ? ends : Date.UTC(year + 1, month - 1, day, 12) / 1000;
}
