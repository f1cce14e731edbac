import { createHmac, randomBytes } from 'node:crypto';

/** Standard Webhooks: a secret is `whsec_` and 24 to 64 bytes in base64. https://www.standardwebhooks.com */
const prefix = 'whsec_';
const secretBytes = 32;

export function newSecret(): string {
  return prefix + randomBytes(secretBytes).toString('base64');
}

export interface SignedMessage {
  /** The event's id: the same for every attempt, so a receiver recognises a repeat. */
  readonly id: string;
  readonly timestampUnix: number;
  /** The exact bytes that are sent. */
  readonly body: string;
}

/** The headers that prove the origin and the time of a message, with one signature for each valid secret. */
export function signatureHeaders(message: SignedMessage, secrets: readonly string[]): Record<string, string> {
  return {
    'webhook-id': message.id,
    'webhook-timestamp': String(message.timestampUnix),
    'webhook-signature': secrets.map((secret) => `v1,${sign(message, secret)}`).join(' '),
  };
}

function sign({ id, timestampUnix, body }: SignedMessage, secret: string): string {
  const key = Buffer.from(secret.slice(prefix.length), 'base64');
  return createHmac('sha256', key).update(`${id}.${timestampUnix}.${body}`).digest('base64');
}
