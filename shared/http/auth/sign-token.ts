import { createPrivateKey, createPublicKey, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import type { KeyMode } from '../../domain/auth/api-keys.ts';
import { Fault } from '../../platform/fault.ts';
import { base62 } from './base62.ts';
import {
  checksum,
  secretLength,
  signatureLength,
  signerId,
  type TokenKind,
  tokenHash,
  tokenStart,
} from './signed-token.ts';

/** Signs tokens. Only the operator's CLI, the local run and tests have one: no function imports this file. */
export interface TokenSigner {
  readonly id: string;
  /** The 32 bytes of the public key in base64url, as functions have it in their environment. */
  readonly publicKey: string;
  sign(text: string): Uint8Array;
}

/** Generates an Ed25519 private key: PKCS#8 in base64. */
export function newPrivateKey(): string {
  const { privateKey } = generateKeyPairSync('ed25519');
  return privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64');
}

export function signerOf(privateKey: string): TokenSigner {
  const key = createPrivateKey({ key: Buffer.from(privateKey, 'base64'), format: 'der', type: 'pkcs8' });
  const { x: publicKey, crv } = createPublicKey(key).export({ format: 'jwk' });
  if (publicKey === undefined || crv !== 'Ed25519') throw new Fault('The signing key is not an Ed25519 key.');
  return { id: signerId(publicKey), publicKey, sign: (text) => sign(null, Buffer.from(text), key) };
}

export interface NewToken {
  readonly text: string;
  readonly hash: Uint8Array;
  readonly signer: string;
}

/** Makes a new token. Its text is shown once and never stored. */
export function signToken(kind: TokenKind, orgId: string, tokenId: string, signer: TokenSigner): NewToken {
  const signed = `${tokenStart(kind, orgId, tokenId)}_${base62(randomBytes(32), secretLength)}_${signer.id}`;
  const body = signed + base62(signer.sign(signed), signatureLength);
  const text = `${body}_${checksum(body)}`;
  return { text, hash: tokenHash(text), signer: signer.id };
}

/** Makes the keys and tokens that `shared/data/admin` stores. */
export function keyMaker(signer: TokenSigner) {
  return (mode: KeyMode, orgId: string, keyId: string): NewToken => signToken(mode, orgId, keyId, signer);
}

export function gateTokenMaker(signer: TokenSigner) {
  return (orgId: string, tokenId: string): NewToken => signToken('gate', orgId, tokenId, signer);
}

export function storefrontTokenMaker(signer: TokenSigner) {
  return (orgId: string, tokenId: string): NewToken => signToken('pub', orgId, tokenId, signer);
}
