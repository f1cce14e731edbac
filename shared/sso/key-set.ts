import { createPublicKey } from 'node:crypto';
import { assertIsJwks, type Jwk, type Jwks } from 'aws-jwt-verify/jwk';
import { safeJsonParse } from 'aws-jwt-verify/safe-json-parse';
import type { SsoAlgorithm } from '../domain/sso/provider.ts';

/** Parses a JSON Web Key Set (RFC 7517). Throws when the text is not one. */
export function parseKeySet(text: string): Jwks {
  const jwks = safeJsonParse(text);
  assertIsJwks(jwks);
  return jwks;
}

/** The key type of each algorithm. A key of another type is never used with it. */
export function keyTypeOf(algorithm: SsoAlgorithm): 'RSA' | 'EC' | 'OKP' {
  if (algorithm === 'EdDSA') return 'OKP';
  return algorithm.startsWith('RS') ? 'RSA' : 'EC';
}

const minRsaBits = 2_048;

/** Why this text cannot be registered as a key set; undefined when it can. */
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
