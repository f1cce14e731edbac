import * as v from 'valibot';
import { systemClock } from '../platform/clock.ts';
import { googleWalletSecret } from '../platform/env.ts';
import { KeptSecret } from '../platform/kept-secret.ts';
import { secretText } from '../platform/secret.ts';

/** What `npm run admin -- wallet google` stores: the service account of Google, and the issuer that it signs for. */
export const GoogleAccount = v.object({
  issuer_id: v.pipe(v.string(), v.regex(/^\d{1,30}$/)),
  client_email: v.pipe(v.string(), v.email()),
  private_key: v.pipe(v.string(), v.startsWith('-----BEGIN PRIVATE KEY-----')),
});
export type GoogleAccount = v.InferOutput<typeof GoogleAccount>;

const secret = new KeptSecret(() => secretText(googleWalletSecret()), systemClock);

const Stored = v.pipe(v.string(), v.parseJson(), GoogleAccount);

/** The account of the stage; undefined if none is stored. A new secret contains a random text. */
export async function googleAccount(): Promise<GoogleAccount | undefined> {
  const { success, output } = v.safeParse(Stored, await secret.text());
  return success ? output : undefined;
}
