import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { Fault } from '../platform/fault.ts';

/**
 * Webhook secrets must be readable for signing, so they are encrypted instead of hashed, with a key that is not in the table.
 * The endpoint is authenticated data: a secret that was copied into another endpoint's item does not decrypt.
 */
const algorithm = 'aes-256-gcm';
const version = 'v1.';
const ivBytes = 12;
const tagBytes = 16;

export function sealSecret(key: Uint8Array, owner: string, secret: string): string {
  const iv = randomBytes(ivBytes);
  const cipher = createCipheriv(algorithm, key, iv, { authTagLength: tagBytes }).setAAD(Buffer.from(owner));
  const text = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
  return version + Buffer.concat([iv, cipher.getAuthTag(), text]).toString('base64');
}

export function openSecret(key: Uint8Array, owner: string, sealed: string): string {
  const bytes = Buffer.from(sealed.slice(version.length), 'base64');
  const decipher = createDecipheriv(algorithm, key, bytes.subarray(0, ivBytes), { authTagLength: tagBytes })
    .setAAD(Buffer.from(owner))
    .setAuthTag(bytes.subarray(ivBytes, ivBytes + tagBytes));
  try {
    return Buffer.concat([decipher.update(bytes.subarray(ivBytes + tagBytes)), decipher.final()]).toString('utf8');
  } catch {
    throw new Fault('A webhook secret cannot be decrypted with the secret of webhooks.');
  }
}
