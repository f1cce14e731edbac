import type { TicketsByMember } from '../baskets/member-limits.ts';
import { leftInPhase } from '../baskets/person-limits.ts';
import type { PriceRecord } from '../prices/price.ts';
import { type MissingRequirement, missingOf, type Phase, type PhaseBuyer, phasesAt, phasesOfPrice } from './phase.ts';

/** A fan who asks what can be bought. */
export interface PhaseFan extends PhaseBuyer {
  /** How many tickets the fan has of each phase with a limit. */
  readonly taken: TicketsByMember;
}

/** What a price says about its phases. */
export interface PhaseOfPrice {
  /** Undefined if no phase of the price is open. */
  readonly open: Phase | undefined;
  readonly nextFromUnix: number | null;
  /** Whether the fan may buy the price now, and what the fan lacks. Undefined if nobody is signed in. */
  readonly eligibility:
    | { readonly isEligible: boolean; readonly missing: readonly (MissingRequirement | 'max_per_person')[] }
    | undefined;
}

interface Sale {
  readonly phases: readonly Phase[];
  /** The campaign of the code that the fan has. */
  readonly campaignId: number | null;
  readonly fan: PhaseFan | undefined;
}

/** Says which phase of a price is open, and whether the fan may buy it now. */
export function phaseOfPrice(
  { index, membershipTypeId }: Pick<PriceRecord, 'index' | 'membershipTypeId'>,
  { phases, campaignId, fan }: Sale,
  nowUnix: number,
): PhaseOfPrice {
  const ofPrice = phasesOfPrice(phases, index);
  const { open, next } = phasesAt(ofPrice, nowUnix);
  const nextFromUnix = next?.fromUnix ?? null;
  if (fan === undefined) return { open, nextFromUnix, eligibility: undefined };
  const isForOthers = membershipTypeId !== null && !fan.membershipTypeIds.includes(membershipTypeId);
  const isUsedUp = open !== undefined && leftInPhase(open, fan.taken) <= 0;
  const missing = new Set([
    ...(isForOthers ? (['membership'] as const) : []),
    ...(open === undefined ? [] : missingOf(open.requires, { buyer: fan, campaignId })),
    ...(isUsedUp ? (['max_per_person'] as const) : []),
  ]);
  const isOpen = open !== undefined || ofPrice.length === 0;
  return { open, nextFromUnix, eligibility: { isEligible: isOpen && missing.size === 0, missing: [...missing] } };
}
