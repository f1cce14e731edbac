import * as v from 'valibot';
import { webhookEventTypes } from '../domain/webhooks/event-types.ts';
import type { EventReference } from './outbox.ts';

const Type = v.picklist(webhookEventTypes);

const FeedRow = v.object({
  pk: v.object({ S: v.string() }),
  sk: v.object({ S: v.string() }),
  type: v.object({ S: Type }),
});

/** Parses the feed row of a stream record. */
export function parseStreamImage(image: unknown): EventReference {
  const { pk, sk, type } = v.parse(FeedRow, image);
  const [, orgId = ''] = pk.S.split('#');
  return { orgId, eventId: sk.S, type: type.S };
}

const BusEvent = v.object({ detail: v.object({ org_id: v.string(), event_id: v.string(), type: Type }) });

/** Parses a queue message that EventBridge has sent. */
export function parseBusMessage(body: unknown): EventReference {
  const { detail } = v.parse(BusEvent, body);
  return { orgId: detail.org_id, eventId: detail.event_id, type: detail.type };
}
