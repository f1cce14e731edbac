import { createHash, randomBytes } from 'node:crypto';
import type { PresentedKey } from '../../data/auth/admit.ts';
import type { KeyMode } from '../../domain/auth/api-keys.ts';

/**
 * `gl_live_harbourfc_1_<secret>_<checksum>`: the mode, the organisation (without its `org_`), the key id, 256 random bits and
 * a checksum. The key contains its owner, so that its item is found without a lookup. The checksum rejects typos and
 * made-up keys before they cost a request to the table, and lets secret scanners recognise a real key.
 */
const keyPattern = /^gl_(?:live|test)_([a-z0-9]{4,24})_([0-9a-z]{1,4})_[0-9A-Za-z]{43}_([0-9A-Za-z]{6})$/;

/** A gate device has a token of the same format, `gl_gate_harbourfc_7k2p_…`. It is not an API key (authenticate-gate.ts). */
const gateTokenPattern = /^gl_gate_([a-z0-9]{4,24})_([0-9a-z]{1,4})_[0-9A-Za-z]{43}_([0-9A-Za-z]{6})$/;

export interface NewKey {
  readonly text: string;
  readonly hash: Uint8Array;
}

const organisationPrefix = 'org_';
const organisationPattern = /^org_[a-z0-9]{4,24}$/;

/** An organisation id contains no character that table keys or API keys use as a separator. */
export function isOrganisationId(text: string): boolean {
  return organisationPattern.test(text);
}

export function makeKey(mode: KeyMode, orgId: string, keyId: string): NewKey {
  return makeCredential(mode, orgId, keyId);
}

export function makeGateToken(orgId: string, tokenId: string): NewKey {
  return makeCredential('gate', orgId, tokenId);
}

function makeCredential(kind: KeyMode | 'gate', orgId: string, keyId: string): NewKey {
  const body = `gl_${kind}_${orgId.slice(organisationPrefix.length)}_${keyId}_${base62(randomBytes(32), 43)}`;
  const text = `${body}_${checksum(body)}`;
  return { text, hash: sha256(text) };
}

export function parseKey(text: string): PresentedKey | undefined {
  return parseCredential(keyPattern, text);
}

export function parseGateToken(text: string): PresentedKey | undefined {
  return parseCredential(gateTokenPattern, text);
}

function parseCredential(pattern: RegExp, text: string): PresentedKey | undefined {
  const [, organisation, keyId, check] = pattern.exec(text) ?? [];
  if (organisation === undefined || keyId === undefined) return undefined;
  if (checksum(text.slice(0, text.lastIndexOf('_'))) !== check) return undefined;
  return { orgId: organisationPrefix + organisation, keyId, hash: sha256(text) };
}

function sha256(text: string): Uint8Array {
  return createHash('sha256').update(text).digest();
}

function checksum(body: string): string {
  return base62(sha256(body).subarray(0, 4), 6);
}

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

function base62(bytes: Uint8Array, width: number): string {
  let rest = BigInt(`0x${Buffer.from(bytes).toString('hex')}`);
  let text = '';
  while (rest > 0n) {
    text = digits.charAt(Number(rest % 62n)) + text;
    rest /= 62n;
  }
  return text.padStart(width, '0');
}
