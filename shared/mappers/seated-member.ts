import type { MemberRecord } from '../data/members/row.ts';
import type { EventRecord } from '../domain/events/event.ts';
import type { SeatedMember } from '../operations/schemas/seated-member.ts';
import { isoTimestamp } from './iso-timestamp.ts';
import { memberResource } from './member.ts';

export function seatedMember(member: MemberRecord, takenAt: readonly EventRecord[]): SeatedMember {
  return {
    ...memberResource(member),
    seat_taken_at: takenAt.map(({ eventId, title, startUnix }) => ({
      event_id: String(eventId),
      event_title: title,
      event_start: isoTimestamp(startUnix),
    })),
  };
}
