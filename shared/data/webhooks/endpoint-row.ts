import * as v from 'valibot';
import { maxSecrets, secretOverlapSeconds } from '../../domain/webhooks/endpoint.ts';
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
  /** The secrets before that one, the newest first, each with the end of its own day. */
  olderSecrets: v.optional(v.pipe(v.array(v.object({ secret: v.string(), untilUnix: v.number() })), v.readonly()), []),
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
  const { url, ratePerSecond, status, secret, formerSecret, formerUntilUnix, olderSecrets, version } = endpoint;
  return { url, ratePerSecond, status, secret, formerSecret, formerUntilUnix, olderSecrets, version };
}

/** Returns the encrypted secrets that sign at this second, the newest first. */
export function signingSecrets(settings: SendSettings, nowUnix: number): string[] {
  return [settings.secret, ...formerSecrets(settings, nowUnix).map(({ secret }) => secret)];
}

/** The secrets that were replaced and still sign. */
function formerSecrets({ formerSecret, formerUntilUnix, olderSecrets }: SendSettings, nowUnix: number) {
  const former = formerSecret === null ? [] : [{ secret: formerSecret, untilUnix: formerUntilUnix }];
  return [...former, ...olderSecrets].filter(({ untilUnix }) => nowUnix < untilUnix);
}

/** Replaces the secret. The receiver may have any of those before, and each signs for its own day. */
export function withNewSecret(endpoint: EndpointRecord, secret: string, nowUnix: number): EndpointRecord {
  return {
    ...endpoint,
    secret,
    formerSecret: endpoint.secret,
    formerUntilUnix: nowUnix + secretOverlapSeconds,
    olderSecrets: formerSecrets(endpoint, nowUnix).slice(0, maxSecrets - 2),
    updatedUnix: nowUnix,
  };
}
