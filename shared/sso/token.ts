import { findJwkInJwks, type Jwk } from 'aws-jwt-verify/jwk';
import { type DecomposedJwt, decomposeUnverifiedJwt } from 'aws-jwt-verify/jwt';
import { verifyJwtSync } from 'aws-jwt-verify/jwt-verifier';
import { type SsoIdentity, type SsoProvider, ssoAlgorithms } from '../domain/sso/provider.ts';
import { keyTypeOf, parseKeySet } from './key-set.ts';
import type { KeySetCache } from './key-set-cache.ts';

/** A decoded token. Do not trust its content before `isValidToken` returns true. */
export interface UnverifiedToken {
  readonly text: string;
  readonly parts: DecomposedJwt;
  /** The identity that the token claims. */
  readonly identity: SsoIdentity;
  /** The address that the token claims to be verified. */
  readonly verifiedEmail: string | null;
}

/** Undefined for a text that is not a token, or a token without issuer, subject or expiry. */
export function decodeToken(text: string): UnverifiedToken | undefined {
  try {
    const parts = decomposeUnverifiedJwt(text);
    const { iss: issuer, sub: subject, exp, email, email_verified } = parts.payload;
    // The library accepts a token without an expiry for ever.
    if (issuer === undefined || !subject || exp === undefined) return undefined;
    const verifiedEmail = email_verified === true && typeof email === 'string' ? email : null;
    return { text, parts, identity: { issuer, subject }, verifiedEmail };
  } catch {
    return undefined;
  }
}

interface KeyLookup {
  readonly keySets: KeySetCache;
  readonly nowMs: number;
}

/**
 * Whether this provider issued the token for us, and it has not expired. The algorithm must be registered for the provider and
 * fit the key, so a token cannot choose how it is verified.
 */
export async function isValidToken(
  { text, parts }: UnverifiedToken,
  provider: SsoProvider,
  keys: KeyLookup,
): Promise<boolean> {
  // RFC 7515, 4.1.11: a token with a critical extension that the verifier does not know must be refused. We know none.
  if ('crit' in parts.header) return false;
  const algorithm = ssoAlgorithms.find((known) => known === parts.header.alg);
  if (algorithm === undefined || !provider.algorithms.includes(algorithm)) return false;
  const key = await findKey(provider, parts.header.kid, keys);
  if (key === undefined || key.kty !== keyTypeOf(algorithm)) return false;
  try {
    verifyJwtSync(text, key, { issuer: provider.issuer, audience: [...provider.audiences] });
    return true;
  } catch {
    return false;
  }
}

async function findKey(
  { keys }: SsoProvider,
  keyId: string | undefined,
  { keySets, nowMs }: KeyLookup,
): Promise<Jwk | undefined> {
  if (keyId === undefined) return undefined;
  return keys.kind === 'inline'
    ? findJwkInJwks(parseKeySet(keys.jwks), keyId)
    : keySets.findKey(keys.uri, keyId, nowMs);
}
