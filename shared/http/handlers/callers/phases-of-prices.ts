import type { TicketsByMember } from '../../../domain/baskets/member-limits.ts';
import { leftInPhase } from '../../../domain/baskets/person-limits.ts';
import {
  missingOf,
  type Phase,
  type PhaseBuyer,
  phaseIdOf,
  phasesAt,
  phasesOfPrice,
} from '../../../domain/phases/phase.ts';
import type { PriceRecord } from '../../../domain/prices/price.ts';
import type { Price } from '../../../operations/schemas/price.ts';
import { unixSeconds } from '../../../platform/clock.ts';
import { readKnownBuyer } from '../../../sales/baskets/known-buyer.ts';
import { authenticateSsoUser } from './authenticate-fan.ts';
import type { FanRequest } from './sale-context.ts';

type PhaseOfPrice = Pick<Price, 'phase_id' | 'next_phase_from_unix' | 'eligible' | 'missing'>;

interface SoldPrices {
  readonly phases: readonly Phase[];
  readonly prices: readonly PriceRecord[];
  /** The campaign of the code that the fan has. */
  readonly campaignId: number | null;
}

/** Returns what says which phase of a price is open, and whether the fan whose token was sent may buy it now. */
export async function phasesOfPrices(
  request: FanRequest,
  { phases, prices, campaignId }: SoldPrices,
): Promise<(price: PriceRecord) => PhaseOfPrice> {
  const nowUnix = unixSeconds(request.clock);
  const stateOf = ({ index }: PriceRecord) => phasesAt(phasesOfPrice(phases, index), nowUnix);
  const buyer =
    request.ssoToken === undefined
      ? undefined
      : await readFan(
          request,
          prices,
          prices.flatMap((price) => stateOf(price).open ?? []),
        );
  return (price) => {
    const { open, next } = stateOf(price);
    const shown = {
      phase_id: open === undefined ? null : phaseIdOf(price.eventId, open.number),
      next_phase_from_unix: next?.fromUnix ?? null,
    };
    if (buyer === undefined) return shown;
    const { membershipTypeId } = price;
    const isForOthers = membershipTypeId !== null && !buyer.membershipTypeIds.includes(membershipTypeId);
    const isUsedUp = open !== undefined && leftInPhase(open, buyer.taken) <= 0;
    const missing = new Set([
      ...(isForOthers ? (['membership'] as const) : []),
      ...(open === undefined ? [] : missingOf(open.requires, { buyer, campaignId })),
      ...(isUsedUp ? (['max_per_person'] as const) : []),
    ]);
    const isOpen = open !== undefined || phasesOfPrice(phases, price.index).length === 0;
    return { ...shown, eligible: isOpen && missing.size === 0, missing: [...missing] };
  };
}

interface Fan extends PhaseBuyer {
  /** How many tickets the fan has of each phase with a limit. */
  readonly taken: TicketsByMember;
}

async function readFan(request: FanRequest, prices: readonly PriceRecord[], open: readonly Phase[]): Promise<Fan> {
  const { link } = await authenticateSsoUser(request);
  const wanted = {
    memberships:
      prices.some(({ membershipTypeId }) => membershipTypeId !== null) ||
      open.some(({ requires }) => requires.membershipTypeIds.length > 0),
    attributes: open.some(({ requires }) => requires.attribute !== null),
    ...(open.some(({ maxPerPerson }) => maxPerPerson !== null) && { limitedEventId: prices[0]?.eventId }),
  };
  const { table, caller, clock } = request;
  const person = { linkedUserId: link?.userId ?? null };
  const fan = await readKnownBuyer({ table, orgId: caller.orgId }, person, wanted, unixSeconds(clock));
  const { attributes, person: counted } = fan;
  const taken = counted?.taken ?? new Map();
  return { membershipTypeIds: fan.memberships.map(({ typeId }) => typeId), attributes, taken };
}
