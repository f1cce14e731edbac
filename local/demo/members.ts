import type { MemberRecord } from '../../shared/data/members/row.ts';
import { wordsAfter } from '../../shared/domain/members/search.ts';
import {
  cancelledStatus,
  hasOpenInstalments,
  instalmentsStatus,
  isCancelledMember,
  isPaidMember,
  isUnpaidMember,
  paidStatus,
  unpaidStatus,
} from '../../shared/domain/members/status.ts';
import type { DemoMembershipType } from './membership-plan.ts';
import type { DemoCustomer, DemoPeople, DemoPerson } from './people.ts';
import type { DemoRandom } from './random.ts';

export interface MemberPlan {
  readonly random: DemoRandom;
  readonly people: DemoPeople;
  readonly count: number;
  readonly types: readonly [DemoMembershipType, ...DemoMembershipType[]];
  readonly customers: readonly DemoCustomer[];
  readonly firstNumber: number;
  readonly todayUnix: number;
  readonly seasonEndsUnix: number;
}

const day = 86_400;
const longestAgoDays = 6 * 365;
const year = 365 * day;

interface StatusWeight {
  readonly statusId: MemberRecord['statusId'];
  readonly weight: number;
}
const statuses: readonly [StatusWeight, ...StatusWeight[]] = [
  { statusId: paidStatus, weight: 86 },
  { statusId: unpaidStatus, weight: 5 },
  { statusId: instalmentsStatus, weight: 5 },
  { statusId: cancelledStatus, weight: 4 },
];

/** The holder of a membership: a customer, a person of a customer's household, or a person who is not a customer. */
interface Holder {
  readonly person: DemoPerson;
  readonly userId: number | null;
}

/** Oldest first, numbered in the order in which they joined. */
export function demoMembers(plan: MemberPlan): MemberRecord[] {
  const { random, count, todayUnix } = plan;
  const seats = new Seats();
  const joined = Array.from({ length: count }, () => todayUnix - random.between(day / 24, longestAgoDays * day));
  const waiting = [...plan.customers];
  return joined
    .sort((a, b) => a - b)
    .map((createdUnix, index) => member(plan, { createdUnix, index, holder: nextHolder(plan, waiting), seats }));
}

function nextHolder({ random, people }: MemberPlan, waiting: DemoCustomer[]): Holder {
  const [customer] = waiting;
  if (customer !== undefined && random.chance(0.35)) {
    // For a relative the customer stays in the list, so the next member may be of the same household.
    if (random.chance(0.7)) waiting.shift();
    else return { person: people.relative(customer.person), userId: null };
    return { person: customer.person, userId: customer.record.userId };
  }
  return { person: people.person(), userId: null };
}

interface Draft {
  readonly createdUnix: number;
  readonly index: number;
  readonly holder: Holder;
  readonly seats: Seats;
}

function member(plan: MemberPlan, { createdUnix, index, holder, seats }: Draft): MemberRecord {
  const { random, people, firstNumber, todayUnix, seasonEndsUnix } = plan;
  const held = random.weighted(plan.types);
  const { statusId } = random.weighted(statuses);
  const isCancelled = isCancelledMember({ statusId });
  const isPaid = isPaidMember({ statusId });
  const wasBought = !isUnpaidMember({ statusId });
  const number = String(firstNumber + index).padStart(7, '0');
  const drawn = {
    memberId: people.newId(createdUnix),
    memberNumber: number,
    ...typeFields(held),
    barcode: wasBought ? `M${number}${random.between(10, 99)}` : null,
    statusId,
    ownSeatMapId: held.ownSeats && !isCancelled ? held.seatMapId : null,
    ...(held.seatMapId === null || isCancelled ? noSeat : seats.next(held.seatMapId)),
    userId: holder.userId,
    ...personFields(random, holder.person),
    dateOfBirth: random.maybe(0.85, () => birthDate(random, todayUnix, /junior|under/i.test(held.type.title))),
    createdUnix,
    expiresUnix: isCancelled ? Math.min(createdUnix + year, todayUnix) : seasonEndsUnix,
    autoRenew: isPaid && random.chance(0.45),
    orderId: wasBought ? `MO-${20_000 + index}` : null,
    instalments: hasOpenInstalments({ statusId }) || (isPaid && random.chance(0.15)),
    formerCards: null,
    cardVersion: null,
    planId: null,
    renewalId: null,
    lapsedUnix: null,
    pendingRefund: null,
    overdueSinceUnix: null,
    cancelledUnix: null,
    ...fulfilmentFields(random, { createdUnix, todayUnix, isPaid }),
    version: 1,
  };
  return { ...drawn, words: wordsAfter(undefined, drawn) };
}

