import { readKnownBuyer } from '../../checkout/known-buyer.ts';
import type { Offer } from '../../domain/baskets/offer.ts';
import { needsBuyer, phasesAt, phasesOfPrice } from '../../domain/phases/phase.ts';
import { unixSeconds } from '../../platform/clock.ts';
import type { Deps } from '../pipeline.ts';
import type { Caller } from '../request-context.ts';
import { authenticateSsoUser } from './authenticate-fan.ts';

export type FanRequest = Pick<Deps, 'table' | 'clock' | 'ssoToken'> & { readonly caller: Caller };

/** The offer with what is known of the fan, if the phase that is open asks for it or has a limit per person. Without a token nobody knows who buys. */
export async function offerForFan(request: FanRequest, offer: Offer): Promise<Offer> {
  const { table, caller, clock, ssoToken } = request;
  const nowUnix = unixSeconds(clock);
  const { open } = phasesAt(phasesOfPrice(offer.phases, offer.price.index), nowUnix);
  if (ssoToken === undefined || open === undefined || !needsBuyer(open)) return offer;
  const { link } = await authenticateSsoUser(request);
  const wanted = {
    memberships: open.requires.membershipTypeIds.length > 0,
    attributes: open.requires.attribute !== null,
    ...(open.maxPerPerson !== null && { limitedEventId: offer.event.eventId }),
  };
  const person = { linkedUserId: link?.userId ?? null };
  const buyer = await readKnownBuyer({ table, orgId: caller.orgId }, person, wanted, nowUnix);
  return { ...offer, buyer };
}
