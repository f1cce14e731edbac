import { newBasket } from '../../domain/baskets/basket.ts';
import type { Offer } from '../../domain/baskets/offer.ts';
import { leftInPhase } from '../../domain/baskets/person-limits.ts';
import { phaseRefusal } from '../../domain/baskets/phase-refusal.ts';
import { phasesAt, phasesOfPrice } from '../../domain/phases/phase.ts';
import type { WaitingRefusal } from '../../domain/waiting-list/join-refusal.ts';
import { unixSeconds } from '../../platform/clock.ts';
import { countPerson } from '../baskets/count-person.ts';
import { offerForFan } from '../baskets/offer-for-fan.ts';
import type { SaleContext } from '../baskets/sale-context.ts';

interface Wish {
  readonly quantity: number;
  /** The customer of the linked fan who waits, or else the address; both null if nobody has proved the address. */
  readonly linkedUserId: number | null;
  readonly emailAddress: string | null;
}

/**
 * Returns why the phases of the price do not sell so many tickets to the person now; undefined if they do. An offer ignores phases, as
 * every long hold does, so joining is where they are judged (ADR 65). The organisation's own server decides for itself whom it enters.
 */
export async function readWaitRefusal(
  context: SaleContext,
  offer: Offer,
  wish: Wish,
): Promise<WaitingRefusal | undefined> {
  const { clock, isPublic, findFan } = context;
  const { eventId, index: priceIndex, title } = offer.price;
  const own = phasesOfPrice(offer.phases, priceIndex);
  if (own.length === 0 || (!isPublic && findFan === undefined)) return undefined;
  const nowUnix = unixSeconds(clock);
  const { buyer = { memberships: [], attributes: {} } } = await offerForFan(context, offer);
  const sold = { eventId, phases: offer.phases, priceIndex, title };
  return phaseRefusal(newBasket(0, nowUnix), sold, buyer, nowUnix) ?? readLimitRefusal(context, offer, wish);
}

/** Returns the limit if the phase that is open sells fewer tickets to the person. What an address has bought is told to its owner only. */
export async function readLimitRefusal(
  { table, orgId, clock }: SaleContext,
  { price, phases }: Offer,
  { quantity, linkedUserId, emailAddress }: Wish,
): Promise<WaitingRefusal | undefined> {
  const { open } = phasesAt(phasesOfPrice(phases, price.index), unixSeconds(clock));
  if (open === undefined || open.maxPerPerson === null) return undefined;
  if (linkedUserId === null && emailAddress === null) return undefined;
  const person = { linkedUserId, emailAddress: emailAddress ?? '' };
  const { taken } = await countPerson({ table, orgId }, price.eventId, person);
  const isTooMany = quantity * price.ticketsIncluded > leftInPhase(open, taken);
  return isTooMany ? { reason: 'waits_for_too_many', maxPerPerson: open.maxPerPerson } : undefined;
}
