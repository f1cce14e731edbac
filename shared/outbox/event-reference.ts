import * as v from 'valibot';
import { openEnum } from '../data/table/row.ts';
import type { WebhookEventType } from '../domain/webhooks/event-types.ts';
import type { EventReference } from './outbox.ts';

const Type = openEnum<WebhookEventType>();

const FeedRow = v.object({
  pk: v.object({ S: v.string() }),
  sk: v.object({ S: v.string() }),
  type: v.object({ S: Type }),
  requestId: v.optional(v.object({ S: v.string() })),
});

/** Parses the feed row of a stream record. */
export function parseStreamImage(image: unknown): EventReference {
  const { pk, sk, type, requestId } = v.parse(FeedRow, image);
  const [, orgId = ''] = pk.S.split('#');
  return { orgId, eventId: sk.S, type: type.S, requestId: requestId?.S };
}

const BusEvent = v.object({
  detail: v.object({
    org_id: v.string(),
    event_id: v.string(),
    type: Type,
    api_request_id: v.optional(v.string()),
  }),
});

/** Parses a queue message that EventBridge has sent. */
export function parseBusMessage(body: unknown): EventReference {
  const { detail } = v.parse(BusEvent, body);
  const { org_id, event_id, type, api_request_id } = detail;
  return { orgId: org_id, eventId: event_id, type, requestId: api_request_id };
}
