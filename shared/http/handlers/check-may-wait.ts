import { countPerson } from '../../checkout/count-person.ts';
import { newBasket } from '../../domain/baskets/basket.ts';
import type { Offer } from '../../domain/baskets/offer.ts';
import { leftInPhase } from '../../domain/baskets/person-limits.ts';
import { phaseRefusal } from '../../domain/baskets/phase-refusal.ts';
import { phasesAt, phasesOfPrice } from '../../domain/phases/phase.ts';
import { unixSeconds } from '../../platform/clock.ts';
import { problem } from '../problem.ts';
import { type FanRequest, offerForFan } from './offer-for-fan.ts';
import { phaseProblem } from './phase-problem.ts';

interface Wish {
  readonly quantity: number;
  /** The customer of the linked fan who waits, or else the address. */
  readonly linkedUserId: number | null;
  readonly emailAddress: string;
}

/**
 * Throws the problem if the phases of the price do not sell so many tickets to the person now. An offer ignores phases, as every
 * long hold does, so joining is where they are judged (ADR 65). The organisation's own server decides for itself whom it enters.
 */
export async function checkMayWait(request: FanRequest, offer: Offer, { quantity, ...person }: Wish): Promise<void> {
  const { table, caller, clock, ssoToken } = request;
  const { eventId, index: priceIndex, title, ticketsIncluded } = offer.price;
  const own = phasesOfPrice(offer.phases, priceIndex);
  if (own.length === 0 || (caller.storefront === undefined && ssoToken === undefined)) return;
  const nowUnix = unixSeconds(clock);
  const { buyer = { memberships: [], attributes: {} } } = await offerForFan(request, offer);
  const sold = { eventId, phases: offer.phases, priceIndex, title };
  const refusal = phaseRefusal(newBasket(0, nowUnix), sold, buyer, nowUnix);
  if (refusal !== undefined) throw phaseProblem(refusal);
  const { open } = phasesAt(own, nowUnix);
  if (open === undefined || open.maxPerPerson === null) return;
  const { maxPerPerson } = open;
  const { taken } = await countPerson({ table, orgId: caller.orgId }, eventId, person);
  if (quantity * ticketsIncluded > leftInPhase(open, taken)) {
    const message = `One person can buy at most ${maxPerPerson} tickets in this phase of the sale, in all orders together. Wait for fewer.`;
    throw problem('max_per_person_exceeded', message, { param: 'quantity' });
  }
}
