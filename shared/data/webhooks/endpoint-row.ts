import * as v from 'valibot';
import { webhookEndpointKey } from '../table/keys.ts';
import { row, storedEnum } from '../table/row.ts';

const EndpointItem = row({
  endpointId: v.string(),
  url: v.string(),
  types: v.array(v.string()),
  description: v.optional(v.nullable(v.string()), null),
  ratePerSecond: v.number(),
  status: storedEnum(['enabled', 'disabled'], 'disabled'),
  disabledReason: v.optional(v.nullable(v.string()), null),
  createdUnix: v.number(),
  updatedUnix: v.optional(v.nullable(v.number()), null),
  /** Encrypted, like all secrets in the table. */
  secret: v.string(),
  /** The secret before the last rotation. It also signs until `formerUntilUnix`. */
  formerSecret: v.optional(v.nullable(v.string()), null),
  formerUntilUnix: v.optional(v.number(), 0),
  version: v.number(),
});
export type EndpointRecord = v.InferOutput<typeof EndpointItem>;

export function parseEndpoint(item: unknown): EndpointRecord {
  return v.parse(EndpointItem, item);
}

export function endpointItem(orgId: string, endpoint: EndpointRecord): Record<string, unknown> {
  return { ...endpoint, ...webhookEndpointKey(orgId, endpoint.endpointId) };
}

/** Returns the encrypted secrets that sign at this second, the newest first. */
export function signingSecrets({ secret, formerSecret, formerUntilUnix }: EndpointRecord, nowUnix: number): string[] {
  return formerSecret !== null && nowUnix < formerUntilUnix ? [secret, formerSecret] : [secret];
}
