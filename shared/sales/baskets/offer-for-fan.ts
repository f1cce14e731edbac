import type { Offer } from '../../domain/baskets/offer.ts';
import { needsBuyer, phasesAt, phasesOfPrice } from '../../domain/phases/phase.ts';
import { unixSeconds } from '../../platform/clock.ts';
import { readKnownBuyer } from './known-buyer.ts';
import type { SaleContext } from './sale-context.ts';

/** The offer with what is known of the fan, if the phase that is open asks for it or has a limit per person. Without a token nobody knows who buys. */
export async function offerForFan({ table, orgId, clock, findFan }: SaleContext, offer: Offer): Promise<Offer> {
  const nowUnix = unixSeconds(clock);
  const { open } = phasesAt(phasesOfPrice(offer.phases, offer.price.index), nowUnix);
  if (findFan === undefined || open === undefined || !needsBuyer(open)) return offer;
  const link = await findFan();
  const wanted = {
    memberships: open.requires.membershipTypeIds.length > 0,
    attributes: open.requires.attribute !== null,
    ...(open.maxPerPerson !== null && { limitedEventId: offer.event.eventId }),
  };
  const buyer = await readKnownBuyer({ table, orgId }, { linkedUserId: link?.userId ?? null }, wanted, nowUnix);
  return { ...offer, buyer };
}
