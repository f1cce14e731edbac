import type { TermRecord } from '../domain/members/term.ts';
import { majorUnits } from '../domain/money.ts';
import type { MemberTerm } from '../operations/schemas/member-term.ts';

export function memberTermResource(record: TermRecord): MemberTerm {
  return {
    term_id: record.termId,
    membership_type_id: record.typeId,
    from: record.fromUnix,
    until: record.untilUnix,
    order_id: record.orderId,
    price: majorUnits(record.priceMinor, record.currency),
    currency: record.currency,
    state: record.state,
  };
}
