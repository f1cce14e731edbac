import * as v from 'valibot';
import { webhookEndpointKey } from '../table/keys.ts';
import { nullable, row, storedEnum } from '../table/row.ts';

/** What a sender needs. The state of the endpoint has a copy, so the call that takes send slots also reads it. */
export const SendSettings = v.object({
  url: v.string(),
  ratePerSecond: v.number(),
  status: storedEnum(['enabled', 'disabled'], 'disabled'),
  /** Encrypted, like all secrets in the table. */
  secret: v.string(),
  /** The secret before the last rotation. It also signs until `formerUntilUnix`. */
  formerSecret: nullable(v.string()),
  formerUntilUnix: v.optional(v.number(), 0),
  /** The version of the endpoint. A release that does not know the copy changes only the endpoint. */
  version: v.number(),
});
export type SendSettings = v.InferOutput<typeof SendSettings>;

const EndpointItem = row({
  ...SendSettings.entries,
  endpointId: v.string(),
  types: v.array(v.string()),
  description: nullable(v.string()),
  disabledReason: nullable(v.string()),
  createdUnix: v.number(),
  updatedUnix: nullable(v.number()),
});
export type EndpointRecord = v.InferOutput<typeof EndpointItem>;

export function parseEndpoint(item: unknown): EndpointRecord {
  return v.parse(EndpointItem, item);
}

export function endpointItem(orgId: string, endpoint: EndpointRecord): Record<string, unknown> {
  return { ...endpoint, ...webhookEndpointKey(orgId, endpoint.endpointId) };
}

export function sendSettings(endpoint: EndpointRecord): SendSettings {
  const { url, ratePerSecond, status, secret, formerSecret, formerUntilUnix, version } = endpoint;
  return { url, ratePerSecond, status, secret, formerSecret, formerUntilUnix, version };
}

/** Returns the encrypted secrets that sign at this second, the newest first. */
export function signingSecrets({ secret, formerSecret, formerUntilUnix }: SendSettings, nowUnix: number): string[] {
  return formerSecret !== null && nowUnix < formerUntilUnix ? [secret, formerSecret] : [secret];
}
