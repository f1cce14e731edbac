import { derivedKey } from '../platform/secret.ts';
import { openSecret, sealSecret } from './secret-box.ts';
import { newSecret } from './signature.ts';

const ownerOf = (orgId: string, endpointId: string): string => `${orgId}/${endpointId}`;

/** Creates a secret: the text, which is shown once, and its encrypted form, which is stored. */
export async function createSecret(orgId: string, endpointId: string): Promise<{ text: string; sealed: string }> {
  const text = newSecret();
  return { text, sealed: sealSecret(await derivedKey('webhook-secret'), ownerOf(orgId, endpointId), text) };
}

/** Decrypted secrets are cached for the life of the instance, up to this many. */
const maxCached = 500;
const cache = new Map<string, string>();

export async function openSecrets(orgId: string, endpointId: string, sealed: readonly string[]): Promise<string[]> {
  const key = await derivedKey('webhook-secret');
  const owner = ownerOf(orgId, endpointId);
  return sealed.map((secret) => {
    // The owner is part of the cache key: a secret that was copied to another endpoint must not decrypt.
    const cacheKey = `${owner} ${secret}`;
    const text = cache.get(cacheKey) ?? openSecret(key, owner, secret);
    if (cache.size >= maxCached) cache.clear();
    cache.set(cacheKey, text);
    return text;
  });
}
