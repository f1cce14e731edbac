import { timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { Webhook } from 'standardwebhooks';

/** A signature that is older or newer may be a recorded request that someone sends again. */
const toleranceSeconds = 300;

/**
 * Whether Gateline has sent this body just now. `new Webhook(secret).verify(body, headers)` of the library is enough; this says why not,
 * for the page that shows what arrived.
 */
export function isFromGateline(
  secret: string,
  headers: IncomingHttpHeaders,
  body: string,
  nowMs: number,
): 'yes' | 'wrong signature' | 'too old or too new' {
  const id = String(headers['webhook-id']);
  const sentUnix = Number(headers['webhook-timestamp']);
  if (!Number.isSafeInteger(sentUnix)) return 'wrong signature';
  const expected = new Webhook(secret).sign(id, new Date(sentUnix * 1000), body);
  // Several signatures are sent while the secret is being rotated.
  const signatures = String(headers['webhook-signature']).split(' ');
  if (!signatures.some((signature) => isEqual(signature, expected))) return 'wrong signature';
  return Math.abs(nowMs / 1000 - sentUnix) <= toleranceSeconds ? 'yes' : 'too old or too new';
}

function isEqual(a: string, b: string): boolean {
  return a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));
}
