import { activeTermsOf } from '../data/members/bought-together.ts';
import type { MemberRecord } from '../data/members/row.ts';
import { type RenewalOffer, readRenewalOffer } from '../data/membership/renewal-offer.ts';
import { readOrganisation } from '../data/organisations/organisation.ts';
import { endingTerm, quoteRenewal } from '../domain/renewals/quote.ts';
import type { EndingTerm, RenewalQuote, RenewalRecord } from '../domain/renewals/renewal.ts';
import { unixSeconds } from '../platform/clock.ts';
import type { ChargeDeps } from './deps.ts';

/** When the members' term ends, and what the next one would cost now. */
export interface RenewalFacts {
  /** All who were bought together. */
  readonly members: readonly MemberRecord[];
  readonly term: EndingTerm;
  readonly offered: RenewalOffer;
  /** Null if the membership cannot be renewed as it was agreed. */
  readonly quote: RenewalQuote | null;
}

/** A renewal that can be charged. */
export type OfferedRenewal = RenewalFacts & Pick<Extract<RenewalOffer, { outcome: 'offered' }>, 'offer' | 'nextTerm'>;

/** Undefined if the membership does not end. */
export async function readRenewalFacts(
  { table, orgId, clock }: Pick<ChargeDeps, 'table' | 'orgId' | 'clock'>,
  { renewalId, optionId }: Pick<RenewalRecord, 'renewalId' | 'optionId'>,
  members: readonly MemberRecord[],
): Promise<RenewalFacts | undefined> {
  const [first] = members;
  if (first === undefined || first.expiresUnix === null) return undefined;
  const nowUnix = unixSeconds(clock);
  const [organisation, terms] = await Promise.all([readOrganisation(table, orgId), activeTermsOf(table, orgId, first)]);
  // Nobody has agreed to pay for what was given away.
  const offered =
    terms.at(-1)?.isComplimentary === true
      ? ({ outcome: 'no_type' } as const)
      : await readRenewalOffer(table, orgId, { members, terms, nowUnix });
  return {
    members,
    term: endingTerm(first.expiresUnix, organisation?.timezone ?? 'UTC', renewalId),
    offered,
    quote: offered.outcome === 'offered' ? quoteRenewal(offered, optionId, nowUnix) : null,
  };
}
