import * as v from 'valibot';
import { newPrivateKey, signerOf } from '../../shared/http/auth/sign-token.ts';
import type { KeptFiles } from '../cloud/kept-files.ts';

const file = 'signing-key.json';
const SigningKey = v.object({ privateKey: v.pipe(v.string(), v.check(isPrivateKey)) });

/**
 * The private signing key of the local run. It is kept with the data, because it has signed the keys in the table. Without the
 * file the data stays correct: the demo gets new keys, and others must be issued again.
 */
export function localSigningKey(files: KeptFiles): string {
  const kept = files.read(file, SigningKey, { canBeDeleted: true });
  if (kept !== undefined) return kept.privateKey;
  const privateKey = newPrivateKey();
  files.write(file, { privateKey });
  return privateKey;
}

function isPrivateKey(text: string): boolean {
  try {
    return signerOf(text).id !== '';
  } catch {
    return false;
  }
}
