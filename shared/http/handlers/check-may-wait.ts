import { countPerson } from '../../checkout/count-person.ts';
import { newBasket } from '../../domain/baskets/basket.ts';
import type { Offer } from '../../domain/baskets/offer.ts';
import { leftInPhase } from '../../domain/baskets/person-limits.ts';
import { phaseRefusal } from '../../domain/baskets/phase-refusal.ts';
import { phasesAt, phasesOfPrice } from '../../domain/phases/phase.ts';
import { unixSeconds } from '../../platform/clock.ts';
import { offerForFan } from '../../sales/baskets/offer-for-fan.ts';
import { problem } from '../problem.ts';
import { phaseProblem } from './phase-problem.ts';
import { type FanRequest, saleContext } from './sale-context.ts';

interface Wish {
  readonly quantity: number;
  /** The customer of the linked fan who waits, or else the address; both null if nobody has proved the address. */
  readonly linkedUserId: number | null;
  readonly emailAddress: string | null;
}

/**
 * Throws the problem if the phases of the price do not sell so many tickets to the person now. An offer ignores phases, as every
 * long hold does, so joining is where they are judged (ADR 65). The organisation's own server decides for itself whom it enters.
 */
export async function checkMayWait(request: FanRequest, offer: Offer, wish: Wish): Promise<void> {
  const { caller, clock, ssoToken } = request;
  const { eventId, index: priceIndex, title } = offer.price;
  const own = phasesOfPrice(offer.phases, priceIndex);
  if (own.length === 0 || (caller.storefront === undefined && ssoToken === undefined)) return;
  const nowUnix = unixSeconds(clock);
  const { buyer = { memberships: [], attributes: {} } } = await offerForFan(saleContext(request), offer);
  const sold = { eventId, phases: offer.phases, priceIndex, title };
  const refusal = phaseRefusal(newBasket(0, nowUnix), sold, buyer, nowUnix);
  if (refusal !== undefined) throw phaseProblem(refusal);
  await checkPersonLimit(request, offer, wish);
}

/** Throws the problem if the phase that is open sells fewer tickets to the person. What an address has bought is told to its owner only. */
export async function checkPersonLimit(
  { table, caller, clock }: FanRequest,
  { price, phases }: Offer,
  { quantity, linkedUserId, emailAddress }: Wish,
): Promise<void> {
  const { open } = phasesAt(phasesOfPrice(phases, price.index), unixSeconds(clock));
  if (open === undefined || open.maxPerPerson === null) return;
  if (linkedUserId === null && emailAddress === null) return;
  const person = { linkedUserId, emailAddress: emailAddress ?? '' };
  const { taken } = await countPerson({ table, orgId: caller.orgId }, price.eventId, person);
  if (quantity * price.ticketsIncluded > leftInPhase(open, taken)) {
    const message = `One person can buy at most ${open.maxPerPerson} tickets in this phase of the sale, in all orders together. Wait for fewer.`;
    throw problem('max_per_person_exceeded', message, { param: 'quantity' });
  }
}
