import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { base62 } from './base62.ts';

const secretLength = 43;

/** A new token that accepts a transfer: 256 random bits. Only its hash is stored. */
export function newAcceptToken(): { readonly text: string; readonly hash: string } {
  const text = `gl_transfer_${base62(randomBytes(32), secretLength)}`;
  return { text, hash: acceptTokenHash(text) };
}

/** Whether a text is the token with this hash. The comparison takes the same time whatever the text is. */
export function isAcceptToken(text: string, hash: string): boolean {
  const [sent, known] = [Buffer.from(acceptTokenHash(text)), Buffer.from(hash)];
  return sent.length === known.length && timingSafeEqual(sent, known);
}

/** What is stored of a token. */
export const acceptTokenHash = (text: string): string => createHash('sha256').update(text).digest('base64url');
