import { type Phase, phasesAt, phasesOfPrice } from '../../domain/phases/phase.ts';
import { type PhaseFan, type PhaseOfPrice, phaseOfPrice } from '../../domain/phases/phase-of-price.ts';
import type { PriceRecord } from '../../domain/prices/price.ts';
import { unixSeconds } from '../../platform/clock.ts';
import { readKnownBuyer } from './known-buyer.ts';
import type { SaleContext } from './sale-context.ts';

interface SoldPrices {
  readonly phases: readonly Phase[];
  readonly prices: readonly PriceRecord[];
  /** The campaign of the code that the fan has. */
  readonly campaignId: number | null;
}

/** Returns what says which phase of a price is open, and whether the fan who is signed in may buy it now. */
export async function phasesOfPrices(
  context: SaleContext,
  { phases, prices, campaignId }: SoldPrices,
): Promise<(price: PriceRecord) => PhaseOfPrice> {
  const nowUnix = unixSeconds(context.clock);
  const open = prices.flatMap(({ index }) => phasesAt(phasesOfPrice(phases, index), nowUnix).open ?? []);
  const fan = await readFan(context, prices, open, nowUnix);
  return (price) => phaseOfPrice(price, { phases, campaignId, fan }, nowUnix);
}

async function readFan(
  { table, orgId, findFan }: SaleContext,
  prices: readonly PriceRecord[],
  open: readonly Phase[],
  nowUnix: number,
): Promise<PhaseFan | undefined> {
  if (findFan === undefined) return undefined;
  const link = await findFan();
  const wanted = {
    memberships:
      prices.some(({ membershipTypeId }) => membershipTypeId !== null) ||
      open.some(({ requires }) => requires.membershipTypeIds.length > 0),
    attributes: open.some(({ requires }) => requires.attribute !== null),
    ...(open.some(({ maxPerPerson }) => maxPerPerson !== null) && { limitedEventId: prices[0]?.eventId }),
  };
  const buyer = await readKnownBuyer({ table, orgId }, { linkedUserId: link?.userId ?? null }, wanted, nowUnix);
  const { memberships, attributes, person } = buyer;
  return { membershipTypeIds: memberships.map(({ typeId }) => typeId), attributes, taken: person?.taken ?? new Map() };
}
