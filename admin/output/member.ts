import type { MemberRecord } from '../../shared/data/members/row.ts';
import { statusName } from '../../shared/domain/members/status.ts';
import { memberResource } from '../../shared/mappers/member.ts';
import { alignColumns, orDash, showTime } from './text.ts';

/** A member as JSON: the resource of the API and the times of fulfilment and cancellation, which the API does not show. */
export function memberDocument(member: MemberRecord) {
  return { ...memberResource(member), fulfilled_at: member.fulfilledUnix, cancelled_at: member.cancelledUnix };
}

const times: readonly string[] = ['created', 'updated_at', 'expires', 'fulfilled_at', 'cancelled_at'];

/** A member as text, one line per property that has a value. */
export function memberSheet(member: MemberRecord): string {
  const rows = Object.entries(memberDocument(member)).map(([name, value]) => {
    if (name === 'membership_member_status_id') return [name, `${value} ${statusName(member.statusId)}`];
    if (times.includes(name)) return [name, showTime(typeof value === 'number' ? value : null)];
    return [name, orDash(value === null ? null : String(value))];
  });
  return alignColumns(rows.filter(([, text]) => text !== '-'));
}
