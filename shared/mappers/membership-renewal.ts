import { majorUnits } from '../domain/money.ts';
import type { EndingTerm, RenewalQuote, RenewalRecord } from '../domain/renewals/renewal.ts';
import type { MembershipRenewal } from '../operations/schemas/membership-renewal.ts';

/** What is known of the next term before it is announced. */
interface PlannedRenewal {
  readonly term: EndingTerm;
  readonly quote: RenewalQuote | null;
}

/** The event that announces a renewal, or says what became of it. It has no personal data. */
export function membershipRenewalDue(renewal: RenewalRecord, planned: PlannedRenewal) {
  return { type: 'membership.renewal_due', data: { renewal: renewalResource(renewal, planned) } } as const;
}

/** The next renewal as it was announced; or as it would be now, if it was not. */
export function renewalResource(
  { memberIds, round }: Pick<RenewalRecord, 'memberIds' | 'round'>,
  { term, quote: planned }: PlannedRenewal,
): MembershipRenewal {
  const announced = round?.expiresUnix === term.expiresUnix ? round : null;
  const quote = announced === null ? planned : announced.quote;
  const money = (minor: number | undefined): number | null =>
    quote === null || minor === undefined ? null : majorUnits(minor, quote.currency);
  return {
    membership_member_ids: [...memberIds],
    expires: term.expiresUnix,
    status: announced?.status ?? (quote === null ? 'not_offered' : 'planned'),
    membership_type_id: quote?.typeId ?? null,
    due: quote === null ? null : (announced?.dueUnix ?? term.lastDayUnix),
    amount: money(quote?.amountMinor),
    price: money(quote?.priceMinor),
    currency: quote?.currency ?? null,
    attempts: announced?.attempts ?? 0,
    failure: announced?.failure ?? null,
    next_attempt: announced?.retryUnix ?? null,
  };
}
