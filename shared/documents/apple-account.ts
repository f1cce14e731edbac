import * as v from 'valibot';
import { systemClock } from '../platform/clock.ts';
import { appleWalletSecret } from '../platform/env.ts';
import { KeptSecret } from '../platform/kept-secret.ts';
import { secretText } from '../platform/secret.ts';

const Certificate = v.pipe(v.string(), v.startsWith('-----BEGIN CERTIFICATE-----'));

/** What `npm run admin -- wallet apple` stores, all of it as PEM. */
export const AppleAccount = v.object({
  /** The certificate of the pass type. */
  certificate: Certificate,
  private_key: v.pipe(v.string(), v.includes('PRIVATE KEY-----')),
  /** Apple's intermediate certificate (WWDR), which issued it. */
  authority: Certificate,
  /** From the subject of the certificate. */
  pass_type_id: v.pipe(v.string(), v.startsWith('pass.')),
  team_id: v.pipe(v.string(), v.regex(/^[0-9A-Z]{10}$/)),
});
export type AppleAccount = v.InferOutput<typeof AppleAccount>;

const Stored = v.pipe(v.string(), v.parseJson(), AppleAccount);
const secret = new KeptSecret(() => secretText(appleWalletSecret()), systemClock);

/** The account of the stage; undefined if none is stored. A new secret contains a random text. */
export async function appleAccount(): Promise<AppleAccount | undefined> {
  const { success, output } = v.safeParse(Stored, await secret.text());
  return success ? output : undefined;
}
