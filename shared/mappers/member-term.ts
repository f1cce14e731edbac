import { isReplaced } from '../domain/members/next-term.ts';
import type { TermRecord } from '../domain/members/term.ts';
import { majorUnits } from '../domain/money.ts';
import type { MemberTerm } from '../operations/schemas/member-term.ts';

/** A replaced term goes on if the one that replaced it is refunded, so the other terms say whether it is. */
export function memberTermResource(record: TermRecord, terms: readonly TermRecord[] = [record]): MemberTerm {
  return {
    term_id: record.termId,
    membership_type_id: record.typeId,
    from: record.fromUnix,
    until: record.untilUnix,
    order_id: record.orderId,
    price: majorUnits(record.priceMinor, record.currency),
    currency: record.currency,
    state: record.state === 'active' && isReplaced(terms, record.termId) ? 'replaced' : record.state,
  };
}
