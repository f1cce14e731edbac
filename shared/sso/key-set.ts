import { createPublicKey } from 'node:crypto';
import { assertIsJwks, type Jwk, type Jwks } from 'aws-jwt-verify/jwk';
import { safeJsonParse } from 'aws-jwt-verify/safe-json-parse';
import type { SsoAlgorithm } from '../domain/sso/provider.ts';

/** A JSON Web Key Set (RFC 7517); throws when the text is none. */
export function parseKeySet(text: string): Jwks {
  const jwks = safeJsonParse(text);
  assertIsJwks(jwks);
  return jwks;
}

/** The kind of key that each algorithm signs with: a key of another kind is never tried with it. */
export function keyTypeOf(algorithm: SsoAlgorithm): 'RSA' | 'EC' | 'OKP' {
  if (algorithm === 'EdDSA') return 'OKP';
  return algorithm.startsWith('RS') ? 'RSA' : 'EC';
}

const minRsaBits = 2_048;

/** Why the platform team should not register this text as a key set; undefined when it may. */
export function keySetProblem(text: string): string | undefined {
  let jwks: Jwks;
  try {
    jwks = parseKeySet(text);
  } catch {
    return 'it is not a JSON Web Key Set: an object with a list "keys"';
  }
  const keyIds = jwks.keys.map(({ kid }) => kid);
  if (jwks.keys.length === 0) return 'it holds no key';
  if (keyIds.includes(undefined)) return 'a key in it has no "kid", by which tokens name the key they were signed with';
  if (new Set(keyIds).size !== keyIds.length) return 'two keys in it have the same "kid"';
  if (jwks.keys.some((key) => 'd' in key || key.kty === 'oct'))
    return 'it holds a secret; only public keys belong here';
  return jwks.keys.every(isUsable) ? undefined : `a key in it is broken, or an RSA key of less than ${minRsaBits} bits`;
}

function isUsable(jwk: Jwk): boolean {
  try {
    const { asymmetricKeyDetails } = createPublicKey({ key: jwk, format: 'jwk' });
    return (asymmetricKeyDetails?.modulusLength ?? minRsaBits) >= minRsaBits;
  } catch {
    return false;
  }
}
