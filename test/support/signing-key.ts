import type { PresentedKey } from '../../shared/data/auth/admit.ts';
import {
  gateTokenMaker,
  keyMaker,
  newPrivateKey,
  signerOf,
  storefrontTokenMaker,
} from '../../shared/http/auth/sign-token.ts';
import { parseSigningKeys, readToken } from '../../shared/http/auth/signed-token.ts';
import { deployment } from './deployment.ts';

/** The signing key of a test process, or of the deployment that it tests. */
export const testSigningKey = deployment?.signing_key ?? newPrivateKey();
export const testSigner = signerOf(testSigningKey);
const accepted = parseSigningKeys(testSigner.publicKey);

/** For the platform of a pipeline. */
export const signingKeys = () => accepted;

export const makeKey = keyMaker(testSigner);
export const makeGateToken = gateTokenMaker(testSigner);
export const makeStorefrontToken = storefrontTokenMaker(testSigner);

/** A signing key that no function accepts, as an attacker has. */
export const otherSigner = signerOf(newPrivateKey());

export function parseKey(text: string): PresentedKey | undefined {
  const token = readToken(text, accepted);
  return typeof token === 'object' && (token.kind === 'live' || token.kind === 'test') ? presented(token) : undefined;
}

export function parseGateToken(text: string): PresentedKey | undefined {
  const token = readToken(text, accepted);
  return typeof token === 'object' && token.kind === 'gate' ? presented(token) : undefined;
}

function presented({ orgId, keyId, hash }: PresentedKey): PresentedKey {
  return { orgId, keyId, hash };
}
