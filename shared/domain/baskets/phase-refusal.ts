import type { CustomerAttributes } from '../customers/attributes.ts';
import { type MissingRequirement, missingOf, type Phase, phasesAt, phasesOfPrice } from '../phases/phase.ts';
import type { Basket } from './basket.ts';
import { isTicketLine } from './line-item.ts';
import { membershipsIn, type ProvenMembership } from './member-limits.ts';
import type { CountedPerson } from './person-limits.ts';

/** Why tickets are not sold now, or not to this buyer. */
export type PhaseRefusal =
  | { readonly reason: 'phase_not_open'; readonly title: string; readonly next: Phase | undefined }
  | {
      readonly reason: 'not_eligible';
      readonly title: string;
      readonly eventId: number;
      readonly phase: Phase;
      /** It may be for everyone. */
      readonly next: Phase | undefined;
      readonly missing: readonly MissingRequirement[];
    };

/** What is known of who buys: of the signed-in fan, or of the member that the organisation's server vouches for. */
export interface KnownBuyer {
  readonly memberships: readonly ProvenMembership[];
  readonly attributes: CustomerAttributes;
  /** The tickets that a linked fan has of each phase with a limit; undefined if nobody has asked. */
  readonly person?: CountedPerson | undefined;
}

interface SoldPrice {
  readonly eventId: number;
  /** Of the whole event. */
  readonly phases: readonly Phase[];
  readonly priceIndex: number;
  readonly title: string;
}

/** Returns why a price is not sold to the buyer now. What an organisation keeps for somebody ignores phases. */
export function phaseRefusal(
  basket: Basket,
  { eventId, phases, priceIndex, title }: SoldPrice,
  buyer: KnownBuyer | undefined,
  nowUnix: number,
): PhaseRefusal | undefined {
  const own = phasesOfPrice(phases, priceIndex);
  if (own.length === 0 || basket.longHold !== null) return undefined;
  const { open, next } = phasesAt(own, nowUnix);
  if (open === undefined) return { reason: 'phase_not_open', title, next };
  const missing = missingOf(open.requires, {
    campaignId: basket.code?.campaignId ?? null,
    buyer: buyer && {
      membershipTypeIds: membershipsIn(basket.lines, buyer.memberships).map(({ typeId }) => typeId),
      attributes: buyer.attributes,
    },
  });
  return missing.length === 0 ? undefined : { reason: 'not_eligible', title, eventId, phase: open, next, missing };
}

/** The phases that are open for the tickets of a basket. What an organisation keeps for somebody ignores phases. */
export function openPhasesOf({ lines, longHold }: Basket, phases: readonly Phase[], nowUnix: number): readonly Phase[] {
  if (longHold !== null || phases.length === 0) return [];
  const open = lines
    .filter(isTicketLine)
    .flatMap(({ priceIndex }) => phasesAt(phasesOfPrice(phases, priceIndex), nowUnix).open ?? []);
  return [...new Set(open)];
}

interface BuyerFacts {
  readonly memberships: readonly ProvenMembership[];
  readonly attributes?: CustomerAttributes;
  readonly phases?: readonly Phase[];
}

/** Returns why the first line that cannot be sold to the buyer now cannot. */
export function phaseRefusalOfLines(
  basket: Basket,
  { phases = [], memberships, attributes = {} }: BuyerFacts,
  nowUnix: number,
): PhaseRefusal | undefined {
  const buyer = { memberships, attributes };
  const eventId = basket.eventId ?? 0;
  const refusals = basket.lines
    .filter(isTicketLine)
    .map(({ priceIndex, title }) => phaseRefusal(basket, { eventId, phases, priceIndex, title }, buyer, nowUnix));
  return refusals.find((one) => one !== undefined);
}
