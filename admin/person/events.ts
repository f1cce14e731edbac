import { eraseResponsesTo, refusalsOfEvent } from '../../shared/data/admin/erase-delivery-responses.ts';
import { everyFeedEvent, rewriteFeedEvent } from './feed.ts';
import type { Person, PersonSection } from './section.ts';
import { personEraser } from './without-person.ts';

/**
 * The events of the last 30 days that contain data of the person. The events and their ids stay, so receivers can still
 * check that they missed none; the personal data in them is erased, and what receivers answered to them, which may repeat it.
 */
export const eventsSection: PersonSection = {
  name: 'events',
  async collect(person) {
    const found: unknown[] = [];
    for await (const { eventId, body, erasedBody } of eventsOf(person)) {
      if (erasedBody === body) continue;
      const refusals = await refusalsOfEvent(person.table, person.orgId, eventId);
      const responses = refusals.map(({ response }) => response);
      found.push({ ...JSON.parse(body), ...(responses.length > 0 && { responses }) });
    }
    return found;
  },
  async erase(person, reached) {
    let rewritten = 0;
    for await (const { eventId, body, erasedBody } of eventsOf(person, reached?.orderIds)) {
      if (erasedBody === body) continue;
      // Before, because a repeated run does not find the event; and after, for an attempt that was under way.
      await eraseResponsesTo(person.table, person.orgId, eventId);
      await rewriteFeedEvent(person.table, person.orgId, eventId, erasedBody);
      await eraseResponsesTo(person.table, person.orgId, eventId);
      rewritten += 1;
    }
    return rewritten;
  },
};

async function* eventsOf(person: Person, erasedOrderIds?: ReadonlySet<number>) {
  const erase = await personEraser(person, { erasedOrderIds });
  for await (const event of everyFeedEvent(person.table, person.orgId, person.clock.nowMs())) {
    yield { ...event, erasedBody: JSON.stringify(await erase(JSON.parse(event.body))) };
  }
}