function typeFields({ type, categoryTitle, seatMapId }: DemoMembershipType) {
  return {
    categoryId: type.categoryId,
    categoryTitle,
    typeId: type.typeId,
    typeTitle: type.title,
    seatMapId,
  };
}

function personFields(random: DemoRandom, { town, ...person }: DemoPerson) {
  return {
    personId: random.maybe(0.6, () => `P-${random.between(10_000, 99_999)}`),
    firstName: person.firstName,
    lastName: person.lastName,
    gender: random.maybe(0.7, () => random.pick(['female', 'male', 'female', 'male', 'non-binary'])),
    companyName: random.maybe(0.03, () => `${person.lastName} & Co`),
    address: person.address,
    address2: random.maybe(0.1, () => `Unit ${random.between(1, 40)}`),
    ...town,
    mobileNumber: person.mobileNumber,
    emailAddress: random.maybe(0.95, () => person.emailAddress),
    marketingEmails: random.chance(0.55),
  };
}

interface Membership {
  readonly createdUnix: number;
  readonly todayUnix: number;
  readonly isPaid: boolean;
}

/** Cards are sent to paid members within a month of joining. */
function fulfilmentFields(random: DemoRandom, { createdUnix, todayUnix, isPaid }: Membership) {
  if (!isPaid || !random.chance(createdUnix < todayUnix - 30 * day ? 0.93 : 0.2)) {
    const updatedUnix = random.maybe(0.3, () => random.between(createdUnix, todayUnix));
    return { fulfilled: 'no', fulfilledUnix: null, trackingCode: null, updatedUnix } as const;
  }
  const fulfilledUnix = Math.min(createdUnix + random.between(3, 28) * day, todayUnix);
  const trackingCode = random.maybe(0.6, () => `JJD${random.between(1_000_000, 9_999_999)}`);
  return { fulfilled: 'yes', fulfilledUnix, trackingCode, updatedUnix: fulfilledUnix } as const;
}

function birthDate(random: DemoRandom, todayUnix: number, isChild: boolean): string {
  const years = isChild ? random.between(4, 17) : random.between(18, 88);
  const unix = todayUnix - years * year - random.between(0, 364) * day;
  return new Date(unix * 1000).toISOString().slice(0, 10);
}

const noSeat = {
  seatId: null,
  seatSection: null,
  seatAisle: null,
  seatRow: null,
  seatLevel: null,
  seatGate: null,
  seatTitle: null,
};

const seatsPerRow = 24;
const rowsPerSection = 20;
const rowNames = 'ABCDEFGHJKLMNPQRSTUV';

/** Assigns the seats of a seat map in order, each once. */
class Seats {
  readonly #taken = new Map<number, number>();

  next(seatMapId: number): Pick<MemberRecord, keyof typeof noSeat> {
    const seat = this.#taken.get(seatMapId) ?? 0;
    this.#taken.set(seatMapId, seat + 1);
    const row = Math.floor(seat / seatsPerRow);
    const section = Math.floor(row / rowsPerSection) + 1;
    return {
      seatId: (seatMapId % 1_000_000) * 1_000_000 + seat + 1,
      seatSection: `S${section}`,
      seatAisle: String(Math.floor((seat % seatsPerRow) / 8) + 1),
      seatRow: rowNames.charAt(row % rowsPerSection),
      seatLevel: section > 2 ? 'Upper' : 'Lower',
      seatGate: `Gate ${section}`,
      seatTitle: String((seat % seatsPerRow) + 1),
    };
  }
}
