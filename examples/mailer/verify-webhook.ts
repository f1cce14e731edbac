import { createHmac, timingSafeEqual } from 'node:crypto';

/** A signature that is older or newer may be a recorded request that someone sends again. */
const toleranceSeconds = 300;

export type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

/**
 * Whether Gateline has sent this body just now (https://www.standardwebhooks.com). While a secret is replaced, Gateline signs with the old
 * and the new one for a day, and this program may know both: one signature that fits is enough.
 */
export function isFromGateline(secrets: readonly string[], headers: Headers, body: string, nowMs: number): boolean {
  const [id, sent, signatures] = ['id', 'timestamp', 'signature'].map((name) => String(headers[`webhook-${name}`]));
  const isNow = Math.abs(nowMs / 1000 - Number(sent)) <= toleranceSeconds;
  // An empty secret, as after a comma at the end of the setting, is one that everybody knows.
  const keys = secrets
    .map((secret) => Buffer.from(secret.replace(/^whsec_/, ''), 'base64'))
    .filter(({ length }) => length > 0);
  const expected = keys.map(
    (key) => `v1,${createHmac('sha256', key).update(`${id}.${sent}.${body}`).digest('base64')}`,
  );
  const found = String(signatures).split(' ');
  return isNow && expected.some((one) => found.some((other) => isEqual(one, other)));
}

function isEqual(a: string, b: string): boolean {
  return a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));
}
