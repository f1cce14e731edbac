import type { CustomerAttributes } from '../customers/attributes.ts';
import { priceIdOf } from '../prices/price.ts';

/** What a buyer needs to buy in a phase: everything that is named. */
export interface PhaseRequirements {
  /** A paid membership of one of these types; empty: none is needed. */
  readonly membershipTypeIds: readonly number[];
  /** A code of this campaign in the basket. */
  readonly codeCampaignId: number | null;
  /** An attribute of the customer, such as loyalty points. */
  readonly attribute: { readonly name: string; readonly atLeast: number } | null;
}

/** The fields of a phase that the organisation sets. */
export interface PhaseFields {
  readonly title: string;
  /** Null: from the beginning. */
  readonly fromUnix: number | null;
  /** Null: until the end of the sale. */
  readonly untilUnix: number | null;
  readonly requires: PhaseRequirements;
  /** The prices that are sold in the phase, by their index in the event; null: all. */
  readonly priceIndexes: readonly number[] | null;
  /** How many tickets one person may buy in the phase, in all orders together; null: no limit. */
  readonly maxPerPerson: number | null;
}

/** A time in which prices of an event are sold to some people. A price with phases is only sold in them. */
export interface Phase extends PhaseFields {
  /** From 1. It is never used again in the event. */
  readonly number: number;
  readonly version: number;
}

/** All phases of an event. They are one row, so no two requests can save phases that overlap. */
export interface EventPhases {
  readonly eventId: number;
  readonly phases: readonly Phase[];
  /** The highest number that a phase of the event has had. */
  readonly lastNumber: number;
  readonly version: number;
}

/** So the row that every hold reads stays small, and numbers fit in the ids of an event. */
export const phaseLimits = { perEvent: 20, everInEvent: 511, priceIds: 40, membershipTypeIds: 20, perPerson: 1_000 };

/** The id of a phase follows from its event and its number, as that of a price does. */
export const phaseIdOf = priceIdOf;

export const noRequirements: PhaseRequirements = { membershipTypeIds: [], codeCampaignId: null, attribute: null };

export function phasesOfPrice(phases: readonly Phase[], priceIndex: number): readonly Phase[] {
  return phases.filter(({ priceIndexes }) => priceIndexes === null || priceIndexes.includes(priceIndex));
}

/** Which of the phases of a price is open, and when the next one opens. */
export interface PhasesNow {
  readonly open: Phase | undefined;
  readonly next: Phase | undefined;
}

export function phasesAt(phases: readonly Phase[], nowUnix: number): PhasesNow {
  const isOpen = ({ fromUnix, untilUnix }: Phase): boolean =>
    (fromUnix ?? nowUnix) <= nowUnix && (untilUnix === null || nowUnix < untilUnix);
  const later = phases.filter(({ fromUnix }) => fromUnix !== null && fromUnix > nowUnix);
  const [next] = later.toSorted((one, other) => (one.fromUnix ?? 0) - (other.fromUnix ?? 0));
  return { open: phases.find(isOpen), next };
}

/** Returns a phase that sells one of the same prices at the same time; undefined if there is none. */
export function overlappingPhase(phases: readonly Phase[], phase: Phase): Phase | undefined {
  return phases.find((other) => other.number !== phase.number && haveCommonPrice(other, phase) && meet(other, phase));
}

function haveCommonPrice({ priceIndexes: one }: Phase, { priceIndexes: other }: Phase): boolean {
  return one === null || other === null || one.some((index) => other.includes(index));
}

function meet(one: Phase, other: Phase): boolean {
  const startsBeforeEnd = ({ fromUnix }: Phase, { untilUnix }: Phase): boolean =>
    fromUnix === null || untilUnix === null || fromUnix < untilUnix;
  return startsBeforeEnd(one, other) && startsBeforeEnd(other, one);
}

/** The phases of a copied event, whose times move with it. */
export function movedPhases(phases: readonly Phase[], moved: (unix: number | null) => number | null): readonly Phase[] {
  return phases.map((phase) => ({
    ...phase,
    fromUnix: moved(phase.fromUnix),
    untilUnix: moved(phase.untilUnix),
    version: 1,
  }));
}

export const missingRequirements = ['membership', 'code', 'attribute'] as const;
export type MissingRequirement = (typeof missingRequirements)[number];

/** What is known of the buyer. */
export interface PhaseBuyer {
  /** The types of paid memberships that the buyer has proved. */
  readonly membershipTypeIds: readonly number[];
  readonly attributes: CustomerAttributes;
}

/** Returns what a buyer lacks. The code is in the basket; of a buyer who is not known yet, only that is judged. */
export function missingOf(
  { membershipTypeIds, codeCampaignId, attribute }: PhaseRequirements,
  { buyer, campaignId }: { readonly buyer: PhaseBuyer | undefined; readonly campaignId: number | null },
): readonly MissingRequirement[] {
  const isMember =
    buyer === undefined ||
    membershipTypeIds.length === 0 ||
    membershipTypeIds.some((typeId) => buyer.membershipTypeIds.includes(typeId));
  const hasCode = codeCampaignId === null || codeCampaignId === campaignId;
  const hasAttribute =
    buyer === undefined ||
    attribute === null ||
    (buyer.attributes[attribute.name] ?? Number.NEGATIVE_INFINITY) >= attribute.atLeast;
  return [
    ...(isMember ? [] : (['membership'] as const)),
    ...(hasCode ? [] : (['code'] as const)),
    ...(hasAttribute ? [] : (['attribute'] as const)),
  ];
}

/** Whether it takes more than the basket to judge the buyer. */
export function needsBuyer({ requires: { membershipTypeIds, attribute }, maxPerPerson }: Phase): boolean {
  return membershipTypeIds.length > 0 || attribute !== null || maxPerPerson !== null;
}

/** The phases that have a price which is shown, with these prices only, the first to open first. */
export function shownPhases(phases: readonly Phase[], shown: ReadonlySet<number>): readonly Phase[] {
  return phases
    .map((phase) => ({ ...phase, priceIndexes: phase.priceIndexes?.filter((index) => shown.has(index)) ?? null }))
    .filter(({ priceIndexes }) => priceIndexes === null || priceIndexes.length > 0)
    .toSorted((one, other) => (one.fromUnix ?? 0) - (other.fromUnix ?? 0) || one.number - other.number);
}
