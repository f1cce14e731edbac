import { createHash, createPublicKey, type KeyObject, verify } from 'node:crypto';
import type { PresentedKey } from '../../data/auth/admit-key.ts';
import { Fault } from '../../platform/fault.ts';
import { base62, base62Bytes } from './base62.ts';

/**
 * The format of all API keys and tokens: `gl_live_harbourfc_1_<secret>_<signer><signature>_<checksum>`.
 *
 * | part         | content                                                                                |
 * |--------------|----------------------------------------------------------------------------------------|
 * | live         | the kind, by which people and secret scanners recognise a token                         |
 * | harbourfc, 1 | the organisation (without its `org_`) and the id: its item is found without a look-up   |
 * | secret       | 256 random bits; the table stores a SHA-256 of the whole text                           |
 * | signer       | which of the stage's signing keys has signed                                            |
 * | signature    | Ed25519, over all of the text before it                                                 |
 * | checksum     | detects typos and truncation, also where the public key is not known (secret scanners)  |
 *
 * Only the operator's CLI can sign (sign-token.ts). Functions have the public keys, so they refuse a made-up token without a
 * call. A signature does not authenticate: the table decides whether a token is known, valid and below its limits (ADR 0006).
 */
export const tokenKinds = ['live', 'test', 'gate', 'pub'] as const;
export type TokenKind = (typeof tokenKinds)[number];

export const secretLength = 43;
export const signatureLength = 86;
const signatureBytes = 64;
const signerLength = 4;
const checksumLength = 6;

const pattern = new RegExp(
  `^(gl_(${tokenKinds.join('|')})_([a-z0-9]{4,24})_([0-9a-z]{1,4})_[0-9A-Za-z]{${secretLength}}_([0-9A-Za-z]{${signerLength}}))([0-9A-Za-z]{${signatureLength}})_[0-9A-Za-z]{${checksumLength}}$`,
);

const organisationPrefix = 'org_';
const organisationPattern = /^org_[a-z0-9]{4,24}$/;

/** An organisation id contains no character that table keys or tokens use as a separator. */
export function isOrganisationId(text: string): boolean {
  return organisationPattern.test(text);
}

/** The text of a token up to its id. */
export function tokenStart(kind: TokenKind, orgId: string, tokenId: string): string {
  return `gl_${kind}_${orgId.slice(organisationPrefix.length)}_${tokenId}`;
}

export function checksum(body: string): string {
  return base62(sha256(body).subarray(0, 4), checksumLength);
}

/** What the table stores of a token. */
export function tokenHash(text: string): Uint8Array {
  return sha256(text);
}

/** The public signing keys of a stage, by the id of their signer. */
export type SigningKeys = ReadonlyMap<string, KeyObject>;

/** The id of a signer follows from its public key, so it need not be assigned. */
export function signerId(publicKey: string): string {
  return base62(sha256(publicKey).subarray(0, 4), checksumLength).slice(-signerLength);
}

const publicKeyPattern = /^[\w-]{43}$/;

/** Parses public keys: the 32 bytes of each in base64url, separated by commas. */
export function parseSigningKeys(text: string): SigningKeys {
  return new Map(
    text.split(',').map((x) => {
      if (!publicKeyPattern.test(x)) {
        throw new Fault(
          `${JSON.stringify(x)} is not a public signing key, so no API key can be verified. Create one (npm run admin -- signing-key create --stage <stage>) and deploy.`,
        );
      }
      return [signerId(x), createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })];
    }),
  );
}

export interface SignedToken extends PresentedKey {
  readonly kind: TokenKind;
}

/**
 * The tokens whose signature was verified, by the hash of their text. A valid signature stays valid, and the table decides
 * everything else with each request. A function sees few tokens, so no order of removal is kept.
 */
const verified = new WeakMap<SigningKeys, Map<string, SignedToken>>();
const maxVerified = 500;

/** Reads a token and verifies its signature, without any call. */
export function readToken(text: string, keys: SigningKeys): SignedToken | 'malformed' | 'forged' {
  const name = Buffer.from(tokenHash(text)).toString('base64');
  const tokens = verified.get(keys) ?? new Map<string, SignedToken>();
  const known = tokens.get(name);
  if (known !== undefined) return known;
  const token = verifyToken(text, keys);
  if (typeof token === 'string') return token;
  if (tokens.size >= maxVerified) tokens.clear();
  verified.set(keys, tokens.set(name, token));
  return token;
}

function verifyToken(text: string, keys: SigningKeys): SignedToken | 'malformed' | 'forged' {
  const [, signed = '', kindText, organisation, keyId = '', signer = '', signature = ''] = pattern.exec(text) ?? [];
  const kind = tokenKinds.find((candidate) => candidate === kindText);
  if (kind === undefined) return 'malformed';
  if (!text.endsWith(`_${checksum(text.slice(0, -(checksumLength + 1)))}`)) return 'malformed';
  const key = keys.get(signer);
  const bytes = base62Bytes(signature, signatureBytes);
  if (key === undefined || bytes === undefined || !verify(null, Buffer.from(signed), key, bytes)) return 'forged';
  return { kind, orgId: `${organisationPrefix}${organisation}`, keyId, hash: tokenHash(text) };
}

function sha256(text: string): Uint8Array {
  return createHash('sha256').update(text).digest();
}
